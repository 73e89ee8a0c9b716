// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

/// A client of OpenAI's streams that takes nothing for granted.
namespace sg::test {

constexpr std::int64_t kStrictCreated = 1'700'000'000; ///< what "created" must be

/// The chunks before [DONE].
std::vector<QJsonObject> chunksOf(const QByteArray& stream);

/// Why the client would not read the stream; empty when it would. `created` empty: the same in all chunks.
QString strictProblem(const QByteArray& stream, bool wantsUsage, std::optional<std::int64_t> created = kStrictCreated);

} // namespace sg::test
