// SPDX-License-Identifier: GPL-3.0-or-later
// HTTP/2, against the server that node brings.
#include "core/http/connection_profile.h"
#include "tests/support/recorder.h"
#include "tests/support/tls_server.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryFile>
#include <QTest>

using namespace sg;
using http::FailureKind;
using http::HttpVersion;
using testing::named;

namespace {

// Says its port, then a line for each connection. /slow answers after 100 ms, /reset breaks its stream off, /refuse
// refuses it unread, /cut closes the connection within its body, /flood sends as much as it is let.
const char* const kServer = R"(
const http2 = require('http2'), fs = require('fs');
const secure = process.argv[1];
const server = secure ? http2.createSecureServer({key: fs.readFileSync(secure), cert: fs.readFileSync(process.argv[2])})
                      : http2.createServer();
server.on('session', () => console.log('session'));
server.on('sessionError', () => {});
server.on('stream', (stream, headers) => {
  stream.on('error', () => {});
  console.log('stream');
  const path = headers[':path'];
  const ok = () => { stream.respond({':status': 200, 'x-got': headers['content-type'] || ''}); };
  let body = '';
  stream.on('data', d => body += d);
  stream.on('end', () => {
    if (path == '/slow') return setTimeout(() => { ok(); stream.end(body); }, 100);
    if (path == '/reset') return stream.close(2);
    if (path == '/refuse') return stream.close(7);
    if (path == '/cut') { ok(); stream.write('half'); return setTimeout(() => stream.session.destroy(), 50); }
    if (path == '/flood') {
      ok();
      const piece = Buffer.alloc(65536, 48); let left = 512;
      const more = () => { while (left > 0) { left--; if (!stream.write(piece)) return stream.once('drain', more); }
                           stream.end(); };
      return more();
    }
    ok(); stream.end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit(0)).resume();
)";

} // namespace

class tst_curl_http2 : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { transport_ = http::makeCurlTransport(); }
    void cleanup()
    {
        transport_.reset();
        if (node_) {
            node_->closeWriteChannel();
            node_->waitForFinished(5000);
        }
        node_.reset();
    }

    void manyShareAConnection()
    {
        if (!serve())
            QSKIP("node or openssl is not installed");
        std::vector<std::shared_ptr<testing::Recorder>> all;
        for (int i = 0; i < 40; ++i)
            all.push_back(ask(QStringLiteral("/slow"), QByteArray::number(i)));
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(all, [](const auto& got) { return got->outcome.has_value(); }),
                                 10000);
        for (int i = 0; i < 40; ++i) {
            const auto& got = *all[static_cast<std::size_t>(i)];
            QCOMPARE(got.failure(), named(FailureKind::None));
            QCOMPARE(got.body, QByteArray::number(i));
            QCOMPARE(http::headerValue(got.headers, "X-Got"), QByteArray("application/json"));
            QVERIFY(got.outcome->timing.sent && !got.orderBroken);
        }
        QTRY_COMPARE(count("stream"), 40);
        QCOMPARE(count("session"), 1);
        QCOMPARE(transport_->figures().connectionsOpened, 1);
        QCOMPARE(transport_->figures().connectionsReused, 39);
    }

    void brokenStreams_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<FailureKind>("expected");
        QTest::newRow("reset") << QStringLiteral("/reset") << FailureKind::OutcomeUnknown;
        QTest::newRow("refused") << QStringLiteral("/refuse") << FailureKind::OutcomeUnknown;
        QTest::newRow("cut") << QStringLiteral("/cut") << FailureKind::ConnectionReset;
    }
    void brokenStreams()
    {
        QFETCH(QString, path);
        QFETCH(FailureKind, expected);
        if (!serve())
            QSKIP("node or openssl is not installed");
        const auto before = ask(QStringLiteral("/")); // on a connection that was used, too
        QTRY_VERIFY(before->outcome);
        const auto got = ask(path);
        QTRY_VERIFY(got->outcome);
        QCOMPARE(got->failure(), named(expected));
        const auto after = ask(QStringLiteral("/"));
        QTRY_VERIFY(after->outcome);
        QCOMPARE(after->failure(), named(FailureKind::None));
        QTRY_COMPARE(count("stream"), 3); // none came twice
    }

    void aPauseHoldsOneStream()
    {
        if (!serve())
            QSKIP("node or openssl is not installed");
        std::shared_ptr<http::Exchange> exchange;
        const auto flooded = ask(QStringLiteral("/flood"), "{}", &exchange);
        flooded->atHeaders = [&] { exchange->setPaused(true); };
        QTRY_COMPARE(flooded->status, 200);
        const auto beside = ask(QStringLiteral("/slow"));
        QTRY_VERIFY(beside->outcome);
        QCOMPARE(beside->failure(), named(FailureKind::None));
        QCOMPARE(flooded->pieces, 0);
        exchange->setPaused(false);
        QTRY_VERIFY_WITH_TIMEOUT(flooded->outcome, 20000);
        QCOMPARE(flooded->failure(), named(FailureKind::None));
        QCOMPARE(flooded->body.size(), 512 * 65536);
        QTRY_COMPARE(count("session"), 1);
    }

    void aCancelledStreamLeavesTheOthers()
    {
        if (!serve())
            QSKIP("node or openssl is not installed");
        std::shared_ptr<http::Exchange> exchange;
        const auto first = ask(QStringLiteral("/slow"));
        const auto second = ask(QStringLiteral("/slow"), "{}", &exchange);
        QTRY_COMPARE(count("stream"), 2);
        exchange->cancel();
        QCOMPARE(second->failure(), named(FailureKind::Cancelled));
        QTRY_VERIFY(first->outcome);
        QCOMPARE(first->failure(), named(FailureKind::None));
    }

    void withoutTls()
    {
        if (!serve(false))
            QSKIP("node or openssl is not installed");
        const auto first = ask(QStringLiteral("/slow"), "one");
        const auto second = ask(QStringLiteral("/"), "two");
        QTRY_VERIFY(first->outcome && second->outcome);
        QCOMPARE(first->body, QByteArray("one"));
        QCOMPARE(second->body, QByteArray("two"));
        const auto third = ask(QStringLiteral("/"), "three");
        QTRY_VERIFY(third->outcome);
        QVERIFY2(third->failure() == named(FailureKind::None), qPrintable(third->outcome->detail));
        QCOMPARE(third->body, QByteArray("three"));
        QTRY_COMPARE(count("stream"), 3);
    }

private:
    bool serve(bool tls = true)
    {
        const QString node = QStandardPaths::findExecutable(QStringLiteral("node"));
        const auto authority = tls ? testing::privateAuthority("IP:127.0.0.1") : std::nullopt;
        if (node.isEmpty() || (tls && !authority))
            return false;
        node_ = std::make_unique<QProcess>();
        QStringList arguments{QStringLiteral("-e"), QLatin1String(kServer)};
        QList<QSslCertificate> trusted;
        if (authority) {
            for (QTemporaryFile* file : {&key_, &certificate_}) {
                if (!file->open())
                    return false;
                file->write(file == &key_ ? authority->server.key.toPem() : authority->server.certificate.toPem());
                file->close();
                arguments << file->fileName();
            }
            trusted = QSslCertificate::fromData(authority->pem, QSsl::Pem);
        }
        profile_ = std::make_shared<const http::ConnectionProfile>(
            std::nullopt, trusted, authority ? HttpVersion::Http2 : HttpVersion::Http2Only);
        said_.clear();
        node_->start(node, arguments);
        if (!QTest::qWaitFor([&] { return node_->canReadLine(); }, 20000))
            qFatal("the server does not start");
        const int port = node_->readLine().trimmed().toInt();
        url_ = QUrl(QStringLiteral("%1://127.0.0.1:%2").arg(QLatin1String(authority ? "https" : "http")).arg(port));
        return true;
    }

    std::shared_ptr<testing::Recorder> ask(const QString& path, const QByteArray& body = "{}",
                                           std::shared_ptr<http::Exchange>* handle = nullptr)
    {
        auto got = std::make_shared<testing::Recorder>();
        http::Request request;
        request.url = url_;
        request.url.setPath(path);
        request.headers = {{"Content-Type", "application/json"}};
        request.body = body;
        request.limits.total = Millis(20000);
        request.connection = profile_;
        auto exchange = transport_->start(std::move(request), got);
        if (handle)
            *handle = std::move(exchange);
        return got;
    }

    int count(const QByteArray& word)
    {
        said_ += node_->readAllStandardOutput();
        return static_cast<int>(said_.count(word));
    }

    std::unique_ptr<http::Transport> transport_;
    std::unique_ptr<QProcess> node_;
    QTemporaryFile key_, certificate_;
    std::shared_ptr<const http::ConnectionProfile> profile_;
    QUrl url_;
    QByteArray said_;
};

QTEST_GUILESS_MAIN(tst_curl_http2)
#include "tst_curl_http2.moc"
