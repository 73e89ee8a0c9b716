// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/sdk_report.h"
#include "tests/support/strict_client.h"

using namespace sg;
using namespace sg::test;

namespace {

QByteArray bodyOf(const QString& text, bool stream)
{
    const QJsonObject message{{QStringLiteral("role"), QStringLiteral("user")}, {QStringLiteral("content"), text}};
    return QJsonDocument(QJsonObject{{QStringLiteral("model"), QStringLiteral("steady")},
                                     {QStringLiteral("messages"), QJsonArray{message}},
                                     {QStringLiteral("stream"), stream}})
        .toJson(QJsonDocument::Compact);
}

QString textOf(const QJsonObject& answer)
{
    const QJsonValue choice = answer[QStringLiteral("choices")][0];
    return choice[QStringLiteral("message")][QStringLiteral("content")].toString();
}

QString streamedText(const QByteArray& body)
{
    QString text;
    for (const QJsonObject& chunk : chunksOf(body))
        text += chunk[QStringLiteral("choices")][0][QStringLiteral("delta")][QStringLiteral("content")].toString();
    return text;
}

} // namespace

/// curl against the gateway, in the ways of HTTP that the SDKs do not use. Skipped where curl is not installed.
class tst_gateway_curl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!isInstalled("curl"))
            QSKIP("The gateway was not tested with curl: it is not installed.");
        const QString problem = rig_.serve();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }

    void whole_data() { versions(); }
    void whole()
    {
        QFETCH(QString, version);
        const CliResult result = curl({version}, bodyOf(QStringLiteral("Hi \u00fc"), false));
        COMPARE_CODE(result, 0);
        QVERIFY2(textOf(result.json()).endsWith(QStringLiteral(" Hi \u00fc")), result.told().constData());
    }

    void streamed_data() { versions(); }
    void streamed()
    {
        QFETCH(QString, version);
        const CliResult result = curl({version, QStringLiteral("-N")}, bodyOf(QStringLiteral("Hi there"), true));
        COMPARE_CODE(result, 0);
        QVERIFY2(streamedText(result.out.toUtf8()).endsWith(QStringLiteral(" Hi there")), result.told().constData());
        QVERIFY(result.out.endsWith(QStringLiteral("data: [DONE]\n\n")));
        // A client of 1.0 knows no chunks: the answer is as long as the connection.
        QCOMPARE(result.err.contains(QStringLiteral("transfer-encoding: chunked"), Qt::CaseInsensitive),
                 version != QLatin1String("--http1.0"));
    }

    void expect100_data()
    {
        QTest::addColumn<int>("kib");
        QTest::newRow("small") << 1;
        QTest::newRow("4 MiB") << 4096;
    }
    void expect100()
    {
        QFETCH(int, kib);
        const QString text(kib * 1024, QLatin1Char('x'));
        const CliResult result = curl({QStringLiteral("-H"), QStringLiteral("Expect: 100-continue"),
                                       QStringLiteral("--expect100-timeout"), QStringLiteral("20")},
                                      bodyOf(text, false));
        COMPARE_CODE(result, 0);
        QVERIFY2(result.err.contains(QStringLiteral("HTTP/1.1 100")), result.err.left(2000).toUtf8().constData());
        QCOMPARE(textOf(result.json()).section(QLatin1Char(' '), 1).size(), text.size());
    }

    void chunkedUpload()
    {
        const QString text(200000, QLatin1Char('y'));
        const CliResult result =
            curl({QStringLiteral("-H"), QStringLiteral("Transfer-Encoding: chunked")}, bodyOf(text, false));
        COMPARE_CODE(result, 0);
        QCOMPARE(textOf(result.json()).section(QLatin1Char(' '), 1).size(), text.size());
    }

    void twoOnOneConnection()
    {
        const QByteArray body = bodyOf(QStringLiteral("again"), false);
        const QString url = rig_.url() + QStringLiteral("/chat/completions");
        const CliResult result = curl({url}, body); // the same address twice
        COMPARE_CODE(result, 0);
        QCOMPARE(result.out.count(QStringLiteral("\"chat.completion\"")), 2);
        QVERIFY(result.err.contains(QStringLiteral("Re-using existing connection")));
    }

    void leavingIsSeenByTheProvider()
    {
        const auto left = [&] {
            return rig_.simulator()
                .stats()[QStringLiteral("endpoints")][QStringLiteral("slow")][QStringLiteral("client_gone")]
                .toInt();
        };
        const int before = left();
        QByteArray body = bodyOf(QStringLiteral("go on"), true);
        body.replace("steady", "slow");
        const CliResult result =
            curl({QStringLiteral("-N"), QStringLiteral("--max-time"), QStringLiteral("0.6")}, body);
        COMPARE_CODE(result, 28);
        QVERIFY(result.out.contains(QStringLiteral("data: ")));
        QTRY_COMPARE_WITH_TIMEOUT(left(), before + 1, 2000);
    }

private:
    static void versions()
    {
        QTest::addColumn<QString>("version");
        for (const char* version : {"--http1.0", "--http1.1"})
            QTest::newRow(version) << QString::fromLatin1(version);
    }

    CliResult curl(const QStringList& options, const QByteArray& body)
    {
        const QString file = rig_.cli.write(QStringLiteral("body.json"), body);
        QProcess process;
        process.setProcessEnvironment(rig_.cli.environment);
        process.setWorkingDirectory(rig_.cli.folder.path());
        process.start(QStringLiteral("curl"),
                      QStringList{QStringLiteral("-sv"), QStringLiteral("--noproxy"), QStringLiteral("*"),
                                  QStringLiteral("-H"), QStringLiteral("Content-Type: application/json"),
                                  QStringLiteral("--data-binary"), QLatin1Char('@') + file} +
                          options + QStringList{rig_.url() + QStringLiteral("/chat/completions")},
                      QIODevice::ReadOnly);
        return Cli::end(process, 30000);
    }

    GatewayRig rig_;
};

QTEST_GUILESS_MAIN(tst_gateway_curl)
#include "tst_gateway_curl.moc"
