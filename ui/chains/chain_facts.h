// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/chains/chain_layout.h"
#include "ui/chains/node_mime.h"

#include <QStringList>

/// What the canvas shows, as words and shares; made from draft and snapshot without a widget. Two equal values look the
/// same, so a part is painted again only when its facts change.
namespace sg::ui::facts {

struct Tag
{
    enum class Tone { Quiet, Seen, Bad }; ///< Bad: traffic leaves because of an open breaker
    QString words, shortWords;
    Tone tone = Tone::Quiet;
    std::int64_t count = 0;
    bool operator==(const Tag&) const = default;
};

struct NodeFacts
{
    QString name, number, share; ///< share: of a split's traffic
    bool isOff = false;
    bool isTier = false;                       ///< of an endpoint: with breaker
    std::optional<policy::BreakerState> state; ///< empty: not known
    int probesNeeded = 0, probesPassed = 0;
    QString icon; ///< of resources/icons; not for tiers of an endpoint
    QStringList lines;
    std::optional<double> gauge;   ///< 0..1
    std::optional<double> entered; ///< share of all requests that came to this tier
    QString sentence;              ///< for assistive technology and the tool tip
    bool operator==(const NodeFacts&) const = default;
};

struct WayFacts
{
    std::optional<double> share; ///< of all requests; empty: no traffic, or not known
    QString shareText, words;
    QString request, requestWords; ///< "12.4 req/s", "last minute"; of the line that comes in
    std::vector<Tag> tags;
    bool isPassing = false; ///< past a tier that is off
    QString sentence;
    bool operator==(const WayFacts&) const = default;
};

struct AnswerFacts
{
    std::optional<double> share, running; ///< running: with everything that joined the busbar before
    QString shareText, words;
    bool isPossible = false; ///< the node answers at all
    bool operator==(const AnswerFacts&) const = default;
};

struct ChainFacts
{
    std::vector<NodeFacts> nodes;     ///< as ChainLayout::nodes
    std::vector<AnswerFacts> answers; ///< as nodes
    std::vector<WayFacts> ways;       ///< as ChainLayout::ways
    QString busWords;
    bool hasTraffic = false;
};

/// `snapshot` may be null: then nothing live is shown. `minute`: the last minute instead of the snapshot's window.
ChainFacts chainFacts(const workspace::Workspace& workspace, const workspace::Chain& chain,
                      const layout::ChainLayout& layout, const observe::Snapshot* snapshot, bool minute);

/// Shares of `total` in tenths of a percent that add up to what all of them are, by largest remainder.
std::vector<int> tenths(const std::vector<std::int64_t>& counts, std::int64_t total);

/// What letting go at this place would do; only what is known.
struct DropHint
{
    bool isAllowed = true;
    QString title;
    QStringList lines;
    bool operator==(const DropHint&) const = default;
};
DropHint dropHint(const workspace::Workspace& workspace, const workspace::Chain& chain, const NodeKind& node, int at,
                  const cost::PriceBook& prices);
/// For a tier on its way to another place; `to` is its place afterwards, -1: it stays.
DropHint moveHint(const workspace::Workspace& workspace, const workspace::Chain& chain, int from, int to,
                  const cost::PriceBook& prices);

} // namespace sg::ui::facts
