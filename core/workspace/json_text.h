// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QJsonObject>
#include <QStringList>

namespace sg::workspace {

/// The JSON text of an object, changed to say `target` where it says something else; what stays keeps its place, its
/// order and its spaces. `text` is valid JSON. Pure.
QByteArray rewritten(const QByteArray& text, const QJsonObject& target);

/// Places of fields that an object of the text has twice, as "endpoints[0].model"; of these the last one counts.
QStringList doubledFields(const QByteArray& text);

} // namespace sg::workspace
