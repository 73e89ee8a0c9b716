// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/json_reader.h"
#include "core/workspace/workspace_file.h"
#include "tests/support/json.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <sys/resource.h>

using namespace sg::workspace;

namespace {

// Slashes are escaped because moc takes two of them in a raw string for a comment.
const QByteArray kEndpoint = R"({"name":"a","base_url":"https:\/\/a.example/v1","model":"m"})";
const QByteArray kChain = R"({"name":"c","tiers":[{"endpoint":"a"}]})";

QByteArray file(const QByteArray& endpoints, const QByteArray& chains, const QByteArray& more = {})
{
    return R"({"version":2,"name":"w","endpoints":[)" + endpoints + R"(],"chains":[)" + chains + ']' + more + '}';
}

/// One endpoint "a" with further fields and the smallest chain.
QByteArray endpointWith(const QByteArray& fields)
{
    return file(kEndpoint.chopped(1) + ',' + fields + '}', kChain);
}

QByteArray chainWith(const QByteArray& fields)
{
    return file(kEndpoint, R"({"name":"c",)" + fields + '}');
}

Findings allFindings(const LoadResult& result)
{
    return result ? result->warnings : result.error();
}

QString asText(const Findings& findings)
{
    QStringList lines;
    for (const Finding& finding : findings)
        lines << finding.toText(QStringLiteral("w.json"));
    return lines.join(QLatin1Char('\n'));
}

QByteArray practice()
{
    QFile source(QDir::cleanPath(QStringLiteral(SWITCHGEAR_TEST_DATA "/../../resources/practice/workspace.json")));
    return source.open(QIODevice::ReadOnly) ? source.readAll() : QByteArray();
}

} // namespace

class TestWorkspace : public QObject
{
    Q_OBJECT
private Q_SLOTS:
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
        row("route without tier", error, chainWith(R"("tiers":[{"endpoint":"a"}],"router":{"classes":[{"name":"x"}]})"),
            "chains[0].router.classes[0].tier", "missing");
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
            "chains[0].tiers[0]", "first_token_ms");
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
            "endpoints[0].timeouts.by_task.floor_ms", "base_ms");
        row("task floor above total", warning, endpointWith(R"("timeouts":{"by_task":{"floor_ms":60000}})"),
            "endpoints[0].timeouts.by_task.floor_ms", "total_ms");
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

    void nothingToSayAboutGoodOnes()
    {
        for (const QByteArray& json : {endpointWith(R"("key":{"source":"none"})"), file("", ""), practice(),
                                       endpointWith(R"("base_url":"http:\/\/127.0.0.1:11434/v1")"),
                                       endpointWith(R"("base_url":"http:\/\/localhost:8000")"),
                                       endpointWith(R"("base_url":"http:\/\/[::1]:8000")")}) {
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
        const QByteArray full = file(
            R"({"name":"a","provider":"openai","base_url":"https:\/\/a.example/v1","model":"m","quota_group":"q","credential":"k",
                "key":{"source":"environment","name":"A_KEY"},
                "timeouts":{"connect_ms":1000,"first_byte_ms":2000.5,"first_token_ms":2500,"idle_ms":3000,"total_ms":4000,
                    "by_task":{"base_ms":3500,"per_100_tokens_ms":1500.5,"floor_ms":0},
                    "min_tokens_per_s":2.5,"min_tokens_window_ms":1500,"abort_slow_streams":true},
                "capabilities":{"tools":false,"images":false,"json_mode":false,"context_window":8192},
                "limits":{"requests_per_minute":60,"tokens_per_minute":90000,"max_in_flight":7},
                "breaker":{"consecutive_failures":5,"failure_rate":0.5,"rate_limited_share":0.25,"slow_rate":0.75,"slow_call_ms":900,
                    "minimum_calls":4,"window":{"type":"time","window_ms":30000,"bucket_ms":500},"rate_limited_counts_as":"share",
                    "open_ms":1000,"open_multiplier":2,"max_open_ms":9000,"open_jitter":0.1,"call_timeout_ms":8000,
                    "half_open_max_probes":2,"half_open_successes":3,"half_open_deadline_ms":7000,"metrics_only":true},
                "price":{"input":2,"output":8,"cached_input":0.5,"cache_write":2.5,"cache_write_1h":4,"reasoning":9,
                    "audio_input":3,"audio_output":4,"tiers":[{"above_input_tokens":128000,"input":4},
                    {"above_input_tokens":200000,"input":6,"output":12}]},
                "proxy":"socks5:\/\/10.0.0.1:1080","proxy_key":{"source":"keychain","name":"proxy"},"ca_file":"/etc/ssl/own.pem"},
               {"name":"b","provider":"openai","model":"m","breaker":"s4","timeouts":{"connect_ms":1,"total_ms":2},
                "key":{"source":"none"},"capabilities":{"tools":true,"images":true,"json_mode":true}})",
            R"({"name":"c","deadline_ms":9000,"attempt_budget":4,"max_server_wait_ms":5000,
                "limiter":{"rate_per_second":5,"burst":9,"max_wait_ms":100,"window_limit":50,"window_ms":6000},
                "router":{"classes":[{"name":"complex","words":["design","ออกแบบ"],"at_least":2,"counts_earlier":true,
                    "tier":"t"},{"name":"rest","words":[],"at_least":1,"counts_earlier":false,"tier":"r"}]},
                "caller":{"waits_ms":8000,"retries":2,"pays_usd":0.0125},
                "cache":{"max_entries":10,"max_bytes":2048,"ttl_ms":1000},
                "tiers":[{"name":"t","kind":"endpoint","enabled":false,"endpoint":"a","max_attempts":3,"attempt_timeout_ms":2600,
                    "moves_on":{"rate_limited":false,"server_error":false,"timeout":false,"open_breaker":false,
                        "context_too_long":false,"content_policy":true},"split":"s","weight":0.25,
                    "backoff":{"kind":"fixed","base_ms":10,"multiplier":3,"cap_ms":20,"jitter":{"type":"additive","a_ms":5}}},
                  {"name":"r","kind":"canned_reply","enabled":true,"rules":[{"words":["bug","fehler ü"],"reply":"ไทย"}]},
                  {"name":"was a call","kind":"canned_reply","enabled":true,"rules":[{"words":["x"],"reply":"x"}],"endpoint":"a",
                    "max_attempts":3,"attempt_timeout_ms":1000,
                    "backoff":{"kind":"fixed","base_ms":10,"multiplier":3,"cap_ms":20,"jitter":{"type":"full"}}},
                  {"name":"named","kind":"endpoint","enabled":true,"endpoint":"b","max_attempts":1,"backoff":"s2-full-jitter"}]},
                {"name":"d","deadline_ms":9000,"attempt_budget":4,"max_server_wait_ms":5000,"limiter":"ours","tiers":
                    [{"name":"r","kind":"canned_reply","enabled":true,"rules":[{"words":[],"reply":"x"}]}]})",
            R"(,"policies":{"limiters":{"ours":{"rate_per_second":5,"burst":9,"max_wait_ms":100,"window_ms":6000}},
                "backoffs":{"quick":{"kind":"fixed","base_ms":10,"multiplier":3,"cap_ms":20,"jitter":{"type":"none"}}},
                "breakers":{"b1":{"consecutive_failures":5,"minimum_calls":4,"window":{"type":"count","size":9},
                    "rate_limited_counts_as":"share","open_ms":1000,"open_multiplier":2,"max_open_ms":9000,"open_jitter":0,
                    "half_open_max_probes":2,"half_open_successes":3,"metrics_only":false}}},"environment":"staging","simulator":{"version":1,"endpoints":[{"name":"x"}]})");
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
    }
};

QTEST_APPLESS_MAIN(TestWorkspace)
#include "tst_workspace.moc"
