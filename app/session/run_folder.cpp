// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/run_folder.h"

#include <QStandardPaths>

namespace sg::app {

QString runFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/switchgear/runs");
}

} // namespace sg::app
