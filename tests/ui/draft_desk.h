// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/edits.h"
#include "tests/ui/fake_serving.h"
#include "ui/edit/draft.h"

namespace sg::test {

/// Four endpoints and one chain, "support", with tiers on the first three of them and a canned reply.
inline workspace::Workspace draftDesk()
{
    workspace::Workspace made = workspace::emptyWorkspace(QStringLiteral("desk"));
    workspace::Chain chain;
    chain.spec.name = "support";
    for (const char* name : {"gpt-4.1", "claude-sonnet-4.5", "gemini-2.5-flash", "deepseek-v3.2"}) {
        workspace::Endpoint endpoint;
        endpoint.provider = QStringLiteral("openai-compatible");
        endpoint.baseUrl = QStringLiteral("sim:") + QString::fromLatin1(name);
        endpoint.model = QString::fromLatin1(name);
        endpoint.spec.name = name;
        endpoint.spec.breaker.consecutiveFailures = 5;
        workspace::addEndpoint(made, endpoint);
        if (chain.spec.tiers.size() < 3)
            workspace::insertTier(chain.spec, chain.spec.tiers.size(), workspace::tierFor(name));
    }
    workspace::insertTier(chain.spec, 3, workspace::cannedTier());
    workspace::addChain(made, chain);
    return made;
}

/// The same as what serves and as a draft of it.
struct DraftDesk
{
    explicit DraftDesk(workspace::Workspace start = draftDesk())
        : serving(std::make_shared<const workspace::Workspace>(std::move(start)))
        , draft(serving.now)
    {
    }
    FakeServing serving;
    ui::Draft draft;
};

} // namespace sg::test
