// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace sg::app {

/// Where both programs keep the runs of loads.
QString runFolder();

} // namespace sg::app
