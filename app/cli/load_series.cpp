// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/load_series.h"
#include "app/cli/command.h"
#include "app/cli/load_delivery.h"
#include "app/session/run_folder.h"
#include "app/session/series_benches.h"
#include "core/load/series_documents.h"
#include "core/load/series_session.h"

#include <QCommandLineParser>
#include <QEventLoop>
#include <QTimer>

#include <unistd.h>

namespace sg::app {

namespace {

struct Experiment
{
    const char* name;
    const char* words;
    QStringList arguments;
};

const std::vector<Experiment>& experiments()
{
    static const std::vector<Experiment> all{
        {"jitters",
         "six retry strategies, 1,000 requests in flight, of which the server refuses 25 % at first",
         {QStringLiteral("--workspace"), QStringLiteral(":/experiments/jitters.json"), QStringLiteral("--users"),
          QStringLiteral("1000"), QStringLiteral("--ramp"), QStringLiteral("1s"), QStringLiteral("--requests"),
          QStringLiteral("1000"), QStringLiteral("--strategies"), QStringLiteral("all")}},
        {"providers",
         "100 requests to each of three providers",
         {QStringLiteral("--workspace"), QStringLiteral(":/experiments/providers.json"), QStringLiteral("--users"),
          QStringLiteral("10"), QStringLiteral("--requests"), QStringLiteral("100"), QStringLiteral("--endpoints"),
          QStringLiteral("all")}},
    };
    return all;
}

tl::expected<std::vector<load::Strategy>, QString> strategiesIn(const QString& list)
{
    if (list == QLatin1String("all"))
        return std::vector(load::kStrategies.begin(), load::kStrategies.end());
    std::vector<load::Strategy> strategies;
    for (const QString& name : list.split(u',')) {
        const auto strategy = load::strategyNamed(name.trimmed().toStdString());
        if (!strategy)
            return tl::unexpected(
                QStringLiteral("--strategies takes all, or some of none, immediate, exponential, equal, "
                               "full and decorrelated, not \"%1\".")
                    .arg(name.trimmed()));
        strategies.push_back(*strategy);
    }
    return strategies;
}

/// Milliseconds of a span such as "500ms" or "0.5s".
tl::expected<std::optional<double>, QString> spanIn(const QCommandLineParser& parser, const QString& name)
{
    if (!parser.isSet(name))
        return std::nullopt;
    const std::string text = parser.value(name).trimmed().toStdString();
    measure::Speller speller{std::string_view(text)};
    const auto span = speller.span();
    if (span && speller.scan().atEnd() && *span > Nanos(0) && *span <= std::chrono::hours(1))
        return toMs(*span);
    return tl::unexpected(QStringLiteral("--%1 takes a time up to an hour, such as 500ms or 8s.").arg(name));
}

tl::expected<load::StrategySettings, QString> settingsIn(const QCommandLineParser& parser)
{
    load::StrategySettings settings;
    if (parser.isSet(QStringLiteral("retries"))) {
        bool ok = false;
        settings.retries = parser.value(QStringLiteral("retries")).toInt(&ok);
        if (!ok || *settings.retries < 1 || *settings.retries > 50)
            return tl::unexpected(QStringLiteral("--retries takes a whole number from 1 to 50."));
    }
    const auto base = spanIn(parser, QStringLiteral("backoff-base")),
               cap = spanIn(parser, QStringLiteral("backoff-cap"));
    if (!base || !cap)
        return tl::unexpected(base ? cap.error() : base.error());
    settings.baseMs = *base;
    settings.capMs = *cap;
    return settings;
}

load::SeriesPlan planOf(const LoadOptions& options, const workspace::Workspace& workspace)
{
    load::SeriesPlan series{options.series->kind, options.plan, options.series->strategies, options.series->settings,
                            options.series->endpoints};
    if (options.series->takesAll)
        for (const workspace::Endpoint& endpoint : workspace.endpoints)
            series.endpoints.push_back(endpoint.spec.name);
    return series;
}

void showProgress(const load::SeriesProgress& series)
{
    if (series.current >= series.table.rows.size())
        return;
    const QString line = QStringLiteral("\rrun %1 of %2, %3 · %4 % \033[K")
                             .arg(series.current + 1)
                             .arg(series.table.rows.size())
                             .arg(series.table.rows[series.current].words)
                             .arg(series.share * 100, 0, 'f', 0);
    const QByteArray bytes = line.toUtf8();
    std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stderr);
}

/// Keeps runs of a series as they end: later ones may be killed.
class Keeper
{
public:
    void keepNew(const load::SeriesProgress& series)
    {
        isKept_.resize(series.runs.size());
        for (std::size_t i = 0; i < series.runs.size(); ++i)
            if (series.runs[i] && !std::exchange(isKept_[i], 1))
                keep(*series.runs[i]);
    }
    bool isFine() const { return isFine_; }

private:
    void keep(const load::SeriesRun& run)
    {
        if (!run.logProblem.isEmpty())
            printError(run.logProblem);
        const bool isKept = keepRun(run.record);
        if (isKept && run.lock)
            run.lock->release();
        isFine_ = isFine_ && isKept && run.logProblem.isEmpty();
    }

    std::vector<char> isKept_; ///< by row
    bool isFine_ = true;
};

/// `keeper`: null, nothing is kept.
load::SeriesProgressPtr runToEnd(load::SeriesSession& series, Stop& stop, Keeper* keeper)
{
    const bool isTerminal = isatty(STDERR_FILENO);
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        const auto now = series.progress();
        if (isTerminal)
            showProgress(*now);
        if (keeper)
            keeper->keepNew(*now);
        if (!load::isActive(now->state))
            loop.quit();
    });
    stop.then([&] {
        if (isTerminal)
            printError(QString()); // off the line of the progress
        printError(
            QStringLiteral("Stopping: the present run ends, and the rest is skipped. Again: cancel its requests."));
        series.stop();
    });
    look.start(50);
    loop.exec();
    stop.then({});
    if (isTerminal)
        printError(QString());
    return series.progress();
}

/// The worst of its runs; a run that did not take place is none to rely on.
int exitCodeOf(const load::SeriesProgress& series, const LoadOptions& options)
{
    if (series.state == load::SeriesState::Failed)
        return kBadUsage;
    const auto weight = [](int code) { return code == kBadUsage ? 3 : code == kRunInvalid ? 2 : code; };
    int worst = series.state == load::SeriesState::Cancelled ? kRunInvalid : kFine;
    for (const load::SeriesRunPtr& run : series.runs)
        if (const int code = run ? exitCodeOf(run->record.report, options) : kFine; weight(code) > weight(worst))
            worst = code;
    return worst;
}

} // namespace

tl::expected<QStringList, QString> withExperiment(const QStringList& arguments)
{
    const qsizetype at = arguments.indexOf(QStringLiteral("--experiment"));
    if (at < 0)
        return arguments;
    const QString name = arguments.value(at + 1);
    QStringList known;
    for (const Experiment& experiment : experiments()) {
        if (name == QLatin1String(experiment.name))
            return experiment.arguments + arguments.mid(0, at) + arguments.mid(at + 2);
        known.append(QString::fromLatin1(experiment.name));
    }
    return tl::unexpected(
        QStringLiteral("--experiment takes one of %1, not \"%2\".").arg(known.join(QStringLiteral(", ")), name));
}

void addSeriesOptions(QCommandLineParser& parser)
{
    const auto add = [&](const char* name, const QString& words, const char* value) {
        parser.addOption({QString::fromLatin1(name), words, QString::fromLatin1(value)});
    };
    add("strategies",
        QStringLiteral(
            "One run for each retry strategy of the chain, and their table: all, or some of none, immediate, "
            "exponential, equal, full, decorrelated."),
        "LIST");
    add("endpoints", QStringLiteral("One run for each endpoint, and their table: all, or names with commas."), "LIST");
    add("retries", QStringLiteral("With --strategies: of each tier (default: the chain's own)."), "N");
    add("backoff-base", QStringLiteral("With --strategies: base of the waits (default: each tier's own)."), "TIME");
    add("backoff-cap", QStringLiteral("With --strategies: the longest own wait (default: each tier's own)."), "TIME");
    QString words = QStringLiteral("A series that is ready to run on the simulator; other options change it.");
    for (const Experiment& experiment : experiments())
        words +=
            QStringLiteral(" %1: %2.").arg(QString::fromLatin1(experiment.name), QString::fromUtf8(experiment.words));
    add("experiment", words, "NAME");
}

tl::expected<std::optional<SeriesOptions>, QString> readSeriesOptions(const QCommandLineParser& parser)
{
    const QString strategies = QStringLiteral("strategies"), endpoints = QStringLiteral("endpoints");
    const auto settings = settingsIn(parser);
    if (!settings)
        return tl::unexpected(settings.error());
    if (!parser.isSet(strategies) && *settings != load::StrategySettings())
        return tl::unexpected(
            QStringLiteral("--retries, --backoff-base and --backoff-cap are about --strategies; give it too."));
    if (!parser.isSet(strategies) && !parser.isSet(endpoints))
        return std::nullopt;
    if (parser.isSet(strategies) && parser.isSet(endpoints))
        return tl::unexpected(QStringLiteral("Give --strategies or --endpoints, not both."));
    for (const char* other : {"export", "csv"})
        if (parser.isSet(QLatin1String(other)))
            return tl::unexpected(QStringLiteral("--%1 is about one run; leave out --%2.%3")
                                      .arg(QLatin1String(other), parser.isSet(strategies) ? strategies : endpoints,
                                           qstrcmp(other, "csv") == 0
                                               ? QStringLiteral(" --keep keeps the requests of every run.")
                                               : QString()));
    SeriesOptions options;
    options.settings = *settings;
    if (parser.isSet(strategies)) {
        auto list = strategiesIn(parser.value(strategies));
        if (!list)
            return tl::unexpected(list.error());
        options.strategies = *std::move(list);
        return options;
    }
    if (parser.isSet(QStringLiteral("chain")) || parser.isSet(QStringLiteral("endpoint")))
        return tl::unexpected(QStringLiteral("--endpoints says what to ask; leave out --chain and --endpoint."));
    options.kind = load::SeriesKind::Endpoints;
    options.takesAll = parser.value(endpoints) == QLatin1String("all");
    if (!options.takesAll)
        for (const QString& name : parser.value(endpoints).split(u','))
            options.endpoints.push_back(name.trimmed().toStdString());
    return options;
}

int runSeries(Session& session, const LoadOptions& options, Stop& stop)
{
    const QDateTime began = QDateTime::currentDateTimeUtc();
    load::SeriesSession series(benchesOf(session, options.session.engine), session.workspace(), session.prices());
    if (options.outputs.keptAs) {
        series.keepRequestsIn(runFolder());
        series.setName(*options.outputs.keptAs);
    }
    if (const QString problem = series.start(planOf(options, session.workspace())); !problem.isEmpty())
        return usageError(problem, QStringLiteral("load"));
    Keeper keeper;
    const load::SeriesProgressPtr ended = runToEnd(series, stop, options.outputs.keptAs ? &keeper : nullptr);
    const QString title = titleOf(options, began);
    const bool isDelivered =
        deliver({load::reportOf(*ended), [&] { return load::tableOf(*ended); },
                 [&] { return load::htmlOf(*ended, title); }, [&] { return load::markdownOf(*ended, title); }},
                options);
    if (ended->state == load::SeriesState::Failed)
        printError(ended->error);
    return isDelivered && keeper.isFine() ? exitCodeOf(*ended, options) : int(kBadUsage);
}

} // namespace sg::app
