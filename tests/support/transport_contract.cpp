// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/transport_contract.h"

#include "tests/support/tls_server.h"

#include <QSslConfiguration>
#include <QSslSocket>
#include <QTest>
#include <atomic>

namespace sg::testing {

using http::FailureKind;
using http::Request;
using Peer = MisbehavingServer::Peer;

void TransportContract::init()
{
    server_ = std::make_unique<MisbehavingServer>();
    restart(200);
}

void TransportContract::cleanup()
{
    transport_.reset();
    server_.reset();
}

void TransportContract::restart(int connections)
{
    transport_.reset();
    transport_ = factory_({connections});
}

Request TransportContract::post(const QByteArray& body) const
{
    Request request;
    request.url = server_->url();
    request.headers = {{"Content-Type", "application/json"}, {"Authorization", "Bearer sk-very-secret"}};
    request.body = body;
    request.limits.total = Millis(20000); // nothing here may hang a test run
    return request;
}

TransportContract::Recording TransportContract::start(Request request, std::shared_ptr<http::Exchange>* handle)
{
    auto recording = std::make_shared<Recorder>();
    auto exchange = transport_->start(std::move(request), recording);
    if (handle)
        *handle = std::move(exchange);
    return recording;
}

void TransportContract::deliversAnswerAndMoments()
{
    server_->onRequest([](Peer& peer) { peer.send(answer(200, "hello", "X-Request-Id: 7\r\n")); });
    const auto got = start(post());
    QVERIFY2(!got->outcome, "nothing may be called from inside start()");
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->status, 200);
    QCOMPARE(got->body, QByteArray("hello"));
    QCOMPARE(got->outcome->bodyBytes, 5);
    QCOMPARE(http::headerValue(got->headers, "x-request-id"), QByteArray("7"));
    QVERIFY(!got->orderBroken);
    const http::Timing& t = got->outcome->timing;
    QVERIFY(t.connecting && t.sent && t.headers && t.firstByte && t.lastByte);
    QVERIFY(t.dispatched <= *t.connecting && *t.connecting <= *t.sent && *t.sent <= *t.headers);
    QVERIFY(*t.headers <= *t.firstByte && *t.firstByte <= *t.lastByte && *t.lastByte <= t.end);
    QCOMPARE(transport_->figures().inFlight, 0);
    QCOMPARE(transport_->figures().started, 1);
}

void TransportContract::sendsMethodHeadersAndBody_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("post") << QByteArray("POST") << QByteArray("{\"a\":1}");
    QTest::newRow("empty post") << QByteArray("POST") << QByteArray();
    QTest::newRow("large post") << QByteArray("POST") << QByteArray(3'000'000, 'x');
    QTest::newRow("put") << QByteArray("PUT") << QByteArray("x");
    QTest::newRow("get") << QByteArray("GET") << QByteArray();
    QTest::newRow("delete") << QByteArray("DELETE") << QByteArray();
}

void TransportContract::sendsMethodHeadersAndBody()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, body);
    QByteArray head;
    QByteArray seen;
    server_->onRequest([&](Peer& peer) {
        head = peer.head;
        seen = peer.body;
        peer.send(answer(200, "ok"));
    });
    Request request = post(body);
    request.method = method;
    const auto got = start(request);
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QVERIFY2(head.startsWith(method + " /v1/x HTTP/1.1\r\n"), head.constData());
    // Qt 6.8 writes the names it knows in lower case.
    QVERIFY2(head.toLower().contains("authorization: bearer sk-very-secret\r\n"), head.constData());
    QVERIFY(!head.toLower().contains("cookie"));
    QVERIFY(!head.toLower().contains("gzip"));
    QCOMPARE(seen, body);
}

void TransportContract::reusesConnections()
{
    server_->onRequest([](Peer& peer) { peer.send(answer(200, "ok")); });
    for (int i = 0; i < 5; ++i) {
        const auto got = start(post());
        QTRY_VERIFY(got->outcome);
        QCOMPARE(got->outcome->timing.connecting.has_value(), i == 0);
    }
    QCOMPARE(server_->connections(), 1);
    QCOMPARE(transport_->figures().connectionsOpened, 1);
}

void TransportContract::statusDecides_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {200, 201, 302, 307, 400, 401, 402, 403, 404, 405, 407, 409,
                             410, 413, 418, 422, 429, 500, 501, 502, 503, 504, 529, 599})
        QTest::addRow("%d", status) << status;
}

void TransportContract::statusDecides()
{
    QFETCH(int, status);
    server_->onRequest([status](Peer& peer) { peer.send(answer(status, "{\"error\":1}")); });
    const auto got = start(post());
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->outcome->status, status);
    QCOMPARE(got->body, QByteArray("{\"error\":1}"));
    QCOMPARE(server_->heads(), 1);
}

void TransportContract::answersWithoutBody_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("reply");
    QTest::newRow("204") << QByteArray("POST") << QByteArray("HTTP/1.1 204 No Content\r\n\r\n");
    QTest::newRow("304") << QByteArray("GET") << QByteArray("HTTP/1.1 304 Not Modified\r\n\r\n");
    QTest::newRow("head") << QByteArray("HEAD") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    QTest::newRow("length 0") << QByteArray("POST") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
}

void TransportContract::answersWithoutBody()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, reply);
    server_->onRequest([reply](Peer& peer) { peer.send(reply); });
    Request request = post(method == "POST" ? "{}" : "");
    request.method = method;
    const auto got = start(request);
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->body, QByteArray());
    QVERIFY(got->outcome->timing.headers);
    QVERIFY(!got->outcome->timing.firstByte);
}

void TransportContract::compressedBytesArriveUntouched()
{
    server_->onRequest([](Peer& peer) { peer.send(answer(200, "not gzip at all", "Content-Encoding: gzip\r\n")); });
    const auto got = start(post());
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->body, QByteArray("not gzip at all"));
}

void TransportContract::bodyUntilClose()
{
    server_->onRequest([](Peer& peer) {
        peer.send("HTTP/1.0 200 OK\r\n\r\nall of it");
        peer.close();
    });
    const auto got = start(post());
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->body, QByteArray("all of it"));
}

void TransportContract::everyBodyUntilCloseIsWhole()
{
    server_->onRequest([](Peer& peer) {
        peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it");
        peer.close();
    });
    for (int i = 0; i < 100; ++i) {
        const auto got = start(post());
        QTRY_VERIFY(got->outcome);
        QVERIFY2(got->failure() == named(FailureKind::None), qPrintable(QString::number(i) + got->outcome->detail));
        QCOMPARE(got->body, QByteArray("all of it"));
    }
}

/// Whatever is reused, shared or torn down beside it: a request to a server that answers it is answered.
void TransportContract::resetsOfOthersFailNobody()
{
    server_->onRequest([](Peer& peer) {
        if (peer.body == "good")
            return peer.send(answer(200, "ok"));
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
        peer.reset();
    });
    constexpr int kOfEach = 12, kMost = 1500;
    int answered = 0, begun = 0;
    QString failed;
    std::vector<Recording> all;
    std::function<void(QByteArray)> next = [&](const QByteArray& kind) {
        if (++begun > kMost)
            return;
        const Recording got = std::make_shared<Recorder>();
        got->atFinished = [&, kind, raw = got.get()] {
            answered += kind == "good" ? 1 : 0;
            if (kind == "good" && raw->failure() != named(FailureKind::None))
                failed = raw->outcome->detail;
            next(kind);
        };
        all.push_back(got);
        transport_->start(post(kind), got);
    };
    for (int i = 0; i < kOfEach; ++i)
        for (const char* kind : {"good", "bad"})
            next(kind);
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(all, [](const Recording& got) { return got->outcome.has_value(); }),
                             20'000);
    QVERIFY(answered > kOfEach);
    QCOMPARE(failed, QString());
}

void TransportContract::interimAnswerIsSkipped()
{
    server_->onRequest([](Peer& peer) { peer.send("HTTP/1.1 100 Continue\r\n\r\n" + answer(200, "ok")); });
    const auto got = start(post());
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->status, 200);
    QCOMPARE(got->body, QByteArray("ok"));
}

/// libcurl skips them; Qt takes 102 and 103 for the answer, and must not give the true one to the next request.
void TransportContract::interimAnswersLeaveNothingForOthers()
{
    std::atomic<int> asked = 0;
    server_->onRequest([&asked](Peer& peer) {
        peer.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + answer(200, QByteArray::number(++asked)));
    });
    for (int i = 1; i <= 5; ++i) {
        const auto got = start(post());
        QTRY_VERIFY(got->outcome);
        QCOMPARE(asked.load(), i);
        if (got->status == 200)
            QCOMPARE(got->body, QByteArray::number(i));
        else
            QVERIFY(got->failure() != named(FailureKind::None) || got->status == 103);
    }
}

void TransportContract::oneRequestIsOneRequest_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("keptAlive");
    QTest::addColumn<bool>("reset");
    for (const bool keptAlive : {true, false}) {
        for (const bool reset : {true, false}) {
            const QByteArray tail = QByteArray(keptAlive ? ", kept alive" : ", new") + (reset ? ", reset" : ", closed");
            QTest::newRow(("post" + tail).constData()) << QByteArray("POST") << QByteArray("{}") << keptAlive << reset;
            QTest::newRow(("empty post" + tail).constData())
                << QByteArray("POST") << QByteArray() << keptAlive << reset;
            QTest::newRow(("get" + tail).constData()) << QByteArray("GET") << QByteArray() << keptAlive << reset;
        }
    }
}

void TransportContract::oneRequestIsOneRequest()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, body);
    QFETCH(bool, keptAlive);
    QFETCH(bool, reset);
    const int served = keptAlive ? 1 : 0;
    server_->onRequest([&](Peer& peer) {
        if (server_->requests() <= served)
            peer.send(answer(200, "ok"));
        else
            reset ? peer.reset() : peer.close();
    });
    if (keptAlive) {
        const auto first = start(post());
        QTRY_VERIFY(first->outcome);
        QCOMPARE(first->failure(), named(FailureKind::None));
    }
    Request request = post(body);
    request.method = method;
    const auto got = start(request);
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::OutcomeUnknown));
    QCOMPARE(got->outcome->status, 0);
    // A hidden second attempt would come on a new connection: give it the way of a whole further exchange.
    const int heads = server_->heads();
    server_->onRequest([](Peer& peer) { peer.send(answer(200, "ok")); });
    const auto after = start(post());
    QTRY_VERIFY(after->outcome);
    QCOMPARE(after->failure(), named(FailureKind::None));
    QCOMPARE(heads, served + 1);
    QCOMPARE(server_->heads(), served + 2);
}

void TransportContract::redirectsAreNotFollowed()
{
    MisbehavingServer elsewhere;
    const QByteArray location = elsewhere.url().toEncoded();
    server_->onRequest([location](Peer& peer) { peer.send(answer(307, "moved", "Location: " + location + "\r\n")); });
    const auto got = start(post());
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->status, 307);
    QCOMPARE(got->body, QByteArray("moved"));
    QCOMPARE(http::headerValue(got->headers, "Location"), location);
    QCOMPARE(elsewhere.connections(), 0);
}

void TransportContract::challengesAreNotAnswered()
{
    server_->onRequest(
        [](Peer& peer) { peer.send(answer(401, "who are you", "WWW-Authenticate: Basic realm=\"x\"\r\n")); });
    Request request = post();
    request.url.setUserInfo(QStringLiteral("user:password"));
    const auto got = start(request);
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->status, 401);
    QCOMPARE(got->body, QByteArray("who are you"));
    QCOMPARE(server_->heads(), 1);
}

void TransportContract::brokenAnswers_data()
{
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<bool>("reset");
    QTest::addColumn<FailureKind>("expected");
    const QByteArray ok = "HTTP/1.1 200 OK\r\n";
    const auto cut = FailureKind::ConnectionReset;
    QTest::newRow("short length") << ok + "Content-Length: 100\r\n\r\nonly this" << false << cut;
    QTest::newRow("short length, no byte") << ok + "Content-Length: 100\r\n\r\n" << false << cut;
    QTest::newRow("short length, reset") << ok + "Content-Length: 100\r\n\r\nonly this" << true << cut;
    QTest::newRow("short length of an error")
        << QByteArray("HTTP/1.1 500 No\r\nContent-Length: 100\r\n\r\nonly this") << false << cut;
    QTest::newRow("chunks without end") << ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n" << false << cut;
    QTest::newRow("chunk cut") << ok + "Transfer-Encoding: chunked\r\n\r\nff\r\nhello" << false << cut;
    QTest::newRow("chunks reset") << ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n" << true << cut;
    QTest::newRow("garbage") << QByteArray("SSH-2.0-OpenSSH_9.2p1 Debian\r\n\r\n") << false << FailureKind::Protocol;
    QTest::newRow("binary") << QByteArray("\x16\x03\x01\x00\x02\x02\x28 and much more than that\r\n\r\n", 34) << false
                            << FailureKind::Protocol;
}

void TransportContract::brokenAnswers()
{
    QFETCH(QByteArray, reply);
    QFETCH(bool, reset);
    QFETCH(FailureKind, expected);
    std::shared_ptr<Recorder> got;
    server_->onRequest([&](Peer& peer) {
        peer.send(reply);
        if (!reset)
            peer.close();
    });
    got = start(post());
    if (reset) { // what was sent has to be read before: a reset overtakes it
        QTRY_VERIFY(!got->body.isEmpty());
        server_->lastPeer()->reset();
    }
    QTRY_VERIFY(got->outcome);
    // A transport that cannot tell garbage from silence has to say the graver thing: it may have been executed.
    if (expected != FailureKind::Protocol || got->failure() != named(FailureKind::OutcomeUnknown))
        QCOMPARE(got->failure(), named(expected));
    QVERIFY(!got->outcome->detail.isEmpty());
    QVERIFY(!got->orderBroken);
    QCOMPARE(server_->heads(), 1);
}

void TransportContract::unreachable_data()
{
    QTest::addColumn<QUrl>("url");
    QTest::addColumn<FailureKind>("expected");
    QTcpServer closedPort;
    closedPort.listen(QHostAddress::LocalHost, 0);
    QTest::newRow("refused") << QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(closedPort.serverPort()))
                             << FailureKind::ConnectionRefused;
    QTest::newRow("no such host") << QUrl(QStringLiteral("http://no-such-host.invalid/")) << FailureKind::HostNotFound;
    QTest::newRow("scheme") << QUrl(QStringLiteral("ftp://127.0.0.1/")) << FailureKind::BadUrl;
    QTest::newRow("no host") << QUrl(QStringLiteral("http:///x")) << FailureKind::BadUrl;
    QTest::newRow("relative") << QUrl(QStringLiteral("v1/x")) << FailureKind::BadUrl;
    QTest::newRow("empty") << QUrl() << FailureKind::BadUrl;
}

void TransportContract::unreachable()
{
    QFETCH(QUrl, url);
    QFETCH(FailureKind, expected);
    Request request = post();
    request.url = url;
    const auto got = start(request);
    QVERIFY(!got->outcome);
    QTRY_VERIFY_WITH_TIMEOUT(got->outcome, 20000);
    QCOMPARE(got->failure(), named(expected));
    QCOMPARE(got->outcome->status, 0);
    QVERIFY(!got->outcome->detail.isEmpty());
    QCOMPARE(transport_->figures().inFlight, 0);
}

void TransportContract::headerWithLineBreak()
{
    Request request = post();
    request.headers.emplace_back("X-Key", "sk-secret\r\nEvil: 1");
    const auto got = start(request);
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::Protocol));
    QVERIFY(got->outcome->detail.contains(QLatin1String("X-Key")));
    QVERIFY(!got->outcome->detail.contains(QLatin1String("sk-secret")));
    QCOMPARE(server_->connections(), 0);
}

void TransportContract::detailsKeepSecrets()
{
    server_->onRequest([](Peer& peer) { peer.close(); });
    Request request = post("prompt-text");
    request.url = server_->url(QStringLiteral("/v1/x?key=url-secret"));
    const auto closed = start(request);
    request.url = QUrl(QStringLiteral("http://no-such-host.invalid/?key=url-secret"));
    const auto unknown = start(request);
    QTRY_VERIFY_WITH_TIMEOUT(closed->outcome && unknown->outcome, 20000);
    for (const auto& got : {closed, unknown}) {
        const QString& detail = got->outcome->detail;
        QVERIFY(!detail.isEmpty());
        for (const char* secret : {"url-secret", "sk-very-secret", "prompt-text"})
            QVERIFY2(!detail.contains(QLatin1String(secret)), qPrintable(detail));
    }
}

void TransportContract::earlyAnswer()
{
    server_->onHead([](Peer& peer) { peer.send(answer(413, "too large for us")); });
    const auto got = start(post(QByteArray(8'000'000, 'x')));
    QTRY_VERIFY(got->outcome);
    QCOMPARE(got->failure(), named(FailureKind::None));
    QCOMPARE(got->status, 413);
    QCOMPARE(got->body, QByteArray("too large for us"));
    QCOMPARE(server_->heads(), 1);
}

void TransportContract::certificates_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("trusted");
    QTest::addColumn<FailureKind>("expected");
    QTest::newRow("good") << QByteArray("IP:127.0.0.1") << true << FailureKind::None;
    QTest::newRow("self-signed") << QByteArray("IP:127.0.0.1") << false << FailureKind::CertificateUntrusted;
    QTest::newRow("other host") << QByteArray("DNS:other.example") << true << FailureKind::HostnameMismatch;
    QTest::newRow("not tls") << QByteArray() << false << FailureKind::TlsFailed;
}

void TransportContract::certificates()
{
    QFETCH(QByteArray, name);
    QFETCH(bool, trusted);
    QFETCH(FailureKind, expected);
    if (!QSslSocket::supportsSsl())
        QSKIP("Qt has no TLS backend on this machine");
    const QSslConfiguration before = QSslConfiguration::defaultConfiguration();
    QUrl url = server_->url();
    std::unique_ptr<TlsServer> tls;
    if (!name.isEmpty()) {
        const auto identity = selfSigned(name);
        if (!identity)
            QSKIP("the openssl program is not there to make a certificate");
        tls = std::make_unique<TlsServer>(*identity);
        url.setPort(tls->serverPort());
        QSslConfiguration trusting = before;
        if (trusted)
            trusting.addCaCertificate(identity->certificate);
        QSslConfiguration::setDefaultConfiguration(trusting);
    } else {
        server_->onConnect([](Peer& peer) { peer.send("this is not TLS\r\n\r\n"); });
    }
    url.setScheme(QStringLiteral("https"));
    Request request = post();
    request.url = url;
    const auto got = start(request);
    QTRY_VERIFY(got->outcome);
    QSslConfiguration::setDefaultConfiguration(before);
    QCOMPARE(got->failure(), named(expected));
    QCOMPARE(got->status, expected == FailureKind::None ? 200 : 0);
}

} // namespace sg::testing
