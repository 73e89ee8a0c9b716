// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that take a way of their own: proxies, and certificate authorities beside the system's (FC-E11).
#include "core/http/connection_profile.h"
#include "tests/support/both_transports.h"
#include "tests/support/field_cases.h"
#include "tests/support/misbehaving_server.h"
#include "tests/support/proxy_server.h"
#include "tests/support/recorder.h"
#include "tests/support/tls_server.h"

#include <QFile>
#include <QJsonArray>
#include <QSslSocket>
#include <QTemporaryDir>
#include <QTest>

using namespace sg;
using http::ConnectionProfile;
using http::FailureKind;
using testing::MisbehavingServer;
using testing::named;
using testing::ProxyServer;

namespace {

const QByteArray kCredentials = "carol:proxy-password-0001";
using ProfilePtr = std::shared_ptr<const ConnectionProfile>;

ProfilePtr through(const QUrl& proxy, const QByteArray& credentials = {}, const QList<QSslCertificate>& trusted = {})
{
    auto named = http::parseProxy(proxy.toString());
    if (!named)
        qFatal("%s", qPrintable(named.error()));
    named->credentials = credentials;
    return std::make_shared<const ConnectionProfile>(*named, trusted);
}

ProfilePtr trusting(const QByteArray& pem)
{
    return std::make_shared<const ConnectionProfile>(std::nullopt, QSslCertificate::fromData(pem, QSsl::Pem));
}

QUrl httpsUrl(const testing::TlsServer& server, const char* host)
{
    QUrl url;
    url.setScheme(QStringLiteral("https"));
    url.setHost(QLatin1String(host));
    url.setPort(server.serverPort());
    url.setPath(QStringLiteral("/v1/models"));
    return url;
}

} // namespace

class TestConnectionProfile : public QObject
{
    Q_OBJECT

public:
    explicit TestConnectionProfile(http::TransportKind kind)
        : kind_(kind)
    {
    }

private Q_SLOTS:
    void init() { transport_ = http::makeTransport(kind_, 0); }
    void cleanup() { transport_.reset(); }

    void addresses_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<QString>("wrong");
        const auto row = [](const char* address, const char* wrong) {
            QTest::newRow(address) << QString::fromLatin1(address) << QString::fromLatin1(wrong);
        };
        row("http://proxy.lan:3128", "");
        row("HTTP://proxy.lan:3128/", "");
        row("socks5://[::1]:1080", "");
        row("socks5h://proxy.lan:1080", "");
        row(" http://proxy.lan:3128 ", "");
        row("http://proxy.lan", "no port");
        row("http://:3128", "no host");
        row("https://proxy.lan:3128", "neither http:// nor socks5://");
        row("proxy.lan:3128", "neither http:// nor socks5://");
        row("http://proxy.lan:3128/path", "after its port");
        row("http://carol:secret-0001@proxy.lan:3128", "a user name or password");
        row("http://carol@proxy.lan:3128", "a user name or password");
        row("http://proxy.lan:99999", "no");
    }
    void addresses()
    {
        QFETCH(QString, address);
        QFETCH(QString, wrong);
        const auto proxy = http::parseProxy(address);
        QCOMPARE(proxy.has_value(), wrong.isEmpty());
        if (proxy) {
            QVERIFY(!proxy->host.isEmpty() && proxy->port > 0);
            return;
        }
        QVERIFY2(proxy.error().contains(wrong), qPrintable(proxy.error()));
        QVERIFY(!proxy.error().contains(QLatin1String("secret-0001")));
    }

    void caFiles()
    {
        const auto authority = testing::privateAuthority("IP:127.0.0.1");
        if (!authority)
            QSKIP("openssl is not installed");
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& bytes) {
            QFile file(folder.filePath(QLatin1String(name)));
            if (!file.open(QIODevice::WriteOnly))
                qFatal("cannot write");
            file.write(bytes);
            return file.fileName();
        };
        const auto good = http::readAuthorities(write("ca.pem", "# ours\n" + authority->pem + authority->pem));
        QVERIFY2(good, good ? "" : qPrintable(good.error()));
        QCOMPARE(good->size(), 2);
        const auto isWrong = [](const QString& path, const char* words) {
            const auto read = http::readAuthorities(path);
            return !read && read.error().contains(QLatin1String(words)) && read.error().contains(path);
        };
        QVERIFY(isWrong(folder.filePath(QStringLiteral("none.pem")), "does not exist"));
        QVERIFY(isWrong(folder.path(), "is not a file of certificates"));
        QVERIFY(isWrong(QStringLiteral("/dev/zero"), "is not a file of certificates"));
        QVERIFY(isWrong(QStringLiteral("ca.pem"), "its whole path"));
        QVERIFY(isWrong(write("empty.pem", ""), "no certificate in PEM form"));
        QVERIFY(isWrong(write("key.pem", authority->server.key.toPem()), "no certificate in PEM form"));
        QVERIFY(isWrong(write("big.pem", QByteArray(2'000'000, 'x')), "1 MiB"));
    }

    void equalProfilesAreOne()
    {
        const http::Proxy proxy{http::Proxy::Kind::Http, QStringLiteral("proxy.lan"), 3128, kCredentials};
        const QByteArray id = ConnectionProfile(proxy, {}).id();
        QCOMPARE(ConnectionProfile(proxy, {}).id(), id);
        QVERIFY(!id.contains("proxy-password"));
        for (const http::Proxy& other :
             {http::Proxy{http::Proxy::Kind::Socks5, QStringLiteral("proxy.lan"), 3128, kCredentials},
              http::Proxy{http::Proxy::Kind::Http, QStringLiteral("proxy.lan"), 3129, kCredentials},
              http::Proxy{http::Proxy::Kind::Http, QStringLiteral("proxy.lan3"), 128, kCredentials},
              http::Proxy{http::Proxy::Kind::Http, QStringLiteral("proxy.lan"), 3128, "carol:other"}})
            QVERIFY(ConnectionProfile(other, {}).id() != id);
    }

    void aPrivateAuthorityCountsOnlyWhereItIsNamed() // FC-E11
    {
        const QJsonArray providers =
            test::fieldCase(QStringLiteral("FC-E11.json"))[QLatin1String("providers")].toArray();
        QVERIFY(!providers[0][QLatin1String("tls")][QLatin1String("ca_file")].toString().isEmpty());
        QVERIFY(providers[1][QLatin1String("tls")].isUndefined());
        const auto lan = testing::privateAuthority("IP:127.0.0.1");
        const auto stranger = testing::privateAuthority("IP:127.0.0.1");
        if (!lan || !stranger || !QSslSocket::supportsSsl())
            QSKIP("no TLS here");
        testing::TlsServer server(lan->server);
        const QUrl url = httpsUrl(server, "127.0.0.1");

        const auto named = ask(url, trusting(lan->pem));
        QCOMPARE(named->failure(), testing::named(FailureKind::None));
        QCOMPARE(named->body, QByteArray("ok"));
        QVERIFY2(named->outcome->certificate.startsWith(
                     QLatin1String("CN=switchgear test, issued by Switchgear Test CA, until 20")),
                 qPrintable(named->outcome->certificate));

        // The same server without the name, after it was trusted with it: nothing was learnt.
        const auto plain = ask(url, nullptr);
        QCOMPARE(plain->failure(), testing::named(FailureKind::CertificateUntrusted));
        QVERIFY2(plain->outcome->detail.contains(QLatin1String("Switchgear Test CA")),
                 qPrintable(plain->outcome->detail));
        QVERIFY(plain->outcome->certificate.isEmpty());

        // Another server's authority is as unknown as before.
        testing::TlsServer other(stranger->server);
        QCOMPARE(ask(httpsUrl(other, "127.0.0.1"), trusting(lan->pem))->failure(),
                 testing::named(FailureKind::CertificateUntrusted));
        QCOMPARE(other.heads().size(), 0);
        QCOMPARE(server.heads().size(), 1);
    }

    void aTrustedCertificateForAnotherName()
    {
        const auto authority = testing::privateAuthority("DNS:api.example.test");
        if (!authority || !QSslSocket::supportsSsl())
            QSKIP("no TLS here");
        testing::TlsServer server(authority->server);
        QCOMPARE(ask(httpsUrl(server, "127.0.0.1"), trusting(authority->pem))->failure(),
                 named(FailureKind::HostnameMismatch));
        QCOMPARE(server.heads().size(), 0);
    }

    void proxies_data()
    {
        QTest::addColumn<ProxyServer::Kind>("kind");
        QTest::addColumn<QByteArray>("asks");
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<bool>("works");
        for (const auto kind : {ProxyServer::Kind::Http, ProxyServer::Kind::Socks5}) {
            const QByteArray name = kind == ProxyServer::Kind::Http ? "http" : "socks5";
            QTest::newRow((name + ", open").constData()) << kind << QByteArray() << QByteArray() << true;
            QTest::newRow((name + ", right password").constData()) << kind << kCredentials << kCredentials << true;
            QTest::newRow((name + ", no password").constData()) << kind << kCredentials << QByteArray() << false;
            QTest::newRow((name + ", wrong password").constData())
                << kind << kCredentials << QByteArray("carol:nonsense-0001") << false;
            QTest::newRow((name + ", nobody asked").constData()) << kind << QByteArray() << kCredentials << true;
        }
    }
    void proxies()
    {
        QFETCH(ProxyServer::Kind, kind);
        QFETCH(QByteArray, asks);
        QFETCH(QByteArray, given);
        QFETCH(bool, works);
        ProxyServer proxy(kind, asks);
        MisbehavingServer server;
        QByteArray head;
        server.onRequest([&](MisbehavingServer::Peer& peer) {
            head += peer.head;
            peer.send(testing::answer(200, "through"));
        });
        QUrl url = server.url();
        url.setHost(QStringLiteral("api.example.test")); // only the proxy knows it
        const auto got = ask(url, through(proxy.url(), given));
        if (!works) {
            QCOMPARE(got->failure(), named(FailureKind::ProxyFailed));
            QVERIFY2(got->outcome->detail.contains(QLatin1String("user name and password")),
                     qPrintable(got->outcome->detail));
            QCOMPARE(server.connections(), 0);
            QVERIFY(proxy.challenges() > 0);
            QVERIFY(!got->outcome->detail.contains(QLatin1String("nonsense")));
            return;
        }
        QCOMPARE(got->failure(), named(FailureKind::None));
        QCOMPARE(got->body, QByteArray("through"));
        const QByteArray target = "api.example.test:" + QByteArray::number(url.port());
        QCOMPARE(proxy.asked(), QList<QByteArray>{target});
        QCOMPARE(server.requests(), 1);
        // The server hears nothing that was for the proxy, and the proxy nothing that was for the server.
        QVERIFY(!head.contains("proxy-password") && !head.contains(kCredentials.toBase64()));
        QVERIFY(!head.toLower().contains("proxy-authorization"));
        QVERIFY(!proxy.seen().contains("sk-test-0001"));
        QVERIFY(proxy.carried().contains("sk-test-0001"));
        QCOMPARE(proxy.seen().contains(kCredentials.toBase64()) || proxy.seen().contains("proxy-password"),
                 !asks.isEmpty());
    }

    void tlsThroughAProxy_data()
    {
        QTest::addColumn<ProxyServer::Kind>("kind");
        QTest::newRow("http") << ProxyServer::Kind::Http;
        QTest::newRow("socks5") << ProxyServer::Kind::Socks5;
    }
    void tlsThroughAProxy()
    {
        QFETCH(ProxyServer::Kind, kind);
        const auto authority = testing::privateAuthority("DNS:api.example.test");
        if (!authority || !QSslSocket::supportsSsl())
            QSKIP("no TLS here");
        ProxyServer proxy(kind, kCredentials);
        testing::TlsServer server(authority->server);
        const auto trusted = QSslCertificate::fromData(authority->pem, QSsl::Pem);
        const QUrl url = httpsUrl(server, "api.example.test");
        const auto got = ask(url, through(proxy.url(), kCredentials, trusted));
        QVERIFY2(got->failure() == named(FailureKind::None), qPrintable(got->outcome->detail));
        QCOMPARE(got->body, QByteArray("ok"));
        QVERIFY(!proxy.carried().contains("sk-test-0001")); // it is inside TLS
        QVERIFY(server.heads().front().contains("sk-test-0001"));
        QVERIFY(!server.heads().front().contains(kCredentials.toBase64()));
        QCOMPARE(ask(url, through(proxy.url(), kCredentials))->failure(), named(FailureKind::CertificateUntrusted));
        QCOMPARE(server.heads().size(), 1);
    }

    void proxiesThatDoNotWork_data()
    {
        QTest::addColumn<QByteArray>("refusal");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* refusal, const char* words) {
            QTest::newRow(name) << QByteArray(refusal) << QString::fromLatin1(words);
        };
        row("forbidden", "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "opens no way");
        row("unknown host", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "does not find");
        row("bad gateway", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\nsad", "opens no way");
        row("unavailable", "HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\n\r\n", "opens no way");
        row("garbage", "SSH-2.0-OpenSSH_9.2p1\r\n\r\n", "proxy");
    }
    void proxiesThatDoNotWork()
    {
        QFETCH(QByteArray, refusal);
        QFETCH(QString, words);
        ProxyServer proxy(ProxyServer::Kind::Http);
        proxy.setRefusal(refusal);
        const auto got = ask(QUrl(QStringLiteral("http://api.example.test/v1")), through(proxy.url()));
        QVERIFY2(got->failure() == named(FailureKind::ProxyFailed),
                 qPrintable(QString::fromLatin1(got->failure()) + got->outcome->detail));
        QVERIFY2(got->outcome->detail.contains(words), qPrintable(got->outcome->detail));
        QCOMPARE(got->status, 0); // its page is nobody's answer
    }

    void aProxyThatClosesEndsByTheLimit()
    {
        ProxyServer proxy(ProxyServer::Kind::Http);
        proxy.setRefusal(" ");
        http::Limits limits;
        limits.connect = Millis(300);
        const auto got = ask(QUrl(QStringLiteral("http://api.example.test/v1")), through(proxy.url()), limits);
        if (kind_ == http::TransportKind::Curl) { // it is told of the close
            QCOMPARE(got->failure(), named(FailureKind::ProxyFailed));
            QCOMPARE(proxy.connections(), 1);
            return;
        }
        QCOMPARE(got->failure(), named(FailureKind::ConnectTimeout));
        QVERIFY2(got->outcome->detail.contains(QLatin1String("through the proxy")), qPrintable(got->outcome->detail));
        QVERIFY(proxy.connections() <= 6);
    }

    void unreachableProxies_data()
    {
        QTest::addColumn<QString>("scheme");
        QTest::newRow("http") << QStringLiteral("http");
        QTest::newRow("socks5") << QStringLiteral("socks5");
    }
    void unreachableProxies()
    {
        QFETCH(QString, scheme);
        QUrl closed;
        {
            ProxyServer gone(ProxyServer::Kind::Http);
            closed = gone.url();
        }
        closed.setScheme(scheme);
        const auto got = ask(QUrl(QStringLiteral("http://api.example.test/v1")), through(closed));
        QCOMPARE(got->failure(), named(FailureKind::ProxyFailed));
        QVERIFY2(got->outcome->detail.contains(QLatin1String("cannot be reached")), qPrintable(got->outcome->detail));
    }

    void aNamedProxyIsUsedForThisMachineToo()
    {
        ProxyServer proxy(ProxyServer::Kind::Http);
        MisbehavingServer server;
        server.onRequest([](MisbehavingServer::Peer& peer) { peer.send(testing::answer(200, "ok")); });
        QCOMPARE(ask(server.url(), through(proxy.url()))->body, QByteArray("ok"));
        QCOMPARE(proxy.asked().size(), 1);
        QCOMPARE(ask(server.url(), nullptr)->body, QByteArray("ok"));
        QCOMPARE(proxy.connections(), 1);
    }

    void profilesDoNotShareConnections()
    {
        ProxyServer one(ProxyServer::Kind::Http);
        ProxyServer two(ProxyServer::Kind::Socks5);
        MisbehavingServer server;
        server.onRequest([](MisbehavingServer::Peer& peer) { peer.send(testing::answer(200, "ok")); });
        QList<ProfilePtr> kept;
        for (int round = 0; round < 3; ++round) {
            for (const ProfilePtr& profile : {ProfilePtr(), through(one.url()), through(two.url())}) {
                kept << profile;
                QCOMPARE(ask(server.url(), profile)->body, QByteArray("ok"));
            }
        }
        QCOMPARE(server.requests(), 9);
        QCOMPARE(server.connections(), 3); // each round's profiles are new and say the same
        QCOMPARE(one.connections(), 1);
        QCOMPARE(two.connections(), 1);
    }

    void connectionsOfForgottenProfilesEnd()
    {
        MisbehavingServer server;
        server.onRequest([](MisbehavingServer::Peer& peer) { peer.send(testing::answer(200, "ok")); });
        ProxyServer proxy(ProxyServer::Kind::Http);
        for (int edit = 0; edit < 5; ++edit)
            QCOMPARE(ask(server.url(), through(proxy.url(), "carol:edit-" + QByteArray::number(edit)))->body,
                     QByteArray("ok"));
        QTRY_COMPARE(server.open(), 1);
    }

private:
    std::shared_ptr<testing::Recorder> ask(const QUrl& url, ProfilePtr profile, http::Limits limits = {})
    {
        auto got = std::make_shared<testing::Recorder>();
        http::Request request;
        request.url = url;
        request.headers = {{"Authorization", "Bearer sk-test-0001"}};
        request.body = "{}";
        request.limits = limits;
        request.limits.total = std::chrono::seconds(10);
        request.connection = std::move(profile);
        request.tellCertificate = true;
        transport_->start(std::move(request), got);
        if (!QTest::qWaitFor([&] { return got->outcome.has_value(); }, 15000))
            QTest::qFail("the exchange did not end", __FILE__, __LINE__);
        return got;
    }

    const http::TransportKind kind_;
    std::unique_ptr<http::Transport> transport_;
};

int main(int argc, char** argv)
{
    return testing::runForBoth<TestConnectionProfile>(argc, argv);
}
#include "tst_connection_profile.moc"
