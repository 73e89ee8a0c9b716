// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/edits.h"
#include "ui/chains/chain_facts.h"
#include "ui/format/format.h"

#include <QCoreApplication>

namespace sg::ui::facts {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::ChainCanvas)
};

const workspace::Endpoint* endpointBefore(const workspace::Workspace& workspace, const workspace::Chain& chain, int at)
{
    for (int i = std::min(at, static_cast<int>(chain.spec.tiers.size())) - 1; i >= 0; --i) {
        const chain::TierSpec& tier = chain.spec.tiers[static_cast<std::size_t>(i)];
        if (tier.enabled && tier.kind == chain::TierKind::Endpoint)
            return workspace.endpoint(tier.endpoint);
    }
    return nullptr;
}

QString signedMoney(double usd)
{
    return usd > 0 ? QLatin1Char('+') + format::money(usd) : format::money(usd);
}

QString priceWords(const workspace::Endpoint& one, const workspace::Endpoint* before, const cost::PriceBook& prices)
{
    const auto price = workspace::priceOf(one, prices);
    if (!price || !price->input || !price->output)
        return {};
    const auto than = before ? workspace::priceOf(*before, prices) : std::nullopt;
    if (!than || !than->input || !than->output)
        return Words::tr("%1 in, %2 out per M tokens")
            .arg(format::money(price->input->toUsd()), format::money(price->output->toUsd()));
    return Words::tr("%1 in, %2 out per M tokens against tier before")
        .arg(signedMoney(price->input->toUsd() - than->input->toUsd()),
             signedMoney(price->output->toUsd() - than->output->toUsd()));
}

QString windowWords(const workspace::Endpoint& one, const workspace::Endpoint* before)
{
    const auto window = one.spec.capabilities.contextWindow;
    if (!window)
        return {};
    const auto than = before ? before->spec.capabilities.contextWindow : std::nullopt;
    if (!than || *than == *window)
        return Words::tr("takes %1 tokens").arg(format::count(*window));
    return Words::tr("takes %1 tokens, tier before %2").arg(format::count(*window), format::count(*than));
}

QStringList effectWords(const workspace::Workspace& workspace, const workspace::Endpoint& one,
                        const workspace::Chain& chain, int at, const cost::PriceBook& prices)
{
    const workspace::Endpoint* before = endpointBefore(workspace, chain, at);
    QStringList lines{windowWords(one, before), priceWords(one, before, prices)};
    lines.removeAll(QString());
    return lines;
}

DropHint step(bool isThere, const QString& title, const QString& refusal)
{
    return isThere ? DropHint{false, refusal, {}} : DropHint{true, title, {}};
}

} // namespace

DropHint dropHint(const workspace::Workspace& workspace, const workspace::Chain& chain, const NodeKind& node, int at,
                  const cost::PriceBook& prices)
{
    switch (node.kind) {
    case NodeKind::Kind::Limiter:
        return step(chain.spec.limiter.has_value(), Words::tr("Release to limit the chain's rate"),
                    Words::tr("This chain has a rate limiter"));
    case NodeKind::Kind::Cache:
        return step(chain.spec.cache.has_value(), Words::tr("Release to answer from a cache first"),
                    Words::tr("This chain has a cache"));
    case NodeKind::Kind::Router:
        return step(chain.spec.router.has_value(), Words::tr("Release to route by complexity"),
                    Words::tr("This chain has a router"));
    case NodeKind::Kind::Split:
        return step(at < 0, Words::tr("Release to split the traffic of tier %1").arg(at + 1),
                    Words::tr("Release over a tier to split its traffic"));
    case NodeKind::Kind::Canned:
        return {true, Words::tr("Release to answer by rule as tier %1").arg(at + 1), {}};
    case NodeKind::Kind::Endpoint:
        break;
    }
    DropHint hint{true, Words::tr("Release to insert as tier %1").arg(at + 1), {}};
    const workspace::Endpoint* endpoint = workspace.endpoint(node.endpoint);
    if (!endpoint)
        return {false, Words::tr("This endpoint is not in the workspace"), {}};
    hint.lines = effectWords(workspace, *endpoint, chain, at, prices);
    return hint;
}

DropHint moveHint(const workspace::Workspace& workspace, const workspace::Chain& chain, int from, int to,
                  const cost::PriceBook& prices)
{
    if (to < 0)
        return {true, Words::tr("Release to leave it where it is"), {}};
    DropHint hint{true, Words::tr("Release to make it tier %1").arg(to + 1), {}};
    workspace::Chain moved = chain;
    workspace::moveTier(moved.spec, static_cast<std::size_t>(from), static_cast<std::size_t>(to));
    if (const auto* endpoint = workspace.endpoint(moved.spec.tiers[static_cast<std::size_t>(to)].endpoint))
        hint.lines = effectWords(workspace, *endpoint, moved, to, prices);
    return hint;
}

} // namespace sg::ui::facts
