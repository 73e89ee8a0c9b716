// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/session/interrupt.h"
#include "app/session/session.h"
#include "core/load/report.h"
#include "core/load/run.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QJsonDocument>
#include <QSaveFile>
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
    parser.setApplicationDescription(QStringLiteral("Sends a closed-loop load and prints its report."));
    parser.addOptions({
        {QStringLiteral("demo"), QStringLiteral("The practice workspace on the built-in simulator.")},
        {QStringLiteral("workspace"), QStringLiteral("A workspace file."), QStringLiteral("FILE")},
        {QStringLiteral("simulate"), QStringLiteral("Run the simulator with this script."), QStringLiteral("SCRIPT")},
        {QStringLiteral("chain"), QStringLiteral("Send through this chain (default: the first)."),
         QStringLiteral("NAME")},
        {QStringLiteral("endpoint"),
         QStringLiteral("Straight to this endpoint: one attempt, no breaker, no retry."), QStringLiteral("NAME")},
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
        return tl::unexpected(QStringLiteral("--%1 takes a %2number from %3 to %4, not \"%5\".")
                                  .arg(name, whole && std::is_floating_point_v<Number> ? QString() : QStringLiteral("whole "))
                                  .arg(low, 0, 'g', 12)
                                  .arg(high, 0, 'g', 12)
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
    if (demo && (options.session.workspaceFile || options.session.scriptFile))
        return tl::unexpected(QStringLiteral("--demo is the practice workspace; leave out --workspace and --simulate."));
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
QString namesOf(const Items& items, Name name)
{
    QStringList names;
    for (const auto& item : items)
        names.append(QString::fromStdString(name(item)));
    return names.isEmpty() ? QStringLiteral("none") : names.join(QStringLiteral(", "));
}

tl::expected<void, QString> chooseTarget(LoadOptions& options, const workspace::Workspace& workspace)
{
    if (!options.targetGiven) {
        if (workspace.chains.empty())
            return tl::unexpected(QStringLiteral("The workspace has no chain. Name an endpoint with --endpoint."));
        options.plan.target = workspace.chains.front().spec.name;
    }
    const QString target = QString::fromStdString(options.plan.target);
    if (options.plan.targetKind == load::TargetKind::Chain && !workspace.chain(options.plan.target))
        return tl::unexpected(QStringLiteral("There is no chain \"%1\". Chains: %2.")
                                  .arg(target, namesOf(workspace.chains, [](const auto& c) { return c.spec.name; })));
    if (options.plan.targetKind == load::TargetKind::Endpoint && !workspace.endpoint(options.plan.target))
        return tl::unexpected(
            QStringLiteral("There is no endpoint \"%1\". Endpoints: %2.")
                .arg(target, namesOf(workspace.endpoints, [](const auto& e) { return e.spec.name; })));
    return {};
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

void awaitKeychain(Session& session)
{
    QEventLoop loop;
    bool done = false;
    session.readKeychain([&] {
        done = true;
        loop.quit();
    });
    if (!done)
        loop.exec();
}

/// Runs the plan to its end in the engine thread and answers with the report.
QJsonObject runToEnd(Session& session, const load::LoadPlan& plan)
{
    QEventLoop loop;
    QJsonObject report;
    load::LoadRun* run = nullptr; // lives and dies in the engine thread
    engine::Engine& engine = session.engine();
    Interrupt interrupt([&] { engine.post([&](engine::EngineCore&) { run->stop(); }); });
    engine.run([&](engine::EngineCore& core) {
        run = new load::LoadRun(core, plan);
        QObject::connect(run, &load::LoadRun::finished, &loop, &QEventLoop::quit, Qt::QueuedConnection);
        run->start();
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
    if (progress.isActive())
        printError(QString());
    engine.run([&](engine::EngineCore&) {
        report = load::reportOf(*run);
        delete run;
    });
    return report;
}

tl::expected<void, QString> writeReport(const QJsonObject& report, const QString& path)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(report).toJson()) >= 0 && file.commit())
        return {};
    return tl::unexpected(QStringLiteral("%1: the report cannot be written: %2. Name another file with --report.")
                              .arg(path, file.errorString()));
}

int exitCodeOf(const QJsonObject& report, const LoadOptions& options)
{
    if (!load::isValid(report))
        return kRunInvalid;
    const double rate = report.value(QLatin1String("success_rate")).toDouble();
    if (report.value(QLatin1String("succeeded")).toDouble() == 0 || rate < options.minSuccessRate.value_or(0))
        return kResultSaysNo;
    return kFine;
}

} // namespace

int loadCommand(const QStringList& arguments)
{
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(QStringList{kName} + arguments))
        return usageError(parser.errorText() + QLatin1Char('.'), kName);
    if (parser.isSet(QStringLiteral("help"))) {
        printOut(parser.helpText());
        return kFine;
    }
    auto options = readOptions(parser);
    if (!options)
        return usageError(options.error(), kName);
    options->session.engine.maxConnectionsPerOrigin = std::max(200, options->plan.concurrency);
    auto session = Session::open(options->session);
    if (!session) {
        for (const QString& line : session.error())
            printError(line);
        return kBadUsage;
    }
    for (const QString& warning : (*session)->warnings())
        printError(QStringLiteral("Warning: ") + warning);
    if (const auto target = chooseTarget(*options, (*session)->workspace()); !target)
        return usageError(target.error(), kName);

    awaitKeychain(**session);
    QJsonObject report = runToEnd(**session, options->plan);
    if ((*session)->simulator())
        report.insert(QStringLiteral("simulator"), (*session)->simulator()->stats());
    if (options->json)
        printJson(report);
    else
        printOut(load::tableOf(report));
    if (options->reportFile)
        if (const auto written = writeReport(report, *options->reportFile); !written) {
            printError(written.error());
            return kBadUsage;
        }
    return exitCodeOf(report, *options);
}

} // namespace sg::app
