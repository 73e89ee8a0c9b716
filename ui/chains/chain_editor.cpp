// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_editor.h"

#include "core/workspace/lint.h"

#include <algorithm>
#include <chrono>
#include <ranges>
#include <utility>

namespace sg::ui {

namespace {

/// Long enough that typing is not judged letter by letter.
constexpr std::chrono::milliseconds kLintAfter{150};

QString text(const std::string& from)
{
    return QString::fromStdString(from);
}

} // namespace

ChainEditor::ChainEditor(Draft& draft, ServingControl& serving, QObject* parent)
    : QObject(parent)
    , draft_(draft)
    , serving_(serving)
{
    lint_.setSingleShot(true);
    lint_.setInterval(kLintAfter);
    connect(&lint_, &QTimer::timeout, this, &ChainEditor::lintNow);
    connect(&draft_, &Draft::changed, this, &ChainEditor::onDraft);
    connect(&serving_, &ServingControl::factsChanged, &lint_, qOverload<>(&QTimer::start));
    if (!draft_.workspace().chains.empty())
        chain_ = draft_.workspace().chains.front().spec.name;
    lint_.start();
}

const workspace::Chain* ChainEditor::chain() const
{
    return draft_.workspace().chain(chain_);
}

void ChainEditor::showChain(const std::string& name)
{
    if (name == chain_)
        return;
    draft_.closeMerge();
    chain_ = name;
    selected_ = {};
    Q_EMIT chainChanged();
    Q_EMIT selectionChanged();
}

void ChainEditor::select(ChainNode node)
{
    if (node == selected_)
        return;
    draft_.closeMerge();
    selected_ = node;
    Q_EMIT selectionChanged();
}

std::vector<ChainNode> ChainEditor::nodes() const
{
    std::vector<ChainNode> nodes;
    const workspace::Chain* shown = chain();
    if (!shown)
        return nodes;
    if (shown->spec.limiter)
        nodes.push_back(ChainNode::of(ChainNode::Kind::Limiter));
    if (shown->spec.cache)
        nodes.push_back(ChainNode::of(ChainNode::Kind::Cache));
    if (shown->spec.router)
        nodes.push_back(ChainNode::of(ChainNode::Kind::Router));
    for (std::size_t i = 0; i < shown->spec.tiers.size(); ++i)
        nodes.push_back(ChainNode::ofTier(static_cast<int>(i)));
    return nodes;
}

const chain::TierSpec* ChainEditor::tier(int index) const
{
    const workspace::Chain* shown = chain();
    if (!shown || index < 0 || static_cast<std::size_t>(index) >= shown->spec.tiers.size())
        return nullptr;
    return &shown->spec.tiers[static_cast<std::size_t>(index)];
}

const workspace::Endpoint* ChainEditor::endpointOf(int index) const
{
    const chain::TierSpec* of = tier(index);
    return of && of->kind == chain::TierKind::Endpoint ? draft_.workspace().endpoint(of->endpoint) : nullptr;
}

// ---- what the screen does

void ChainEditor::insertEndpoint(const std::string& endpoint, int at)
{
    insert(tr("Insert %1").arg(text(endpoint)), workspace::tierFor(endpoint), at);
}

void ChainEditor::insertCannedReply(int at)
{
    insert(tr("Insert canned reply"), workspace::cannedTier(), at);
}

void ChainEditor::insert(const QString& words, const chain::TierSpec& tier, int at)
{
    const workspace::Chain* shown = chain();
    if (!shown || at < 0)
        return;
    const auto place = std::min(static_cast<std::size_t>(at), shown->spec.tiers.size());
    editChain(words, {}, [&](workspace::Chain& c) { workspace::insertTier(c.spec, place, tier); });
    select(ChainNode::ofTier(static_cast<int>(place)));
}

void ChainEditor::moveTier(int from, int to)
{
    if (!tier(from) || !tier(to) || from == to)
        return;
    const QString name = text(tier(from)->name);
    // The selection goes along, which must not end the merge.
    selected_ = ChainNode::ofTier(to);
    editChain(tr("Move %1").arg(name), QStringLiteral("move ") + name, [&](workspace::Chain& c) {
        workspace::moveTier(c.spec, static_cast<std::size_t>(from), static_cast<std::size_t>(to));
    });
    Q_EMIT selectionChanged();
}

void ChainEditor::addLimiter()
{
    editChain(tr("Add rate limiter"), {}, [](workspace::Chain& c) {
        if (!c.spec.limiter)
            c.spec.limiter = chain::LimiterSpec{10, 20, std::chrono::seconds(2), {}, Millis(60000)};
    });
    select(ChainNode::of(ChainNode::Kind::Limiter));
}

void ChainEditor::addCache()
{
    editChain(tr("Add cache"), {}, [](workspace::Chain& c) {
        if (!c.spec.cache)
            c.spec.cache = chain::CacheSpec();
    });
    select(ChainNode::of(ChainNode::Kind::Cache));
}

void ChainEditor::addRouter()
{
    editChain(tr("Route by complexity"), {}, [](workspace::Chain& c) {
        if (c.spec.router)
            return;
        c.spec.router = chain::RouterSpec{workspace::standardClasses()};
        // The strongest model comes first in most chains, the cheapest last.
        std::vector<std::string> names;
        for (const chain::TierSpec& tier : c.spec.tiers)
            if (tier.kind == chain::TierKind::Endpoint)
                names.push_back(tier.name);
        auto& classes = c.spec.router->classes;
        for (std::size_t i = 0; i < classes.size() && !names.empty(); ++i)
            classes[i].tier = names[std::min(i, names.size() - 1)];
    });
    select(ChainNode::of(ChainNode::Kind::Router));
}

void ChainEditor::splitWith(int index, const std::string& endpoint)
{
    if (!tier(index))
        return;
    const auto at = static_cast<std::size_t>(index) + 1;
    editChain(tr("Split %1 by weight").arg(text(tier(index)->name)), {}, [&](workspace::Chain& c) {
        workspace::insertTier(c.spec, at, workspace::tierFor(endpoint));
        workspace::joinSplit(c.spec, at);
    });
    select(ChainNode::ofTier(static_cast<int>(at)));
}

void ChainEditor::remove(ChainNode node)
{
    using Kind = ChainNode::Kind;
    switch (node.kind) {
    case Kind::None:
        return;
    case Kind::Limiter:
        return editChain(tr("Remove rate limiter"), {}, [](workspace::Chain& c) { workspace::removeLimiter(c.spec); });
    case Kind::Cache:
        return editChain(tr("Remove cache"), {}, [](workspace::Chain& c) { c.spec.cache.reset(); });
    case Kind::Router:
        return editChain(tr("Remove router"), {}, [](workspace::Chain& c) { c.spec.router.reset(); });
    case Kind::Tier:
        break;
    }
    if (const chain::TierSpec* gone = tier(node.tier))
        editChain(tr("Remove %1").arg(text(gone->name)), {},
                  [&](workspace::Chain& c) { workspace::removeTier(c.spec, static_cast<std::size_t>(node.tier)); });
}

void ChainEditor::duplicate(ChainNode node)
{
    const chain::TierSpec* original = node.kind == ChainNode::Kind::Tier ? tier(node.tier) : nullptr;
    if (!original)
        return;
    editChain(tr("Duplicate %1").arg(text(original->name)), {},
              [&](workspace::Chain& c) { workspace::duplicateTier(c.spec, static_cast<std::size_t>(node.tier)); });
    select(ChainNode::ofTier(node.tier + 1));
}

void ChainEditor::setEnabled(int index, bool enabled)
{
    if (const chain::TierSpec* of = tier(index))
        editTier(index, (enabled ? tr("Switch %1 on") : tr("Switch %1 off")).arg(text(of->name)), {},
                 [&](chain::TierSpec& tier) { tier.enabled = enabled; });
}

// ---- forms

void ChainEditor::editChain(const QString& words, const QString& field,
                            const std::function<void(workspace::Chain&)>& change)
{
    const QString key = field.isEmpty() ? QString() : QStringLiteral("chain %1 %2").arg(text(chain_), field);
    const std::string name = chain_;
    const auto apply = [&](workspace::Workspace& workspace) {
        workspace::Chain* edited = workspace.chain(name);
        if (!edited)
            return;
        change(*edited);
        const std::string wanted = std::exchange(edited->spec.name, name);
        workspace::renameChain(workspace, name, wanted);
        // The chain in front must be known by its new name when the draft says that it has changed.
        chain_ = edited->spec.name;
    };
    draft_.edit(words, apply, key);
}

void ChainEditor::editTier(int index, const QString& words, const QString& field,
                           const std::function<void(chain::TierSpec&)>& change)
{
    if (!tier(index))
        return;
    const QString key = field.isEmpty() ? QString() : QStringLiteral("tier %1 %2").arg(index).arg(field);
    editChain(words, key, [&](workspace::Chain& c) {
        const auto at = static_cast<std::size_t>(index);
        chain::TierSpec edited = c.spec.tiers[at];
        const std::string before = edited.name;
        change(edited);
        const std::string wanted = std::exchange(edited.name, before);
        c.spec.tiers[at] = edited;
        workspace::renameTier(c.spec, at, wanted); // the router's classes follow
    });
}

void ChainEditor::editEndpoint(const std::string& name, const QString& words, const QString& field,
                               const std::function<void(workspace::Endpoint&)>& change)
{
    const QString key = field.isEmpty() ? QString() : QStringLiteral("endpoint %1 %2").arg(text(name), field);
    const auto apply = [&](workspace::Workspace& workspace) {
        workspace::Endpoint* edited = workspace.endpoint(name);
        if (!edited)
            return;
        change(*edited);
        const std::string wanted = std::exchange(edited->spec.name, name);
        workspace::renameEndpoint(workspace, name, wanted);
    };
    draft_.edit(words, apply, key);
}

// ---- findings

void ChainEditor::lintNow()
{
    lint_.stop();
    workspace::Findings found = workspace::lint(draft_.workspace(), serving_.lintFacts());
    if (found == findings_)
        return;
    findings_ = std::move(found);
    Q_EMIT findingsChanged();
}

void ChainEditor::applyFix(const workspace::Finding& finding)
{
    if (!finding.fix)
        return;
    draft_.closeMerge();
    draft_.edit(finding.fix->label, finding.fix->change);
    lintNow();
}

void ChainEditor::onDraft()
{
    keepSelection();
    lint_.start();
    Q_EMIT chainChanged();
}

void ChainEditor::keepSelection()
{
    const auto& chains = draft_.workspace().chains;
    if (!chain() && !chains.empty()) {
        chain_ = chains.front().spec.name;
        selected_ = {};
    }
    const auto all = nodes();
    if (selected_ != ChainNode() && std::ranges::find(all, selected_) == all.end()) {
        const bool wasTier = selected_.kind == ChainNode::Kind::Tier;
        selected_ = wasTier && !all.empty() && all.back().kind == ChainNode::Kind::Tier ? all.back() : ChainNode();
        Q_EMIT selectionChanged();
    }
}

} // namespace sg::ui
