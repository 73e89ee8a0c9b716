// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/answer_builder.h"
#include "core/provider/dialect.h"

#include <QJsonObject>

#include <memory>
#include <string_view>

/// What the readers of the dialects have in common. Private to the room.
namespace sg::provider {

/// Tells the builder what one dialect's JSON says. Error objects, [DONE], comments and JSON that cannot be read never
/// come here. Holds what must be remembered from event to event.
class DialectReader
{
public:
    virtual ~DialectReader() = default;
    /// One event of a stream; `name` is "message" where the event has none.
    virtual void onEvent(std::string_view name, const QJsonObject& data, AnswerBuilder& out) = 0;
    /// A whole answer. One that holds none is told with out.fail().
    virtual void onWhole(const QJsonObject& root, AnswerBuilder& out) = 0;
};

std::unique_ptr<DialectReader> makeReader(Dialect dialect);

std::unique_ptr<DialectReader> makeOpenAiReader();
std::unique_ptr<DialectReader> makeAnthropicReader();
std::unique_ptr<DialectReader> makeGeminiReader();

} // namespace sg::provider
