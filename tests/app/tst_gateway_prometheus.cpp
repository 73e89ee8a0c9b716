// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/sdk_report.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QUrlQuery>

using namespace sg;
using namespace sg::test;

/// A real Prometheus that scrapes the gateway once a second. Skipped where it is not installed.
class tst_gateway_prometheus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!isInstalled("prometheus"))
            QSKIP("No Prometheus scraped the gateway: it is not installed.");
        const QString problem = rig_.serve();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        rig_.cli.write(QStringLiteral("prometheus.yml"),
                       "global: {scrape_interval: 1s, scrape_timeout: 900ms}\n"
                       "scrape_configs: [{job_name: switchgear, static_configs: [{targets: ['127.0.0.1:" +
                           QByteArray::number(rig_.port()) + "']}]}]\n");
        port_ = closedPort();
        prometheus_.setProcessChannelMode(QProcess::MergedChannels);
        prometheus_.setWorkingDirectory(rig_.cli.folder.path());
        prometheus_.start(QStringLiteral("prometheus"),
                          {QStringLiteral("--config.file=prometheus.yml"), QStringLiteral("--storage.tsdb.path=data"),
                           QStringLiteral("--web.listen-address=127.0.0.1:%1").arg(port_)},
                          QIODevice::ReadOnly);
        QVERIFY(prometheus_.waitForStarted(10000));
    }
    void cleanupTestCase()
    {
        if (prometheus_.state() == QProcess::NotRunning)
            return;
        prometheus_.terminate();
        if (!prometheus_.waitForFinished(10000)) {
            prometheus_.kill();
            prometheus_.waitForFinished(5000);
        }
    }

    void targetIsUp()
    {
        QTRY_VERIFY2_WITH_TIMEOUT(value(QStringLiteral("up")) == 1.0, prometheus_.readAll().constData(), 30000);
        const QJsonValue target =
            get(QStringLiteral("targets"))[QStringLiteral("data")][QStringLiteral("activeTargets")][0];
        QCOMPARE(target[QStringLiteral("health")].toString(), QStringLiteral("up"));
        QCOMPARE(target[QStringLiteral("lastError")].toString(), QString());
    }

    void requestsAreCounted()
    {
        for (int i = 0; i < 3; ++i)
            QCOMPARE(ask(QStringLiteral("steady")), 200);
        QVERIFY(ask(QStringLiteral("broken")) >= 500);
        QTRY_COMPARE_WITH_TIMEOUT(
            value(QStringLiteral("sum(gen_ai_client_operation_duration_seconds_count{error_type=\"\"})")), 3.0, 15000);
        QTRY_COMPARE_WITH_TIMEOUT(
            value(QStringLiteral("sum(gen_ai_client_operation_duration_seconds_count{error_type!=\"\"})")), 1.0, 15000);
        QVERIFY(value(QStringLiteral("sum(gen_ai_client_token_usage_sum)")) > 0);
        QVERIFY(value(QStringLiteral("count({__name__=~\"switchgear_.+\"})")) > 10);
    }

    void ratesAndQuantilesCanBeAsked()
    {
        ask(QStringLiteral("steady"));
        QTRY_VERIFY_WITH_TIMEOUT(
            value(QStringLiteral("histogram_quantile(0.5, sum by (le) "
                                 "(increase(gen_ai_client_operation_duration_seconds_bucket[1m])))")) > 0,
            15000);
    }

private:
    QJsonObject get(const QString& what, const QUrlQuery& query = {})
    {
        QUrl url(QStringLiteral("http://127.0.0.1:%1/api/v1/%2").arg(port_).arg(what));
        url.setQuery(query);
        return QJsonDocument::fromJson(wait(network_.get(QNetworkRequest(url))).second).object();
    }
    /// The first sample, or -1.
    double value(const QString& expression)
    {
        QUrlQuery query;
        query.addQueryItem(QStringLiteral("query"), QString::fromLatin1(QUrl::toPercentEncoding(expression)));
        const QJsonArray sample =
            get(QStringLiteral("query"),
                query)[QStringLiteral("data")][QStringLiteral("result")][0][QStringLiteral("value")]
                .toArray();
        return sample.isEmpty() ? -1 : sample[1].toString().toDouble();
    }
    int ask(const QString& model)
    {
        QNetworkRequest request(QUrl(rig_.url() + QStringLiteral("/chat/completions")));
        request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
        return wait(network_.post(request, "{\"model\":\"" + model.toUtf8() +
                                               "\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}"))
            .first;
    }
    static std::pair<int, QByteArray> wait(QNetworkReply* reply)
    {
        const bool ended = QTest::qWaitFor([reply] { return reply->isFinished(); }, 10000);
        Q_UNUSED(ended)
        reply->deleteLater();
        return {reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), reply->readAll()};
    }

    GatewayRig rig_;
    QProcess prometheus_;
    QNetworkAccessManager network_;
    quint16 port_ = 0;
};

QTEST_GUILESS_MAIN(tst_gateway_prometheus)
#include "tst_gateway_prometheus.moc"
