// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sg::ui::layout {

namespace {

constexpr double kTop = 128, kMiddle = 169;           ///< of the first row
constexpr double kStart = 4, kFirstX = 32, kGap = 32; ///< left edge of the first node; between nodes of the first row
constexpr double kRouterGap = 84;                     ///< room for the names of classes
constexpr double kLeftRoom = 66;                      ///< for the share beside a way down
constexpr double kOutX = 16, kAnswerX = 26;           ///< the ports, from the left and from the right edge
constexpr double kMemberGap = 20, kSplitTop = 34, kSplitSide = 10;
constexpr double kOverlap = 8,
                 kDrop = 57; ///< a step begins left of the end of the one above; its line so far below that
constexpr double kCannedWidth = 90, kCannedHeight = 62;
constexpr double kMargin = 24;

class Builder
{
public:
    explicit Builder(const workspace::Chain& chain)
        : spec_(chain.spec)
    {
    }

    ChainLayout build()
    {
        headOfTheWay();
        stairs();
        end();
        if (spec_.router)
            routes();
        finish();
        return std::move(out_);
    }

private:
    bool isCanned(std::size_t tier) const { return spec_.tiers[tier].kind == chain::TierKind::CannedReply; }

    int addNode(const ChainNode& node, const QRectF& box, bool canAnswer, int step = -1)
    {
        Node made{node, box, step, canAnswer, QPointF(box.right() - kAnswerX, box.top()), {}, {}};
        made.in = QPointF(box.left(), step < 0 ? kMiddle : box.center().y());
        out_.nodes.push_back(made);
        const int index = static_cast<int>(out_.nodes.size()) - 1;
        out_.stops.push_back({Stop::Kind::Node, index});
        return index;
    }

    void addWay(Way way)
    {
        out_.ways.push_back(std::move(way));
        out_.stops.push_back({Stop::Kind::Way, static_cast<int>(out_.ways.size()) - 1});
    }

    void addLevelWay(const QPointF& to, int toStep)
    {
        Way way;
        const bool isRequest = out_.nodes.empty();
        way.kind = isRequest ? Way::Kind::Request : Way::Kind::Between;
        way.from = isRequest ? -1 : static_cast<int>(out_.nodes.size()) - 1;
        way.to = static_cast<int>(out_.nodes.size());
        way.toStep = toStep;
        const double left = isRequest ? kStart : out_.nodes.back().box.right();
        way.line = QPolygonF({QPointF(left, kMiddle), QPointF(to.x(), kMiddle)});
        way.marker = QPointF((left + to.x()) / 2, kMiddle);
        way.bounds = QRectF(left, kMiddle - 14, to.x() - left, 28);
        if (isRequest)
            way.bounds = QRectF(left - 2, kMiddle - 80, std::max(120.0, to.x() - left), 94);
        addWay(way);
        x_ = to.x();
    }

    void addHead(ChainNode::Kind kind, double width, double height, bool canAnswer, double gapAfter)
    {
        addLevelWay(QPointF(x_, kMiddle), -1);
        addNode(ChainNode::of(kind), QRectF(x_, kMiddle - height / 2, width, height), canAnswer);
        x_ += width + gapAfter;
    }

    void headOfTheWay()
    {
        x_ = kFirstX;
        if (spec_.limiter)
            addHead(ChainNode::Kind::Limiter, 76, kTierHeight, false, kGap);
        if (spec_.cache)
            addHead(ChainNode::Kind::Cache, 82, 72, true, kGap);
        if (spec_.router)
            addHead(ChainNode::Kind::Router, 92, kTierHeight, false, kRouterGap);
    }

    QRectF memberBox(std::size_t tier, double x, double y) const
    {
        return isCanned(tier) ? QRectF(x, y, kCannedWidth, kCannedHeight) : QRectF(x, y, kTierWidth, kTierHeight);
    }

    Step placed(const workspace::TierGroup& group, double x, double y) const
    {
        Step step{group.first, group.count, group.isSplit, {}, {}, {}};
        if (!group.isSplit) {
            step.frame = memberBox(group.first, x, y);
            step.in = QPointF(x, step.frame.center().y());
        } else {
            double width = 2 * kSplitSide - kMemberGap;
            for (std::size_t i = 0; i < group.count; ++i)
                width += memberBox(group.first + i, 0, 0).width() + kMemberGap;
            step.frame = QRectF(x, y, width, kSplitTop + kTierHeight + kSplitSide);
            step.in = QPointF(x, y + 13);
        }
        step.out = QPointF(group.isSplit ? step.frame.right() - kTierWidth + kOutX : x + kOutX, step.frame.bottom());
        return step;
    }

    void addMembers(const Step& step)
    {
        const int index = static_cast<int>(out_.steps.size()) - 1;
        double x = step.frame.left() + (step.isSplit ? kSplitSide : 0);
        const double y = step.frame.top() + (step.isSplit ? kSplitTop : 0);
        for (std::size_t i = step.first; i < step.first + step.count; ++i) {
            if (i > step.first)
                out_.gaps.push_back({static_cast<int>(i), QPointF(x - kMemberGap / 2, y + kTierHeight / 2)});
            const QRectF box = memberBox(i, x, y);
            const int node = addNode(ChainNode::ofTier(static_cast<int>(i)), box, true, index);
            if (step.isSplit)
                out_.nodes[static_cast<std::size_t>(node)].in = QPointF(x + kOutX, box.top());
            x += box.width() + kMemberGap;
        }
    }

    void stairs()
    {
        for (const workspace::TierGroup& group : workspace::splitGroups(spec_)) {
            if (out_.steps.empty()) {
                Step step = placed(group, x_, kTop);
                // The way comes in level: what is entered at another height than a tier's middle moves up or down.
                step = placed(group, x_, kTop + kMiddle - step.in.y());
                addLevelWay(step.in, 0);
                out_.ways.back().insertAt = 0;
                out_.steps.push_back(step);
            } else {
                const Step above = out_.steps.back();
                // Right of all that stands above, so that its answer goes straight up past it.
                Step step = placed(group, above.frame.right() - kOverlap, 0);
                step = placed(group, step.frame.left(), above.frame.bottom() + kDrop - step.in.y());
                addWayDown(above, step);
                out_.steps.push_back(step);
            }
            addMembers(out_.steps.back());
        }
    }

    void addWayDown(const Step& above, const Step& below)
    {
        Way way;
        way.kind = Way::Kind::Down;
        way.from = static_cast<int>(out_.nodes.size() - above.count);
        way.to = static_cast<int>(out_.nodes.size());
        way.fromStep = static_cast<int>(out_.steps.size()) - 1;
        way.toStep = way.fromStep + 1;
        way.insertAt = static_cast<int>(below.first);
        way.line = QPolygonF({above.out, QPointF(above.out.x(), below.in.y()), below.in});
        fillDown(way, above.out, below.in.x(), below.in.y());
        addWay(way);
    }

    static void fillDown(Way& way, const QPointF& out, double right, double y)
    {
        way.tags = QRectF(out.x() + 13, out.y() + 9, std::max(60.0, right - out.x() - 17), 31);
        way.label = QPointF(out.x() - 7, out.y() + 20);
        way.marker = QPointF(out.x() + (right - out.x()) * 0.37, y);
        way.bounds = QRectF(QPointF(out.x() - kLeftRoom - 10, out.y()), QPointF(right, y + 14));
    }

    void end()
    {
        Way way;
        way.kind = Way::Kind::End;
        way.insertAt = static_cast<int>(spec_.tiers.size());
        if (out_.steps.empty()) {
            const QPointF from =
                out_.nodes.empty() ? QPointF(kStart, kMiddle) : QPointF(out_.nodes.back().box.right(), kMiddle);
            way.from = static_cast<int>(out_.nodes.size()) - 1;
            way.line = QPolygonF({from, from + QPointF(kGap, 0)});
            way.marker = from + QPointF(kGap + kTierWidth / 2, 0);
            way.bounds = QRectF(from.x() - 2, kMiddle - 80, kGap + kTierWidth + 6, 130);
        } else {
            const Step& last = out_.steps.back();
            way.from = static_cast<int>(out_.nodes.size() - last.count);
            way.fromStep = static_cast<int>(out_.steps.size()) - 1;
            way.line = QPolygonF({last.out, last.out + QPointF(0, 26)});
            way.label = QPointF(last.out.x() - 7, last.out.y() + 20);
            way.marker = last.out + QPointF(0, 36);
            way.bounds = QRectF(last.out.x() - kLeftRoom - 10, last.out.y(), kLeftRoom + 26, 50);
        }
        addWay(way);
    }

    void routes()
    {
        std::map<int, QStringList> classes; // by node
        for (const chain::RouteClass& one : spec_.router->classes) {
            for (std::size_t i = 0; i < out_.nodes.size(); ++i) {
                const ChainNode node = out_.nodes[i].node;
                const bool isIt = node.kind == ChainNode::Kind::Tier &&
                                  spec_.tiers[static_cast<std::size_t>(node.tier)].name == one.tier;
                if (isIt && !one.tier.empty())
                    classes[static_cast<int>(i)] << QString::fromStdString(one.name);
            }
        }
        const int router = out_.nodeOf(ChainNode::of(ChainNode::Kind::Router));
        const QRectF box = out_.nodes[static_cast<std::size_t>(router)].box;
        int lane = 0; // the way to the lowest tier starts furthest left, so that none crosses another
        for (auto it = classes.rbegin(); it != classes.rend(); ++it, ++lane)
            out_.routes.push_back(
                route(it->first, it->second, box, std::min(box.left() + 14 + 9.0 * lane, box.right() - 8)));
    }

    Route route(int to, const QStringList& names, const QRectF& router, double x) const
    {
        const Node& node = out_.nodes[static_cast<std::size_t>(to)];
        const Step& step = out_.steps[static_cast<std::size_t>(node.step)];
        Route made{names.join(QStringLiteral(", ")), to, {}, {}};
        if (node.step == 0 && !step.isSplit) {
            const double y = router.bottom() - 12;
            made.line = QPolygonF({QPointF(router.right(), y), QPointF(node.box.left(), y)});
            made.label = QRectF(router.right() + 6, y - 15, kRouterGap - 16, 14);
            return made;
        }
        // A member is entered from below: beside it stand its neighbours.
        const bool isInside = step.isSplit && node.box.left() > step.frame.left() + kSplitSide + 1;
        const double rank = isInside ? node.node.tier - static_cast<int>(step.first) - 1 : 0;
        const double y = isInside ? step.frame.bottom() + 18 + 17 * rank : node.box.bottom() - 18;
        const double end = isInside ? node.box.left() + 9 : node.box.left(); // left of where the way leaves the split
        made.line = QPolygonF({QPointF(x, router.bottom()), QPointF(x, y), QPointF(end, y)});
        if (isInside)
            made.line << QPointF(end, node.box.bottom());
        // Where it turns, away from the arrow: left of the stairs nothing else is written.
        made.label = QRectF(x + 6, y - 15, std::max(30.0, end - 14 - x), 14);
        return made;
    }

    void finish()
    {
        for (const Way& way : out_.ways) {
            const bool isOfSplit = way.fromStep >= 0 && out_.steps[static_cast<std::size_t>(way.fromStep)].isSplit;
            if (way.from < 0 || way.kind == Way::Kind::End || isOfSplit)
                continue;
            Node& node = out_.nodes[static_cast<std::size_t>(way.from)];
            node.out = way.line.first();
            node.hasOut = true;
        }
        double right = 420, bottom = kTop + kTierHeight;
        for (const Step& step : out_.steps) {
            right = std::max(right, step.frame.right());
            bottom = std::max(bottom, step.frame.bottom());
        }
        for (const Way& way : out_.ways) {
            if (way.kind == Way::Kind::End && out_.steps.empty())
                right = std::max(right, way.bounds.right());
        }
        for (const Route& route : out_.routes)
            bottom = std::max(bottom, route.line.boundingRect().bottom());
        double left = right - 120;
        for (const Node& node : out_.nodes) {
            if (node.canAnswer)
                left = std::min(left, node.answerPort.x());
        }
        out_.busbar = QRectF(QPointF(std::max(kStart, left - 24), kBusTop), QSizeF(0, kBusHeight));
        out_.busbar.setRight(right);
        out_.bounds = QRectF(0, 0, right + 12, bottom + kMargin);
    }

    const chain::ChainSpec& spec_;
    ChainLayout out_;
    double x_ = 0; ///< left edge of the next node
};

double distanceToSegment(const QPointF& a, const QPointF& b, const QPointF& p)
{
    const QPointF d = b - a;
    const double length = QPointF::dotProduct(d, d);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, d) / length, 0.0, 1.0) : 0;
    const QPointF away = p - (a + d * t);
    return std::hypot(away.x(), away.y());
}

} // namespace

int ChainLayout::nodeOf(ChainNode node) const
{
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].node == node)
            return static_cast<int>(i);
    }
    return -1;
}

int ChainLayout::wayTo(int insertAt) const
{
    for (std::size_t i = ways.size(); i-- > 0;) { // several lead to tier 0; the last one ends there
        if (ways[i].insertAt == insertAt)
            return static_cast<int>(i);
    }
    return -1;
}

ChainLayout chainLayout(const workspace::Chain& chain)
{
    return Builder(chain).build();
}

double distanceTo(const QPolygonF& line, const QPointF& at)
{
    double nearest = std::numeric_limits<double>::max();
    for (qsizetype i = 1; i < line.size(); ++i)
        nearest = std::min(nearest, distanceToSegment(line[i - 1], line[i], at));
    return nearest;
}

NearestWay nearestWay(const ChainLayout& layout, const QPointF& at)
{
    NearestWay best{-1, std::numeric_limits<double>::max()};
    for (std::size_t i = 0; i < layout.ways.size(); ++i) {
        const Way& way = layout.ways[i];
        const QPointF away = at - way.marker;
        const double distance = std::min(distanceTo(way.line, at), std::hypot(away.x(), away.y()));
        if (distance < best.distance)
            best = {static_cast<int>(i), distance};
    }
    return best;
}

} // namespace sg::ui::layout
