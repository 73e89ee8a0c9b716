// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/answer_reader.h"

#include <QJsonArray>

#include <functional>
#include <optional>
#include <string>

namespace sg::test {

/// All that a reader says of a stream, comparable.
struct StreamOutcome
{
    QString text, reasoning;
    QStringList deltas; ///< "text|reasoning|index,id,name,arguments;…"
    QJsonArray toolCalls;
    std::string finishReason, finishReasonSent, model, id;
    provider::Usage usage;
    QJsonObject usageSent;
    QStringList warnings;
    bool committed = false, terminal = false, done = false;
    std::optional<provider::Disposition> error;
    std::string code, message;
    bool operator==(const StreamOutcome&) const = default;
};

/// How many bytes come with the next read; at least 1.
using NextCut = std::function<qsizetype()>;

provider::AnswerContext contextOf(provider::Dialect dialect); ///< with the provider of the same name

StreamOutcome readStream(const QByteArray& stream, provider::Dialect dialect, const NextCut& nextCut);
StreamOutcome readStream(const QByteArray& stream, provider::Dialect dialect); ///< in one read

/// Reads byte by byte and in random cuts; says which of them gave another outcome than the whole. Empty: none did.
QString differingCuts(const QByteArray& stream, provider::Dialect dialect);

} // namespace sg::test
