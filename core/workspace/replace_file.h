// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QString>

#include <tl/expected.hpp>

namespace sg::workspace {

/// Puts `bytes` in the place of a regular file, or of none, as a whole or not at all: on failure what was there is
/// unchanged. The error says what the system said ("No space left on device"), without a full stop. Any thread; blocks.
tl::expected<void, QString> replaceFile(const QString& path, const QByteArray& bytes);

} // namespace sg::workspace
