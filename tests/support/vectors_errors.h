// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>

#include <optional>
#include <string>

namespace sg::test {

/// Runs one case of kind "errors" (tests/data/vectors/README.md): empty when it passes, else what differs.
std::optional<std::string> runErrorsCase(const QJsonObject& vector);

} // namespace sg::test
