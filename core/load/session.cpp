// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/session.h"

#include "core/history/keep_limits.h"
#include "core/history/run_files.h"
#include "core/history/sample_log.h"
#include "core/load/kept_run.h"
#include "core/load/run.h"

#include "core/policy/text.h"

#include <QTimer>

#include <thread>

namespace sg::load {

namespace {
constexpr int kPublishEveryMs = 100;
}

/// What is written of a run while it goes.
struct LoadSession::Keeping
{
    std::unique_ptr<history::SampleLog> log;
    std::mutex mutex; ///< guards begun
    history::RunLock begun;
};

struct LoadSession::Shared
{
    std::mutex mutex; ///< guards picture; held for a pointer copy only
    RunProgressPtr picture;
    std::unique_ptr<LoadRun> run;     ///< engine thread only
    std::unique_ptr<QTimer> timer;    ///< engine thread only
    std::shared_ptr<Keeping> keeping; ///< engine thread only; null: nothing of the run is kept

    void publish()
    {
        RunProgressPtr fresh = run->progress();
        if (const QString problem = keeping ? keeping->log->problem() : QString(); !problem.isEmpty()) {
            RunProgress told = *fresh;
            told.rowsProblem = problem;
            return publish(std::move(told));
        }
        const std::lock_guard lock(mutex);
        picture = std::move(fresh);
    }
    void publish(RunProgress last)
    {
        const std::lock_guard lock(mutex);
        picture = std::make_shared<const RunProgress>(std::move(last));
    }
};

namespace {

QString nameOf(const LoadPlan& plan)
{
    return QStringLiteral("%1, %2").arg(text(plan.target), modelWords(plan.model));
}

} // namespace

/// Null: nothing is to be kept.
std::shared_ptr<LoadSession::Keeping> LoadSession::beginKeeping(LoadRun& run, const QString& folder)
{
    if (folder.isEmpty())
        return nullptr;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QString id = history::newRunId(now);
    run.setIdentity(id, now);
    const history::RunFiles files(folder);
    const auto limits = history::readLimits(folder).value_or(history::KeepLimits());
    history::SampleLogLimits bounds;
    bounds.file = limits.bytesOfOne;
    auto keeping = std::make_shared<Keeping>();
    keeping->log = history::SampleLog::create(files.requestsPathOf(id), bounds);
    run.setSampleListener(
        [keeping, &run](const measure::Sample& sample, RunPart) { keeping->log->add(sample, run.startedAt()); });
    // Its prompts may be many and the disk slow: the engine thread does not wait. Without this file a run that is
    // killed is still found by its rows.
    std::thread([keeping, files, plan = run.plan(), id, now] {
        auto begun = files.begin(begunRun(plan, id, now, nameOf(plan)));
        const std::lock_guard lock(keeping->mutex);
        if (begun)
            keeping->begun = *std::move(begun);
    }).detach();
    return keeping;
}

LoadSession::LoadSession(engine::Engine& engine, const workspace::Workspace& workspace, const cost::PriceBook& prices)
    : engine_(engine)
    , prices_(prices)
    , shared_(std::make_shared<Shared>())
{
    setWorkspace(workspace);
}

void LoadSession::setWorkspace(const workspace::Workspace& workspace)
{
    workspace_ = workspace;
    chains_.clear();
    endpoints_.clear();
    for (const workspace::Chain& chain : workspace.chains)
        chains_.push_back(chain.spec.name);
    for (const workspace::Endpoint& endpoint : workspace.endpoints)
        endpoints_.push_back(endpoint.spec.name);
}

LoadSession::~LoadSession()
{
    // Not waited for: this is the GUI thread. The engine does what was posted before it ends.
    engine_.post([shared = shared_](engine::EngineCore&) {
        shared->timer.reset();
        shared->run.reset();
    });
}

std::vector<std::string> LoadSession::chains() const
{
    return chains_;
}

std::vector<std::string> LoadSession::endpoints() const
{
    return endpoints_;
}

QString LoadSession::start(const LoadPlan& plan)
{
    if (const QString problem = checkPlan(plan); !problem.isEmpty())
        return problem;
    const auto& known = plan.targetKind == TargetKind::Chain ? chains_ : endpoints_;
    if (std::ranges::find(known, plan.target) == known.end())
        return QStringLiteral("There is no target \"%1\" in this workspace. Choose another.")
            .arg(QString::fromStdString(plan.target));
    const RunProgressPtr last = progress();
    if (last &&
        (last->state == RunState::Starting || last->state == RunState::Running || last->state == RunState::Stopping))
        return QStringLiteral("A run is still under way. Stop it first.");

    RunProgress starting;
    starting.state = RunState::Starting;
    starting.plan = plan;
    shared_->publish(std::move(starting));
    engine_.post([shared = shared_, plan, folder = requestFolder_](engine::EngineCore& core) {
        shared->run = std::make_unique<LoadRun>(core, plan);
        shared->keeping = beginKeeping(*shared->run, folder);
        shared->timer = std::make_unique<QTimer>();
        QObject::connect(shared->timer.get(), &QTimer::timeout, &core, [shared] { shared->publish(); });
        QObject::connect(shared->run.get(), &LoadRun::finished, &core, [shared] {
            shared->timer->stop();
            if (!shared->keeping)
                return shared->publish();
            // The disk may be behind: the engine thread does not wait for it, the report does.
            std::thread([shared, keeping = shared->keeping, last = shared->run->progress()] {
                const history::SampleLogEnd rows = keeping->log->finish();
                RunProgress ended = *last;
                ended.report.insert(QStringLiteral("rows"), history::rowsJson(rows));
                ended.rowsProblem = rows.problem;
                shared->publish(std::move(ended));
            }).detach();
        });
        shared->timer->start(kPublishEveryMs);
        shared->run->start();
    });
    return {};
}

void LoadSession::stop()
{
    engine_.post([shared = shared_](engine::EngineCore&) {
        if (shared->run)
            shared->run->stop();
    });
}

void LoadSession::setRate(double perSecond)
{
    engine_.post([shared = shared_, perSecond](engine::EngineCore&) {
        if (shared->run)
            shared->run->setRate(perSecond);
    });
}

void LoadSession::setUsers(int users)
{
    engine_.post([shared = shared_, users](engine::EngineCore&) {
        if (shared->run)
            shared->run->setUsers(users);
    });
}

RunProgressPtr LoadSession::progress() const
{
    const std::lock_guard lock(shared_->mutex);
    return shared_->picture;
}

CostEstimate LoadSession::estimate(const LoadPlan& plan) const
{
    return estimateCost(plan, workspace_, prices_);
}

} // namespace sg::load
