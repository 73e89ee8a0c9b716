// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/answer_budget.h"

#include <QTest>

#include <deque>
#include <random>

using namespace sg;
using engine::AnswerBudget;

namespace {

/// An answer that knows how long it will be.
struct Answer final : AnswerBudget::Client
{
    Answer(AnswerBudget& budget, qint64 most, qint64 real)
        : left(real)
    {
        share.begin(budget, *this, most);
    }
    void setHeld(bool now) override { held = now; }

    bool held = false;
    qint64 left;
    AnswerBudget::Share share; ///< goes first
};

} // namespace

class TestAnswerBudget : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsLittleGoesOn()
    {
        AnswerBudget budget(100);
        Answer a(budget, 64, 64), b(budget, 64, 64);
        QVERIFY(a.share.grow(25));
        QVERIFY(b.share.grow(25));
        QVERIFY(!a.held && !b.held); // half is not more than half
        QCOMPARE(budget.bytes(), 50);
        QCOMPARE(budget.waiting(), 0);
    }

    void beyondHalfThoseGoOnThatHaveRoomToTheirEnds()
    {
        AnswerBudget budget(100);
        Answer nearlyDone(budget, 40, 40), middle(budget, 40, 40), begun(budget, 60, 60);
        QVERIFY(begun.share.grow(2));
        QVERIFY(middle.share.grow(15));
        QVERIFY(nearlyDone.share.grow(34)); // 51 of 100: 6 + 25 to their ends have room, 58 more have not
        QVERIFY(!nearlyDone.held && !middle.held && begun.held);
        QCOMPARE(budget.waiting(), 1);
        Answer late(budget, 30, 30);
        QVERIFY(late.held);
        Answer shortOne(budget, 5, 5);
        QVERIFY(!shortOne.held);
        nearlyDone.share.end();
        QVERIFY(!late.held && !begun.held); // 17 of 100: nobody waits
    }

    void theLargestGoesOnWhereNoneHasRoom()
    {
        AnswerBudget budget(100);
        Answer small(budget, 1000, 10), large(budget, 1000, 45);
        QVERIFY(small.share.grow(10));
        QVERIFY(large.share.grow(41));
        QVERIFY(small.held && !large.held);
        QVERIFY(large.share.grow(49)); // as short as it turns out to be there is room
        QVERIFY(!large.share.grow(1));
        QCOMPARE(budget.refusedTotal(), 1);
        QCOMPARE(budget.bytes(), 100);
        large.share.end();
        QVERIFY(!small.held);
        QCOMPARE(budget.bytes(), 10);
    }

    void aShareThatGoesGivesBack()
    {
        AnswerBudget budget(100);
        {
            Answer one(budget, 100, 100);
            QVERIFY(one.share.grow(60));
        }
        QCOMPARE(budget.bytes(), 0);
        AnswerBudget::Share unused;
        QVERIFY(unused.grow(1000)); // counted nowhere
        unused.end();
    }

    /// Whoever comes, in whatever order they are read: no answer is refused while each fits into half, the sum is never
    /// passed, and all come to their ends.
    void nobodyStarves_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 20; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void nobodyStarves()
    {
        QFETCH(int, seed);
        std::mt19937 random(static_cast<unsigned>(seed));
        const auto upTo = [&](int most) { return std::uniform_int_distribution<int>(1, most)(random); };
        AnswerBudget budget(1000);
        std::deque<std::unique_ptr<Answer>> answers;
        int toCome = 300;
        while (toCome > 0 || !answers.empty()) {
            while (toCome > 0 && answers.size() < 40) {
                const int real = upTo(500);
                answers.push_back(std::make_unique<Answer>(budget, toCome % 2 ? real : 500, real));
                --toCome;
            }
            std::ranges::shuffle(answers, random);
            const auto next = std::ranges::find_if(answers, [](const auto& one) { return !one->held; });
            QVERIFY2(next != answers.end(), "all wait");
            const qint64 piece = std::min<qint64>(upTo(60), (*next)->left);
            QVERIFY((*next)->share.grow(piece));
            QVERIFY(budget.bytes() <= budget.most());
            if (((*next)->left -= piece) == 0)
                answers.erase(next);
        }
        QCOMPARE(budget.bytes(), 0);
    }
};

QTEST_GUILESS_MAIN(TestAnswerBudget)
#include "tst_answer_budget.moc"
