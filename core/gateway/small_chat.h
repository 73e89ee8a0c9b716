// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/call.h"
#include "core/engine/switchboard.h"
#include "core/gateway/failure.h"

#include <QJsonObject>

#include <tl/expected.hpp>

/// POST /chat: one message, one answer, for callers that know nothing of OpenAI's form.
namespace sg::gateway {

struct SmallChatAsk
{
    QString message;
    QString model; ///< empty: the first chain
};

/// {"message": "…", "model": "…"}. Any thread.
tl::expected<SmallChatAsk, Failure> readSmallChat(const QByteArray& json);
/// Never streams; without callbacks yet.
tl::expected<engine::Call, Failure> smallChatCall(const SmallChatAsk& ask, const engine::Switchboard& switchboard);

/// {"response", "model", "circuit_status"}.
QJsonObject smallChatAnswer(const engine::CallResult& result, const engine::Switchboard& switchboard, Instant now);
/// {"error": {…}, "reason", "retry_after", "circuit_status"}: seconds, null when nobody knows.
QJsonObject smallChatFailure(const Failure& failure, const chain::RunRecord& record,
                             const engine::Switchboard& switchboard, Instant now);

} // namespace sg::gateway
