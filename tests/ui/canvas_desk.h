// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/edits.h"
#include "tests/support/sample_snapshots.h"
#include "tests/ui/fake_serving.h"
#include "ui/chains/chain_editor.h"

#include <memory>

/// Chains and their traffic for the canvas, with every number made up.
namespace sg::test {

inline workspace::Endpoint canvasEndpoint(const char* name, const char* provider, double in, double out,
                                          std::int64_t window, double rpm)
{
    workspace::Endpoint endpoint;
    endpoint.provider = QString::fromUtf8(provider);
    endpoint.model = QString::fromUtf8(name);
    endpoint.spec.name = name;
    endpoint.spec.capabilities.contextWindow = window;
    endpoint.spec.requestsPerMinute = rpm;
    cost::Price price;
    price.input = cost::NanoDollars::fromUsd(in);
    price.output = cost::NanoDollars::fromUsd(out);
    endpoint.price = price;
    return endpoint;
}

/// The eight endpoints of the pictures and a chain without anything in it.
inline workspace::Workspace canvasWorkspace()
{
    workspace::Workspace w = workspace::emptyWorkspace(QStringLiteral("acme-assist"));
    w.chains.clear();
    w.endpoints.clear();
    w.endpoints.push_back(canvasEndpoint("gpt-4.1", "openai", 2, 8, 1'047'576, 1000));
    w.endpoints.push_back(canvasEndpoint("gpt-4.1-mini", "openai", 0.4, 1.6, 1'047'576, 2000));
    w.endpoints.push_back(canvasEndpoint("gpt-4.1 (eu)", "azure", 2, 8, 1'047'576, 600));
    w.endpoints.push_back(canvasEndpoint("claude-sonnet-4.5", "anthropic", 3, 15, 200'000, 800));
    w.endpoints.push_back(canvasEndpoint("claude-haiku-4.5", "anthropic", 1, 5, 200'000, 1000));
    w.endpoints.push_back(canvasEndpoint("gemini-2.5-flash", "google", 0.3, 2.5, 1'048'576, 1000));
    w.endpoints.push_back(canvasEndpoint("deepseek-v3.2", "deepseek", 0.28, 0.42, 131'072, 500));
    w.endpoints.push_back(canvasEndpoint("sim-flaky", "simulator", 0, 0, 128'000, 6000));
    workspace::Chain chain;
    chain.spec.name = "prod-chat";
    w.chains.push_back(chain);
    return w;
}

inline void addTier(workspace::Chain& chain, const char* endpoint)
{
    workspace::insertTier(chain.spec, chain.spec.tiers.size(), workspace::tierFor(endpoint));
}

/// Limiter, cache, four tiers and a canned reply with six rules.
inline workspace::Workspace pictureWorkspace()
{
    workspace::Workspace w = canvasWorkspace();
    workspace::Chain& chain = w.chains.front();
    chain.spec.limiter = chain::LimiterSpec{20, 40, std::chrono::seconds(2), {}, Millis(60000)};
    chain.spec.cache = chain::CacheSpec{50'000, 64u << 20, std::chrono::minutes(15)};
    for (const char* name : {"gpt-4.1", "claude-sonnet-4.5", "gemini-2.5-flash", "deepseek-v3.2"})
        addTier(chain, name);
    chain.spec.tiers[0].movesOn.contextTooLong = false;
    chain.spec.tiers[1].movesOn.openBreaker = false;
    chain.spec.tiers[2].movesOn = {true, false, false, true, false, true};
    chain.spec.tiers[3].movesOn = {false, true, true, true, false, false};
    chain::TierSpec canned = workspace::cannedTier();
    canned.rules = {{{"hello"}, "Hello."},        {{"price"}, "See the list."},  {{"refund"}, "A person will answer."},
                    {{"hours"}, "Nine to five."}, {{"status"}, "We are on it."}, {{}, "Please try again soon."}};
    workspace::insertTier(chain.spec, 4, canned);
    return w;
}

inline observe::TierView tierView(const char* name, std::int64_t entered, std::int64_t answered)
{
    observe::TierView view;
    view.name = view.endpoint = name;
    view.entered = entered;
    view.answered = answered;
    return view;
}

inline std::int64_t& moved(observe::TierView& view, observe::MovedBy by)
{
    return view.moved[static_cast<std::size_t>(by)];
}

/// 744 requests of the last minute, as in the pictures; shares add up to 100.0 %.
inline observe::Snapshot pictureSnapshot()
{
    using observe::MovedBy;
    observe::Snapshot snapshot = normalSnapshot();
    observe::ChainView view;
    view.name = "prod-chat";
    view.requests = view.answered = 1000;
    view.fromCache = 230;
    view.requestsPerSecond = 12.4;
    view.limiterUsed = 744;
    view.limiterLimit = 1200;
    view.cacheEntries = 38'412;
    view.tiers = {tierView("gpt-4.1", 770, 0), tierView("claude-sonnet-4.5", 770, 629),
                  tierView("gemini-2.5-flash", 141, 4), tierView("deepseek-v3.2", 137, 126),
                  tierView("canned reply", 11, 11)};
    moved(view.tiers[0], MovedBy::OpenBreaker) = 770;
    moved(view.tiers[1], MovedBy::ServerError) = 141;
    moved(view.tiers[2], MovedBy::OpenBreaker) = 130;
    moved(view.tiers[2], MovedBy::RateLimited) = 7;
    moved(view.tiers[3], MovedBy::Timeout) = 11;
    view.tiers[1].p95Ms = 2410;
    view.tiers[3].p95Ms = 3120;
    view.tiers[4].endpoint.clear();
    view.tiers[4].name = workspace::cannedTier().name;
    snapshot.chainsMinute = {view};
    view.windowMs = 900'000;
    snapshot.chainsWindow = {view};
    return snapshot;
}

/// One draft in front of an editor.
struct CanvasDesk
{
    explicit CanvasDesk(workspace::Workspace w)
        : start(std::make_shared<const workspace::Workspace>(std::move(w)))
        , serving(start)
        , draft(start)
        , editor(draft, serving)
    {
    }
    const chain::ChainSpec& spec() const { return editor.chain()->spec; }
    QStringList tiers() const
    {
        QStringList names;
        for (const chain::TierSpec& tier : spec().tiers)
            names << QString::fromStdString(tier.name);
        return names;
    }
    workspace::WorkspacePtr start;
    FakeServing serving;
    ui::Draft draft;
    ui::ChainEditor editor;
};

} // namespace sg::test
