// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/beside.h"
#include "core/engine/engine_core.h"

#include <QTest>

#include <condition_variable>

using namespace sg;

namespace {

/// Work that stands until it is told to go on, at most five seconds. Shared with those it outlives.
class Stand
{
public:
    void wait()
    {
        std::unique_lock lock(mutex_);
        isStanding_ = true;
        changed_.notify_all();
        changed_.wait_for(lock, std::chrono::seconds(5), [this] { return mayGo_; });
        isOver_ = true;
        changed_.notify_all();
    }
    bool waitForStanding() { return waitFor(isStanding_); }
    bool waitForOver() { return waitFor(isOver_); }
    bool isOver()
    {
        const std::lock_guard lock(mutex_);
        return isOver_;
    }
    void go()
    {
        const std::lock_guard lock(mutex_);
        mayGo_ = true;
        changed_.notify_all();
    }

private:
    bool waitFor(const bool& flag)
    {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(5), [&flag] { return flag; });
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool isStanding_ = false, mayGo_ = false, isOver_ = false;
};

} // namespace

class TestBeside : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasMadeComesToThisThread()
    {
        engine::Beside beside;
        int got = 0;
        QThread* const here = QThread::currentThread();
        beside.run([here] { return QThread::currentThread() == here ? 1 : 2; }, [&](int made) { got = made; });
        QCOMPARE(got, 0); // never from inside the call
        QTRY_COMPARE(got, 2);
    }

    void itsEndWaitsForNothing()
    {
        const auto stand = std::make_shared<Stand>();
        const auto owned = std::make_shared<int>(1); // by the work alone in the end
        const auto told = std::make_shared<int>(1);
        {
            engine::Beside beside;
            beside.run(
                [stand, owned] {
                    stand->wait();
                    return *owned;
                },
                [told](int) { *told = 2; });
            QVERIFY(stand->waitForStanding());
        }
        QVERIFY2(!stand->isOver(), "it waited for the work");
        QCOMPARE(int(told.use_count()), 1); // who was to be told is let go of here
        stand->go();
        QVERIFY(stand->waitForOver());
        QTRY_COMPARE(int(owned.use_count()), 1);
        QCOMPARE(*told, 1);
    }

    /// The body of a long request is being written, and nobody waits for it any more.
    void anEngineEndsWhileALongBodyIsWritten()
    {
        auto core = std::make_unique<engine::EngineCore>(engine::EngineOptions());
        workspace::Endpoint endpoint;
        endpoint.provider = QStringLiteral("openai-compatible");
        endpoint.baseUrl = QStringLiteral("http://127.0.0.1:9/v1");
        endpoint.model = QStringLiteral("m");
        endpoint.spec.name = "peer";
        workspace::Workspace workspace;
        workspace.endpoints = {endpoint};
        core->apply(workspace, {}, {}, [](const workspace::KeyRef&) { return QByteArray(); });
        std::weak_ptr<const provider::ChatRequest> request;
        engine::Call call;
        call.target = {engine::TargetKind::Endpoint, "peer"};
        call.request.messages.assign(200'000, {"user", QStringLiteral("a message of no great length, \"quoted\"")});
        call.intended = http::steadyNow();
        call.facts = std::make_shared<const chain::RequestFacts>();
        call.disposed = [&](std::shared_ptr<const provider::ChatRequest> last) { request = last; };
        core->start(std::move(call));
        QCoreApplication::processEvents(); // begins it
        const Instant before = http::steadyNow();
        core.reset();
        QVERIFY2(http::steadyNow() - before < std::chrono::milliseconds(250),
                 qPrintable(QStringLiteral("%1 ms").arg(toMs(http::steadyNow() - before))));
        QTRY_VERIFY_WITH_TIMEOUT(request.expired(), 10000); // whoever had it last has freed it
    }
};

QTEST_GUILESS_MAIN(TestBeside)
#include "tst_beside.moc"
