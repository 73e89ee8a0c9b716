// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"

namespace sg::ui {

/// Where the screen takes its picture from. Called from the GUI thread about 15 times a second; must not wait.
class SnapshotSource
{
public:
    virtual ~SnapshotSource() = default;
    /// The newest picture; null before the first.
    virtual observe::SnapshotPtr latest() = 0;
    /// How far back pictures reach from now on: 5 min to 24 h.
    virtual void setWindow(Nanos window) = 0;
};

} // namespace sg::ui
