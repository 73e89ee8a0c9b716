// SPDX-License-Identifier: GPL-3.0-or-later
// new, import, export and prices: what comes in from elsewhere and goes out again.
#include "tests/app/cli_process.h"

#include <array>

using namespace sg;
using test::Cli;
using test::CliResult;

namespace {

QStringList words(const char* line)
{
    return QString::fromUtf8(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

QByteArray tableOf(int models)
{
    QJsonObject table;
    for (int i = 0; i < models; ++i)
        table.insert(QStringLiteral("gpt-%1").arg(i),
                     QJsonObject{{QStringLiteral("litellm_provider"), QStringLiteral("openai")},
                                 {QStringLiteral("input_cost_per_token"), 2e-06},
                                 {QStringLiteral("output_cost_per_token"), 8e-06}});
    return QJsonDocument(table).toJson();
}

} // namespace

class tst_cli_litellm : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void presetsCanBeChecked_data()
    {
        QTest::addColumn<QString>("preset");
        for (const char* id : {"s0", "s1", "s2", "s3", "s4"})
            QTest::newRow(id) << QString::fromLatin1(id);
    }
    void presetsCanBeChecked()
    {
        QFETCH(QString, preset);
        Cli cli;
        COMPARE_CODE(cli.run(words("new w.json --preset") + QStringList{preset}), 0);
        COMPARE_CODE(cli.run(words("check w.json")), 0);
        COMPARE_CODE(cli.run(words("check w.json --environment production")), 0);
    }

    void aPresetTakesALoad()
    {
        Cli cli;
        COMPARE_CODE(cli.run(words("new w.json --preset s1")), 0);
        const CliResult result = cli.run(words("load --workspace w.json --requests 50 --concurrency 10 --json"));
        COMPARE_LOAD_CODE(result, 0);
        QCOMPARE(result.json().value(QStringLiteral("success_rate")).toDouble(), 1.0);
    }

    void theJittersShowWhatRetriesAreFor()
    {
        Cli cli;
        COMPARE_CODE(cli.run(words("new w.json --preset s2")), 0);
        const CliResult result =
            cli.run(words("load --workspace w.json --requests 120 --concurrency 10 --seed 1 --json"));
        COMPARE_CODE(result, 0);
        QVERIFY2(result.json().value(QStringLiteral("success_rate")).toDouble() > 0.9, result.told().constData());
    }

    void ofManyThatCreateOneFileOneSucceeds()
    {
        Cli cli;
        std::array<QProcess, 4> programs;
        for (std::size_t i = 0; i < programs.size(); ++i)
            cli.begin(programs[i], words("new same.json --preset") + QStringList{QStringLiteral("s%1").arg(i)});
        int written = 0;
        for (QProcess& program : programs)
            written += Cli::end(program).code == 0 ? 1 : 0;
        QCOMPARE(written, 1);
        QCOMPARE(QDir(cli.folder.path()).entryList(QDir::Files).size(), 1); // nothing is left over
    }

    void nothingIsWrittenOver()
    {
        Cli cli;
        cli.write(QStringLiteral("w.json"), "mine");
        const CliResult result = cli.run(words("new w.json"));
        COMPARE_CODE(result, 2);
        VERIFY_SAYS(result, "was not touched");
        QCOMPARE(cli.read(QStringLiteral("w.json")), QByteArray("mine"));
        COMPARE_CODE(cli.run(words("new other.json --preset s9")), 2);
    }

    void aConfigurationComesInAndGoesOut()
    {
        Cli cli;
        cli.write(QStringLiteral("config.yaml"),
                  "model_list:\n"
                  "- {model_name: main, litellm_params: {model: gpt-4o, api_key: sk-test-0001-in-the-file}}\n"
                  "- {model_name: spare, litellm_params: {model: claude-sonnet-4-5, max_budget: 3}}\n"
                  "router_settings: {fallbacks: [{main: [spare]}]}\n");
        const CliResult in = cli.run(words("import config.yaml --out w.json"));
        COMPARE_CODE(in, 0);
        VERIFY_SAYS(in, "model_list[0].litellm_params.api_key");
        VERIFY_SAYS(in, "model_list[1].litellm_params.max_budget");
        QVERIFY(!in.told().contains("sk-test") && !cli.read(QStringLiteral("w.json")).contains("sk-test"));
        COMPARE_CODE(cli.run(words("check w.json")), 0);
        const CliResult out = cli.run(words("export w.json --chain main"));
        COMPARE_CODE(out, 0);
        QVERIFY2(out.out.contains(QLatin1String("model: \"anthropic/claude-sonnet-4-5\"")), out.told().constData());
        COMPARE_CODE(cli.run(words("export w.json --chain nobody")), 2);
    }

    void whatIsLeftOutSaysNo()
    {
        Cli cli;
        cli.write(QStringLiteral("config.yaml"), "model_list: [{model_name: b, litellm_params: {model: bedrock/x}}]\n");
        const CliResult result = cli.run(words("import config.yaml"));
        COMPARE_CODE(result, 1);
        VERIFY_SAYS(result, "left out");
        cli.write(QStringLiteral("broken.yaml"), "model_list: [");
        COMPARE_CODE(cli.run(words("import broken.yaml --out w.json")), 2);
        QVERIFY(cli.read(QStringLiteral("w.json")).isEmpty());
    }

    void pricesComeInUnlessTheyShrink()
    {
        Cli cli;
        cli.write(QStringLiteral("large.json"), tableOf(10));
        cli.write(QStringLiteral("half.json"), tableOf(5));
        COMPARE_CODE(cli.run(words("prices large.json --book book.json")), 0);
        const QByteArray book = cli.read(QStringLiteral("book.json"));
        QVERIFY(book.contains("gpt-9"));
        const CliResult refused = cli.run(words("prices half.json --book book.json"));
        COMPARE_CODE(refused, 2);
        VERIFY_SAYS(refused, "shrank by half");
        QCOMPARE(cli.read(QStringLiteral("book.json")), book);
        COMPARE_CODE(cli.run(words("prices half.json --book book.json --force")), 0);
        QVERIFY(!cli.read(QStringLiteral("book.json")).contains("gpt-9"));
        cli.write(QStringLiteral("page.html"), "<html>");
        COMPARE_CODE(cli.run(words("prices page.html --book book.json")), 2);
    }

    void importedPricesAreUsed()
    {
        Cli cli;
        cli.write(
            QStringLiteral("config.yaml"),
            "model_list: [{model_name: m, litellm_params: {model: openai/gpt-3, api_key: os.environ/GOOD_KEY}}]\n");
        cli.environment.insert(QStringLiteral("GOOD_KEY"), QStringLiteral("sk-test-0001"));
        COMPARE_CODE(cli.run(words("import config.yaml --out w.json")), 0);
        QVERIFY(cli.run(words("check w.json")).out.contains(QLatin1String("no price")));
        cli.write(QStringLiteral("table.json"), tableOf(10));
        COMPARE_CODE(cli.run(words("prices table.json")), 0);
        const CliResult priced = cli.run(words("check w.json"));
        QVERIFY2(!priced.out.contains(QLatin1String("no price")), priced.told().constData());
    }
};

QTEST_GUILESS_MAIN(tst_cli_litellm)
#include "tst_cli_litellm.moc"
