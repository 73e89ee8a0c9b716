// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_editor.h"

#include <QPolygonF>
#include <QRectF>

#include <vector>

/// Where the parts of a chain stand on the canvas: always the same staircase for the same chain, so that no position is
/// ever stored. Pure; px at 96 dpi, y downwards.
namespace sg::ui::layout {

constexpr double kTierWidth = 138, kTierHeight = 82;
constexpr double kBusTop = 40, kBusHeight = 28, kBusLine = 64; ///< kBusLine: the lower edge of the rail

struct Node
{
    ChainNode node;
    QRectF box;
    int step = -1; ///< index in ChainLayout::steps; -1: before the stairs
    bool canAnswer = false;
    QPointF answerPort; ///< on the upper edge; its line goes straight up to the busbar
    QPointF in;         ///< on the left edge
    QPointF out;        ///< where the way goes on; members of a split have none
    bool hasOut = false;
};

/// A single tier, or the members of a weighted split side by side.
struct Step
{
    std::size_t first = 0, count = 1; ///< tiers
    bool isSplit = false;
    QRectF frame; ///< around the members of a split, else the node's box
    QPointF in, out;
};

/// A line of the way. Something inserted on it becomes tier `insertAt`.
struct Way
{
    enum class Kind { Request, Between, Down, End }; ///< End: the stub behind the last step
    Kind kind = Kind::Between;
    int from = -1, to = -1;         ///< nodes, the first of a split; -1: the request, or nothing
    int fromStep = -1, toStep = -1; ///< -1: not on the stairs
    QPolygonF line;                 ///< from where it leaves to where it arrives; one corner at most
    int insertAt = 0;
    QRectF tags;    ///< room for what moves traffic on; empty: none
    QPointF label;  ///< right end of the share's baseline
    QPointF marker; ///< where an insertion shows
    QRectF bounds;  ///< of all that is drawn for it
};

/// From the router to the tier that comes first for a class.
struct Route
{
    QString words; ///< names of its classes
    int to = -1;   ///< node
    QPolygonF line;
    QRectF label;
};

/// Between two members of a split, where a line is not.
struct MemberGap
{
    int insertAt = 0;
    QPointF marker;
};

/// What the arrow keys walk over: nodes and the lines between them, in the order of the way.
struct Stop
{
    enum class Kind { Node, Way };
    Kind kind = Kind::Node;
    int index = 0;
    bool operator==(const Stop&) const = default;
};

struct ChainLayout
{
    std::vector<Node> nodes; ///< as ChainEditor::nodes()
    std::vector<Step> steps;
    std::vector<Way> ways;
    std::vector<Route> routes;
    std::vector<MemberGap> gaps;
    std::vector<Stop> stops;
    QRectF busbar;
    QRectF bounds;
    int nodeOf(ChainNode node) const; ///< -1: not there
    int wayTo(int insertAt) const;    ///< the line an insertion there shows on; -1: none
};

ChainLayout chainLayout(const workspace::Chain& chain);

/// The line (index) nearest to a point, and how far from its marker or line; for what is dropped.
struct NearestWay
{
    int way = -1;
    double distance = 0;
};
NearestWay nearestWay(const ChainLayout& layout, const QPointF& at);
double distanceTo(const QPolygonF& line, const QPointF& at);

} // namespace sg::ui::layout
