// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/session.h"

#include "core/engine/engine_tester.h"
#include "core/history/run_files.h"
#include "core/history/sample_log.h"
#include "core/load/kept_run.h"
#include "core/load/run.h"

#include "core/policy/text.h"

#include <QTimer>

#include <system_error>
#include <thread>

namespace sg::load {

namespace {
constexpr int kPublishEveryMs = 100;
}

/// What is written of a run while it goes.
struct LoadSession::Keeping
{
    std::unique_ptr<history::SampleLog> log;
    std::shared_ptr<history::RunLock> lock; ///< the log's thread's, until the log has finished
};

struct LoadSession::Shared
{
    std::mutex mutex; ///< guards picture; held for a pointer copy only
    RunProgressPtr picture;
    /// Of a run over a URL, so that its figures are in nobody else's; engine thread only, like what follows.
    std::unique_ptr<engine::EngineCore> own;
    std::unique_ptr<LoadRun> run;
    std::unique_ptr<QTimer> timer;
    std::shared_ptr<Keeping> keeping; ///< null: nothing of the run is kept

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

/// An engine that knows one endpoint, which is the address.
std::unique_ptr<engine::EngineCore> engineFor(const LoadPlan& plan, const engine::EngineCore& beside,
                                              const engine::KeyLookup& keys)
{
    engine::EngineOptions options = beside.options();
    options.transport = beside.wantedTransport();
    options.mostInFlight = concurrencyOf(plan);
    options.maxConnectionsPerOrigin = std::max(options.maxConnectionsPerOrigin, options.mostInFlight);
    auto own = std::make_unique<engine::EngineCore>(options);
    own->apply(workspaceAt(*plan.url), {}, {}, keys);
    return own;
}

/// A picture of the one key for the engine's thread.
engine::KeyLookup lookupOf(const workspace::KeyRef& ref, const engine::KeyLookup& keys)
{
    tl::expected<QByteArray, QString> key = tl::unexpected(QStringLiteral("The address has no key."));
    if (keys && ref.source != workspace::KeySource::None)
        key = keys(ref);
    return [key](const workspace::KeyRef&) { return key; };
}

/// In one of its own; where the process has as many as it may, here.
void inThread(const std::function<void()>& work)
{
    try {
        std::thread(work).detach();
    } catch (const std::system_error&) {
        work();
    }
}

QString nameOf(const LoadPlan& plan)
{
    return QStringLiteral("%1, %2").arg(targetName(plan), modelWords(plan.model));
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
    auto keeping = std::make_shared<Keeping>();
    keeping->lock = std::make_shared<history::RunLock>();
    // Its prompts may be many and the disk slow: the engine thread does not wait. Without this file a run that is
    // killed is still found by its rows.
    keeping->log = history::SampleLog::createFor(files, id, [lock = keeping->lock, files, plan = run.plan(), id, now] {
        if (auto begun = files.begin(begunRun(plan, id, now, nameOf(plan))))
            *lock = *std::move(begun);
    });
    run.setSampleListener(
        [keeping, &run](const measure::Sample& sample, RunPart) { keeping->log->add(sample, run.startedAt()); });
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
        shared->own.reset();
        shared->keeping.reset(); // waits for the disk, in this thread
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

void LoadSession::setKeys(engine::KeyLookup keys, std::function<void(const workspace::KeyRef&)> expect)
{
    keys_ = std::move(keys);
    expectKey_ = std::move(expect);
    tester_ = std::make_unique<engine::EngineTester>(engine_, keys_);
}

QString LoadSession::keyProblem(const workspace::KeyRef& key) const
{
    if (key.source == workspace::KeySource::None)
        return {};
    if (!keys_)
        return QStringLiteral("No keys are known here.");
    if (expectKey_)
        expectKey_(key);
    const auto found = keys_(key);
    return found ? QString() : found.error();
}

void LoadSession::test(const UrlTarget& url, std::function<void(const engine::ConnectionResult&)> done)
{
    if (!tester_)
        tester_ = std::make_unique<engine::EngineTester>(engine_, lookupOf({}, {}));
    auto workspace = std::make_shared<const workspace::Workspace>(workspaceAt(url));
    tester_->test(workspace, workspace->endpoints.front().spec.name, std::move(done));
}

QString LoadSession::refusalOf(const LoadPlan& plan) const
{
    if (plan.targetKind == TargetKind::Url)
        return keyProblem(plan.url->key);
    const auto& known = plan.targetKind == TargetKind::Chain ? chains_ : endpoints_;
    if (std::ranges::find(known, plan.target) != known.end())
        return {};
    return QStringLiteral("There is no target \"%1\" in this workspace. Choose another.")
        .arg(QString::fromStdString(plan.target));
}

QString LoadSession::start(const LoadPlan& plan)
{
    if (const QString problem = checkPlan(plan); !problem.isEmpty())
        return problem;
    if (const QString refusal = refusalOf(plan); !refusal.isEmpty())
        return refusal;
    const RunProgressPtr last = progress();
    if (last &&
        (last->state == RunState::Starting || last->state == RunState::Running || last->state == RunState::Stopping))
        return QStringLiteral("A run is still under way. Stop it first.");

    RunProgress starting;
    starting.state = RunState::Starting;
    starting.plan = plan;
    shared_->publish(std::move(starting));
    std::optional<engine::KeyLookup> urlKeys;
    if (plan.url)
        urlKeys = lookupOf(plan.url->key, keys_);
    engine_.post([shared = shared_, plan, urlKeys, folder = requestFolder_](engine::EngineCore& core) {
        shared->run.reset();
        shared->own = urlKeys ? engineFor(plan, core, *urlKeys) : nullptr;
        shared->run = std::make_unique<LoadRun>(shared->own ? *shared->own : core, plan);
        shared->keeping = beginKeeping(*shared->run, folder);
        shared->timer = std::make_unique<QTimer>();
        QObject::connect(shared->timer.get(), &QTimer::timeout, &core, [shared] { shared->publish(); });
        QObject::connect(shared->run.get(), &LoadRun::finished, &core, [shared] {
            shared->timer->stop();
            if (!shared->keeping)
                return shared->publish();
            // The disk may be behind: the engine thread does not wait for it, the report does.
            inThread([shared, keeping = shared->keeping, last = shared->run->progress()] {
                const history::SampleLogEnd rows = keeping->log->finish();
                RunProgress ended = *last;
                ended.report.insert(QStringLiteral("rows"), history::rowsJson(rows));
                ended.rowsProblem = rows.problem;
                ended.lock = keeping->lock;
                shared->publish(std::move(ended));
            });
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
    if (plan.targetKind == TargetKind::Url && plan.url && ownChain(*plan.url)) {
        LoadPlan behind = plan; // what is behind the own gateway is known
        behind.targetKind = TargetKind::Chain;
        behind.target = plan.url->model.trimmed().toStdString();
        return estimateCost(behind, workspace_, prices_);
    }
    return estimateCost(plan, workspace_, prices_);
}

const workspace::Chain* LoadSession::ownChain(const UrlTarget& url) const
{
    if (!gateway_ || !gateway_->serves || hostOf(url.baseUrl) != hostOf(gateway_->baseUrl))
        return nullptr;
    return workspace_.chain(url.model.trimmed().toStdString());
}

} // namespace sg::load
