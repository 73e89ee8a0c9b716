// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"

#include <QByteArray>
#include <QJsonValue>

#include <tl/expected.hpp>

namespace sg::workspace {

/// A YAML document as a JSON value, scalars typed after YAML 1.2's core schema: quoted ones are texts. Aliases are
/// written out. A finding with line and column for what is no YAML, and for what is too large or too deep (an alias of
/// aliases may stand for billions of nodes). Any thread.
tl::expected<QJsonValue, Finding> readYaml(const QByteArray& yaml);

} // namespace sg::workspace
