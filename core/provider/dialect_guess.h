// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/wait_hint.h"
#include "core/provider/dialect.h"

#include <QJsonObject>
#include <QString>

#include <optional>
#include <string>
#include <vector>

/// Whose answer is this? Private to the room.
namespace sg::provider {

struct DialectGuess
{
    std::optional<Dialect> dialect; ///< in which the body is written
    std::string provider;           ///< who sent it; empty: not known
    QString source;                 ///< what gave it away: "body: candidates", "header: anthropic-organization-id"
};

/// By the headers that only one provider sends.
DialectGuess guessByHeaders(const policy::HeaderList& headers);
/// By the shape of an answer, a chunk or an error.
DialectGuess guessByShape(const QJsonObject& root);
/// The body decides the dialect, since gateways speak one dialect for many providers; the headers decide the provider,
/// then the body does. Several objects: the first chunks of a stream.
DialectGuess guess(const policy::HeaderList& headers, const std::vector<QJsonObject>& objects);

} // namespace sg::provider
