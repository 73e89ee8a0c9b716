// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_core.h"

#include "core/engine/bill.h"
#include "core/engine/pass_on.h"
#include "core/engine/request_driver.h"

#include <QDateTime>

namespace sg::engine {

namespace {

observe::WallAnchor anchorNow()
{
    return {http::steadyNow(), QDateTime::currentMSecsSinceEpoch()};
}

std::string_view inWords(observe::BreakerCommand command)
{
    switch (command) {
    case observe::BreakerCommand::ForceOpen:
        return "Forced open";
    case observe::BreakerCommand::ForceClosed:
        return "Forced closed";
    case observe::BreakerCommand::ProbeNow:
        return "Probe asked for";
    case observe::BreakerCommand::Reset:
        return "Reset";
    case observe::BreakerCommand::Release:
        return "Lock removed";
    }
    return "";
}

/// Why a breaker in such a state does not heed a command; empty: it does.
std::string_view inVainBecause(observe::BreakerCommand command, policy::BreakerState state)
{
    using policy::BreakerState;
    const bool isHeld = state == BreakerState::ForcedOpen || state == BreakerState::ForcedClosed;
    if (command == observe::BreakerCommand::Release)
        return isHeld ? "" : "nothing holds its breaker";
    if (command != observe::BreakerCommand::ProbeNow || state == BreakerState::Open)
        return "";
    if (isHeld)
        return "its breaker is held, which only a release or a reset ends";
    return state == BreakerState::HalfOpen ? "its breaker lets probes through already"
                                           : "its breaker is not open, so every request goes through";
}

} // namespace

EngineCore::EngineCore(const EngineOptions& options, QObject* parent)
    : QObject(parent)
    , options_(options)
    , anchor_(anchorNow())
    , random_(options.seed)
    , recorder_(anchor_)
    , switchboard_(random_,
                   [this](const std::string& endpoint, const policy::BreakerTransition& transition) {
                       recorder_.onBreaker(endpoint, transition);
                       if (transitionListener_)
                           transitionListener_(endpoint, transition);
                   })
    , budget_(options.maxArrivingBytes)
    , transport_(options.transport, options.mostInFlight, {options.maxConnectionsPerOrigin})
    , timers_(this)
{
}

EngineCore::~EngineCore()
{
    Q_EMIT ending();
    transitionListener_ = {};
    for (const auto& [id, pass] : std::exchange(passes_, {}))
        pass->abandon();
    beside_.reset();
    drivers_.clear();
    done_.clear();
}

void EngineCore::apply(const workspace::Workspace& workspace, const cost::PriceBook& prices, const QUrl& simulatorBase,
                       const KeyLookup& keys)
{
    simulatorBase_ = simulatorBase;
    switchboard_.apply(workspace, prices, simulatorBase, keys, http::steadyNow());
    recorder_.setWorkspace(workspace.name.toStdString(), workspace.environment.toStdString(),
                           switchboard_.usesSimulator(), switchboard_.hasCache());
    std::vector<observe::EndpointInfo> infos;
    for (const std::string& name : switchboard_.endpointNames()) {
        const ServingEndpoint* endpoint = switchboard_.endpoint(name);
        const QUrl& url = endpoint->route->chatUrl;
        infos.push_back({name, endpoint->config.provider.toStdString(), endpoint->config.model.toStdString(),
                         endpoint->state, url.host().toStdString(),
                         std::max(0, url.port(url.scheme() == QLatin1String("https") ? 443 : 80))});
    }
    recorder_.setEndpoints(std::move(infos));
    std::vector<std::shared_ptr<chain::ChainState>> chains;
    for (const std::string& name : switchboard_.chainNames())
        chains.push_back(switchboard_.find({TargetKind::Chain, name}));
    recorder_.setChains(std::move(chains));
    Q_EMIT applied();
}

CallId EngineCore::start(Call call)
{
    const CallId id = nextId_++;
    auto chain = switchboard_.find(call.target);
    if (!chain) {
        // A chain without tiers answers as every chain whose tiers are out: in the run's own words.
        chain::ChainSpec empty;
        empty.name = call.target.name;
        chain = std::make_shared<chain::ChainState>(empty, std::vector<std::shared_ptr<chain::EndpointState>>{});
    }
    recorder_.onRequestStarted(http::steadyNow());
    drivers_[id] =
        std::make_shared<RequestDriver>(*this, id, std::move(call), std::move(chain), switchboard_.endpoints());
    // Through the event loop: an answer from the cache would otherwise end the call before the caller has its id, and
    // a closed loop over cached answers would recurse.
    startLater(id);
    return id;
}

void EngineCore::startLater(CallId id)
{
    if (toStart_.empty())
        QMetaObject::invokeMethod(this, &EngineCore::startQueued, Qt::QueuedConnection);
    toStart_.push_back(id);
}

CallId EngineCore::pass(PassCall call)
{
    const CallId id = nextId_++;
    recorder_.onRequestStarted(http::steadyNow());
    const ServingEndpoint* serving = switchboard_.endpoint(call.endpoint);
    passes_[id] = std::make_shared<PassOn>(*this, id, std::move(call), serving);
    startLater(id);
    return id;
}

void EngineCore::passEnded(CallId id, const chain::RunRecord& record, Instant intended,
                           const observe::RequestMoney& money)
{
    passes_.erase(id);
    recorder_.onRequestFinished(record, intended, money, http::steadyNow());
}

void EngineCore::listModels(const std::string& endpoint, std::function<void(const ModelsResult&)> done)
{
    if (const ServingEndpoint* serving = switchboard_.endpoint(endpoint))
        return engine::listModels(transport_, *beside_, serving->route, anchor_, std::move(done));
    done(tl::unexpected(QStringLiteral("There is no endpoint of this name.")));
}

void EngineCore::startQueued()
{
    for (const CallId id : std::exchange(toStart_, {})) {
        const auto driver = drivers_.find(id);
        if (driver != drivers_.end())
            driver->second->start();
        if (const auto pass = passes_.find(id); pass != passes_.end())
            std::shared_ptr(pass->second)->start();
    }
}

void EngineCore::cancel(CallId id)
{
    const auto driver = drivers_.find(id);
    if (driver != drivers_.end())
        driver->second->cancel();
    if (const auto pass = passes_.find(id); pass != passes_.end())
        std::shared_ptr(pass->second)->cancel();
}

void EngineCore::setPaused(CallId id, bool paused)
{
    const auto driver = drivers_.find(id);
    if (driver != drivers_.end())
        driver->second->setPaused(paused);
}

std::optional<RunningRequest> EngineCore::running(CallId id) const
{
    const auto driver = drivers_.find(id);
    if (driver == drivers_.end())
        return std::nullopt;
    return RunningRequest{driver->second->run().record(), driver->second->attempt(),
                          driver->second->run().chain().spec(), driver->second->latest()};
}

void EngineCore::finished(RequestDriver& driver, const chain::Finished& end)
{
    const auto node = drivers_.extract(driver.id());
    if (done_.empty())
        QMetaObject::invokeMethod(
            this, [this] { done_.clear(); }, Qt::QueuedConnection);

    const chain::RunRecord& record = driver.run().record();
    const bool fromCache = record.source == chain::Source::Cache || record.source == chain::Source::SharedCall;
    const Bill bill = billOf(record, [&](const std::string& endpoint) {
        const ServingEndpoint* serving = switchboard_.endpointFor(driver.endpoints(), endpoint);
        return serving ? serving->price : std::nullopt;
    });
    observe::RequestMoney money = moneyOf(bill);
    if (fromCache && end.answer)
        money.saved = valueOf(*end.answer);

    const chain::ChainState& served = driver.run().chain();
    const bool direct = driver.call().target.kind == TargetKind::Endpoint;
    recorder_.onRequestFinished(record, driver.call().intended, money, http::steadyNow(),
                                direct ? nullptr : &served.spec());
    const chain::ResponseCache* cache = served.cache();
    if (driver.call().onFinished)
        driver.call().onFinished({record, end.answer, fromCache ? provider::Usage{} : driver.usage(), money.cost,
                                  money.costIsLowerBound, driver.call().intended, bill.estimatedNanoUsd,
                                  record.source == chain::Source::Endpoint ? driver.leftOut() : QStringList(),
                                  &served.spec()});
    if (end.leaderOf)
        tellFollowers(cache, *end.leaderOf, end.answer);
    done_.push_back(std::move(node.mapped()));
}

void EngineCore::tellFollowers(const chain::ResponseCache* cache, const std::string& key,
                               const std::shared_ptr<const provider::Answer>& answer)
{
    const auto waiting = followers_.extract({cache, key});
    if (waiting.empty())
        return;
    for (const CallId id : waiting.mapped()) {
        const auto driver = drivers_.find(id);
        if (driver != drivers_.end())
            driver->second->leaderDone(answer);
    }
}

void EngineCore::attemptStarted(const std::string& endpoint)
{
    recorder_.onAttemptStarted(endpoint, http::steadyNow());
}

void EngineCore::attemptFinished(const chain::AttemptRecord& attempt)
{
    recorder_.onAttemptFinished(attempt, http::steadyNow());
}

std::optional<cost::Price> EngineCore::priceOf(const std::string& endpoint) const
{
    const ServingEndpoint* serving = switchboard_.endpoint(endpoint);
    return serving ? serving->price : std::nullopt;
}

std::optional<std::int64_t> EngineCore::valueOf(const provider::Answer& answer) const
{
    const auto price = priceOf(switchboard_.endpointOfModel(answer.model));
    const auto total = provider::chargeOf(answer.usage, price).total;
    return total ? std::optional(total->count()) : std::nullopt;
}

std::string_view EngineCore::command(const std::string& endpoint, observe::BreakerCommand command,
                                     const std::string& reason)
{
    const ServingEndpoint* serving = switchboard_.endpoint(endpoint);
    if (!serving)
        return "there is no such endpoint";
    const Instant now = http::steadyNow();
    policy::Breaker& breaker = serving->state->breaker();
    std::string text(inWords(command));
    text += reason.empty() ? " by the operator" : " by the operator: “" + reason + "”";
    const std::string_view inVain = inVainBecause(command, breaker.state(now));
    if (!inVain.empty())
        text.append(", in vain: ").append(inVain);
    recorder_.note(observe::EventKind::Manual, observe::Severity::Info, endpoint, text, now);
    switch (command) {
    case observe::BreakerCommand::ForceOpen:
        breaker.trip(now);
        break;
    case observe::BreakerCommand::ForceClosed:
        breaker.holdClosed(now);
        break;
    case observe::BreakerCommand::ProbeNow:
        breaker.probeNow(now);
        break;
    case observe::BreakerCommand::Reset:
        // Also the way back for a key that was refused: paid up, or its rights restored, it looks the same as before.
        serving->state->credential() = {};
        breaker.reset(now);
        break;
    case observe::BreakerCommand::Release:
        breaker.release(now);
        break;
    }
    return inVain;
}

} // namespace sg::engine
