// SPDX-License-Identifier: GPL-3.0-or-later
// FC-E12 of tests/data/field_cases: what is on this machine is never asked through a proxy. Which other hosts are is
// the system's to say (NO_PROXY too), and read by Qt.
#include "tests/support/both_transports.h"
#include "tests/support/field_cases.h"
#include "tests/support/misbehaving_server.h"
#include "tests/support/recorder.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QNetworkProxy>
#include <QTest>

using namespace sg;
using testing::MisbehavingServer;

class TestProxyFieldCases : public QObject
{
    Q_OBJECT

public:
    explicit TestProxyFieldCases(http::TransportKind kind)
        : kind_(kind)
    {
    }

private Q_SLOTS:
    void initTestCase()
    {
        proxy_.onRequest([this](MisbehavingServer::Peer& peer) {
            asked_ += peer.head.left(peer.head.indexOf('\r'));
            peer.send(testing::answer(407, "proxy"));
        });
        QNetworkProxyFactory::setUseSystemConfiguration(false);
        QNetworkProxy::setApplicationProxy(QNetworkProxy(QNetworkProxy::HttpProxy, QStringLiteral("127.0.0.1"),
                                                         static_cast<quint16>(proxy_.url().port())));
    }
    void cleanupTestCase() { QNetworkProxy::setApplicationProxy(QNetworkProxy()); }

    void loopbackGoesDirect_data()
    {
        QTest::addColumn<QString>("host");
        const QJsonObject one = test::fieldCase(QStringLiteral("FC-E12.json"));
        int rows = 0;
        for (const QJsonValue& row : one[QLatin1String("rows")].toArray()) {
            const QUrl url(row[QLatin1String("url")].toString());
            if (row[QLatin1String("proxy")] != QLatin1String("direct") || url.scheme() == QLatin1String("https"))
                continue; // the system's NO_PROXY
            QTest::newRow(qPrintable(url.host())) << url.host();
            ++rows;
        }
        QCOMPARE(rows, 3);
        QTest::newRow("127.8.9.10") << QStringLiteral("127.8.9.10");
        QTest::newRow("LOCALHOST") << QStringLiteral("LOCALHOST");
    }
    void loopbackGoesDirect()
    {
        QFETCH(QString, host);
        MisbehavingServer server;
        server.onRequest([](MisbehavingServer::Peer& peer) { peer.send(testing::answer(200, "here")); });
        QUrl url = server.url();
        url.setHost(host);
        asked_.clear();
        const auto got = ask(url);
        QVERIFY(got->outcome);
        QCOMPARE(asked_.size(), 0);
        if (host.compare(QLatin1String("localhost"), Qt::CaseInsensitive) == 0 || host == QLatin1String("127.0.0.1"))
            QCOMPARE(got->body, QByteArray("here"));
    }

    void anotherHostGoesThroughIt()
    {
        asked_.clear();
        const auto got = ask(QUrl(QStringLiteral("http://api.example.test/v1")));
        QVERIFY(got->outcome);
        QCOMPARE(asked_.size(), 1);
        QVERIFY2(asked_.front().contains("api.example.test"), asked_.front().constData());
    }

private:
    std::shared_ptr<testing::Recorder> ask(const QUrl& url)
    {
        const auto transport = http::makeTransport(kind_, 0);
        auto got = std::make_shared<testing::Recorder>();
        http::Request request;
        request.url = url;
        request.body = "{}";
        request.limits.total = std::chrono::seconds(5);
        transport->start(std::move(request), got);
        if (!QTest::qWaitFor([&] { return got->outcome.has_value(); }, 10000))
            QTest::qFail("the exchange did not end", __FILE__, __LINE__);
        return got;
    }

    const http::TransportKind kind_;
    MisbehavingServer proxy_;
    QList<QByteArray> asked_;
};

int main(int argc, char** argv)
{
    return testing::runForBoth<TestProxyFieldCases>(argc, argv);
}
#include "tst_proxy_field_cases.moc"
