// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/commands.h"
#include "core/observe/snapshot.h"
#include "ui/widgets/confirm_dialog.h"

namespace sg::ui {

/// What to ask before a command; nothing where it does no harm (a probe, and outside production taking a lock off).
std::optional<ConfirmDialog::Question>
questionBefore(observe::BreakerCommand command, const observe::EndpointView& endpoint, const std::string& environment);

} // namespace sg::ui
