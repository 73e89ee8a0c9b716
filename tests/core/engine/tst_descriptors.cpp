// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_core.h"
#include "core/http/descriptors.h"
#include "tests/support/chat_server.h"
#include "tests/support/few_descriptors.h"
#include "tests/support/gateway_scene.h"
#include "tests/support/recorder.h"

#include <netinet/in.h>
#include <sys/socket.h>

using namespace sg;
using testing::named;

namespace {

/// Somebody who takes connections and never answers, without a descriptor for each.
class Backlog
{
public:
    Backlog()
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        isUp_ = ::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) == 0 && ::listen(fd_, 100) == 0 &&
                ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) == 0;
        url_ = QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(ntohs(address.sin_port)));
    }
    ~Backlog() { ::close(fd_); }
    Backlog(const Backlog&) = delete;
    Backlog& operator=(const Backlog&) = delete;
    bool isUp() const { return isUp_; }
    const QUrl& url() const { return url_; }

private:
    int fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool isUp_ = false;
    QUrl url_;
};

struct Seen
{
    chain::RunRecord record;
    bool isOver = false;
};

engine::Call call(Seen& seen)
{
    engine::Call call;
    call.target.name = "chat";
    call.request.messages.push_back({"user", QStringLiteral("hi")});
    call.intended = http::steadyNow();
    call.onFinished = [&seen](const engine::CallResult& result) {
        seen.record = result.record;
        seen.isOver = true;
    };
    return call;
}

} // namespace

/// A process that may open no further socket has a fault of its own, not of the provider.
class TestDescriptors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void countsWhatCanBeHad();
    void noProviderIsBlamed_data();
    void noProviderIsBlamed();
    void breakersStayClosed();
};

void TestDescriptors::initTestCase()
{
#ifdef __SANITIZE_ADDRESS__
    QSKIP(
        "UndefinedBehaviorSanitizer looks at types through a pipe, and takes each for a wrong one where it gets none");
#endif
}

void TestDescriptors::countsWhatCanBeHad()
{
    test::FewDescriptors few(4);
    QVERIFY(http::hasDescriptors(4));
    QVERIFY(!http::hasDescriptors(5));
    few.giveBack();
    QVERIFY(http::hasDescriptors(5));
}

void TestDescriptors::noProviderIsBlamed_data()
{
    QTest::addColumn<int>("free");
    QTest::addColumn<QString>("host");
    QTest::addColumn<http::TransportKind>("kind");
    for (const auto kind : {http::TransportKind::Qnam, http::TransportKind::Curl}) {
        for (int free = 0; free < 10; ++free) {
            const char* const name = http::toString(kind);
            QTest::addRow("%s, %d, by address", name, free) << free << QStringLiteral("127.0.0.1") << kind;
            QTest::addRow("%s, %d, by name", name, free) << free << QStringLiteral("localhost") << kind;
        }
    }
}

void TestDescriptors::noProviderIsBlamed()
{
    QFETCH(const int, free);
    QFETCH(const QString, host);
    QFETCH(const http::TransportKind, kind);
    const Backlog backlog;
    QVERIFY(backlog.isUp());
    const auto transport = http::makeTransport(kind, 0);
    const auto heard = std::make_shared<testing::Recorder>();
    http::Request request;
    request.url = backlog.url();
    request.url.setHost(host);
    request.body = "{}";
    request.limits.firstByte = Millis(50);
    request.limits.connect = std::chrono::seconds(20);
    const test::FewDescriptors few(free);
    transport->start(std::move(request), heard);
    QTRY_VERIFY_WITH_TIMEOUT(heard->outcome.has_value(), 20000);
    if (heard->failure() == named(http::FailureKind::NoDescriptors))
        QVERIFY(!heard->outcome->timing.sent);
    else
        QCOMPARE(heard->failure(), named(http::FailureKind::FirstByteTimeout));
    if (free == 0)
        QCOMPARE(heard->failure(), named(http::FailureKind::NoDescriptors));
}

void TestDescriptors::breakersStayClosed()
{
    workspace::Workspace workspace = test::gatewayWorkspace();
    for (workspace::Endpoint& endpoint : workspace.endpoints)
        endpoint.spec.breaker.consecutiveFailures = 1;
    test::EngineScene scene(workspace);
    scene.server.on("first", test::ChatServer::answers("fine"));
    Seen none, fine;
    {
        const test::FewDescriptors few(0);
        scene.core.start(call(none));
        QTRY_VERIFY(none.isOver);
    }
    QVERIFY(none.record.ending == chain::Ending::Failed);
    QVERIFY(none.record.error.disposition.error == provider::ErrorClass::LocalReject);
    QCOMPARE(none.record.error.code, std::string(provider::kOutOfDescriptors));
    const auto picture = scene.core.recorder().snapshot(std::chrono::minutes(5), http::steadyNow());
    for (const auto& endpoint : picture->endpoints)
        QVERIFY(endpoint.state == policy::BreakerState::Closed);
    scene.core.start(call(fine));
    QTRY_VERIFY(fine.isOver);
    QVERIFY(fine.record.ending == chain::Ending::Answered);
    QCOMPARE(scene.server.requests("first"), 1);
}

QTEST_GUILESS_MAIN(TestDescriptors)
#include "tst_descriptors.moc"
