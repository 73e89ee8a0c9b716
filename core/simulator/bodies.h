// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/dialect.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>

/// The bytes a simulated provider answers with. Pure functions.
namespace sg::simulator {

struct KnownBody
{
    QByteArray text;
    QByteArray contentType;
};
QStringList knownBodyNames();
std::optional<KnownBody> knownBody(const QString& name);
/// A fitting body for an error status.
QByteArray defaultErrorBody(int status, provider::Dialect dialect = provider::Dialect::OpenAi);
/// An error in the middle of a stream.
QByteArray errorEvent(const QByteArray& body, provider::Dialect dialect);
QByteArray contentTypeOf(const QByteArray& body); ///< JSON, HTML or plain text by its first character

/// Nothing when every {placeholder} in a header value is known; otherwise what is wrong.
std::optional<QString> headerTemplateProblem(const QString& value);
/// {date+5s} an HTTP date, {unix+5s} and {unix_ms+5s} epoch time, {iso+5s} RFC 3339; the span counts from `nowUnixMs`
/// and takes ms, s, m, h or d, or is left out.
QByteArray expandHeader(const QByteArray& value, qint64 nowUnixMs);

/// Text of so many tokens, one word and a blank each; never needs escaping in JSON.
QByteArray words(std::uint64_t start, int count);

struct AnswerFacts
{
    QByteArray id;    ///< "chatcmpl-sim-gpt-4.1-17"
    QByteArray model; ///< JSON string, escaped and quoted
    qint64 createdUnix = 0;
    int promptTokens = 0, outputTokens = 0;
    bool cutByLimit = false; ///< finish_reason "length"
    bool includeUsage = false;
    QByteArray toolName{}; ///< JSON string; not empty: the text is this tool's arguments
    provider::Dialect dialect = provider::Dialect::OpenAi;
};
QByteArray wholeAnswer(const AnswerFacts& facts, const QByteArray& text);
QByteArray roleChunk(const AnswerFacts& facts); ///< what comes before the first token
QByteArray contentChunk(const AnswerFacts& facts, const QByteArray& text);
QByteArray closingChunks(const AnswerFacts& facts); ///< finish reason, usage where asked for, what ends a stream
QByteArray quotedJson(const QString& text);
/// Eight numbers for each input, the same for the same text; as a list, or as base64 of 32-bit floats.
QByteArray embeddings(const QByteArray& model, const QStringList& inputs, bool asBase64);
/// FNV-1a: the same on every machine and in every version, which Qt's own hash does not promise.
std::uint64_t stableHash(const QByteArray& bytes);

} // namespace sg::simulator
