// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace sg::workspace {

enum class KeySource { None, Environment, Keychain, Session };

struct KeyRef
{
    KeySource source = KeySource::None;
    QString name;          ///< variable or keychain entry
    bool saysNone = false; ///< None on purpose: nothing is warned about
    bool operator==(const KeyRef&) const = default;
};

} // namespace sg::workspace
