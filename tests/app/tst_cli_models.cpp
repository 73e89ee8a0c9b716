// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/simulator.h"
#include "tests/app/cli_process.h"

using namespace sg;
using test::Cli;
using test::CliResult;

class tst_cli_models : public QObject
{
    Q_OBJECT

private:
    static QStringList words(const QString& line) { return line.split(QLatin1Char(' '), Qt::SkipEmptyParts); }

    /// The address of the simulator's endpoint without the version, which every dialect adds for itself.
    QByteArray root() const { return "http://127.0.0.1:" + QByteArray::number(simulator_->port()) + "/quick"; }

    QByteArray workspace(const QByteArray& more = {}) const
    {
        QByteArray endpoints;
        for (const char* provider : {"openai", "anthropic", "gemini"})
            endpoints += (endpoints.isEmpty() ? "{'name':'" : ",{'name':'") + QByteArray(provider) +
                         "','model':'m','provider':'" + provider + "','base_url':'" + root() + "'}";
        return test::json(("{'version':1,'name':'T','chains':[],'endpoints':[" + endpoints + more + "]}").constData());
    }

    std::unique_ptr<simulator::Simulator> simulator_;

private Q_SLOTS:
    void initTestCase()
    {
        auto script = simulator::parseScript(test::json(
            "{'version':1,'endpoints':[{'name':'quick','model':'m','latency':{'kind':'constant','ms':5}}]}"));
        QVERIFY(script);
        simulator_ = std::make_unique<simulator::Simulator>(*std::move(script));
        QVERIFY(simulator_->start());
    }

    void listsOfAllDialects()
    {
        const Cli cli;
        cli.write(QStringLiteral("w.json"), workspace());
        const CliResult result = cli.run(words(QStringLiteral("models w.json")));
        COMPARE_CODE(result, 0);
        VERIFY_SAYS(result, "openai (OpenAI): 1 models");
        VERIFY_SAYS(result, "gemini (Google Gemini): 1 models");
        QVERIFY2(result.err.isEmpty(), result.told().constData());

        const CliResult one = cli.run(words(QStringLiteral("models w.json --json --endpoint anthropic")));
        COMPARE_CODE(one, 0);
        const QJsonArray endpoints = one.json().value(QLatin1String("endpoints")).toArray();
        QCOMPARE(endpoints.size(), 1);
        QCOMPARE(endpoints[0][QLatin1String("provider")].toString(), QStringLiteral("anthropic"));
        QCOMPARE(endpoints[0][QLatin1String("models")][0][QLatin1String("id")].toString(), QStringLiteral("m"));
    }

    void whatDoesNotAnswerIsSaid()
    {
        const Cli cli;
        const QByteArray closed = "http://127.0.0.1:" + QByteArray::number(test::closedPort());
        cli.write(QStringLiteral("w.json"),
                  workspace(",{'name':'dead','model':'x','base_url':'" + closed +
                            "'},{'name':'keyless','model':'m','provider':'groq','base_url':'" + root() +
                            "','key':{'source':'environment','name':'SG_NO_SUCH_KEY'}},{'name':'none','model':'x',"
                            "'provider':'perplexity','base_url':'" +
                            root() + "'}"));
        const CliResult result = cli.run(words(QStringLiteral("models w.json")));
        COMPARE_CODE(result, 1);
        VERIFY_SAYS(result, "openai (OpenAI): 1 models"); // the others are not held up
        VERIFY_SAYS(result, "dead (OpenAI-compatible): 127.0.0.1 could not be asked: ");
        VERIFY_SAYS(result, "keyless (Groq): The environment variable SG_NO_SUCH_KEY is not set.");
        VERIFY_SAYS(result, "none (Perplexity): Perplexity has no list of models to ask for.");
    }

    void aModelThatIsNotThereAndAForeignKey()
    {
        Cli cli;
        cli.environment.insert(QStringLiteral("SG_KEY"), QStringLiteral("sk-test-000123456\n"));
        cli.write(QStringLiteral("w.json"),
                  test::json(("{'version':1,'name':'T','chains':[],'providers':[{'id':'house','key_prefixes':['hs_']}],"
                              "'endpoints':[{'name':'e','model':'other','provider':'house','base_url':'" +
                              root() + "','key':{'source':'environment','name':'SG_KEY'}}]}")
                                 .constData()));
        const CliResult result = cli.run(words(QStringLiteral("models w.json")));
        COMPARE_CODE(result, 0);
        VERIFY_SAYS(result, "The endpoint's model \"other\" is not among them.");
        VERIFY_SAYS(result, "Warning: w.json: endpoints[0].key: SG_KEY: Keys of this provider begin with \"hs_\"");
        QVERIFY(!(result.out + result.err).contains(QLatin1String("0001234")));
    }

    void badUsage()
    {
        const Cli cli;
        cli.write(QStringLiteral("w.json"), workspace());
        COMPARE_CODE(cli.run(words(QStringLiteral("models"))), 2);
        COMPARE_CODE(cli.run(words(QStringLiteral("models no.json"))), 2);
        const CliResult unknown = cli.run(words(QStringLiteral("models w.json --endpoint nobody")));
        COMPARE_CODE(unknown, 2);
        VERIFY_SAYS(unknown, "Its endpoints are: openai, anthropic, gemini.");
        COMPARE_CODE(cli.run(words(QStringLiteral("models --help"))), 0);
    }
};

QTEST_GUILESS_MAIN(tst_cli_models)
#include "tst_cli_models.moc"
