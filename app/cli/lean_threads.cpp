// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lean_threads.h"

#include <QtGlobal>

namespace sg::app {

void useLeanThreads()
{
    constexpr const char* kVariable = "QT_NO_THREADED_GLIB";
    if (!qEnvironmentVariableIsSet(kVariable))
        qputenv(kVariable, "1");
}

} // namespace sg::app
