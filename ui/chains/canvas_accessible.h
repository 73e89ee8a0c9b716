// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_layout.h"

namespace sg::ui {

class ChainCanvas;

/// Makes the nodes and lines of every ChainCanvas known to assistive technology, as children of it in the order of the
/// way. Once is enough, more does no harm.
void installCanvasAccessible();
/// Tells that a node or line has the focus now.
void announceStop(ChainCanvas& canvas, const layout::Stop& stop);

} // namespace sg::ui
