// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/workspace_file.h"
#include "tests/ui/fake_serving.h"
#include "tests/ui/form_desk.h"
#include "ui/chains/chain_editor.h"

namespace sg::test {

/// Four providers in a row behind limiter and cache, as in the pictures of the chains page, and a canned reply.
inline workspace::Workspace sampleWorkspace()
{
    workspace::Workspace workspace = workspace::emptyWorkspace(QStringLiteral("acme-assist"));
    struct Row
    {
        const char *name, *provider;
        double perMinute;
        int openS;
    };
    for (const Row& row : {Row{"gpt-4.1", "openai", 500, 30},
                           {"claude-sonnet-4.5", "anthropic", 800, 15},
                           {"gemini-2.5-flash", "gemini", 1000, 20},
                           {"deepseek-v3.2", "deepseek", 500, 15}}) {
        workspace::Endpoint endpoint;
        endpoint.provider = QLatin1String(row.provider);
        endpoint.model = QLatin1String(row.name);
        endpoint.key = {workspace::KeySource::Keychain, QLatin1String(row.name), false};
        endpoint.timeouts.total = std::chrono::seconds(45);
        endpoint.timeouts.tokens.firstToken = std::chrono::seconds(10);
        endpoint.spec.name = row.name;
        endpoint.spec.quotaGroup = endpoint.spec.credential = row.name;
        endpoint.spec.requestsPerMinute = row.perMinute;
        endpoint.spec.maxInFlight = 64;
        endpoint.spec.breaker.failureRate = 0.5;
        endpoint.spec.breaker.minimumCalls = 20;
        endpoint.spec.breaker.open = std::chrono::seconds(row.openS);
        endpoint.spec.breaker.maxOpen = std::chrono::seconds(60);
        endpoint.spec.breaker.halfOpenMaxProbes = 3;
        workspace.endpoints.push_back(endpoint);
    }
    workspace::Chain chain;
    chain.spec.name = "prod-chat";
    chain.spec.maxServerWait = std::chrono::seconds(20);
    chain.spec.limiter = chain::LimiterSpec{20, 40, std::chrono::seconds(2), 1200, Millis(60000)};
    chain.spec.cache = chain::CacheSpec{};
    for (const auto& endpoint : workspace.endpoints) {
        chain::TierSpec tier = workspace::tierFor(endpoint.spec.name);
        tier.maxAttempts = 6;
        tier.backoff = {policy::BackoffKind::Exponential, 500, 2, 8000, {policy::JitterType::Full, 0, 0}};
        workspace::insertTier(chain.spec, chain.spec.tiers.size(), tier);
    }
    workspace::insertTier(chain.spec, 4, workspace::cannedTier());
    chain.spec.router = chain::RouterSpec{workspace::standardClasses()};
    workspace.chains.push_back(chain);
    return workspace;
}

/// An editor on a draft of a workspace, with nothing behind it that serves.
struct ChainDesk
{
    explicit ChainDesk(const workspace::Workspace& workspace = sampleWorkspace(),
                       ui::ThemeMode mode = ui::ThemeMode::Dark)
        : start(std::make_shared<const workspace::Workspace>(workspace))
        , serving(start)
        , draft(start)
        , editor(draft, serving)
        , form(mode)
    {
    }
    QByteArray bytes() const { return workspace::toJson(draft.workspace()); }
    int steps() { return draft.undoStack().index(); }
    void undoAll() { draft.undoStack().setIndex(0); }
    const chain::TierSpec& tier(int index) { return *editor.tier(index); }
    const workspace::Endpoint& endpoint(const char* name) { return *draft.workspace().endpoint(name); }
    const chain::ChainSpec& chain() { return editor.chain()->spec; }

    workspace::WorkspacePtr start;
    FakeServing serving;
    ui::Draft draft;
    ui::ChainEditor editor;
    FormDesk form; ///< last: its widgets listen to the others
};

} // namespace sg::test
