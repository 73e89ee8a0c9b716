// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>

/// What was edited, carried into a file that says the same in other words: with fields left out, in its own order.
/// Internal to the room.
namespace sg::workspace {

struct Workspace;

/// `file` (of one environment) with the fields in it that differ between `before` and `after`, which are forms that the
/// writer wrote; elsewhere the file stays as it is.
QJsonValue changed(const QJsonValue& file, const QJsonValue& before, const QJsonValue& after);
/// `file` with changes that make it read as `now`.
QJsonObject sayingWhat(const Workspace& now, const QJsonObject& file);

} // namespace sg::workspace
