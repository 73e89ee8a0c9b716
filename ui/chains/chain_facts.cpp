// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/station_facts.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace sg::ui::facts {

using observe::ChainView;
using observe::EndpointView;
using observe::MovedBy;
using observe::TierView;
using policy::BreakerState;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::ChainCanvas)
};

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

std::int64_t moved(const TierView& tier, MovedBy by)
{
    return tier.moved[static_cast<std::size_t>(by)];
}

std::int64_t movedAll(const TierView& tier)
{
    return std::accumulate(tier.moved.begin(), tier.moved.end(), std::int64_t{0});
}

/// Those that left without a try.
std::int64_t skipped(const TierView& tier)
{
    return moved(tier, MovedBy::Disabled) + moved(tier, MovedBy::OpenBreaker) + moved(tier, MovedBy::Unsuited) +
           moved(tier, MovedBy::Credential);
}

class Maker
{
public:
    Maker(const workspace::Workspace& workspace, const workspace::Chain& chain, const layout::ChainLayout& layout,
          const observe::Snapshot* snapshot, bool minute)
        : workspace_(workspace)
        , spec_(chain.spec)
        , layout_(layout)
        , snapshot_(snapshot)
    {
        for (const workspace::Endpoint& endpoint : workspace.endpoints)
            endpoints_.emplace(endpoint.spec.name, &endpoint);
        if (snapshot)
            findLive(minute);
    }

    ChainFacts make()
    {
        for (const layout::Node& node : layout_.nodes)
            out_.nodes.push_back(nodeFacts(node));
        fillAnswers();
        for (const layout::Way& way : layout_.ways)
            out_.ways.push_back(wayFacts(way));
        out_.hasTraffic = view_ != nullptr;
        for (std::size_t i = 0; i < layout_.nodes.size(); ++i)
            out_.nodes[i].sentence = sentence(layout_.nodes[i], out_.nodes[i], out_.answers[i]);
        return std::move(out_);
    }

private:
    void findLive(bool minute)
    {
        for (const EndpointView& view : snapshot_->endpoints)
            views_.emplace(view.name, &view);
        const auto& chains = minute ? snapshot_->chainsMinute : snapshot_->chainsWindow;
        const auto found =
            std::find_if(chains.begin(), chains.end(), [this](const ChainView& c) { return c.name == spec_.name; });
        if (found == chains.end() || found->requests <= 0)
            return;
        view_ = &*found;
        for (const TierView& tier : view_->tiers)
            tierViews_.emplace(tier.name, &tier);
    }

    const chain::TierSpec& tierOf(const layout::Node& node) const
    {
        return spec_.tiers[static_cast<std::size_t>(node.node.tier)];
    }
    const TierView* liveOf(const chain::TierSpec& tier) const
    {
        const auto found = tierViews_.find(tier.name);
        // A draft's tier that goes elsewhere now has no numbers yet, even under an old name.
        return found != tierViews_.end() && found->second->endpoint == tier.endpoint ? found->second : nullptr;
    }
    const EndpointView* endpointView(const std::string& name) const
    {
        const auto found = views_.find(name);
        return found != views_.end() ? found->second : nullptr;
    }

    NodeFacts nodeFacts(const layout::Node& node)
    {
        switch (node.node.kind) {
        case ChainNode::Kind::Limiter:
            return limiterFacts(*spec_.limiter, view_);
        case ChainNode::Kind::Cache:
            return cacheFacts(*spec_.cache, view_);
        case ChainNode::Kind::Router:
            return routerFacts(*spec_.router);
        case ChainNode::Kind::Tier:
        case ChainNode::Kind::None:
            break;
        }
        const chain::TierSpec& tier = tierOf(node);
        NodeFacts f = tier.kind == chain::TierKind::CannedReply ? cannedFacts(tier) : tierFacts(tier);
        if (f.isTier)
            f.number = QString::number(node.node.tier + 1);
        f.isOff = !tier.enabled;
        if (f.isOff && f.isTier)
            f.state.reset();
        f.share = splitShare(node);
        if (const TierView* live = liveOf(tier))
            f.entered = double(live->entered) / double(view_->requests);
        return f;
    }

    NodeFacts tierFacts(const chain::TierSpec& tier) const
    {
        NodeFacts f;
        f.isTier = true;
        f.name = text(tier.name.empty() ? tier.endpoint : tier.name);
        const EndpointView* view = endpointView(tier.endpoint);
        if (!view || !tier.enabled) {
            configuredLines(f, tier);
            return f;
        }
        f.state = view->state;
        f.probesNeeded = view->probesNeeded;
        f.probesPassed = static_cast<int>(view->figures.probeSuccesses);
        liveLines(f, tier, *view);
        return f;
    }

    void configuredLines(NodeFacts& f, const chain::TierSpec& tier) const
    {
        const auto found = endpoints_.find(tier.endpoint);
        if (found == endpoints_.end()) {
            f.lines << Words::tr("no such endpoint") << text(tier.endpoint);
            return;
        }
        const workspace::Endpoint& endpoint = *found->second;
        f.lines << (endpoint.model.isEmpty() || endpoint.model == f.name ? endpoint.provider : endpoint.model);
        QString tries = tier.maxAttempts == 1 ? Words::tr("1 try") : Words::tr("%1 tries").arg(tier.maxAttempts);
        if (endpoint.spec.requestsPerMinute)
            tries = Words::tr("%1 · %2 rpm").arg(tries, format::shortCount(*endpoint.spec.requestsPerMinute));
        f.lines << tries;
    }

    void liveLines(NodeFacts& f, const chain::TierSpec& tier, const EndpointView& e) const
    {
        const std::int64_t now = snapshot_->takenUnixMs;
        switch (e.state) {
        case BreakerState::Open: {
            const auto left = e.nextProbeUnixMs ? static_cast<double>(*e.nextProbeUnixMs - now) : 0.0;
            f.lines
                << (!e.nextProbeUnixMs ? Words::tr("open")
                    : left <= 0
                        ? Words::tr("probe due")
                        : Words::tr("probe in %1").arg(left <= 120'000 ? format::seconds(left) : format::coarse(left)));
            // The first opening was the trip, each further one a probe that failed.
            const int failed = std::max(0, e.openings - 1);
            f.lines << (failed == 1 ? Words::tr("1 failed probe") : Words::tr("%1 failed probes").arg(failed));
            return;
        }
        case BreakerState::HalfOpen:
            f.lines << Words::tr("%1 of %2 probes passed").arg(f.probesPassed).arg(e.probesNeeded) << rpmWords(e);
            return;
        case BreakerState::ForcedOpen:
        case BreakerState::ForcedClosed:
            f.lines << Words::tr("by a person, %1").arg(format::clockShort(e.sinceUnixMs))
                    << (e.note.empty() ? Words::tr("no reason given") : Words::tr("“%1”").arg(text(e.note)));
            return;
        case BreakerState::Closed:
        case BreakerState::MetricsOnly:
            break;
        }
        const TierView* live = liveOf(tier);
        QStringList parts;
        if (live && live->p95Ms)
            parts << Words::tr("p95 %1").arg(format::latency(live->p95Ms).text());
        if (e.attempts > 0 || e.inFlight > 0)
            parts << Words::tr("%1 in flight").arg(format::count(e.inFlight));
        f.lines << (parts.isEmpty() ? Words::tr("no requests yet") : parts.join(QStringLiteral(" · "))) << rpmWords(e);
    }

    static QString rpmWords(const EndpointView& e)
    {
        const bool hasRun = e.attempts > 0;
        if (e.rpmLimit && e.rpmUsed && hasRun)
            return Words::tr("%1 / %2 rpm").arg(format::shortCount(*e.rpmUsed), format::shortCount(*e.rpmLimit));
        if (e.rpmLimit)
            return Words::tr("%1 rpm at most").arg(format::shortCount(*e.rpmLimit));
        return e.rpmUsed && hasRun ? Words::tr("%1 rpm").arg(format::shortCount(*e.rpmUsed)) : QString();
    }

    QString splitShare(const layout::Node& node) const
    {
        const layout::Step& step = layout_.steps[static_cast<std::size_t>(node.step)];
        if (!step.isSplit)
            return {};
        const auto shares = workspace::splitShares(spec_, {step.first, step.count, true});
        const auto index = static_cast<std::size_t>(node.node.tier) - step.first;
        if (index >= shares.size())
            return {};
        const double percent = shares[index] * 100;
        return format::number(percent, std::abs(percent - std::round(percent)) < 0.05 ? 0 : 1) + format::thin() +
               QLatin1Char('%');
    }

    std::int64_t answeredBy(const layout::Node& node) const
    {
        if (node.node.kind == ChainNode::Kind::Cache)
            return view_->fromCache;
        const TierView* live = liveOf(tierOf(node));
        return live ? live->answered : 0;
    }

    QString answerWords(const layout::Node& node, const NodeFacts& f, std::int64_t count) const
    {
        if (node.node.kind == ChainNode::Kind::Cache)
            return Words::tr("from cache");
        if (!f.isTier)
            return Words::tr("canned");
        return f.state == BreakerState::HalfOpen && count > 0 ? Words::tr("probes only") : Words::tr("answered");
    }

    void fillAnswers()
    {
        out_.answers.resize(layout_.nodes.size());
        std::vector<std::int64_t> counts;
        for (std::size_t i = 0; i < layout_.nodes.size(); ++i) {
            out_.answers[i].isPossible = layout_.nodes[i].canAnswer;
            counts.push_back(view_ && layout_.nodes[i].canAnswer ? answeredBy(layout_.nodes[i]) : 0);
        }
        if (!view_)
            return;
        const std::vector<int> shares = tenths(counts, view_->requests);
        std::int64_t sum = 0, canned = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const layout::Node& node = layout_.nodes[i];
            if (!node.canAnswer || !isKnown(node))
                continue;
            sum += counts[i];
            canned += node.node.kind == ChainNode::Kind::Tier && !out_.nodes[i].isTier ? counts[i] : 0;
            AnswerFacts& a = out_.answers[i];
            a.share = double(counts[i]) / double(view_->requests);
            a.running = double(sum) / double(view_->requests);
            a.shareText = shareText(shares[i]);
            a.words = answerWords(node, out_.nodes[i], counts[i]);
        }
        fillBus(canned);
    }

    /// A tier that the serving chain has not (yet) has no numbers: unknown is not 0.
    bool isKnown(const layout::Node& node) const
    {
        return node.node.kind != ChainNode::Kind::Tier || liveOf(tierOf(node)) != nullptr;
    }

    void fillBus(std::int64_t canned)
    {
        // Never rounded up to 100.
        const auto down = [this](std::int64_t n) { return shareText(static_cast<int>(n * 1000 / view_->requests)); };
        out_.busWords = Words::tr("%1 of %2 req/s").arg(down(view_->answered), format::rate(view_->requestsPerSecond));
        if (canned > 0)
            out_.busWords += Words::tr(" · %1 by a model")
                                 .arg(shareText(static_cast<int>(
                                     std::lround(double(view_->answered - canned) * 1000 / double(view_->requests)))));
        if (view_->failed > 0)
            out_.busWords += Words::tr(" · %1 failed").arg(format::failure(double(view_->failed) / view_->requests));
    }

    // Ways

    std::optional<std::int64_t> levelCount(const layout::Way& way) const
    {
        if (!view_)
            return std::nullopt;
        std::int64_t count = view_->requests;
        for (int i = 0; i <= way.from; ++i) {
            const auto kind = layout_.nodes[static_cast<std::size_t>(i)].node.kind;
            count -= kind == ChainNode::Kind::Limiter ? view_->refusedByLimiter : 0;
            count -= kind == ChainNode::Kind::Cache ? view_->fromCache : 0;
        }
        const bool fromRouter =
            way.from >= 0 && layout_.nodes[static_cast<std::size_t>(way.from)].node.kind == ChainNode::Kind::Router;
        if (fromRouter && way.to >= 0) {
            const TierView* first = liveOf(tierOf(layout_.nodes[static_cast<std::size_t>(way.to)]));
            const bool isSplit = layout_.steps[static_cast<std::size_t>(way.toStep)].isSplit;
            return first && !isSplit ? std::optional(first->entered) : std::nullopt;
        }
        return std::max<std::int64_t>(0, count);
    }

    std::optional<std::int64_t> leaving(const layout::Step& step) const
    {
        if (!view_)
            return std::nullopt;
        if (!step.isSplit) {
            const TierView* live = liveOf(spec_.tiers[step.first]);
            return live ? std::optional(movedAll(*live)) : std::nullopt;
        }
        // Members also move on to each other: what leaves the split is what came less what ended inside. Behind a
        // router requests come by several ways, and nobody counts those apart.
        if (spec_.router)
            return std::nullopt;
        std::int64_t left = view_->requests - view_->refusedByLimiter - view_->fromCache;
        for (std::size_t i = 0; i < step.first + step.count; ++i) {
            const TierView* live = liveOf(spec_.tiers[i]);
            if (!live)
                return std::nullopt;
            left -= live->answered + live->failedHere;
        }
        return std::max<std::int64_t>(0, left);
    }

    WayFacts wayFacts(const layout::Way& way)
    {
        WayFacts f;
        std::optional<std::int64_t> count;
        if (way.kind == layout::Way::Kind::Down)
            count = downFacts(f, way);
        else if (way.kind != layout::Way::Kind::End)
            count = levelCount(way);
        if (count)
            f.share = double(*count) / double(view_->requests);
        if (way.kind == layout::Way::Kind::Request && view_) {
            f.request = Words::tr("%1 req/s").arg(format::rate(view_->requestsPerSecond));
            f.requestWords = Words::tr("over %1").arg(format::duration(double(view_->windowMs)));
        }
        f.sentence = waySentence(way, f);
        return f;
    }

    std::optional<std::int64_t> downFacts(WayFacts& f, const layout::Way& way) const
    {
        const layout::Step& step = layout_.steps[static_cast<std::size_t>(way.fromStep)];
        f.isPassing = true;
        for (std::size_t i = step.first; i < step.first + step.count; ++i)
            f.isPassing = f.isPassing && !spec_.tiers[i].enabled;
        f.tags = tagsOf(
            spec_, step, [&](MovedBy by) { return movedOf(step, by); },
            [this](const chain::TierSpec& tier) {
                const EndpointView* view = endpointView(tier.endpoint);
                return view && view->state == BreakerState::HalfOpen;
            });
        const auto count = leaving(step);
        if (!count)
            return count;
        std::int64_t skips = 0, all = 0;
        for (std::size_t i = step.first; i < step.first + step.count; ++i) {
            if (const TierView* live = liveOf(spec_.tiers[i])) {
                skips += skipped(*live);
                all += movedAll(*live);
            }
        }
        f.shareText = shareText(tenths({*count}, view_->requests)[0]);
        f.words = skips * 2 > all ? Words::tr("skipped") : Words::tr("moved on");
        return count;
    }

    std::int64_t movedOf(const layout::Step& step, MovedBy by) const
    {
        std::int64_t sum = 0;
        for (std::size_t i = step.first; view_ && i < step.first + step.count; ++i) {
            const TierView* live = liveOf(spec_.tiers[i]);
            sum += live ? moved(*live, by) : 0;
        }
        return sum;
    }

    // Sentences

    QString nodeWords(int index) const
    {
        if (index < 0)
            return {};
        const layout::Node& node = layout_.nodes[static_cast<std::size_t>(index)];
        const QString& name = out_.nodes[static_cast<std::size_t>(index)].name;
        return node.node.kind == ChainNode::Kind::Tier ? Words::tr("tier %1, %2").arg(node.node.tier + 1).arg(name)
                                                       : name.toLower();
    }

    QString waySentence(const layout::Way& way, const WayFacts& f) const
    {
        QStringList parts;
        const QString from = way.from < 0 ? Words::tr("the request") : nodeWords(way.from);
        parts << (way.to < 0 ? Words::tr("end of the chain, after %1").arg(from)
                             : Words::tr("line from %1 to %2").arg(from, nodeWords(way.to)));
        if (!f.shareText.isEmpty())
            parts << QStringLiteral("%1 %2").arg(f.shareText, f.words);
        QStringList causes;
        for (const Tag& tag : f.tags)
            causes << (tag.count > 0 ? Words::tr("%1 %2 times").arg(tag.words, format::count(tag.count)) : tag.words);
        if (!causes.isEmpty())
            parts << Words::tr("moves on after %1").arg(causes.join(QStringLiteral(", ")));
        parts << Words::tr("Enter inserts here");
        return parts.join(QStringLiteral(", "));
    }

    QString breakerWords(const NodeFacts& f) const
    {
        if (!f.state)
            return {};
        switch (*f.state) {
        case BreakerState::Open:
            return Words::tr("breaker open, %1").arg(f.lines.value(0));
        case BreakerState::HalfOpen:
            return Words::tr("half-open, %1 of %2 probes passed").arg(f.probesPassed).arg(f.probesNeeded);
        case BreakerState::ForcedOpen:
            return Words::tr("locked open by the operator");
        default:
            return Words::tr("breaker %1").arg(paint::stateWord(*f.state));
        }
    }

    QString sentence(const layout::Node& node, const NodeFacts& f, const AnswerFacts& a) const
    {
        QStringList parts;
        if (node.node.kind == ChainNode::Kind::Tier)
            parts << Words::tr("tier %1").arg(node.node.tier + 1);
        const bool isCanned = node.node.kind == ChainNode::Kind::Tier && !f.isTier;
        parts << (isCanned ? Words::tr("canned reply") : f.name);
        if (f.isOff)
            parts << Words::tr("off");
        if (!f.share.isEmpty())
            parts << Words::tr("%1 of the split").arg(f.share);
        const QString breaker = breakerWords(f);
        if (!breaker.isEmpty())
            parts << breaker;
        if (node.node.kind == ChainNode::Kind::Limiter || node.node.kind == ChainNode::Kind::Router)
            parts << f.lines.join(QLatin1Char(' '));
        if (!a.shareText.isEmpty())
            parts << Words::tr("%1 %2").arg(a.shareText, a.words);
        return parts.join(QStringLiteral(", "));
    }

    const workspace::Workspace& workspace_;
    const chain::ChainSpec& spec_;
    const layout::ChainLayout& layout_;
    const observe::Snapshot* snapshot_;
    const ChainView* view_ = nullptr; ///< null: no traffic
    std::unordered_map<std::string, const TierView*> tierViews_;
    std::unordered_map<std::string, const EndpointView*> views_;
    std::unordered_map<std::string, const workspace::Endpoint*> endpoints_;
    ChainFacts out_;
};

} // namespace

ChainFacts chainFacts(const workspace::Workspace& workspace, const workspace::Chain& chain,
                      const layout::ChainLayout& layout, const observe::Snapshot* snapshot, bool minute)
{
    return Maker(workspace, chain, layout, snapshot, minute).make();
}

std::vector<int> tenths(const std::vector<std::int64_t>& counts, std::int64_t total)
{
    std::vector<int> out(counts.size(), 0);
    if (total <= 0)
        return out;
    std::vector<std::pair<std::int64_t, std::size_t>> remainders;
    std::int64_t sum = 0, given = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        out[i] = static_cast<int>(counts[i] * 1000 / total);
        remainders.emplace_back(counts[i] * 1000 % total, i);
        sum += counts[i];
        given += out[i];
    }
    std::int64_t left = (sum * 1000 + total / 2) / total - given;
    std::sort(remainders.begin(), remainders.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [remainder, i] : remainders) {
        if (left-- <= 0 || remainder == 0)
            break;
        ++out[i];
    }
    return out;
}

} // namespace sg::ui::facts
