// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/json_reader.h"
#include "core/workspace/workspace_file.h"
#include "tests/support/json.h"
#include "tests/support/rich_workspace.h"
#include "tests/support/small_workspace.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <sys/resource.h>

using namespace sg::workspace;
using sg::test::allFindings;
using sg::test::asText;
using sg::test::endpointWith;
using sg::test::file;
using sg::test::kChain;
using sg::test::kEndpoint;

namespace {

QByteArray practice()
{
    QFile source(QDir::cleanPath(QStringLiteral(SWITCHGEAR_TEST_DATA "/../../resources/practice/workspace.json")));
    return source.open(QIODevice::ReadOnly) ? source.readAll() : QByteArray();
}

QByteArray endpointAt(const QByteArray& address)
{
    return file(R"({"name":"a","base_url":")" + address + R"(","model":"m"})", kChain);
}

} // namespace

class TestWorkspace : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nothingToSayAboutGoodOnes()
    {
        for (const QByteArray& json :
             {endpointWith(R"("key":{"source":"none"})"), file("", ""), practice(),
              endpointAt(R"(http:\/\/127.0.0.1:11434/v1)"), endpointAt(R"(http:\/\/localhost:8000)"),
              endpointAt(R"(http:\/\/[::1]:8000)")}) {
            const LoadResult result = parseWorkspace(json);
            QVERIFY2(result && result->warnings.empty(), qPrintable(asText(allFindings(result))));
        }
    }

    void allAtOnce()
    {
        const Findings found = allFindings(parseWorkspace(file(
            R"({"name":"a","base_url":"ftp:\/\/a.example","model":"m","limits":{"max_in_flight":0}},{"name":"a","base_url":"sim:b","model":"m"})",
            R"({"name":"c","tiers":[{"endpoint":"zzz"}],"deadline_ms":-1})")));
        QCOMPARE(found.size(), std::size_t(5));
    }

    void textOfAFinding()
    {
        const Finding finding{FindingLevel::Error, QStringLiteral("a.b"), QStringLiteral("this is wrong"),
                              QStringLiteral("Do that")};
        QCOMPARE(finding.toText(QStringLiteral("w.json")), QStringLiteral("w.json: a.b: this is wrong. Do that."));
    }

    void defaults()
    {
        const LoadResult result = parseWorkspace(file(kEndpoint, kChain));
        QVERIFY(result);
        const Workspace& workspace = result->workspace;
        const Endpoint* endpoint = workspace.endpoint("a");
        QVERIFY(endpoint);
        QCOMPARE(endpoint->spec.quotaGroup, std::string("a"));
        QCOMPARE(endpoint->spec.credential, std::string("a"));
        QVERIFY(endpoint->spec.breaker == sg::policy::BreakerConfig());
        QVERIFY(!endpoint->price);
        QCOMPARE(workspace.chain("c")->spec.tiers[0].name, std::string("a"));
        QVERIFY(!workspace.chain("c")->spec.limiter);
        QVERIFY(!workspace.chain("d"));
        QVERIFY(!workspace.endpoint("d"));
    }

    void everyFieldComesBack()
    {
        const QByteArray full = sg::test::richWorkspace();
        const LoadResult result = parseWorkspace(full);
        QVERIFY2(result && result->warnings.empty(), qPrintable(asText(allFindings(result))));
        QCOMPARE(sg::test::object(toJson(result->workspace)), sg::test::object(full));
    }

    void unknownFieldsStay()
    {
        const QByteArray strange = file(
            R"({"name":"a","base_url":"sim:a","model":"m","colour":"red","breaker":{"shape":{"deep":[1,2]},"window":{"type":"count","size":9,"w":1}},
                "limits":{"l":1},"price":{"input":1,"p":true,"tiers":[{"above_input_tokens":5,"input":2,"q":3}]}})",
            R"({"name":"c","note":null,"cache":{"c":1},"tiers":[{"name":"t","endpoint":"a","x":1,"backoff":{"y":2,"jitter":{"type":"full","z":3}}},
                {"name":"r","kind":"canned_reply","rules":[{"reply":"1"},{"reply":"2","second":true}]}]})",
            R"(,"future":{"a":[{"b":1}]})");
        const LoadResult first = parseWorkspace(strange);
        QVERIFY(first);
        QCOMPARE(first->warnings.size(), std::size_t(13));
        // Twice through the file, and with the tiers in another order: what is not understood follows its owner.
        Workspace workspace = parseWorkspace(toJson(first->workspace))->workspace;
        std::swap(workspace.chains[0].spec.tiers[0], workspace.chains[0].spec.tiers[1]);
        const QJsonObject saved = sg::test::object(toJson(workspace));
        const QJsonObject endpoint = saved[QLatin1String("endpoints")][0].toObject();
        QCOMPARE(endpoint[QLatin1String("colour")].toString(), QStringLiteral("red"));
        QCOMPARE(endpoint[QLatin1String("breaker")][QLatin1String("shape")][QLatin1String("deep")][1].toInt(), 2);
        QCOMPARE(endpoint[QLatin1String("breaker")][QLatin1String("window")][QLatin1String("w")].toInt(), 1);
        QCOMPARE(endpoint[QLatin1String("limits")][QLatin1String("l")].toInt(), 1);
        QCOMPARE(endpoint[QLatin1String("price")][QLatin1String("p")].toBool(), true);
        QCOMPARE(endpoint[QLatin1String("price")][QLatin1String("tiers")][0][QLatin1String("q")].toInt(), 3);
        const QJsonObject chain = saved[QLatin1String("chains")][0].toObject();
        QVERIFY(chain.contains(QLatin1String("note")));
        QCOMPARE(chain[QLatin1String("cache")][QLatin1String("c")].toInt(), 1);
        const QJsonValue canned = chain[QLatin1String("tiers")][0], calling = chain[QLatin1String("tiers")][1];
        QCOMPARE(canned[QLatin1String("rules")][1][QLatin1String("second")].toBool(), true);
        QCOMPARE(calling[QLatin1String("x")].toInt(), 1);
        QCOMPARE(calling[QLatin1String("backoff")][QLatin1String("y")].toInt(), 2);
        QCOMPARE(calling[QLatin1String("backoff")][QLatin1String("jitter")][QLatin1String("z")].toInt(), 3);
        QCOMPARE(saved[QLatin1String("future")][QLatin1String("a")][0][QLatin1String("b")].toInt(), 1);
    }

    void theGatewayIsWrittenWhereItIsNotAsUsual()
    {
        const QByteArray more = R"(,"gateway":{"port":8787,"begin_after_ms":"never","token":"${GATEWAY_TOKEN}",
            "hosts":[],"colour":"red","token_note":null})";
        const LoadResult result = parseWorkspace(file(kEndpoint, kChain, more));
        QVERIFY2(result, qPrintable(asText(allFindings(result))));
        QCOMPARE(std::ranges::count_if(
                     result->warnings,
                     [](const Finding& finding) { return finding.place.startsWith(QLatin1String("gateway.")); }),
                 std::ptrdiff_t(2)); // unknown fields
        const GatewaySettings& gateway = result->workspace.gateway;
        QVERIFY(!gateway.beginAfter);
        QVERIFY(gateway.token == (KeyRef{KeySource::Environment, QStringLiteral("GATEWAY_TOKEN")}));
        const QJsonObject written = sg::test::object(toJson(result->workspace))[QLatin1String("gateway")].toObject();
        QCOMPARE(written.keys(), QStringList({QStringLiteral("begin_after_ms"), QStringLiteral("colour"),
                                              QStringLiteral("token"), QStringLiteral("token_note")}));
        QVERIFY(parseWorkspace(toJson(result->workspace))->workspace == result->workspace);
        Workspace usual = result->workspace;
        usual.gateway = {};
        QCOMPARE(sg::test::object(toJson(usual))[QLatin1String("gateway")].toObject().keys(),
                 QStringList({QStringLiteral("colour"), QStringLiteral("token_note")}));
        QVERIFY(!sg::test::object(toJson(parseWorkspace(file(kEndpoint, kChain))->workspace))
                     .contains(QLatin1String("gateway")));
    }

    void theGatewayIsOtherInAnEnvironment()
    {
        const QByteArray more = R"(,"environment":"b","gateway":{"port":9000,"max_queued":5},
            "environments":{"a":{},"b":{"gateway":{"port":null,"address":"::1"}}})";
        const LoadResult result = parseWorkspace(file(kEndpoint, kChain, more));
        QVERIFY2(result, qPrintable(asText(allFindings(result))));
        QCOMPARE(result->workspace.gateway.port, GatewaySettings().port);
        QCOMPARE(result->workspace.gateway.maxQueued, 5);
        QCOMPARE(result->workspace.gateway.address, QStringLiteral("::1"));
    }

    void whatTheGatewayCannotBe_data()
    {
        QTest::addColumn<QByteArray>("gateway");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* gateway, const char* place) {
            QTest::newRow(gateway) << QByteArray(gateway).replace('\'', '"') << QString::fromLatin1(place);
        };
        row("{'port':65536}", "gateway.port");
        row("{'port':-1}", "gateway.port");
        row("{'port':80.5}", "gateway.port");
        row("{'port':'8787'}", "gateway.port");
        row("{'address':'desk.example'}", "gateway.address");
        row("{'token':'hunter2-hunter2'}", "gateway.token");
        row("{'token':{'source':'environment','name':'MY TOKEN'}}", "gateway.token.name");
        row("{'token':{'source':'keychain'}}", "gateway.token.name");
        row("{'token':{'source':'keychain','name':'a8f5f167f44f4964e6c998dee827110c'}}", "gateway.token.name");
        row("{'hosts':['a',5]}", "gateway.hosts[1]");
        row("{'hosts':'a'}", "gateway.hosts");
        row("{'origins':['*']}", "gateway.origins[0]");
        row("{'begin_after_ms':'always'}", "gateway.begin_after_ms");
        row("{'begin_after_ms':-1}", "gateway.begin_after_ms");
        row("{'keep_alive_ms':0}", "gateway.keep_alive_ms");
        row("{'max_in_flight':0}", "gateway.max_in_flight");
        row("[]", "gateway");
    }
    void whatTheGatewayCannotBe()
    {
        QFETCH(QByteArray, gateway);
        QFETCH(QString, place);
        const LoadResult result = parseWorkspace(file(kEndpoint, kChain, ",\"gateway\":" + gateway));
        QVERIFY(!result);
        const Findings& found = result.error();
        QVERIFY2(std::any_of(found.begin(), found.end(),
                             [&](const Finding& finding) {
                                 return finding.level == FindingLevel::Error && finding.place == place;
                             }),
                 qPrintable(asText(found)));
        QVERIFY2(!asText(found).contains(QLatin1String("hunter2")), qPrintable(asText(found)));
    }

    void whatTheGatewayCannotBeIsToldInItsOwnWords()
    {
        const auto told = [](const QByteArray& gateway) {
            const LoadResult result = parseWorkspace(file(kEndpoint, kChain, ",\"gateway\":" + gateway));
            return result ? QString() : asText(result.error());
        };
        const QString begin = told(R"({"begin_after_ms":"nevr"})");
        QVERIFY2(begin.contains(QLatin1String("or \"never\"")), qPrintable(begin));
        QCOMPARE(begin.count(QLatin1String("begin_after_ms")), 1);
        const QString token = told(R"({"token":"hunter2-hunter2"})");
        QVERIFY2(token.contains(QLatin1String("${SWITCHGEAR_TOKEN}")), qPrintable(token));
        QVERIFY2(!token.contains(QLatin1String("provider")), qPrintable(token)); // it is none of theirs
    }

    void practiceWorkspaceIsS1()
    {
        const LoadResult result = parseWorkspace(practice());
        QVERIFY2(result, qPrintable(asText(allFindings(result))));
        const Workspace& workspace = result->workspace;
        const std::vector<std::pair<std::string, double>> limits{
            {"gpt-4.1", 500}, {"claude-sonnet-4.5", 300}, {"gemini-2.5-flash", 1000}, {"deepseek-v3.2", 2000}};
        const Chain& chain = workspace.chains.at(0);
        QCOMPARE(chain.spec.tiers.size(), limits.size() + 1);
        for (std::size_t i = 0; i < limits.size(); ++i) {
            QCOMPARE(chain.spec.tiers[i].endpoint, limits[i].first);
            const Endpoint* endpoint = workspace.endpoint(limits[i].first);
            QCOMPARE(endpoint->spec.requestsPerMinute, std::optional(limits[i].second));
            QCOMPARE(endpoint->baseUrl, QStringLiteral("sim:") + QString::fromStdString(limits[i].first));
            QVERIFY(endpoint->price);
        }
        QCOMPARE(chain.spec.tiers.back().kind, sg::chain::TierKind::CannedReply);
    }

    void saveAndLoad()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("ä w.json"));
        const Workspace workspace = parseWorkspace(practice())->workspace;
        QVERIFY(saveWorkspace(workspace, path));
        const LoadResult back = loadWorkspace(path);
        QVERIFY(back);
        QCOMPARE(toJson(back->workspace), toJson(workspace));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }

    void loadingWhatIsNotThere()
    {
        QTemporaryDir folder;
        QVERIFY(asText(allFindings(loadWorkspace(folder.filePath(QStringLiteral("no.json")))))
                    .contains(QLatin1String("does not exist")));
        QVERIFY(asText(allFindings(loadWorkspace(folder.path()))).contains(QLatin1String("not a file")));
    }

    void savingWhereItCannotBe()
    {
        QTemporaryDir folder;
        const auto noFolder = saveWorkspace({}, folder.filePath(QStringLiteral("no/where/w.json")));
        QVERIFY(!noFolder);
        QVERIFY2(noFolder.error().contains(QLatin1String("Create the folder")), qPrintable(noFolder.error()));

        QFile file(folder.filePath(QStringLiteral("plain")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const auto inFile = saveWorkspace({}, folder.filePath(QStringLiteral("plain/w.json")));
        QVERIFY(!inFile);
        QVERIFY2(inFile.error().contains(QLatin1String("no folder")), qPrintable(inFile.error()));

        QVERIFY(!saveWorkspace({}, folder.path()));
        QVERIFY(!saveWorkspace({}, QStringLiteral("/dev/full")));
        QVERIFY(!QFileInfo(QStringLiteral("/dev/full")).isFile()); // still the device
    }

    void aFailedWriteKeepsTheOldFile()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("w.json"));
        const Workspace workspace = parseWorkspace(practice())->workspace;
        QVERIFY(saveWorkspace(workspace, path));
        Workspace changed = workspace;
        changed.name = QStringLiteral("changed");
        // A limit on the size of files fails a write half-way, as a full disk does.
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        const rlimit small{1000, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        const auto saved = saveWorkspace(changed, path);
        setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(!saved);
        QVERIFY2(saved.error().contains(QLatin1String("as it was")), qPrintable(saved.error()));
        const LoadResult back = loadWorkspace(path);
        QVERIFY(back);
        QCOMPARE(back->workspace.name, workspace.name);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1); // nothing half-written is left beside it
    }

    void nearestNames()
    {
        const QStringList names{QStringLiteral("max_attempts"), QStringLiteral("backoff"), QStringLiteral("name")};
        QCOMPARE(nearestName(QStringLiteral("max_atempts"), names), std::optional(QStringLiteral("max_attempts")));
        QCOMPARE(nearestName(QStringLiteral("Backoff"), names), std::optional(QStringLiteral("backoff")));
        QCOMPARE(nearestName(QStringLiteral("attempts"), names), std::optional(QStringLiteral("max_attempts")));
        QVERIFY(!nearestName(QStringLiteral("zzz"), names));
        QVERIFY(!nearestName(QStringLiteral("x"), names));

        // Counted through, this is a matter of hours.
        QStringList many;
        for (int i = 0; i < 2000; ++i)
            many << QStringLiteral("model-%1").arg(i, 40, 10, QLatin1Char('0'));
        QVERIFY(!nearestName(QString(20'000'000, QLatin1Char('m')), many));
    }

    void nearestNamesOfHugeOnes() // hours, were they compared letter by letter
    {
        const QString huge(32 * 1024 * 1024, QLatin1Char('m')), large(256 * 1024, QLatin1Char('n'));
        QVERIFY(!nearestName(huge, {large, QStringLiteral("m")}));
        QVERIFY(!nearestName(QStringLiteral("x"), {huge}));
    }
};

QTEST_APPLESS_MAIN(TestWorkspace)
#include "tst_workspace.moc"
