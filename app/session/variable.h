// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <optional>

namespace sg::app {

/// What an environment variable says; nothing when it is not set.
inline std::optional<QString> variable(const QString& name)
{
    const QByteArray asked = name.toLocal8Bit();
    return qEnvironmentVariableIsSet(asked.constData()) ? std::optional(qEnvironmentVariable(asked.constData()))
                                                        : std::nullopt;
}

} // namespace sg::app
