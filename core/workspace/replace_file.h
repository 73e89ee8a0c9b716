// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QFileDevice>
#include <QString>

#include <optional>
#include <tl/expected.hpp>

namespace sg::workspace {

/// Puts `bytes` in the place of a regular file, or of none, as a whole or not at all: on failure what was there is
/// unchanged. The error says what the system said ("No space left on device"), without a full stop. With `permissions`
/// the file has these, else those that it had. Any thread; blocks.
tl::expected<void, QString> replaceFile(const QString& path, const QByteArray& bytes,
                                        std::optional<QFileDevice::Permissions> permissions = {});

/// The same where nothing may be there yet: of several programs that try one succeeds.
tl::expected<void, QString> createFile(const QString& path, const QByteArray& bytes);

} // namespace sg::workspace
