// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/load_delivery.h"
#include "app/cli/load_options.h"
#include "app/cli/load_series.h"
#include "app/cli/stop.h"
#include "app/session/session.h"
#include "core/http/mailbox.h"
#include "core/load/export.h"
#include "core/load/report.h"
#include "core/load/run.h"
#include "core/workspace/json_reader.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QTimer>

#include <unistd.h>

namespace sg::app {

namespace {

const QString kName = QStringLiteral("load");

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
    if (options.series && options.series->kind == load::SeriesKind::Endpoints) {
        for (const std::string& name : options.series->endpoints)
            if (!workspace.endpoint(name))
                return inFile(unknownTarget("endpoint", QString::fromStdString(name), workspace.endpoints,
                                            [](const auto& e) { return e.spec.name; }));
        return {};
    }
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

bool isAsked(const LoadOptions& options, const workspace::Workspace& workspace, const std::string& endpoint)
{
    const load::LoadPlan& plan = options.plan;
    if (options.series && options.series->kind == load::SeriesKind::Endpoints)
        return options.series->takesAll ||
               std::ranges::find(options.series->endpoints, endpoint) != options.series->endpoints.end();
    if (plan.targetKind != load::TargetKind::Chain)
        return plan.target == endpoint;
    const workspace::Chain* chain = workspace.chain(plan.target);
    return chain && std::ranges::any_of(chain->spec.tiers, [&](const chain::TierSpec& tier) {
               return tier.enabled && tier.endpoint == endpoint;
           });
}

/// The keys that the target needs and cannot have: a load on a chain with a dead tier would measure something else than
/// what was asked for.
QStringList missingKeys(const LoadOptions& options, const Session& session)
{
    QStringList lines;
    for (const KeyProblem& problem : session.keyProblems())
        if (isAsked(options, session.workspace(), problem.endpoint))
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
QJsonObject runToEnd(Session& session, const load::LoadPlan& plan, RequestLogs& logs, Stop& stop)
{
    QEventLoop loop;
    http::Mailbox toMain;
    QJsonObject report;
    load::LoadRun* run = nullptr; // lives and dies in the engine thread
    engine::Engine& engine = session.engine();
    engine.run([&](engine::EngineCore& core) {
        run = new load::LoadRun(core, plan);
        QObject::connect(run, &load::LoadRun::finished, run, [&] { toMain.post([&loop] { loop.quit(); }); });
        if (!logs.isEmpty())
            run->setSampleListener(
                [&](const measure::Sample& sample, load::RunPart) { logs.add(sample, run->startedAt()); });
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

} // namespace

namespace {

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

} // namespace

int exitCodeOf(const QJsonObject& report, const LoadOptions& options)
{
    if (reachedNobody(report))
        return kBadUsage;
    if (!load::isValid(report))
        return kRunInvalid;
    const double rate = report.value(QLatin1String("success_rate")).toDouble();
    if (report.value(QLatin1String("succeeded")).toDouble() == 0 || rate < options.minSuccessRate.value_or(0) ||
        load::missedAnObjective(report))
        return kResultSaysNo;
    return kFine;
}

namespace {

tl::expected<LoadOptions, int> optionsOf(const QStringList& given)
{
    QCommandLineParser parser;
    addLoadOptions(parser);
    const auto arguments = withExperiment(given);
    if (!arguments)
        return tl::unexpected(usageError(arguments.error(), kName));
    if (!parser.parse(QStringList{kName} + *arguments))
        return tl::unexpected(usageError(parser.errorText(), kName));
    if (parser.isSet(QStringLiteral("help"))) {
        printHelp(parser, kName);
        return tl::unexpected(int(kFine));
    }
    auto options = readLoadOptions(parser);
    if (!options)
        return tl::unexpected(usageError(options.error(), kName));
    if (const auto fine = checkOutputs(options->outputs, options->inputs); !fine)
        return tl::unexpected(usageError(fine.error(), kName));
    int& most = options->session.engine.maxConnectionsPerOrigin;
    most = std::max(most, load::concurrencyOf(options->plan));
    options->session.engine.mostInFlight = load::concurrencyOf(options->plan);
    return *std::move(options);
}

int printExport(const LoadOptions& options)
{
    const workspace::Endpoint& endpoint = options.session.given->endpoints.front();
    load::ExportTarget target{endpoint.baseUrl, endpoint.model};
    if (!endpoint.key.name.isEmpty())
        target.keyVariable = endpoint.key.name;
    const auto exportPlan = *options.exportTo == QLatin1String("k6")       ? load::k6Of
                            : *options.exportTo == QLatin1String("locust") ? load::locustOf
                                                                           : load::inferencePerfOf;
    const auto exported = exportPlan(options.plan, target);
    if (!exported) {
        printError(exported.error());
        return kBadUsage;
    }
    printOut(QString::fromUtf8(exported->text.trimmed()));
    printError(QStringLiteral("Lost or different there:"));
    for (const QString& line : exported->lost)
        printError(QStringLiteral("- ") + line);
    return kFine;
}

} // namespace

int loadCommand(const QStringList& arguments)
{
    auto options = optionsOf(arguments);
    if (!options)
        return options.error();
    if (options->exportTo)
        return printExport(*options);
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
    if (const QStringList lines = missingKeys(*options, **session); !lines.isEmpty()) {
        for (const QString& line : lines)
            printError(line);
        return kBadUsage;
    }
    for (const KeyProblem& odd : (*session)->keyWarnings())
        if (isAsked(*options, (*session)->workspace(), odd.endpoint))
            printError(QStringLiteral("Warning: ") + odd.line);
    if (options->series)
        return runSeries(**session, *options, stop);
    RequestLogs logs = RequestLogs::begin(*options);
    QJsonObject report = runToEnd(**session, options->plan, logs, stop);
    if ((*session)->simulator())
        report.insert(QStringLiteral("simulator"), (*session)->simulator()->stats());
    const bool areRowsThere = logs.finish(report);
    if (!deliver(report, logs, *options) || !areRowsThere)
        return kBadUsage;
    if (report.value(QLatin1String("succeeded")).toDouble() == 0)
        explainFailures(report);
    return exitCodeOf(report, *options);
}

} // namespace sg::app
