// SPDX-License-Identifier: GPL-3.0-or-later
// Answers that their clients do not take.
#include "core/observe/process_figures.h"
#include "tests/support/deaf_client.h"
#include "tests/support/server_fixture.h"

#include <malloc.h>

using namespace sg;
using http::ServerLimits;
using testing::Client;
using testing::DeafClient;
using testing::get;
using testing::kIsSanitized;
using testing::kMiB;

namespace {

qint64 resident()
{
    return qint64(observe::processFigures().residentBytes.value_or(0));
}

/// What is allocated: freed pieces between others are the process's until it gives them out again.
qint64 allocated()
{
    const struct mallinfo2 now = ::mallinfo2();
    return qint64(now.uordblks + now.hblkhd);
}

/// Many that take nothing of what they asked for.
struct Crowd
{
    explicit Crowd(quint16 p)
        : port(p)
    {
    }
    void join(const QByteArray& request) { clients.push_back(std::make_unique<DeafClient>(port, request)); }
    qsizetype resets()
    {
        return std::ranges::count_if(clients, [](const auto& each) { return each->isReset(); });
    }
    quint16 port;
    std::vector<std::unique_ptr<DeafClient>> clients;
};

} // namespace

class tst_server_unread : public QObject, private testing::ServerFixture
{
    Q_OBJECT

    std::vector<std::weak_ptr<int>> places_;
    bool isHeld(std::size_t at) const { return !places_.at(at).expired(); }
    void holdPlace(Seen& seen)
    {
        const auto place = std::make_shared<int>();
        places_.push_back(place);
        seen.responder->keepUntilSent(place);
    }

private Q_SLOTS:
    void cleanup()
    {
        forget();
        places_.clear();
    }

    void placesAreKeptUntilTheAnswerHasLeft_data()
    {
        QTest::addColumn<QByteArray>("how");
        for (const char* how : {"/whole", "/streamed", "/closes"})
            QTest::newRow(how) << QByteArray(how);
    }
    void placesAreKeptUntilTheAnswerHasLeft()
    {
        QFETCH(QByteArray, how);
        serve();
        answer_ = [&](Seen& s) {
            holdPlace(s);
            QVERIFY(isHeld(0));
            const QByteArray body(4 * kMiB, 'x');
            if (how != "/streamed")
                return s.responder->send(200, {}, body);
            s.responder->begin(200, {});
            s.responder->write(body);
            s.responder->end();
        };
        DeafClient client(port_, get(how, how == "/closes" ? "Connection: close\r\n" : ""));
        QTRY_COMPARE(places_.size(), std::size_t(1));
        for (int i = 0; i < 20; ++i)
            QCoreApplication::processEvents();
        QVERIFY(isHeld(0));
        QVERIFY(server_->unsentBytes() > 3 * kMiB && server_->unsentBytes() < 5 * kMiB);
        QVERIFY(QTest::qWaitFor([&] {
            client.read();
            return !isHeld(0);
        }));
        QCOMPARE(server_->unsentBytes(), 0);
        QVERIFY(client.got.size() > 3 * kMiB); // the kernel has the rest
        QVERIFY(QTest::qWaitFor([&] {
            client.read();
            return client.got.size() > 4 * kMiB;
        }));
        QCOMPARE(server_->unreadDrops(), quint64(0));
    }

    void placesAreLetGoOfAtOnceWhenNothingWaits_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::newRow("small") << QByteArray("GET");
        QTest::newRow("HEAD") << QByteArray("HEAD");
    }
    void placesAreLetGoOfAtOnceWhenNothingWaits()
    {
        QFETCH(QByteArray, method);
        serve();
        bool isHeldBefore = false, isHeldAfter = true;
        answer_ = [&](Seen& s) {
            holdPlace(s);
            isHeldBefore = isHeld(0);
            s.responder->send(200, {}, QByteArray(method == "HEAD" ? 4 * kMiB : 100, 'x'));
            isHeldAfter = isHeld(0);
            s.responder->keepUntilSent(std::make_shared<int>()); // has no effect any more
        };
        DeafClient client(port_, get().replace("GET", method));
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        QVERIFY(isHeldBefore);
        QVERIFY(!isHeldAfter);
    }

    void placesOfWhoIsGoneAreLetGoOf_data()
    {
        QTest::addColumn<QByteArray>("how");
        for (const char* how : {"leaves", "is dropped", "unanswered", "server closes", "server ends", "drained"})
            QTest::newRow(how) << QByteArray(how);
    }
    void placesOfWhoIsGoneAreLetGoOf()
    {
        QFETCH(QByteArray, how);
        serve();
        answer_ = [&](Seen& s) {
            holdPlace(s);
            s.responder->begin(200, {});
            s.responder->write(QByteArray(4 * kMiB, 'x'));
            if (how == "leaves" || how == "drained")
                s.responder->end();
        };
        DeafClient client(port_, get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        QVERIFY(isHeld(0));
        bool isDrained = false;
        if (how == "leaves")
            client.leave();
        else if (how == "is dropped")
            seen_[0].responder->drop(true);
        else if (how == "unanswered")
            seen_.clear();
        else if (how == "server closes")
            server_->close();
        else if (how == "drained")
            server_->drain(Millis(50), [&] { isDrained = true; });
        else
            server_.reset();
        QTRY_VERIFY(!isHeld(0));
        if (server_)
            QCOMPARE(server_->unsentBytes(), 0);
        if (how == "drained")
            QTRY_VERIFY(isDrained);
    }

    void pipelinedAnswersHavePlacesOfTheirOwn()
    {
        ServerLimits limits;
        limits.maxWriteBuffer = 64 * kMiB;
        serve(limits);
        answer_ = [&](Seen& s) {
            holdPlace(s);
            if (s.request.path == "/one")
                s.responder->send(200, {}, QByteArray(2 * kMiB, 'x'));
            else if (s.request.path == "/two")
                s.responder->send(200, {}, QByteArray(4 * kMiB, 'y'));
        };
        DeafClient client(port_, get("/one") + get("/two") + get("/three"));
        QTRY_COMPARE(places_.size(), std::size_t(3));
        QVERIFY(isHeld(0) && isHeld(1) && isHeld(2));
        const auto readsUntil = [&](const auto& isSo) {
            return QTest::qWaitFor([&] {
                client.read(64 * 1024);
                return isSo();
            });
        };
        QVERIFY(readsUntil([&] { return !isHeld(0); }));
        QVERIFY(isHeld(1) && isHeld(2));
        QVERIFY(readsUntil([&] { return !isHeld(1); }));
        QCOMPARE(server_->unsentBytes(), 0);
        QVERIFY(isHeld(2)); // is not answered
        seen_[2].responder->send(200, {}, "z");
        QVERIFY(!isHeld(2));
        QVERIFY(readsUntil([&] { return client.got.endsWith('z'); }));
        QCOMPARE(client.got.count("HTTP/1.1 200"), 3);
    }

    /// Who has a place may be waited for by another that answers at once when it gets it.
    void lettingGoMayAnswerAnother()
    {
        serve();
        answer_ = [&](Seen& s) {
            if (s.request.path != "/long")
                return;
            s.responder->keepUntilSent({nullptr, [this](void*) {
                                            for (const Seen& each : seen_)
                                                if (each.request.path == "/waits")
                                                    each.responder->send(200, {}, "at last");
                                        }});
            s.responder->send(200, {}, QByteArray(4 * kMiB, 'x'));
        };
        DeafClient client(port_, get("/long"));
        Client waiting(port_, get("/waits"));
        QTRY_COMPARE(seen_.size(), std::size_t(2));
        QVERIFY(waiting.got().isEmpty());
        QVERIFY(QTest::qWaitFor([&] {
            client.read();
            return waiting.got().endsWith("at last");
        }));
    }

    void unsentBytesOfAllAreBounded()
    {
        constexpr qint64 limit = 8 * kMiB;
        ServerLimits limits;
        limits.maxUnsentBytes = limit;
        serve(limits);
        qint64 most = 0;
        answer_ = [&](Seen& s) {
            holdPlace(s);
            s.responder->send(200, {}, QByteArray(kMiB, 'x'));
            most = std::max(most, server_->unsentBytes());
            s.responder = nullptr;
        };
        const qint64 before = resident();
        Crowd crowd(port_);
        for (std::size_t i = 0; i < 24; ++i) {
            crowd.join(get());
            QTRY_COMPARE(seen_.size(), i + 1);
        }
        QVERIFY2(most <= limit && most > limit - kMiB, qPrintable(QString::number(most)));
        QTRY_COMPARE(crowd.resets(), qsizetype(server_->unreadDrops()));
        QVERIFY(crowd.resets() >= 24 - 9);   // of each the kernel has something
        for (std::size_t i = 0; i < 24; ++i) // those that have waited longest
            QCOMPARE(crowd.clients[i]->isReset(), i < std::size_t(crowd.resets()));
        QTRY_COMPARE(server_->connectionCount(), 24 - int(crowd.resets()));
        QCOMPARE(std::ranges::count_if(places_, [](const auto& each) { return !each.expired(); }), 24 - crowd.resets());
        if (!kIsSanitized)
            QVERIFY2(resident() - before < limit + 8 * kMiB, qPrintable(QString::number(resident() - before)));

        Client sound(port_, get());
        QTRY_VERIFY(sound.got().size() > kMiB);
        QVERIFY(!sound.closed());
        QVERIFY(server_->unsentBytes() <= limit);

        crowd.clients.clear();
        QTRY_COMPARE(server_->connectionCount(), 1);
        QCOMPARE(server_->unsentBytes(), 0);
        for (std::size_t i = 0; i < places_.size(); ++i)
            QVERIFY(!isHeld(i));
    }

    /// Not from inside the write that was too much: whoever writes goes through a list perhaps, of which they are.
    void whoIsDroppedIsToldOfLater()
    {
        ServerLimits limits;
        limits.maxUnsentBytes = 2 * kMiB;
        limits.maxWriteBuffer = 64 * kMiB;
        serve(limits);
        QByteArrayList gone;
        answer_ = [&](Seen& s) {
            s.responder->onClientGone([&, path = s.request.path] { gone << path; });
            s.responder->begin(200, {});
        };
        DeafClient first(port_, get("/first")), second(port_, get("/second"));
        QTRY_COMPARE(seen_.size(), std::size_t(2));
        const auto write = [&](const QByteArray& path, qint64 bytes) {
            for (const Seen& each : seen_)
                if (each.request.path == path)
                    each.responder->write(QByteArray(bytes, 'x'));
        };
        write("/first", kMiB);
        QTest::qWait(2); // or both have waited since the same moment
        write("/second", 3 * kMiB / 2);
        QVERIFY(server_->unsentBytes() > kMiB);
        QCOMPARE(server_->unreadDrops(), quint64(1));
        QCOMPARE(gone, QByteArrayList());
        write("/first", kMiB); // nobody is there
        QCOMPARE(server_->unreadDrops(), quint64(1));
        QTRY_COMPARE(gone, QByteArrayList{"/first"});
        QTRY_VERIFY(first.isReset());
        write("/second", 2 * kMiB); // and who is alone
        QCOMPARE(server_->unsentBytes(), 0);
        QTRY_COMPARE(gone, (QByteArrayList{"/first", "/second"}));
        QTRY_COMPARE(server_->connectionCount(), 0);
    }

    void whoReadsIsNotDropped()
    {
        ServerLimits limits;
        limits.maxUnsentBytes = 3 * kMiB;
        limits.stallTimeout = Millis(400); // is looked at often
        serve(limits);
        answer_ = [](Seen& s) { s.responder->send(200, {}, QByteArray(kMiB, 'x')); };
        DeafClient steady(port_, get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        Crowd crowd(port_);
        for (std::size_t i = 0; i < 12; ++i) {
            crowd.join(get());
            QTRY_COMPARE(seen_.size(), i + 2);
            QVERIFY(QTest::qWaitFor([&, before = steady.got.size()] {
                steady.read(4096);
                return steady.got.size() > before + 40'000;
            }));
        }
        QVERIFY(!steady.isReset());
        QVERIFY(crowd.resets() >= 8);
    }

    /// Whose client has taken all but a little of a long answer.
    void whatWasTakenIsFreed()
    {
        if (kIsSanitized)
            QSKIP("what a sanitizer keeps is more than what is measured");
        serve();
        answer_ = [](Seen& s) {
            s.responder->send(200, {}, QByteArray(64 * kMiB, 'x'));
            s.responder = nullptr;
        };
        const qint64 before = allocated();
        DeafClient client(port_, get());
        QTRY_COMPARE(seen_.size(), std::size_t(1));
        QVERIFY(allocated() - before > 50 * kMiB);
        QVERIFY(QTest::qWaitFor(
            [&] {
                client.read(kMiB);
                client.got.clear();
                return server_->unsentBytes() < 4 * kMiB;
            },
            30'000));
        QVERIFY(server_->unsentBytes() > 0);
        QVERIFY2(allocated() - before < 8 * kMiB, qPrintable(QString::number(allocated() - before)));
    }
};

QTEST_GUILESS_MAIN(tst_server_unread)
#include "tst_server_unread.moc"
