// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QString>

#include <vector>

namespace sg::workspace {

/// A workspace to begin with. In its environment "development" it talks to the built-in simulator and needs no key; in
/// "staging" and "production" to the providers, with keys from the usual variables.
struct Preset
{
    QString id;      ///< "s1-multi-layer-gateway"
    QString title;   ///< "Multi-layer gateway"
    QString words;   ///< one sentence: what it shows
    QByteArray json; ///< the workspace file
};

/// In their order; resources/presets. Any thread.
const std::vector<Preset>& presets();
const Preset* preset(const QString& id); ///< also by what the id begins with, "s1"; null: there is none

} // namespace sg::workspace
