// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/session/session.h"

namespace sg::app {

struct DesktopOptions
{
    SessionOptions session;
    bool practiceTraffic = false;
    std::optional<QString> shotsDirectory;
    double shotsAfterSeconds = 20;
    bool measureStart = false; ///< say when the first paint was complete, and exit
};

/// Opens the session, shows the window, runs until it is closed. Exit codes as switchgear-cli's.
int runDesktop(const DesktopOptions& options);

} // namespace sg::app
