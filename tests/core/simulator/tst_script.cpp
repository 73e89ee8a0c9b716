// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/bodies.h"
#include "core/simulator/script.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace sg::simulator;
using sg::workspace::Finding;
using sg::workspace::Findings;

namespace {

QByteArray endpointWith(const QByteArray& fields)
{
    return R"({"version":1,"endpoints":[{"name":"a",)" + fields + "}]}";
}

Findings findingsOf(const QByteArray& json)
{
    const auto result = parseScript(json);
    return result ? Findings() : result.error();
}

} // namespace

class TestScript : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void smallestScript()
    {
        const auto script =
            parseScript(R"({"version":1,"endpoints":[{"name":"steady","latency":{"kind":"constant","ms":500}}]})");
        QVERIFY(script);
        QCOMPARE(script->endpoints.size(), std::size_t(1));
        sg::policy::SeededRandom random(1);
        QCOMPARE(script->endpoints[0].usual.latency->draw(random), 500.0);
    }

    void findings_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QByteArray& json, const char* place, const char* words) {
            QTest::newRow(name) << json << QString::fromUtf8(place) << QString::fromUtf8(words);
        };
        const QByteArray latency = R"("latency":{"kind":"constant","ms":5})";
        row("broken JSON", "{\n  \"version\": 1,,\n}", "line 2, column ", "not JSON");
        row("empty", "  ", "", "empty");
        row("no object", "[1]", "", "no JSON object");
        row("no version", R"({"endpoints":[{"name":"a","latency":{"kind":"constant","ms":5}}]})", "version",
            "\"version\": 1");
        row("newer", R"({"version":7,"shape":3})", "version", "newer Switchgear");
        row("no such text", endpointWith(latency + R"(,"text":"verse")"), "endpoints[0].text", "echo");
        row("tool without a name", endpointWith(latency + R"(,"tool_call":{})"), "endpoints[0].tool_call.name",
            "missing");
        row("no endpoints", R"({"version":1})", "endpoints", "no endpoint");
        row("empty endpoints", R"({"version":1,"endpoints":[]})", "endpoints", "no endpoint");
        row("no name", R"({"version":1,"endpoints":[{"latency":{"kind":"constant","ms":5}}]})", "endpoints[0].name",
            "missing");
        row("name with slash", R"({"version":1,"endpoints":[{"name":"a/b","latency":{"kind":"constant","ms":5}}]})",
            "endpoints[0].name", "address");
        row("reserved name", R"({"version":1,"endpoints":[{"name":"stats","latency":{"kind":"constant","ms":5}}]})",
            "endpoints[0].name", "address");
        row("twice", R"({"version":1,"endpoints":[{"name":"a",)" + latency + R"(},{"name":"a",)" + latency + "}]}",
            "endpoints[1].name", "twice");
        row("quota without a number", endpointWith(latency + R"(,"quota":{"window_ms":5})"),
            "endpoints[0].quota.requests", "missing");
        row("two quotas", endpointWith(latency + R"(,"rpm":3,"quota":{"requests":2})"), "endpoints[0].quota", "same");
        row("no latency", endpointWith(R"("rpm":3)"), "endpoints[0].latency", "missing");
        row("unknown field", endpointWith(latency + R"(,"fautls":[])"), "endpoints[0].fautls", "\"faults\"");
        row("unknown field far", endpointWith(latency + R"(,"zzzzzzzzzz":1)"), "endpoints[0].zzzzzzzzzz", "known are");
        row("kind misspelt", endpointWith(R"("latency":{"kind":"log_normal","median_ms":5})"),
            "endpoints[0].latency.kind", "\"lognormal\"");
        row("unit missing", endpointWith(R"("latency":{"kind":"constant","value":5})"), "endpoints[0].latency.ms",
            "missing");
        row("not a number", endpointWith(R"("latency":{"kind":"constant","ms":"5"})"), "endpoints[0].latency.ms",
            "without quotes");
        row("negative", endpointWith(R"("latency":{"kind":"constant","ms":-5})"), "endpoints[0].latency.ms",
            "out of range");
        row("uniform turned", endpointWith(R"("latency":{"kind":"uniform","min_ms":9,"max_ms":3})"),
            "endpoints[0].latency.min_ms", "Exchange");
        row("most below median", endpointWith(R"("latency":{"kind":"lognormal","median_ms":9,"sigma":1,"max_ms":3})"),
            "endpoints[0].latency.max_ms", "below the median");
        row("overdetermined", endpointWith(latency + R"(,"ttft_share":0.5,"tokens_per_second":9)"),
            "endpoints[0].latency", "Keep one");
        row("share above 1", endpointWith(latency + R"(,"faults":[{"kind":"stall","share":25}])"),
            "endpoints[0].faults[0].share", "up to 1");
        row("shares add up",
            endpointWith(latency + R"(,"faults":[{"kind":"stall","share":0.6},{"kind":"garbage","share":0.6}])"),
            "endpoints[0].faults", "add up to 1.2");
        row("no fault kind", endpointWith(latency + R"(,"faults":[{"share":0.5}])"), "endpoints[0].faults[0].kind",
            "missing");
        row("no status", endpointWith(latency + R"(,"faults":[{"kind":"status"}])"), "endpoints[0].faults[0].status",
            "429");
        row("no factor", endpointWith(latency + R"(,"faults":[{"kind":"slow"}])"), "endpoints[0].faults[0].factor",
            "missing");
        row("misspelt body",
            endpointWith(latency + R"(,"faults":[{"kind":"status","status":429,"body":"openai_ratelimit"}])"),
            "endpoints[0].faults[0].body", "\"openai_rate_limit\"");
        row("placeholder",
            endpointWith(latency +
                         R"(,"faults":[{"kind":"status","status":429,"headers":{"Retry-After":"{dat+5s}"}}])"),
            "endpoints[0].faults[0].headers.Retry-After", "{date+5s}");
        row("header injection",
            endpointWith(latency + R"(,"faults":[{"kind":"status","status":429,"headers":{"X":"a\r\nB: c"}}])"),
            "endpoints[0].faults[0].headers.X", "line break");
        row("phase without end", endpointWith(latency + R"(,"phases":[{"from_ms":1}])"), "endpoints[0].phases[0].to_ms",
            "missing");
        row("phase turned", endpointWith(latency + R"(,"phases":[{"from_ms":5,"to_ms":2}])"),
            "endpoints[0].phases[0].to_ms", "larger");
        row("phases overlap", endpointWith(latency + R"(,"phases":[{"from_ms":1,"to_ms":9},{"from_ms":5,"to_ms":20}])"),
            "endpoints[0].phases", "overlap at 5");
        row("unknown in phase", endpointWith(latency + R"(,"phases":[{"from_ms":1,"to_ms":9,"lable":"x"}])"),
            "endpoints[0].phases[0].lable", "\"label\"");
    }
    void findings()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, place);
        QFETCH(QString, words);
        const Findings found = findingsOf(json);
        QVERIFY(!found.empty());
        const bool told = std::any_of(found.begin(), found.end(), [&](const Finding& finding) {
            const bool there =
                place.startsWith(QLatin1String("line")) ? finding.place.startsWith(place) : finding.place == place;
            return there && finding.toText(QStringLiteral("s.json")).contains(words);
        });
        QStringList all;
        for (const Finding& finding : found)
            all << finding.toText(QStringLiteral("s.json"));
        QVERIFY2(told, qPrintable(all.join(QLatin1Char('\n'))));
    }

    void everyFindingAtOnce()
    {
        const Findings found = findingsOf(
            R"({"version":1,"sed":1,"endpoints":[{"name":"a","latency":{"kind":"constant","ms":-1},"worker":2}]})");
        QCOMPARE(found.size(), std::size_t(3));
    }

    void aNewerVersionIsTheOnlyFinding() { QCOMPARE(findingsOf(R"({"version":2,"x":1})").size(), std::size_t(1)); }

    void anEndpointsFindingIsNotRepeatedForItsPhases()
    {
        const Findings found =
            findingsOf(endpointWith(R"("latency":{"kind":"constant","ms":-5},"phases":[{"from_ms":1,"to_ms":2}])"));
        QCOMPARE(found.size(), std::size_t(1));
    }

    void phasesInheritAndOverride()
    {
        const auto script =
            parseScript(R"({"version":1,"loop_ms":1000,"endpoints":[{"name":"a","ttft_share":0.2,"rpm":9,
            "latency":{"kind":"constant","ms":5},"phases":[
            {"from_ms":500,"to_ms":900,"label":"slow","latency":{"kind":"constant","ms":70}},
            {"from_ms":100,"to_ms":200,"tokens_per_second":50},
            {"from_ms":200,"to_ms":300,"ttft":{"kind":"constant","ms":9},"tokens_per_second":50}]}]})");
        QVERIFY(script);
        const EndpointScript& endpoint = script->endpoints[0];
        QCOMPARE(endpoint.phaseAt(script->scriptTime(3500))->label, QStringLiteral("slow"));
        QCOMPARE(endpoint.at(899).latency->value, 70.0);
        QCOMPARE(endpoint.at(899).quota, std::optional(Quota{9}));
        QCOMPARE(endpoint.at(899).ttftShare, std::optional(0.2));
        QCOMPARE(endpoint.at(900).latency->value, 5.0);
        QCOMPARE(endpoint.at(100).tokensPerSecond, std::optional(50.0));
        QVERIFY(!endpoint.at(100).ttftShare);
        QVERIFY(!endpoint.at(200).latency);
    }

    void distributionsKeepTheirWord()
    {
        sg::policy::SeededRandom random(7);
        Distribution lognormal;
        lognormal.kind = Distribution::Kind::Lognormal;
        lognormal.median = 700;
        lognormal.sigma = 0.5;
        lognormal.most = 2000;
        std::vector<double> drawn;
        for (int i = 0; i < 20001; ++i)
            drawn.push_back(lognormal.draw(random));
        std::sort(drawn.begin(), drawn.end());
        QVERIFY(std::abs(drawn[10000] - 700) < 15);
        QCOMPARE(drawn.back(), 2000.0);
        // One sigma above the median: e^0.5 times it, at 84.13 %.
        QVERIFY(std::abs(drawn[16827] - 1154) < 40);

        Distribution uniform;
        uniform.kind = Distribution::Kind::Uniform;
        uniform.low = 10;
        uniform.high = 20;
        Distribution humps = lognormal;
        humps.kind = Distribution::Kind::TwoHumped;
        humps.sigma = 0.01;
        humps.median = 100;
        humps.secondMedian = 1000;
        humps.secondShare = 0.25;
        int second = 0;
        for (int i = 0; i < 10000; ++i) {
            const double u = uniform.draw(random);
            QVERIFY(u >= 10 && u <= 20);
            const double h = humps.draw(random);
            QVERIFY(std::abs(h - 100) < 10 || std::abs(h - 1000) < 100);
            second += h > 500;
        }
        QVERIFY(std::abs(second - 2500) < 200);
    }

    void headerPlaceholders()
    {
        const qint64 now = 1445412480000; // 2015-10-21T07:28:00Z, a Wednesday
        QCOMPARE(expandHeader("{date+5s}", now), QByteArray("Wed, 21 Oct 2015 07:28:05 GMT"));
        QCOMPARE(expandHeader("{date+1500ms}", now), QByteArray("Wed, 21 Oct 2015 07:28:02 GMT"));
        QCOMPARE(expandHeader("{unix+2m}", now), QByteArray("1445412600"));
        QCOMPARE(expandHeader("{unix_ms}", now), QByteArray("1445412480000"));
        QCOMPARE(expandHeader("{iso+1h}", now), QByteArray("2015-10-21T08:28:00.000Z"));
        QCOMPARE(expandHeader("12", now), QByteArray("12"));
    }

    void everyKnownBodyIsWhatItSays()
    {
        for (const QString& name : knownBodyNames()) {
            const auto body = knownBody(name);
            QVERIFY(body);
            const bool json = !QJsonDocument::fromJson(body->text).isNull();
            QCOMPARE(json, body->contentType == "application/json");
        }
    }

    void practiceScriptIsFine()
    {
        QFile file(QDir::cleanPath(QStringLiteral(SWITCHGEAR_TEST_DATA "/../../resources/practice/script.json")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto script = parseScript(file.readAll());
        if (!script)
            QFAIL(qPrintable(script.error()[0].toText(file.fileName())));
        QCOMPARE(script->endpoints.size(), std::size_t(4));
        QCOMPARE(script->loopMs, std::optional(60000.0));
        // Calm at the start and healed at the end, everywhere.
        for (const EndpointScript& endpoint : script->endpoints) {
            QVERIFY(endpoint.at(0).faults.empty());
            QVERIFY(endpoint.at(30000).faults.empty());
            QVERIFY(endpoint.at(59999).faults.empty());
        }
        double share = 0;
        for (const Fault& fault : script->endpoints[0].at(10000).faults)
            share += fault.status == 429 ? fault.share : 0;
        QVERIFY(std::abs(share - 0.7) < 1e-9);
    }
};

QTEST_APPLESS_MAIN(TestScript)
#include "tst_script.moc"
