// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/transport_option.h"
#include "app/session/interrupt.h"
#include "app/session/session.h"
#include "core/http/mailbox.h"
#include "core/load/report.h"
#include "core/load/run.h"
#include "core/workspace/json_reader.h"
#include "core/workspace/replace_file.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>
#include <QTimer>

#include <unistd.h>

namespace sg::app {

namespace {

const QString kName = QStringLiteral("load");

struct LoadOptions
{
    SessionOptions session;
    load::LoadPlan plan;
    bool targetGiven = false;
    bool json = false;
    std::optional<QString> reportFile;
    std::optional<double> minSuccessRate;
};

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral(
        "Sends a closed-loop load and prints its report. Exit codes: 0 fine, 1 nothing succeeded or less than "
        "--min-success, 2 bad usage or input or not one request could be sent, 3 run invalid."));
    parser.addOptions({
        {QStringLiteral("demo"), QStringLiteral("The practice workspace on the built-in simulator.")},
        {QStringLiteral("workspace"), QStringLiteral("A workspace file."), QStringLiteral("FILE")},
        {QStringLiteral("environment"), QStringLiteral("The workspace file's environment (default: its own)."),
         QStringLiteral("NAME")},
        {QStringLiteral("simulate"), QStringLiteral("Run the simulator with this script."), QStringLiteral("SCRIPT")},
        {QStringLiteral("chain"), QStringLiteral("Send through this chain (default: the first)."),
         QStringLiteral("NAME")},
        {QStringLiteral("endpoint"), QStringLiteral("Straight to this endpoint: one attempt, no breaker, no retry."),
         QStringLiteral("NAME")},
        {QStringLiteral("requests"), QStringLiteral("How many (default 100, unless a duration is given)."),
         QStringLiteral("N")},
        {QStringLiteral("duration"), QStringLiteral("For how long, in seconds."), QStringLiteral("SECONDS")},
        {QStringLiteral("concurrency"), QStringLiteral("Users who each wait for their answer (default 10)."),
         QStringLiteral("C")},
        {QStringLiteral("seed"), QStringLiteral("Seed of every draw (default 1)."), QStringLiteral("S")},
        {QStringLiteral("prompts"), QStringLiteral("A text file with one prompt a line."), QStringLiteral("FILE")},
        {QStringLiteral("repeats"), QStringLiteral("Share of repeated prompts, 0 to 1 (default 0)."),
         QStringLiteral("SHARE")},
        {QStringLiteral("max-tokens"), QStringLiteral("Most tokens of an answer (default 200)."), QStringLiteral("N")},
        {QStringLiteral("whole"), QStringLiteral("Ask for whole answers instead of streams.")},
        {QStringLiteral("min-success"), QStringLiteral("Exit with 1 when the success rate is below this (0 to 1)."),
         QStringLiteral("RATE")},
        {QStringLiteral("json"), QStringLiteral("Print the report as JSON.")},
        {QStringLiteral("report"), QStringLiteral("Write the report as JSON to this file."), QStringLiteral("FILE")},
    });
    addTransportOption(parser);
    parser.addHelpOption();
}

/// The value of a number option, or the sentence that says what is wrong with it.
template <typename Number>
tl::expected<std::optional<Number>, QString> number(const QCommandLineParser& parser, const QString& name, double low,
                                                    double high)
{
    if (!parser.isSet(name))
        return std::nullopt;
    bool ok = false;
    const double value = parser.value(name).toDouble(&ok);
    const bool whole = std::is_floating_point_v<Number> || value == std::floor(value);
    if (!ok || !whole || !(value >= low && value <= high))
        return tl::unexpected(
            QStringLiteral("--%1 takes a %2number from %3 to %4, not \"%5\".")
                .arg(name, whole && std::is_floating_point_v<Number> ? QString() : QStringLiteral("whole "))
                .arg(low, 0, 'g', 16)
                .arg(high, 0, 'g', 16)
                .arg(parser.value(name)));
    return static_cast<Number>(value);
}

tl::expected<std::vector<QString>, QString> readPrompts(const QString& path)
{
    const auto bytes = readFile(path);
    if (!bytes)
        return tl::unexpected(bytes.error());
    std::vector<QString> prompts;
    for (const QString& line : QString::fromUtf8(*bytes).split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty())
            prompts.push_back(line.trimmed());
    if (prompts.empty())
        return tl::unexpected(QStringLiteral("%1: holds no prompt. Write one prompt a line.").arg(path));
    return prompts;
}

tl::expected<void, QString> readNumbers(const QCommandLineParser& parser, LoadOptions& options)
{
    const auto requests = number<std::int64_t>(parser, QStringLiteral("requests"), 1, 1e8);
    const auto duration = number<double>(parser, QStringLiteral("duration"), 0.1, 604800);
    const auto concurrency = number<int>(parser, QStringLiteral("concurrency"), 1, 10000);
    const auto seed = number<std::uint64_t>(parser, QStringLiteral("seed"), 0, 9007199254740991.0);
    const auto repeats = number<double>(parser, QStringLiteral("repeats"), 0, 1);
    const auto maxTokens = number<int>(parser, QStringLiteral("max-tokens"), 1, 1e6);
    const auto minSuccess = number<double>(parser, QStringLiteral("min-success"), 0, 1);
    for (const auto* problem : {requests ? nullptr : &requests.error(), duration ? nullptr : &duration.error(),
                                concurrency ? nullptr : &concurrency.error(), seed ? nullptr : &seed.error(),
                                repeats ? nullptr : &repeats.error(), maxTokens ? nullptr : &maxTokens.error(),
                                minSuccess ? nullptr : &minSuccess.error()})
        if (problem)
            return tl::unexpected(*problem);
    options.plan.requests = *requests;
    if (*duration)
        options.plan.duration = fromMs(**duration * 1000);
    if (!*requests && !*duration)
        options.plan.requests = 100;
    options.plan.concurrency = concurrency->value_or(10);
    options.plan.seed = options.session.engine.seed = seed->value_or(1);
    options.plan.repeatShare = repeats->value_or(0);
    options.plan.maxTokens = maxTokens->value_or(200);
    options.minSuccessRate = *minSuccess;
    const auto transport = transportOption(parser);
    if (!transport)
        return tl::unexpected(transport.error());
    options.session.engine.transport = *transport;
    return {};
}

tl::expected<LoadOptions, QString> readOptions(const QCommandLineParser& parser)
{
    LoadOptions options;
    if (const QStringList extra = parser.positionalArguments(); !extra.isEmpty())
        return tl::unexpected(QStringLiteral("\"%1\" is not an option of load.").arg(extra.first()));
    const auto value = [&](const char* name) {
        const QString option = QString::fromLatin1(name);
        return parser.isSet(option) ? std::optional(parser.value(option)) : std::nullopt;
    };
    const bool demo = parser.isSet(QStringLiteral("demo"));
    options.session.workspaceFile = value("workspace");
    options.session.scriptFile = value("simulate");
    options.session.environment = value("environment").value_or(QString());
    if (!options.session.environment.isEmpty() && !options.session.workspaceFile)
        return tl::unexpected(QStringLiteral("--environment says which part of a file counts; give --workspace too."));
    if (demo && (options.session.workspaceFile || options.session.scriptFile))
        return tl::unexpected(
            QStringLiteral("--demo is the practice workspace; leave out --workspace and --simulate."));
    if (!demo && !options.session.workspaceFile && !options.session.scriptFile)
        return tl::unexpected(QStringLiteral("Say what to load: --demo, --workspace FILE or --simulate SCRIPT."));

    const auto chain = value("chain"), endpoint = value("endpoint");
    if (chain && endpoint)
        return tl::unexpected(QStringLiteral("Give --chain or --endpoint, not both."));
    options.targetGiven = chain || endpoint;
    options.plan.targetKind = endpoint ? load::TargetKind::Endpoint : load::TargetKind::Chain;
    options.plan.target = endpoint.value_or(chain.value_or(QString())).toStdString();
    options.plan.stream = !parser.isSet(QStringLiteral("whole"));
    options.json = parser.isSet(QStringLiteral("json"));
    options.reportFile = value("report");
    if (const auto prompts = value("prompts")) {
        auto lines = readPrompts(*prompts);
        if (!lines)
            return tl::unexpected(lines.error());
        options.plan.prompts = std::move(*lines);
    }
    if (const auto numbers = readNumbers(parser, options); !numbers)
        return tl::unexpected(numbers.error());
    return options;
}

template <typename Items, typename Name>
QString unknownTarget(const char* kind, const QString& target, const Items& items, Name name)
{
    QStringList names;
    for (const auto& item : items)
        names.append(QString::fromStdString(name(item)));
    const auto nearest = workspace::nearestName(target, names);
    const QString word = QString::fromLatin1(kind);
    return QStringLiteral("There is no %1 \"%2\".%3 Known are: %4.")
        .arg(word, target, nearest ? QStringLiteral(" Did you mean \"%1\"?").arg(*nearest) : QString(),
             names.isEmpty() ? QStringLiteral("none") : names.join(QStringLiteral(", ")));
}

tl::expected<void, QString> chooseTarget(LoadOptions& options, const Session& session)
{
    const workspace::Workspace& workspace = session.workspace();
    const auto inFile = [&](const QString& problem) {
        const bool isBuiltIn = session.file().startsWith(QLatin1Char(':'));
        return tl::unexpected(QStringLiteral("%1: %2").arg(
            isBuiltIn ? QStringLiteral("The practice workspace") : session.file(), problem));
    };
    if (!options.targetGiven) {
        if (workspace.chains.empty())
            return inFile(workspace.endpoints.empty()
                              ? QStringLiteral("The workspace has no endpoint and no chain. Add them (see "
                                               "docs/workspace.md), or try --demo.")
                              : QStringLiteral("The workspace has no chain. Name an endpoint with --endpoint."));
        options.plan.target = workspace.chains.front().spec.name;
    }
    const QString target = QString::fromStdString(options.plan.target);
    if (options.plan.targetKind == load::TargetKind::Chain && !workspace.chain(options.plan.target))
        return inFile(unknownTarget("chain", target, workspace.chains, [](const auto& c) { return c.spec.name; }));
    if (options.plan.targetKind == load::TargetKind::Endpoint && !workspace.endpoint(options.plan.target))
        return inFile(
            unknownTarget("endpoint", target, workspace.endpoints, [](const auto& e) { return e.spec.name; }));
    return {};
}

bool isAsked(const load::LoadPlan& plan, const workspace::Workspace& workspace, const std::string& endpoint)
{
    if (plan.targetKind == load::TargetKind::Endpoint)
        return plan.target == endpoint;
    const workspace::Chain* chain = workspace.chain(plan.target);
    return chain && std::ranges::any_of(chain->spec.tiers, [&](const chain::TierSpec& tier) {
               return tier.enabled && tier.endpoint == endpoint;
           });
}

/// The keys that the target needs and cannot have: a load on a chain with a dead tier would measure something else than
/// what was asked for.
QStringList missingKeys(const load::LoadPlan& plan, const Session& session)
{
    QStringList lines;
    for (const KeyProblem& problem : session.keyProblems())
        if (isAsked(plan, session.workspace(), problem.endpoint))
            lines.append(problem.line);
    return lines;
}

void showProgress(const load::RunProgress& progress)
{
    const QString line = QStringLiteral("\r%1 % · %2 answered · %3 failed · %4 in flight · %5 s ")
                             .arg(progress.share * 100, 0, 'f', 0)
                             .arg(progress.answered)
                             .arg(progress.failed)
                             .arg(progress.inFlight)
                             .arg(progress.elapsedSeconds, 0, 'f', 1);
    const QByteArray bytes = line.toUtf8();
    std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stderr);
}

/// SIGINT and SIGTERM from before the session to the end. What they do changes with what is going on.
class Stop
{
public:
    bool asked() const { return asked_; }
    void then(std::function<void()> action) { action_ = std::move(action); }

private:
    bool asked_ = false;
    std::function<void()> action_;
    Interrupt interrupt_{[this] {
        asked_ = true;
        if (action_)
            action_();
    }};
};

void awaitKeychain(Session& session, Stop& stop)
{
    QEventLoop loop;
    bool done = false;
    stop.then([&] { loop.quit(); });
    session.readKeychain([&] {
        done = true;
        loop.quit();
    });
    if (!done)
        loop.exec();
    stop.then({});
}

/// Runs the plan to its end in the engine thread and answers with the report.
QJsonObject runToEnd(Session& session, const load::LoadPlan& plan, Stop& stop)
{
    QEventLoop loop;
    http::Mailbox toMain;
    QJsonObject report;
    load::LoadRun* run = nullptr; // lives and dies in the engine thread
    engine::Engine& engine = session.engine();
    engine.run([&](engine::EngineCore& core) {
        run = new load::LoadRun(core, plan);
        QObject::connect(run, &load::LoadRun::finished, run, [&] { toMain.post([&loop] { loop.quit(); }); });
        run->start();
    });
    stop.then([&] {
        if (isatty(STDERR_FILENO))
            printError(QString()); // off the line of the progress
        printError(QStringLiteral("Stopping: no new requests; those in flight may finish. Again: cancel them."));
        engine.post([&](engine::EngineCore&) { run->stop(); });
    });
    QTimer progress;
    if (isatty(STDERR_FILENO)) {
        QObject::connect(&progress, &QTimer::timeout, &loop, [&] {
            load::RunProgressPtr picture;
            engine.run([&](engine::EngineCore&) { picture = run->progress(); });
            showProgress(*picture);
        });
        progress.start(250);
    }
    loop.exec();
    stop.then({});
    if (progress.isActive())
        printError(QString());
    engine.run([&](engine::EngineCore&) {
        report = load::reportOf(*run);
        delete run;
    });
    return report;
}

/// Said before the run: an hour of load is lost on a mistyped folder otherwise.
tl::expected<void, QString> checkReportFile(const QString& path)
{
    const QFileInfo file(path);
    const QFileInfo folder(file.absolutePath());
    if (file.isDir())
        return tl::unexpected(QStringLiteral("%1: this is a folder. Name a file in it with --report.").arg(path));
    if (!folder.isDir())
        return tl::unexpected(QStringLiteral("%1: there is no folder %2. Make it, or name another file with --report.")
                                  .arg(path, folder.filePath()));
    if (file.exists() ? !file.isWritable() : !folder.isWritable())
        return tl::unexpected(
            QStringLiteral("%1: cannot be written. Check its permissions, or name another file with --report.")
                .arg(path));
    return {};
}

tl::expected<void, QString> writeThrough(const QString& path, const QByteArray& json)
{
    QFile file(path);
    if (file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && file.write(json) == json.size())
        return {};
    return tl::unexpected(file.errorString());
}

tl::expected<void, QString> writeReport(const QJsonObject& report, const QString& path)
{
    const QByteArray json = QJsonDocument(report).toJson();
    const QFileInfo file(path);
    const bool isOther = file.exists() && !file.isFile(); // a pipe or device
    const auto written = isOther ? writeThrough(path, json) : workspace::replaceFile(path, json);
    if (written)
        return {};
    const QString kept = file.isFile() ? QStringLiteral(" The file that was there is unchanged.") : QString();
    return tl::unexpected(QStringLiteral("%1: the report cannot be written: %2.%3 Free some space or name another file "
                                         "with --report.")
                              .arg(path, written.error(), kept));
}

/// Nothing was ever sent: the address, the network or TLS is wrong, and there is no result to judge.
bool reachedNobody(const QJsonObject& report)
{
    return report.value(QLatin1String("succeeded")).toDouble() == 0 &&
           report.value(QLatin1String("attempts")).toDouble() > 0 &&
           report.value(QLatin1String("attempts_sent")).toDouble() == 0;
}

void explainFailures(const QJsonObject& report)
{
    for (const QJsonValue& value : report.value(QLatin1String("errors")).toArray())
        printError(load::errorLine(value.toObject()));
}

int exitCodeOf(const QJsonObject& report, const LoadOptions& options)
{
    if (reachedNobody(report))
        return kBadUsage;
    if (!load::isValid(report))
        return kRunInvalid;
    const double rate = report.value(QLatin1String("success_rate")).toDouble();
    if (report.value(QLatin1String("succeeded")).toDouble() == 0 || rate < options.minSuccessRate.value_or(0))
        return kResultSaysNo;
    return kFine;
}

tl::expected<LoadOptions, int> optionsOf(const QStringList& arguments)
{
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(QStringList{kName} + arguments))
        return tl::unexpected(usageError(parser.errorText(), kName));
    if (parser.isSet(QStringLiteral("help"))) {
        printHelp(parser, kName);
        return tl::unexpected(int(kFine));
    }
    auto options = readOptions(parser);
    if (!options)
        return tl::unexpected(usageError(options.error(), kName));
    if (options->reportFile)
        if (const auto fine = checkReportFile(*options->reportFile); !fine)
            return tl::unexpected(usageError(fine.error(), kName));
    int& most = options->session.engine.maxConnectionsPerOrigin;
    most = std::max(most, options->plan.concurrency);
    options->session.engine.mostInFlight = options->plan.concurrency;
    return *std::move(options);
}

/// Prints and saves; false when it could not be saved. What cannot be saved is printed, so that it is not lost.
bool deliver(const QJsonObject& report, const LoadOptions& options)
{
    if (options.json)
        printJson(report);
    else
        printOut(load::tableOf(report));
    if (!options.reportFile)
        return true;
    const auto written = writeReport(report, *options.reportFile);
    if (written)
        return true;
    printError(written.error());
    if (!options.json) {
        printError(QStringLiteral("The report follows on standard output, so that it is not lost."));
        printJson(report);
    }
    return false;
}

} // namespace

int loadCommand(const QStringList& arguments)
{
    auto options = optionsOf(arguments);
    if (!options)
        return options.error();
    Stop stop;
    auto session = Session::open(options->session);
    if (!session) {
        for (const QString& line : session.error())
            printError(line);
        return kBadUsage;
    }
    for (const QString& warning : (*session)->warnings())
        printError(QStringLiteral("Warning: ") + warning);
    if (const auto target = chooseTarget(*options, **session); !target)
        return usageError(target.error(), kName);

    awaitKeychain(**session, stop);
    if (stop.asked()) {
        printError(QStringLiteral("Stopped before the first request."));
        return kRunInvalid;
    }
    if (const QStringList lines = missingKeys(options->plan, **session); !lines.isEmpty()) {
        for (const QString& line : lines)
            printError(line);
        return kBadUsage;
    }
    for (const KeyProblem& odd : (*session)->keyWarnings())
        if (isAsked(options->plan, (*session)->workspace(), odd.endpoint))
            printError(QStringLiteral("Warning: ") + odd.line);
    QJsonObject report = runToEnd(**session, options->plan, stop);
    if ((*session)->simulator())
        report.insert(QStringLiteral("simulator"), (*session)->simulator()->stats());
    if (!deliver(report, *options))
        return kBadUsage;
    if (report.value(QLatin1String("succeeded")).toDouble() == 0)
        explainFailures(report);
    return exitCodeOf(report, *options);
}

} // namespace sg::app
