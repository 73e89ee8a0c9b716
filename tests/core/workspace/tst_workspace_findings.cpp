// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a file: where, what, and what mends it.
#include "core/workspace/workspace_file.h"
#include "tests/support/small_workspace.h"

#include <QTest>

using namespace sg::workspace;
using sg::test::allFindings;
using sg::test::asText;
using sg::test::endpointWith;
using sg::test::file;
using sg::test::kChain;
using sg::test::kEndpoint;

namespace {

QByteArray chainWith(const QByteArray& fields)
{
    return file(kEndpoint, R"({"name":"c",)" + fields + '}');
}

} // namespace

class TestWorkspaceFindings : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keysWithoutAFormAreFoundWhereNamesBelong_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<bool>("found");
        const auto row = [](const char* name, const QByteArray& key, bool found) {
            QTest::newRow(name) << key << found;
        };
        const QByteArray hex = "3f9a1c5e7b2d4f6081a3c5e7f9b1d3e5", mixed = "Zq8TnW3vLk2Rb7Yx9Hc4Md6Pf1Gs5Ja0";
        row("hexadecimal entry", R"("key":{"source":"keychain","name":")" + hex + R"("})", true);
        row("mixed variable", R"("key":{"source":"environment","name":")" + mixed + R"("})", true);
        row("in short", R"("key":"${)" + mixed + R"(}")", true);
        row("of a proxy", R"("proxy":"http:\/\/p:1","proxy_key":{"source":"keychain","name":")" + mixed + R"("})",
            true);
        row("a variable", R"("key":{"source":"environment","name":"AZURE_OPENAI_API_KEY_EUROPE_2"})", false);
        row("an entry", R"("key":{"source":"keychain","name":"openai production account 2"})", false);
        row("an entry in one word", R"("key":{"source":"keychain","name":"openaiproduction"})", false);
    }
    void keysWithoutAFormAreFoundWhereNamesBelong()
    {
        QFETCH(QByteArray, key);
        QFETCH(bool, found);
        const LoadResult result = parseWorkspace(endpointWith(key));
        QCOMPARE(!result, found);
        const QString said = asText(allFindings(result));
        QVERIFY2(!said.contains(QLatin1String("Zq8TnW")) && !said.contains(QLatin1String("3f9a1c")), qPrintable(said));
        if (found)
            QVERIFY2(said.contains(QLatin1String("looks like a key")), qPrintable(said));
    }

    void keysAsNamesOfFieldsAreFound()
    {
        const LoadResult result = parseWorkspace(endpointWith(R"("x":{"sk-proj-abcdefghijklmnop1234":1})"));
        QVERIFY(!result);
        QVERIFY(!asText(result.error()).contains(QLatin1String("abcdefghijklmnop1234")));
    }

    void fieldsThatAreThereTwiceAreNamed()
    {
        const LoadResult result = parseWorkspace(file(kEndpoint.chopped(1) + R"(,"model":"other"})", kChain));
        QVERIFY2(result, qPrintable(asText(result ? Findings() : result.error())));
        QCOMPARE(result->workspace.endpoints.front().model, QStringLiteral("other"));
        const QString said = asText(result->warnings);
        QVERIFY2(said.contains(QLatin1String("endpoints[0].model: this field is there twice")), qPrintable(said));
    }

    void filesAreBoundedHoweverTheyAreRead()
    {
        const LoadResult result = parseWorkspace(file(kEndpoint, kChain, QByteArray(17 * 1024 * 1024, ' ')));
        QVERIFY(!result);
        QVERIFY(asText(result.error()).contains(QLatin1String("larger than 16 MiB")));
    }

    void findingsRepeatNoKey_data()
    {
        QTest::addColumn<QByteArray>("json");
        const auto row = [](const char* name, const QByteArray& json) { QTest::newRow(name) << json; };
        row("provider", endpointWith(R"("provider":"sk-proj-abcdefghijklmnop1234")"));
        row("choice", endpointWith(R"("key":{"source":"sk-proj-abcdefghijklmnop1234"})"));
        row("field", endpointWith(R"("sk-proj-abcdefghijklmnop1234":1)"));
        row("endpoint of a tier", chainWith(R"("tiers":[{"endpoint":"sk-proj-abcdefghijklmnop1234"}])"));
        row("extends",
            file(kEndpoint, kChain, R"(,"providers":[{"id":"b","extends":"sk-proj-abcdefghijklmnop1234"}])"));
        row("quirk", file(kEndpoint, kChain,
                          R"(,"providers":[{"id":"b","quirks":{"max_tokens_field":"sk-proj-abcdefghijklmnop1234"}}])"));
    }
    void findingsRepeatNoKey()
    {
        QFETCH(QByteArray, json);
        const LoadResult result = parseWorkspace(json);
        const Findings found = allFindings(result);
        QVERIFY(!found.empty());
        for (const Finding& finding : found) {
            const QString text = finding.toText(QString());
            QVERIFY2(!text.contains(QLatin1String("abcdefgh")), qPrintable(text));
        }
    }
    void findings_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<bool>("error");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, bool error, const QByteArray& json, const char* place,
                            const char* words) {
            QTest::newRow(name) << json << error << QString::fromUtf8(place) << QString::fromUtf8(words);
        };
        const bool error = true, warning = false;
        row("broken", error, "{\"version\":1,\n\"name\" \"x\"}", "line 2, column ", "not JSON");
        row("empty", error, "", "", "empty");
        row("list", error, "[]", "", "no JSON object");
        row("no version", error, R"({"endpoints":[],"chains":[]})", "version", "\"version\": 2");
        row("version 0", error, R"({"version":0,"endpoints":[],"chains":[]})", "version", "out of range");
        row("newer", error, R"({"version":3})", "version", "newer Switchgear");
        row("version is text", error, R"({"version":"1"})", "version", "without quotes");
        row("no endpoints", error, R"({"version":1,"chains":[]})", "endpoints", "missing");
        row("no chains", error, R"({"version":1,"endpoints":[]})", "chains", "missing");
        row("endpoint no object", error, file("3", ""), "endpoints[0]", "in { }");
        row("endpoint without name", error, file(R"({"base_url":"https:\/\/a.example","model":"m"})", ""),
            "endpoints[0].name", "missing");
        row("without base_url", error, file(R"({"name":"a","model":"m"})", ""), "endpoints[0].base_url",
            "https://api.openai.com/v1");
        row("without model", error, file(R"({"name":"a","base_url":"sim:a"})", ""), "endpoints[0].model", "missing");
        row("same name", error, file(kEndpoint + ',' + kEndpoint, kChain), "endpoints[1].name", "twice");
        row("same chain", error, file(kEndpoint, kChain + ',' + kChain), "chains[1].name", "twice");
        row("same tier", error, chainWith(R"("tiers":[{"endpoint":"a"},{"endpoint":"a"}])"), "chains[0].tiers[1].name",
            "twice");
        row("unknown endpoint", error,
            file(R"({"name":"gpt-4.1","base_url":"sim:x","model":"m"})",
                 R"({"name":"c","tiers":[{"endpoint":"gpt-41"}]})"),
            "chains[0].tiers[0].endpoint", "\"gpt-4.1\"");
        row("no tiers", error, chainWith(R"("tiers":[])"), "chains[0].tiers", "no tier");
        row("tier without endpoint", error, chainWith(R"("tiers":[{}])"), "chains[0].tiers[0].endpoint", "missing");
        row("tier kind", error, chainWith(R"("tiers":[{"kind":"canned"}])"), "chains[0].tiers[0].kind",
            "\"canned_reply\"");
        row("canned without rules", error, chainWith(R"("tiers":[{"kind":"canned_reply"}])"),
            "chains[0].tiers[0].rules", "missing");
        row("rule without reply", error, chainWith(R"("tiers":[{"kind":"canned_reply","rules":[{"words":["x"]}]}])"),
            "chains[0].tiers[0].rules[0].reply", "missing");
        row("attempts", error, chainWith(R"("tiers":[{"endpoint":"a","max_attempts":0}])"),
            "chains[0].tiers[0].max_attempts", "from 1");
        row("fraction", error, chainWith(R"("tiers":[{"endpoint":"a","max_attempts":1.5}])"),
            "chains[0].tiers[0].max_attempts", "whole number");
        row("backoff", error,
            chainWith(R"("tiers":[{"endpoint":"a","backoff":{"jitter":{"type":"proportional","r":30}}}])"),
            "chains[0].tiers[0].backoff.jitter.r", "0.3 is 30 %");
        row("breaker cap", error,
            endpointWith(R"("breaker":{"consecutive_failures":3,"open_ms":30000,"max_open_ms":20000})"),
            "endpoints[0].breaker.max_open_ms", "");
        row("breaker share", error,
            endpointWith(R"("breaker":{"rate_limited_share":0.5,"rate_limited_counts_as":"neutral"})"),
            "endpoints[0].breaker.rate_limited_share", "");
        row("breaker window", error,
            endpointWith(R"("breaker":{"failure_rate":0.5,"minimum_calls":50,"window":{"type":"count","size":20}})"),
            "endpoints[0].breaker.minimum_calls", "");
        row("window type", error, endpointWith(R"("breaker":{"window":{"size":20}})"),
            "endpoints[0].breaker.window.type", "missing");
        row("no address", error, file(R"({"name":"a","base_url":"api.openai.com","model":"m"})", ""),
            "endpoints[0].base_url", "no web address");
        row("ftp", error, file(R"({"name":"a","base_url":"ftp:\/\/a.example","model":"m"})", ""),
            "endpoints[0].base_url", "not spoken");
        row("sim without name", error, file(R"({"name":"a","base_url":"sim:","model":"m"})", ""),
            "endpoints[0].base_url", "missing");
        row("sim unknown", error,
            file(R"({"name":"a","base_url":"sim:steddy","model":"m"})", "",
                 R"(,"simulator":{"version":1,"endpoints":[{"name":"steady"}]})"),
            "endpoints[0].base_url", "sim:steady");
        row("password in address", error,
            file(R"({"name":"a","base_url":"https:\/\/me:pw@a.example","model":"m"})", ""), "endpoints[0].base_url",
            "never holds a key");
        row("key as text", error, endpointWith(R"("key":"abc")"), "endpoints[0].key", "never holds a key");
        row("key in api_key", error, endpointWith(R"("api_key":"abc")"), "endpoints[0].api_key", "looks like a key");
        row("key as name", error, endpointWith(R"("key":{"source":"keychain","name":"sk-proj-abcdefghijklmnop1234"})"),
            "endpoints[0].key.name", "looks like a key");
        row("key in unknown", error, file(kEndpoint, kChain, R"(,"notes":["sk-proj-abcdefghijklmnop1234"])"),
            "notes[0]", "looks like a key");
        row("key source", error, endpointWith(R"("key":{"source":"env","name":"X"})"), "endpoints[0].key.source",
            "\"environment\"");
        row("key without name", error, endpointWith(R"("key":{"source":"keychain"})"), "endpoints[0].key.name",
            "missing");
        row("variable", error, endpointWith(R"("key":{"source":"environment","name":"MY KEY"})"),
            "endpoints[0].key.name", "variable");
        row("provider", error, endpointWith(R"("provider":"openia")"), "endpoints[0].provider", "\"openai\"");
        row("price", error, endpointWith(R"("price":{"input":-1})"), "endpoints[0].price.input", "out of range");
        row("price tier without threshold", error, endpointWith(R"("price":{"input":1,"tiers":[{"input":2}]})"),
            "endpoints[0].price.tiers[0].above_input_tokens", "missing");
        row("price tiers fall", error,
            endpointWith(R"("price":{"input":1,"tiers":[{"above_input_tokens":9},{"above_input_tokens":8}]})"),
            "endpoints[0].price.tiers[1].above_input_tokens", "must rise");
        row("rpm", error, endpointWith(R"("limits":{"requests_per_minute":0})"),
            "endpoints[0].limits.requests_per_minute", "above 0");
        row("bucket", error, chainWith(R"("tiers":[{"endpoint":"a"}],"limiter":{"rate_per_second":5,"burst":0.5})"),
            "chains[0].limiter.burst", "1 or more");
        row("bucket never filled", error, chainWith(R"("tiers":[{"endpoint":"a"}],"limiter":{"burst":5})"),
            "chains[0].limiter.rate_per_second", "never refilled");
        row("wrong type", error, chainWith(R"("tiers":{})"), "chains[0].tiers", "list in [ ]");
        row("flag", error, chainWith(R"("tiers":[{"endpoint":"a","enabled":"yes"}])"), "chains[0].tiers[0].enabled",
            "true or false");

        row("split weight", error, chainWith(R"("tiers":[{"endpoint":"a","split":"s","weight":-1}])"),
            "chains[0].tiers[0].weight", "out of range");
        row("moves_on", error, chainWith(R"("tiers":[{"endpoint":"a","moves_on":{"timeout":1}}])"),
            "chains[0].tiers[0].moves_on.timeout", "true or false");
        row("route to no tier", error,
            chainWith(
                R"("tiers":[{"name":"first","endpoint":"a"}],"router":{"classes":[{"name":"x","tier":"frist"}]})"),
            "chains[0].router.classes[0].tier", "\"first\"");
        row("route class twice", error,
            chainWith(
                R"("tiers":[{"endpoint":"a"}],"router":{"classes":[{"name":"x","tier":"a"},{"name":"x","tier":"a"}]})"),
            "chains[0].router.classes[1].name", "twice");
        row("caller", error, chainWith(R"("tiers":[{"endpoint":"a"}],"caller":{"waits_ms":0})"),
            "chains[0].caller.waits_ms", "above 0");
        row("policy", error, chainWith(R"("tiers":[{"endpoint":"a","backoff":"s2-ful-jitter"}])"),
            "chains[0].tiers[0].backoff", "\"s2-full-jitter\"");
        row("policy far", error, endpointWith(R"("breaker":"zzzzzzzzzzzzzzzzzz")"), "endpoints[0].breaker",
            "policies.breakers");
        row("policy limiter", error, chainWith(R"("tiers":[{"endpoint":"a"}],"limiter":"s3-10-a-secnd")"),
            "chains[0].limiter", "\"s3-10-a-second\"");
        row("bad policy", error, file(kEndpoint, kChain, R"(,"policies":{"backoffs":{"x":{"base_ms":-1}}})"),
            "policies.backoffs.x.base_ms", "");
        row("policy is no object", error, file(kEndpoint, kChain, R"(,"policies":{"breakers":{"x":"s4"}})"),
            "policies.breakers.x", "object");
        row("proxy with password", error, endpointWith(R"("proxy":"http:\/\/me:pw@proxy.example:3128")"),
            "endpoints[0].proxy", "proxy_key");
        row("proxy kind", error, endpointWith(R"("proxy":"ftp:\/\/proxy.example:3128")"), "endpoints[0].proxy",
            "no kind of proxy");
        row("proxy port", error, endpointWith(R"("proxy":"http:\/\/proxy.example")"), "endpoints[0].proxy",
            "port is missing");
        row("proxy path", error, endpointWith(R"("proxy":"http:\/\/proxy.example:1/x")"), "endpoints[0].proxy",
            "nothing more");
        row("no proxy", error, endpointWith(R"("proxy":"proxy.example")"), "endpoints[0].proxy", "no address");
        row("proxy key as text", error, endpointWith(R"("proxy":"http:\/\/p.example:1","proxy_key":"me:pw")"),
            "endpoints[0].proxy_key", "never holds a key");
        row("ca file", error, endpointWith(R"("ca_file":"own.pem")"), "endpoints[0].ca_file", "whole path");

        row("http version", error, endpointWith(R"("http_version":"3")"), "endpoints[0].http_version", "auto");

        row("weight without split", warning, chainWith(R"("tiers":[{"endpoint":"a","weight":2}])"),
            "chains[0].tiers[0].weight", "does nothing");
        row("proxy key without proxy", warning, endpointWith(R"("proxy_key":{"source":"keychain","name":"p"})"),
            "endpoints[0].proxy_key", "does nothing");
        row("unknown in a policy", warning, file(kEndpoint, kChain, R"(,"policies":{"backoffs":{"x":{"bas_ms":1}}})"),
            "policies.backoffs.x.bas_ms", "\"base_ms\"");
        row("unknown field", warning, endpointWith(R"("modell":"x")"), "endpoints[0].modell", "\"model\"");
        row("unknown far", warning, file(kEndpoint, kChain, R"(,"zzzzzzzzzz":1)"), "zzzzzzzzzz", "kept");
        row("unknown deep", warning, chainWith(R"("tiers":[{"endpoint":"a","backoff":{"bas_ms":3}}])"),
            "chains[0].tiers[0].backoff.bas_ms", "\"base_ms\"");
        row("http", warning, file(R"({"name":"a","base_url":"http:\/\/a.example/v1","model":"m"})", ""),
            "endpoints[0].base_url", "Use https");
        row("limiter limits nothing", warning, chainWith(R"("tiers":[{"endpoint":"a"}],"limiter":{})"),
            "chains[0].limiter", "limits nothing");
        row("all off", warning, chainWith(R"("tiers":[{"endpoint":"a","enabled":false}])"), "chains[0].tiers",
            "switched off");
        row("budget", warning,
            chainWith(R"("tiers":[{"endpoint":"a"},{"name":"b","endpoint":"a"}],"attempt_budget":1)"),
            "chains[0].attempt_budget", "all 2 tiers");
        row("never reached", warning,
            chainWith(R"("tiers":[{"kind":"canned_reply","rules":[{"reply":"x"}]},{"endpoint":"a"}])"),
            "chains[0].tiers[1]", "never reached");
        row("attempt longer than chain", warning,
            chainWith(R"("tiers":[{"endpoint":"a","attempt_timeout_ms":9000}],"deadline_ms":5000)"),
            "chains[0].tiers[0].attempt_timeout_ms", "never applies");
        row("first token longer than total", warning,
            endpointWith(R"("timeouts":{"first_token_ms":90000,"total_ms":60000})"),
            "endpoints[0].timeouts.first_token_ms", "never applies");
        row("first token longer than the tier", warning,
            file(R"({"name":"a","base_url":"sim:a","model":"m","timeouts":{"first_token_ms":9500}})",
                 R"({"name":"c","tiers":[{"endpoint":"a","attempt_timeout_ms":9000}]})"),
            "chains[0].tiers[0]", "first-token timeout");
        row("window longer than total", warning,
            endpointWith(R"("timeouts":{"min_tokens_per_s":5,"min_tokens_window_ms":90000})"),
            "endpoints[0].timeouts.min_tokens_window_ms", "never applies");
        row("window without a rate", warning, endpointWith(R"("timeouts":{"min_tokens_window_ms":900})"),
            "endpoints[0].timeouts.min_tokens_window_ms", "does nothing");
        row("abort without a rate", warning, endpointWith(R"("timeouts":{"abort_slow_streams":true})"),
            "endpoints[0].timeouts.abort_slow_streams", "does nothing");
        row("rate of nothing", error, endpointWith(R"("timeouts":{"min_tokens_per_s":0})"),
            "endpoints[0].timeouts.min_tokens_per_s", "above 0");
        row("task without time", error, endpointWith(R"("timeouts":{"by_task":{"floor_ms":0,"per_100_tokens_ms":0}})"),
            "endpoints[0].timeouts.by_task", "no time");
        row("task floor above base", warning,
            endpointWith(R"("timeouts":{"by_task":{"floor_ms":5000,"base_ms":5000}})"),
            "endpoints[0].timeouts.by_task.floor_ms", "the base by task");
        row("task floor above total", warning, endpointWith(R"("timeouts":{"by_task":{"floor_ms":60000}})"),
            "endpoints[0].timeouts.by_task.floor_ms", "the total timeout");
        row("unknown in a task", warning, endpointWith(R"("timeouts":{"by_task":{"base":5}})"),
            "endpoints[0].timeouts.by_task.base", "");
        row("idle longer than total", warning, endpointWith(R"("timeouts":{"idle_ms":90000,"total_ms":60000})"),
            "endpoints[0].timeouts.idle_ms", "never applies");
    }
    void findings()
    {
        QFETCH(QByteArray, json);
        QFETCH(bool, error);
        QFETCH(QString, place);
        QFETCH(QString, words);
        const LoadResult result = parseWorkspace(json);
        const Findings found = allFindings(result);
        const bool told = std::any_of(found.begin(), found.end(), [&](const Finding& finding) {
            const bool there =
                place.startsWith(QLatin1String("line")) ? finding.place.startsWith(place) : finding.place == place;
            return there && (finding.level == FindingLevel::Error) == error && finding.toText({}).contains(words);
        });
        QVERIFY2(told, qPrintable(asText(found)));
        QCOMPARE(result.has_value(), !error);
        for (const Finding& finding : found) {
            QVERIFY(!finding.problem.isEmpty() && !finding.remedy.isEmpty());
            QVERIFY(
                !finding.toText({}).contains(QLatin1String("abcdefghijklmnop1234"))); // the pasted key is not repeated
        }
    }
};

QTEST_APPLESS_MAIN(TestWorkspaceFindings)
#include "tst_workspace_findings.moc"
