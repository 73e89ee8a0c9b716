// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/series_session.h"

#include "core/history/run_files.h"
#include "core/history/sample_log.h"
#include "core/load/kept_run.h"
#include "core/load/report.h"
#include "core/load/run.h"
#include "core/load/session.h"

#include <QTimer>

#include <algorithm>
#include <array>
#include <system_error>

namespace sg::load {

namespace {

constexpr int kPublishEveryMs = 100;

} // namespace

/// What the caller's thread, the series' and that of the present run's engine touch.
struct SeriesSession::Shared
{
    mutable std::mutex mutex; ///< guards all of it; held for copies and posts only
    std::condition_variable changed;
    SeriesProgress now;
    SeriesProgressPtr picture; ///< of `now`; null: to be made
    int stops = 0;
    engine::Engine* engine = nullptr; ///< of the present run
    LoadRun* run = nullptr;           ///< in it
    bool isRunOver = false;

    template <typename Change>
    void change(Change change)
    {
        const std::lock_guard lock(mutex);
        change(now);
        const auto rows = static_cast<double>(std::max<std::size_t>(1, now.table.rows.size()));
        now.share = (static_cast<double>(now.current) + (now.run ? now.run->share : 0)) / rows;
        picture = std::make_shared<const SeriesProgress>(now);
    }

    void stopRun() const ///< with the mutex held
    {
        engine->post([run = run](engine::EngineCore&) { run->stop(); });
    }
};

namespace {

/// Null: nothing is to be kept. A run whose rows cannot be written is a run all the same.
std::unique_ptr<history::SampleLog> beginLog(const QString& folder, const QString& id)
{
    return folder.isEmpty() ? nullptr : history::SampleLog::createFor(history::RunFiles(folder), id);
}

/// So that a run that is killed is known for what it was; without it, it is still found by its rows.
std::shared_ptr<history::RunLock> beginFile(const QString& folder, const history::RunRecord& run)
{
    if (folder.isEmpty())
        return nullptr;
    auto begun = history::RunFiles(folder).begin(run);
    return begun ? std::make_shared<history::RunLock>(*std::move(begun)) : nullptr;
}

QJsonObject seriesFacts(const SeriesProgress& series, const SeriesVariant& variant)
{
    const std::string_view kind = toString(series.plan->kind);
    return {{QStringLiteral("id"), series.id},
            {QStringLiteral("kind"), QString::fromLatin1(kind.data(), static_cast<qsizetype>(kind.size()))},
            {QStringLiteral("variant"), variant.key},
            {QStringLiteral("words"), variant.words}};
}

QString nameOf(const SeriesProgress& series, const SeriesVariant& variant, const QString& given)
{
    if (!given.isEmpty())
        return QStringLiteral("%1: %2").arg(given, variant.words);
    return series.plan->kind == SeriesKind::Endpoints
               ? QStringLiteral("%1, each endpoint").arg(variant.words)
               : QStringLiteral("%1, %2").arg(QString::fromStdString(variant.plan.target), variant.words);
}

} // namespace

engine::EngineOptions engineFor(const LoadPlan& plan, engine::EngineOptions options)
{
    options.seed = plan.seed;
    options.mostInFlight = concurrencyOf(plan);
    options.maxConnectionsPerOrigin = std::max(options.maxConnectionsPerOrigin, options.mostInFlight);
    return options;
}

std::string_view toString(SeriesState state)
{
    constexpr std::array kWords{"idle", "running", "stopping", "finished", "cancelled", "failed"};
    return kWords[static_cast<std::size_t>(state)];
}

SeriesSession::SeriesSession(MakeBench makeBench, const workspace::Workspace& workspace, const cost::PriceBook& prices)
    : makeBench_(std::move(makeBench))
    , workspace_(workspace)
    , prices_(prices)
    , shared_(std::make_shared<Shared>())
{
}

SeriesSession::~SeriesSession()
{
    stop();
    stop();
    if (thread_.joinable())
        thread_.join();
}

QString SeriesSession::check(const SeriesPlan& series) const
{
    return checkSeries(series, workspace_);
}

QString SeriesSession::start(const SeriesPlan& series)
{
    if (const QString problem = check(series); !problem.isEmpty())
        return problem;
    if (const SeriesProgressPtr last = progress(); last && isActive(last->state))
        return QStringLiteral("A series is still under way. Stop it first.");
    if (thread_.joinable())
        thread_.join(); // it is over
    Settings settings{makeBench_, requestFolder_, name_, variantsOf(series, workspace_)};
    SeriesProgress begun;
    begun.state = SeriesState::Running;
    begun.id = history::newRunId(QDateTime::currentDateTimeUtc());
    begun.plan = std::make_shared<const SeriesPlan>(series);
    begun.table.kind = series.kind;
    begun.runs.resize(settings.variants.size());
    for (const SeriesVariant& variant : settings.variants)
        begun.table.rows.push_back(
            {variant.key, variant.words, variant.about, SeriesRunState::Waiting, {}, {}, {}, {}});
    shared_->stops = 0;
    shared_->change([&](SeriesProgress& now) { now = std::move(begun); });
    try {
        thread_ = std::thread([shared = shared_, settings = std::move(settings)] { runAll(*shared, settings); });
    } catch (const std::system_error&) { // the process has as many as it may
        const QString problem = QStringLiteral("The system gives no thread for the series. End other programs.");
        shared_->change([&](SeriesProgress& now) {
            now.state = SeriesState::Failed;
            now.error = problem;
        });
        return problem;
    }
    return {};
}

void SeriesSession::stop()
{
    bool wasActive = false;
    {
        const std::lock_guard lock(shared_->mutex);
        wasActive = isActive(shared_->now.state);
        if (!wasActive)
            return;
        ++shared_->stops;
        if (shared_->engine)
            shared_->stopRun();
    }
    shared_->change([](SeriesProgress& now) {
        if (isActive(now.state))
            now.state = SeriesState::Stopping;
    });
}

SeriesProgressPtr SeriesSession::progress() const
{
    const std::lock_guard lock(shared_->mutex);
    return shared_->picture;
}

CostEstimate SeriesSession::estimate(const SeriesPlan& series) const
{
    CostEstimate sum;
    if (!check(series).isEmpty())
        return sum;
    sum.likelyUsd = sum.worstUsd = 0;
    const auto add = [](std::optional<double>& to, const std::optional<double>& part) {
        to = to && part ? std::optional(*to + *part) : std::nullopt;
    };
    for (const SeriesVariant& variant : variantsOf(series, workspace_)) {
        const CostEstimate one = estimateCost(variant.plan, variant.workspace, prices_);
        add(sum.likelyUsd, one.likelyUsd);
        add(sum.worstUsd, one.worstUsd);
        sum.inputTokens += one.inputTokens;
        sum.outputTokens += one.outputTokens;
        for (const std::string& model : one.unpriced)
            if (std::ranges::find(sum.unpriced, model) == sum.unpriced.end())
                sum.unpriced.push_back(model);
    }
    return sum;
}

namespace {

/// Ends with the run. In the series' thread, but for what it posts.
class OneRun
{
public:
    OneRun(const SeriesVariant& variant, const SeriesProgress& series, const QString& folder, const QString& name)
        : variant_(variant)
        , began_(QDateTime::currentDateTimeUtc())
        , id_(history::newRunId(began_))
        , facts_(seriesFacts(series, variant))
        , name_(nameOf(series, variant, name))
        , log_(beginLog(folder, id_))
    {
        result_->lock = beginFile(folder, begunRun(variant.plan, id_, began_, name_));
    }

    /// `publish` and `over` are called in the engine's thread.
    LoadRun* begin(engine::Engine& engine, const std::function<void(RunProgressPtr)>& publish,
                   const std::function<void()>& over)
    {
        engine.run([&](engine::EngineCore& core) {
            run_ = new LoadRun(core, variant_.plan);
            if (log_)
                run_->setSampleListener(
                    [this](const measure::Sample& sample, RunPart) { log_->add(sample, run_->startedAt()); });
            QObject::connect(run_, &LoadRun::finished, run_, [over] { over(); });
            auto* timer = new QTimer(run_);
            QObject::connect(timer, &QTimer::timeout, run_, [this, publish] { publish(run_->progress()); });
            timer->start(kPublishEveryMs);
            run_->start();
        });
        return run_;
    }

    SeriesRunPtr end(SeriesBench& bench)
    {
        QJsonObject report;
        bench.engine->run([&](engine::EngineCore&) {
            report = reportOf(*run_);
            result_->estimates = estimatesOf(*run_);
            result_->last = run_->progress();
            delete std::exchange(run_, nullptr);
        });
        report.insert(QStringLiteral("series"), facts_);
        if (bench.addFacts)
            bench.addFacts(report);
        finishLog(report);
        result_->record = keptRun(variant_.plan, report, id_, began_, name_);
        return result_;
    }

private:
    void finishLog(QJsonObject& report)
    {
        if (!log_)
            return;
        const history::SampleLogEnd end = log_->finish();
        report.insert(QStringLiteral("rows"), history::rowsJson(end));
        result_->logProblem = end.problem;
        if (end.problem.isEmpty() && end.dropped > 0)
            result_->logProblem = QStringLiteral("%1 of the requests are not in the file.").arg(end.dropped);
    }

    const SeriesVariant& variant_;
    std::shared_ptr<SeriesRun> result_ = std::make_shared<SeriesRun>();
    QDateTime began_;
    QString id_;
    QJsonObject facts_;
    QString name_;
    std::unique_ptr<history::SampleLog> log_; ///< null: nothing is kept
    LoadRun* run_ = nullptr;                  ///< lives and dies in the engine's thread
};

} // namespace

void SeriesSession::runAll(Shared& shared, const Settings& settings)
{
    const auto isStopped = [&] {
        const std::lock_guard lock(shared.mutex);
        return shared.stops > 0;
    };
    QString error;
    std::size_t done = 0;
    for (; done < settings.variants.size() && error.isEmpty() && !isStopped(); ++done) {
        const SeriesVariant& variant = settings.variants[done];
        SeriesProgress series;
        shared.change([&](SeriesProgress& now) {
            now.current = done;
            now.table.rows[done].state = SeriesRunState::Running;
            series = now;
        });
        auto bench = settings.makeBench(variant);
        if (!bench) {
            error = bench.error();
            break;
        }
        if (isStopped())
            break;
        OneRun one(variant, series, settings.requestFolder, settings.name);
        const auto publish = [&](RunProgressPtr picture) {
            shared.change([&](SeriesProgress& now) { now.run = std::move(picture); });
        };
        const auto over = [&] {
            const std::lock_guard lock(shared.mutex);
            shared.isRunOver = true;
            shared.changed.notify_all();
        };
        LoadRun* run = one.begin(*bench->engine, publish, over);
        {
            std::unique_lock lock(shared.mutex);
            shared.engine = bench->engine.get();
            shared.run = run;
            for (int i = 0; i < shared.stops; ++i)
                shared.stopRun();
            shared.changed.wait(lock, [&] { return shared.isRunOver; });
            shared.isRunOver = false;
            shared.engine = nullptr; // nobody posts to it from now on
            shared.run = nullptr;
        }
        const SeriesRunPtr ended = one.end(*bench);
        shared.change([&](SeriesProgress& now) {
            now.run = nullptr;
            now.current = done + 1;
            now.runs[done] = ended;
            now.table.rows[done] = finishedRow(variant, ended->record.report, ended->estimates);
            now.table.rows[done].runId = ended->record.summary.id;
            judge(now.table);
        });
    }
    shared.change([&](SeriesProgress& now) {
        const bool isCut = done < settings.variants.size();
        now.state = !error.isEmpty()   ? SeriesState::Failed
                    : shared.stops > 0 ? SeriesState::Cancelled
                                       : SeriesState::Finished;
        now.error = error;
        now.run = nullptr;
        for (std::size_t i = done; isCut && i < now.table.rows.size(); ++i) {
            SeriesRow& row = now.table.rows[i];
            row.state = !error.isEmpty() && i == done ? SeriesRunState::Failed : SeriesRunState::Skipped;
            if (row.state == SeriesRunState::Failed)
                row.reasons = {error};
        }
        now.current = now.table.rows.size();
    });
}

} // namespace sg::load
