// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/load_options.h"
#include "app/cli/load_series.h"
#include "app/cli/transport_option.h"

#include "app/cli/kept_run_named.h"
#include "app/cli/option_reader.h"
#include "app/session/run_folder.h"
#include "core/load/plan_json.h"
#include "core/load/stages_text.h"
#include "core/workspace/json_reader.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QUrl>

namespace sg::app {

namespace {

void add(QCommandLineParser& parser, const char* name, const char* words, const char* value = nullptr)
{
    QCommandLineOption option(QString::fromUtf8(name), QString::fromUtf8(words));
    if (value)
        option.setValueName(QString::fromUtf8(value));
    parser.addOption(option);
}

void addTargetOptions(QCommandLineParser& parser)
{
    add(parser, "demo", "The practice workspace on the built-in simulator.");
    add(parser, "workspace", "A workspace file.", "FILE");
    add(parser, "environment", "The workspace file's environment (default: its own).", "NAME");
    add(parser, "simulate", "Run the simulator with this script.", "SCRIPT");
    add(parser, "chain", "Send through this chain (default: the first).", "NAME");
    add(parser, "url",
        "An OpenAI-compatible address instead of a workspace, such as a gateway's http://127.0.0.1:8787/v1.", "URL");
    add(parser, "model", "With --url: the model to ask for; for a gateway the name of a chain.", "NAME");
    add(parser, "key-variable", "With --url: the environment variable that holds the key (default: no key).", "NAME");
    add(parser, "endpoint", "Straight to this endpoint: one attempt, no breaker, no retry.", "NAME");
}

void addModelOptions(QCommandLineParser& parser)
{
    add(parser, "plan",
        "Run a plan again, with the same seed: a run that is kept (its id, or its number in runs list), a report, or a "
        "plan. Its target is taken too, unless --chain, --endpoint or --url names another.",
        "FILE|RUN");
    add(parser, "requests", "How many (default 100, unless something else ends the run).", "N");
    add(parser, "duration", "For how long, in seconds or with a unit: 90, 5min.", "TIME");
    add(parser, "concurrency", "Users who each wait for their answer (default 10).", "C");
    add(parser, "users", "The same as --concurrency.", "C");
    add(parser, "ramp", "Time over which the users begin.", "TIME");
    add(parser, "think", "Time between an answer and the user's next request: 2s, 1s-3s, \"lognormal 2s 0.5\".",
        "TIME");
    add(parser, "rate", "Open load: so many requests a second (10, 10/s, 600/min), however long the answers take.",
        "RATE");
    add(parser, "stages", "Open load in stages: \"0-60s 10/s, ramp 60s to 50/s, spike 200/s for 5s, hold 60s\".",
        "STAGES");
    add(parser, "sweep", "Higher and higher rates up to the knee: \"1/s to 200/s each 10s by 1.5\".", "SWEEP");
    add(parser, "replay", "Arrivals of a file: .jsonl or .csv with at_ms, and prompt or messages.", "FILE");
    add(parser, "speed", "Of a replay (default 1).", "FACTOR");
    add(parser, "arrivals", "Of an open load: poisson (default) or constant.", "KIND");
    add(parser, "in-flight", "Of an open load: arrivals beyond so many requests in flight are dropped (default 2000).",
        "N");
    add(parser, "warm-up", "Requests of the first part do not count.", "TIME");
    add(parser, "cool-down", "Requests of the last part do not count.", "TIME");
    add(parser, "seed", "Seed of every draw (default 1).", "S");
}

void addPromptOptions(QCommandLineParser& parser)
{
    add(parser, "prompts", "Prompts: a text file with one a line, .jsonl (prompt or messages, max_tokens), .csv.",
        "FILE");
    add(parser, "input-tokens", "Made-up prompts of this length: 500, 200-800, \"lognormal 500 0.6\".", "TOKENS");
    add(parser, "output-tokens", "With --input-tokens: each request's limit.", "TOKENS");
    add(parser, "shared-prefix", "With --input-tokens: so many tokens are the same in all.", "N");
    add(parser, "repeats", "Share of repeated prompts, 0 to 1 (default 0).", "SHARE");
    add(parser, "max-tokens", "Most tokens of an answer (default 200).", "N");
    add(parser, "whole", "Ask for whole answers instead of streams.");
}

void addVerdictOptions(QCommandLineParser& parser)
{
    add(parser, "slo", "What has to be kept: \"p95<2s,success>99.5%,ttft.p99<800ms,goodput>9/s\".", "OBJECTIVES");
    add(parser, "stop-errors", "Stop when more than this share of the last 10 s failed: 0.2 or 20%.", "SHARE");
    add(parser, "stop-budget", "Stop when so much is spent, in US dollars.", "USD");
    add(parser, "stop-slo", "Stop when the objectives were broken for so long.", "TIME");
    add(parser, "stop-saturated", "Stop when the generator cannot keep up.");
    add(parser, "min-success", "Exit with 1 when the success rate is below this (0 to 1).", "RATE");
    add(parser, "json", "Print the report as JSON.");
    add(parser, "report", "Write the report as JSON to this file.", "FILE");
    add(parser, "html", "Write the report as a page that needs nothing else to this file.", "FILE");
    add(parser, "markdown", "Write a summary for a pull request to this file.", "FILE");
    add(parser, "csv", "Write the requests to this file while the load runs, one a row.", "FILE");
    add(parser, "export", "Print the load for another generator instead of running it: k6, locust or inference-perf.",
        "KIND");
    add(parser, "keep", "Keep the run and its requests under this name (switchgear-cli runs).", "NAME");
}

using Reader = OptionReader;

/// What --url, --model and --key-variable say.
load::UrlTarget urlTarget(Reader& in, const QString& address)
{
    load::UrlTarget url{address, in.value("model").value_or(QString())};
    if (url.model.isEmpty())
        in.problem(QStringLiteral("--url needs --model: the model to ask for, or the name of the gateway's chain."));
    else if (const QString problem = load::checkUrl(url); !problem.isEmpty())
        in.problem(QStringLiteral("--url: %1").arg(problem));
    if (const auto variable = in.value("key-variable"))
        url.key = {workspace::KeySource::Environment, *variable};
    return url;
}

void readUrl(Reader& in, LoadOptions& options)
{
    const auto url = in.value("url");
    if (!url) {
        if (in.isSet("model") || in.isSet("key-variable"))
            in.problem(QStringLiteral("--model and --key-variable describe --url; give it too."));
        return;
    }
    for (const char* other : {"demo", "workspace", "simulate", "chain", "endpoint"})
        if (in.isSet(other))
            in.problem(QStringLiteral("--url is the target; leave out --%1.").arg(QString::fromLatin1(other)));
    const load::UrlTarget target = urlTarget(in, *url);
    options.session.given = load::workspaceAt(target);
    options.targetGiven = true;
    load::aimAt(options.plan, target);
}

void readTarget(Reader& in, const QCommandLineParser& parser, LoadOptions& options)
{
    if (const QStringList extra = parser.positionalArguments(); !extra.isEmpty())
        in.problem(QStringLiteral("\"%1\" is not an option of load.").arg(extra.first()));
    SessionOptions& session = options.session;
    const bool demo = in.isSet("demo");
    session.workspaceFile = in.value("workspace");
    session.scriptFile = in.value("simulate");
    session.environment = in.value("environment").value_or(QString());
    if (!session.environment.isEmpty() && !session.workspaceFile)
        in.problem(QStringLiteral("--environment says which part of a file counts; give --workspace too."));
    if (demo && (session.workspaceFile || session.scriptFile))
        in.problem(QStringLiteral("--demo is the practice workspace; leave out --workspace and --simulate."));
    if (!demo && !session.workspaceFile && !session.scriptFile && !in.isSet("url") && !in.isSet("plan"))
        in.problem(QStringLiteral("Say what to load: --demo, --workspace FILE or --simulate SCRIPT, or --url URL."));
    const auto chain = in.value("chain"), endpoint = in.value("endpoint");
    if (chain && endpoint)
        in.problem(QStringLiteral("Give --chain or --endpoint, not both."));
    options.targetGiven = chain || endpoint;
    options.plan.targetKind = endpoint ? load::TargetKind::Endpoint : load::TargetKind::Chain;
    options.plan.target = endpoint.value_or(chain.value_or(QString())).toStdString();
    readUrl(in, options);
}

std::optional<load::PromptFile> readPromptsOf(Reader& in, const char* option)
{
    const auto path = in.value(option);
    if (!path)
        return std::nullopt;
    const auto bytes = readFile(*path);
    if (!bytes) {
        in.problem(bytes.error());
        return std::nullopt;
    }
    auto file = load::readPromptFile(*path, *bytes);
    if (file)
        return *std::move(file);
    in.problem(QStringLiteral("%1: %2").arg(*path, file.error()));
    return std::nullopt;
}

void readPrompts(Reader& in, load::LoadPlan& plan)
{
    plan.stream = !in.isSet("whole");
    plan.repeatShare = in.number<double>("repeats", 0, 1).value_or(0);
    plan.maxTokens = in.number<int>("max-tokens", 1, 1e6).value_or(200);
    if (auto file = readPromptsOf(in, "prompts")) {
        plan.prompts = std::move(file->prompts);
        if (plan.prompts.empty())
            in.problem(QStringLiteral("%1 holds times only; give it with --replay.").arg(*in.value("prompts")));
    }
    const auto tokens = [](std::string_view text) { return load::parseDistribution(text, false); };
    const auto input = in.parsed("input-tokens", tokens);
    const auto output = in.parsed("output-tokens", tokens);
    const auto shared = in.number<int>("shared-prefix", 0, 1e6);
    if (input)
        plan.synthetic = load::SyntheticPrompts{*input, output, shared.value_or(0)};
    else if (in.isSet("output-tokens") || in.isSet("shared-prefix"))
        in.problem(QStringLiteral("--output-tokens and --shared-prefix describe made-up prompts; give --input-tokens "
                                  "too."));
    if (input && in.isSet("prompts"))
        in.problem(QStringLiteral("Give --prompts or --input-tokens, not both."));
}

load::Arrivals arrivalsIn(Reader& in)
{
    const QString kind = in.value("arrivals").value_or(QStringLiteral("poisson"));
    if (kind != QLatin1String("poisson") && kind != QLatin1String("constant"))
        in.problem(QStringLiteral("--arrivals takes poisson or constant, not \"%1\".").arg(kind));
    return kind == QLatin1String("constant") ? load::Arrivals::Constant : load::Arrivals::Poisson;
}

std::vector<load::Stage> steadyRate(Reader& in, const load::StopRules& stop)
{
    const auto rate = in.parsed(
        "rate", [](std::string_view text) { return measure::Speller(text).ratePerSecond(); }, "/s");
    if (!rate)
        return {};
    if (!stop.duration && !stop.requests)
        in.problem(QStringLiteral("--rate needs an end: give --duration or --requests."));
    // Twice the time they need on average, and some: a Poisson process may take its time.
    const double enough = *rate > 0 ? static_cast<double>(stop.requests.value_or(1)) / *rate * 2 + 10 : 1;
    return {{stop.duration.value_or(fromMs(enough * 1000)), *rate, *rate}};
}

void readReplay(Reader& in, load::LoadPlan& plan)
{
    auto file = readPromptsOf(in, "replay");
    if (!file)
        return;
    if (file->offsets.empty())
        return in.problem(QStringLiteral("%1 says no times: every row needs at_ms.").arg(*in.value("replay")));
    load::ReplayModel replay;
    replay.offsets = std::make_shared<const std::vector<Nanos>>(std::move(file->offsets));
    replay.speed = in.number<double>("speed", 0.001, 1000).value_or(1);
    replay.mostInFlight = in.number<int>("in-flight", 1, 1e5).value_or(load::kMostInFlight);
    plan.model = std::move(replay);
    if (!file->prompts.empty())
        plan.prompts = std::move(file->prompts);
}

void readClosed(Reader& in, load::LoadPlan& plan)
{
    load::ClosedModel closed;
    const auto concurrency = in.number<int>("concurrency", 1, 10000), users = in.number<int>("users", 1, 10000);
    if (concurrency && users)
        in.problem(QStringLiteral("--users and --concurrency say the same; give one."));
    closed.users = users.value_or(concurrency.value_or(10));
    closed.ramp = in.span("ramp").value_or(Nanos(0));
    if (const auto think = in.parsed(
            "think", [](std::string_view text) { return load::parseDistribution(text, true); }, "s"))
        closed.think = *think;
    plan.model = closed;
}

/// One of them, or none: then it is a closed load.
QStringList givenOf(const Reader& in, std::initializer_list<const char*> names)
{
    QStringList given;
    for (const char* name : names)
        if (in.isSet(name))
            given.append(QStringLiteral("--") + QString::fromLatin1(name));
    return given;
}

void readModel(Reader& in, load::LoadPlan& plan)
{
    const QStringList models = givenOf(in, {"rate", "stages", "sweep", "replay"});
    const QStringList closedOnly = givenOf(in, {"concurrency", "users", "ramp", "think"});
    const QStringList openOnly = givenOf(in, {"arrivals", "in-flight", "speed"});
    if (models.size() > 1)
        return in.problem(QStringLiteral("Give one of %1.").arg(models.join(QStringLiteral(", "))));
    if (models.isEmpty() && !openOnly.isEmpty())
        return in.problem(QStringLiteral("%1 belongs to an open load; give --rate, --stages, --sweep or --replay too.")
                              .arg(openOnly.front()));
    if (!models.isEmpty() && !closedOnly.isEmpty())
        return in.problem(QStringLiteral("%1 is about users who wait for their answer; with %2 nobody does.")
                              .arg(closedOnly.front(), models.front()));
    if (models.isEmpty())
        return readClosed(in, plan);
    if (in.isSet("replay"))
        return readReplay(in, plan);
    const load::Arrivals arrivals = arrivalsIn(in);
    const int most = in.number<int>("in-flight", 1, 1e5).value_or(load::kMostInFlight);
    if (auto sweep = in.parsed("sweep", load::parseSweep)) {
        sweep->arrivals = arrivals;
        sweep->mostInFlight = most;
        plan.model = *sweep;
        return;
    }
    plan.model =
        load::OpenModel{in.isSet("rate") ? steadyRate(in, plan.stop)
                                         : in.parsed("stages", load::parseStages).value_or(std::vector<load::Stage>{}),
                        arrivals, most};
}

std::optional<double> shareIn(Reader& in, const char* name)
{
    QString given = in.value(name).value_or(QString());
    if (!given.endsWith(QLatin1Char('%')))
        return in.number<double>(name, 0, 1);
    given.chop(1);
    bool ok = false;
    const double percent = given.toDouble(&ok);
    if (ok && percent >= 0 && percent <= 100)
        return percent / 100;
    in.problem(QStringLiteral("--%1 takes a share such as 0.2 or 20%.").arg(QString::fromLatin1(name)));
    return std::nullopt;
}

void readStop(Reader& in, load::LoadPlan& plan)
{
    load::StopRules& stop = plan.stop;
    stop.requests = in.number<std::int64_t>("requests", 1, 1e8);
    stop.duration = in.span("duration");
    stop.errorShare = shareIn(in, "stop-errors");
    stop.budgetUsd = in.number<double>("stop-budget", 0.000001, 1e9);
    stop.objectivesBrokenFor = in.span("stop-slo");
    stop.whenSaturated = in.isSet("stop-saturated");
    plan.warmUp = in.span("warm-up").value_or(Nanos(0));
    plan.coolDown = in.span("cool-down").value_or(Nanos(0));
    if (const auto objectives = in.parsed("slo", measure::parseObjectives))
        plan.objectives = *objectives;
}

/// What is named: a file, or a run that is kept.
tl::expected<QJsonObject, QString> planNamed(const QString& name)
{
    if (!QFileInfo(name).isFile()) {
        history::RunArchive archive(runFolder());
        const auto run = keptRunNamed(archive, name);
        if (run)
            return run->plan;
        return tl::unexpected(QStringLiteral("--plan: there is no file \"%1\", and: %2 %3")
                                  .arg(name, run.error().words, run.error().remedy));
    }
    const auto bytes = readFile(name);
    if (!bytes)
        return tl::unexpected(bytes.error());
    const auto json = workspace::readJsonObject(*bytes);
    if (!json)
        return tl::unexpected(json.error().toText(name));
    return load::planIn(*json);
}

void readPlanOf(Reader& in, LoadOptions& options)
{
    for (const char* part :
         {"requests", "duration",    "concurrency",  "users",         "ramp",          "think",         "rate",
          "stages",   "sweep",       "speed",        "arrivals",      "in-flight",     "warm-up",       "cool-down",
          "seed",     "repeats",     "input-tokens", "output-tokens", "max-tokens",    "shared-prefix", "whole",
          "stop-slo", "stop-errors", "stop-budget",  "slo",           "stop-saturated"})
        if (in.isSet(part))
            return in.problem(QStringLiteral("--plan says all of the load; leave out --%1.").arg(QLatin1String(part)));
    const QString name = *in.value("plan");
    const auto json = planNamed(name);
    if (!json)
        return in.problem(json.error());
    load::PromptFile given;
    if (auto file = readPromptsOf(in, "prompts"))
        given.prompts = std::move(file->prompts);
    if (auto file = readPromptsOf(in, "replay")) {
        given.offsets = std::move(file->offsets);
        if (given.prompts.empty())
            given.prompts = std::move(file->prompts);
    }
    auto plan = load::readPlan(*json, given);
    if (!plan)
        return in.problem(QStringLiteral("%1: %2").arg(name, plan.error()));
    const bool hasWorkspace = in.isSet("demo") || in.isSet("workspace") || in.isSet("simulate") || in.isSet("url");
    if (options.targetGiven) {
        plan->targetKind = options.plan.targetKind;
        plan->target = options.plan.target;
        plan->url = options.plan.url;
    } else if (plan->url && hasWorkspace) {
        return in.problem(QStringLiteral("%1 is a load on a URL; name a target of the workspace with --chain or "
                                         "--endpoint, or leave the workspace out.")
                              .arg(name));
    } else if (plan->url) {
        options.session.given = load::workspaceAt(*plan->url);
    }
    if (!hasWorkspace && !options.session.given)
        return in.problem(
            QStringLiteral("Say where the plan's target is: --demo, --workspace FILE or --simulate SCRIPT, "
                           "or give another with --url URL."));
    options.targetGiven = true;
    options.plan = *std::move(plan);
}

} // namespace

void addLoadOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral(
        "Sends a load and prints its report: users who wait for their answers, or with --rate, --stages, --sweep or "
        "--replay requests that come on time whatever the answers take. Exit codes: 0 fine, 1 nothing succeeded, less "
        "than --min-success, or an objective of --slo was missed, 2 bad usage or input or not one request could be "
        "sent, 3 run invalid."));
    addTargetOptions(parser);
    addModelOptions(parser);
    addPromptOptions(parser);
    addVerdictOptions(parser);
    addSeriesOptions(parser);
    addTransportOption(parser);
    parser.addHelpOption();
}

tl::expected<LoadOptions, QString> readLoadOptions(const QCommandLineParser& parser)
{
    LoadOptions options;
    Reader in(parser);
    load::LoadPlan& plan = options.plan;
    if (const auto transport = transportOption(parser))
        options.session.engine.transport = *transport;
    else
        in.problem(transport.error());
    readTarget(in, parser, options);
    if (in.isSet("plan")) {
        readPlanOf(in, options);
    } else {
        readStop(in, plan);
        readPrompts(in, plan);
        readModel(in, plan);
    }
    if (!in.isSet("plan") && !plan.stop.requests && !plan.stop.duration && !load::lengthOf(plan.model))
        plan.stop.requests = 100;
    if (!in.isSet("plan"))
        plan.seed = in.number<std::uint64_t>("seed", 0, 9007199254740991.0).value_or(1);
    options.session.engine.seed = plan.seed;
    options.minSuccessRate = in.number<double>("min-success", 0, 1);
    options.json = in.isSet("json");
    for (const char* input : {"workspace", "simulate", "plan", "prompts", "replay"})
        if (const auto path = in.value(input))
            options.inputs.append(*path);
    options.outputs = {in.value("report"), in.value("html"), in.value("markdown"), in.value("csv"), in.value("keep")};
    options.exportTo = in.value("export");
    if (options.exportTo && !options.session.given)
        in.problem(QStringLiteral("--export needs --url and --model: what the other machines can reach, such as the "
                                  "gateway that serves the chain."));
    if (options.exportTo &&
        !QStringList{QStringLiteral("k6"), QStringLiteral("locust"), QStringLiteral("inference-perf")}.contains(
            *options.exportTo))
        in.problem(QStringLiteral("--export takes k6, locust or inference-perf, not \"%1\".").arg(*options.exportTo));
    if (auto series = readSeriesOptions(parser))
        options.series = *std::move(series);
    else
        in.problem(series.error());
    if (!in.problem().isEmpty())
        return tl::unexpected(in.problem());
    load::LoadPlan named = plan;
    if (named.target.empty())
        named.target = "to be chosen";
    if (const QString problem = load::checkPlan(named); !problem.isEmpty())
        return tl::unexpected(problem);
    return options;
}

} // namespace sg::app
