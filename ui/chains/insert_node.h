// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_editor.h"
#include "ui/chains/node_mime.h"
#include "ui/theme/theme.h"

#include <QPoint>

/// Putting things into the chain in front, for canvas and palette alike.
namespace sg::ui {

/// Name for people: the endpoint's, "Rate limiter", "Canned reply".
QString nodeName(const NodeKind& node);
QString nodeIcon(NodeKind::Kind kind); ///< of resources/icons; empty for endpoints
/// As tier `at`; limiter, cache and router have their own places. A split needs to know with whom: see chooseSplit.
void insertNode(ChainEditor& editor, const NodeKind& node, int at);
/// Type a few letters, press Enter: everything that can go in as tier `at`. At `place`, on the screen.
void chooseInsert(ThemeContext& context, ChainEditor& editor, int at, QWidget* parent, const QPoint& place);
/// The same for the endpoint that shares the traffic of a tier.
void chooseSplit(ThemeContext& context, ChainEditor& editor, int tier, QWidget* parent, const QPoint& place);

} // namespace sg::ui
