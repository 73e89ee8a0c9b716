// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QJsonObject>

namespace sg::workspace {

/// The JSON text of an object, changed to say `target` where it says something else; what stays keeps its place, its
/// order and its spaces. `text` is valid JSON. Pure.
QByteArray rewritten(const QByteArray& text, const QJsonObject& target);

} // namespace sg::workspace
