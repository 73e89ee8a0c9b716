// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/mailbox.h"

#include <QTest>
#include <QThread>

using namespace sg;

namespace {

/// A mailbox in a thread of its own.
class Far
{
public:
    Far()
    {
        box->moveToThread(&thread_);
        QObject::connect(&thread_, &QThread::finished, box, &QObject::deleteLater);
        thread_.start();
    }
    ~Far()
    {
        thread_.quit();
        thread_.wait();
    }
    http::Mailbox* box = new http::Mailbox;
    QThread* thread() { return &thread_; }

private:
    QThread thread_;
};

class TestMailbox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runIsDoneThereWhenItReturns()
    {
        Far far;
        QThread* doneIn = nullptr;
        far.box->run([&] { doneIn = QThread::currentThread(); });
        QCOMPARE(doneIn, far.thread());
    }

    void workIsDoneInOrder()
    {
        Far far;
        std::vector<int> done; // no lock: the mailbox hands it over
        for (int i = 0; i < 1000; ++i)
            far.box->post([&done, i] { done.push_back(i); });
        far.box->run([&] { done.push_back(1000); });
        QCOMPARE(done.size(), std::size_t(1001));
        QVERIFY(std::ranges::is_sorted(done));
    }

    void workForAMailboxThatHasGoneIsDropped()
    {
        const auto held = std::make_shared<int>(1);
        auto box = std::make_unique<http::Mailbox>();
        bool done = false;
        box->post([held, &done] { done = true; });
        QCOMPARE(held.use_count(), 2L);
        box.reset();
        QCOMPARE(held.use_count(), 1L);
        QCoreApplication::processEvents();
        QVERIFY(!done);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestMailbox)
#include "tst_mailbox.moc"
