// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/dialect.h"

#include <QByteArray>
#include <QString>

namespace sg::simulator {

/// What a path below an endpoint's name means: the addresses of all dialects are served side by side.
struct Route
{
    enum Kind { Unknown, Chat, Models, Embeddings };
    Kind kind = Unknown;
    provider::Dialect dialect = provider::Dialect::OpenAi;
    QString model;       ///< where the address says it
    bool stream = false; ///< where the address says so
};
/// `operation` is the path after the name, percent-decoded.
Route routeOf(const QByteArray& operation);

} // namespace sg::simulator
