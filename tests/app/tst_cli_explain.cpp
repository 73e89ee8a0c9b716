// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_process.h"

#include <QFile>
#include <QFileInfo>

using namespace sg;
using test::Cli;
using test::CliResult;
using test::json;

namespace {

QStringList words(const QString& line)
{
    return line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

const QByteArray kLimited = json("HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\n"
                                 "Authorization: Bearer sk-test-0001-secret\r\n"
                                 "Retry-After: Mon, 30 Nov 2026 12:00:20 GMT\r\n\r\n"
                                 "{'error':{'message':'Slow down, sk-test-0001-secret','type':'rate_limit_error'}}");
const QByteArray kWhole = json("{'id':'c','model':'m-1','choices':[{'index':0,'message':{'role':'assistant',"
                               "'content':'Hi'},'finish_reason':'stop'}],"
                               "'usage':{'prompt_tokens':1000,'completion_tokens':100,'total_tokens':1100}}");
const QByteArray kStream =
    json("data: {'choices':[{'index':0,'delta':{'content':'Hi \xC3\xA9'},'finish_reason':null}]}\n\n"
         "data: {'choices':[{'index':0,'delta':{},'finish_reason':'stop'}]}\n\ndata: [DONE]\n\n");
const QByteArray kPrices =
    json("{'format':'switchgear-prices/1','currency':'USD','unit':'per_1m_tokens','source':'a list',"
         "'entries':[{'model':'m-1','input':2,'output':10}]}");

} // namespace

class tst_cli_explain : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void explainsAFile()
    {
        Cli cli;
        cli.write(QStringLiteral("a.json"), kWhole);
        const CliResult result = cli.run(words(QStringLiteral("explain a.json")));
        COMPARE_CODE(result, 0);
        QVERIFY2(result.err.isEmpty(), result.told().constData());
        QCOMPARE(result.json().value(QLatin1String("status")).toString(), QStringLiteral("complete"));
        QCOMPARE(result.json().value(QLatin1String("text")).toString(), QStringLiteral("Hi"));
        QCOMPARE(result.json().value(QLatin1String("cost")).toObject().value(QLatin1String("basis")).toString(),
                 QStringLiteral("unknown"));
    }

    void explainsStandardInput()
    {
        const Cli cli;
        QProcess process;
        process.setProcessEnvironment(cli.environment);
        process.start(cli.program, words(QStringLiteral("explain -")));
        process.write(kStream);
        process.closeWriteChannel();
        const CliResult result = Cli::end(process);
        COMPARE_CODE(result, 0);
        QCOMPARE(result.json().value(QLatin1String("text")).toString(), QString::fromUtf8("Hi é"));
    }

    void anErrorIsExplainedAndNoSecretShown()
    {
        Cli cli;
        cli.write(QStringLiteral("a.http"), kLimited);
        const CliResult result = cli.run(words(QStringLiteral("explain a.http --now 2026-11-30T12:00:00Z")));
        COMPARE_CODE(result, 0);
        QCOMPARE(result.json().value(QLatin1String("error_class")).toString(), QStringLiteral("rate_limited"));
        QCOMPARE(result.json().value(QLatin1String("wait_ms")).toInt(), 20000);
        QVERIFY2(!result.told().contains("test-0001"), result.told().constData());
    }

    void failSaysNo()
    {
        Cli cli;
        cli.write(QStringLiteral("bad.http"), kLimited);
        cli.write(QStringLiteral("good.json"), kWhole);
        COMPARE_CODE(cli.run(words(QStringLiteral("explain bad.http --fail"))), 1);
        COMPARE_CODE(cli.run(words(QStringLiteral("explain good.json --fail"))), 0);
    }

    void cutsDoNotMatter()
    {
        Cli cli;
        cli.write(QStringLiteral("a.sse"), kStream);
        const CliResult whole = cli.run(words(QStringLiteral("explain a.sse")));
        COMPARE_CODE(whole, 0);
        for (const char* cuts : {"every-byte", "0", "7", "4294967295", "whole"})
            QCOMPARE(cli.run({QStringLiteral("explain"), QStringLiteral("a.sse"), QStringLiteral("--cuts"),
                              QString::fromLatin1(cuts)})
                         .out,
                     whole.out);
    }

    void now_data()
    {
        QTest::addColumn<QString>("now");
        for (const char* now :
             {"2026-11-30T12:00:00Z", "2026-11-30T13:00:00+01:00", "2026-11-30T12:00:00", "2026-11-30T12:00:00.000Z",
              "Mon, 30 Nov 2026 12:00:00 GMT", "1796040000", "1796040000000"})
            QTest::newRow(now) << QString::fromLatin1(now);
    }
    void now()
    {
        QFETCH(QString, now);
        Cli cli;
        cli.write(QStringLiteral("a.http"), kLimited);
        const CliResult result =
            cli.run({QStringLiteral("explain"), QStringLiteral("a.http"), QStringLiteral("--now"), now});
        COMPARE_CODE(result, 0);
        QCOMPARE(result.json().value(QLatin1String("wait_ms")).toInt(), 20000);
    }

    void pricesOfAModelListing()
    {
        Cli cli;
        cli.write(QStringLiteral("a.json"), kWhole);
        cli.write(QStringLiteral("list.json"),
                  json("{'data':[{'id':'m-1','pricing':{'prompt':'0.000002','completion':'0.00001'}}]}"));
        const CliResult priced = cli.run(words(QStringLiteral("explain a.json --prices list.json")));
        COMPARE_CODE(priced, 0);
        QCOMPARE(priced.json().value(QLatin1String("cost")).toObject().value(QLatin1String("usd")).toDouble(), 0.003);
    }

    void pricesAndModel()
    {
        Cli cli;
        cli.write(QStringLiteral("a.json"), kWhole);
        cli.write(QStringLiteral("p.json"), kPrices);
        const CliResult priced = cli.run(words(QStringLiteral("explain a.json --prices p.json")));
        COMPARE_CODE(priced, 0);
        QCOMPARE(priced.json().value(QLatin1String("cost")).toObject().value(QLatin1String("usd")).toDouble(), 0.003);
        const CliResult other = cli.run(words(QStringLiteral("explain a.json --prices p.json --model other")));
        COMPARE_CODE(other, 0);
        QVERIFY(other.json().value(QLatin1String("cost")).toObject().value(QLatin1String("usd")).isNull());
    }

    void badInput_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("problem");
        QTest::addColumn<QString>("remedy");
        const auto row = [](const char* line, const char* problem, const char* remedy) {
            QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(problem)
                                << QString::fromLatin1(remedy);
        };
        row("explain", "takes one file", "--help");
        row("explain a.json b.json", "takes one file", "--help");
        row("explain nowhere.http", "nowhere.http: the file does not exist", "Check the path");
        row("explain .", "this is a folder", "Name a file");
        row("explain rubbish.bin", "rubbish.bin: this is binary data", "curl -i");
        row("explain sparse.http", "sparse.http: larger than 64 MiB", "a smaller file");
        row("explain a.json --now yesterday", "--now: \"yesterday\" is no time", "2026-11-30T12:00:00Z");
        row("explain a.json --now -5", "--now: \"-5\" is no time", "2026-11-30T12:00:00Z");
        row("explain a.json --dialect klingon", "--dialect: \"klingon\" is not known",
            "openai, azure, anthropic, gemini");
        row("explain a.json --cuts sometimes", "--cuts: \"sometimes\" is neither", "whole number");
        row("explain a.json --own-backoff-ms -1", "--own-backoff-ms: \"-1\"", "whole milliseconds");
        row("explain a.json --max-server-wait-ms 1.5", "--max-server-wait-ms: \"1.5\"", "whole milliseconds");
        row("explain a.json --prices nowhere.json", "nowhere.json: the file does not exist", "Check the path");
        row("explain a.json --prices a.json", "a.json: ", "price book");
        row("explain a.json --loud", "Unknown option 'loud'", "--help");
    }
    void badInput()
    {
        QFETCH(QString, line);
        QFETCH(QString, problem);
        QFETCH(QString, remedy);
        Cli cli;
        cli.write(QStringLiteral("a.json"), kWhole);
        cli.write(QStringLiteral("rubbish.bin"), QByteArray::fromHex("7f454c4602010100000000000000000003003e"));
        QFile sparse(cli.folder.filePath(QStringLiteral("sparse.http")));
        QVERIFY(sparse.open(QIODevice::WriteOnly) && sparse.resize(100 * 1024 * 1024));
        const CliResult result = cli.run(words(line));
        COMPARE_CODE(result, 2);
        QVERIFY2(result.out.isEmpty(), result.told().constData());
        QVERIFY2(result.err.contains(problem) && result.err.contains(remedy), result.told().constData());
        QCOMPARE(result.err.count(QLatin1Char('\n')), 1);
    }

    void emptyFileIsAnEmptyAnswer()
    {
        Cli cli;
        cli.write(QStringLiteral("empty.http"), "");
        const CliResult result = cli.run(words(QStringLiteral("explain empty.http")));
        COMPARE_CODE(result, 0);
        QCOMPARE(result.json().value(QLatin1String("status")).toString(), QStringLiteral("empty"));
    }

    void helpNamesTheCommand()
    {
        const CliResult own = Cli().run(words(QStringLiteral("explain --help")));
        COMPARE_CODE(own, 0);
        VERIFY_SAYS(own, "Usage: switchgear-cli explain");
        VERIFY_SAYS(own, "switchgear-cli explain stream.sse --dialect anthropic --cuts every-byte");
        VERIFY_SAYS(Cli().run({QStringLiteral("--help")}), "switchgear-cli explain");
    }
};

QTEST_GUILESS_MAIN(tst_cli_explain)
#include "tst_cli_explain.moc"
