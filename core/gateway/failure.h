// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/http/server.h"

namespace sg::gateway {

constexpr int kClientLeft = 499; ///< no status that is sent: as nginx writes it

/// An answer that is no success, in OpenAI's error shape: {"error": {"message", "type", "param", "code"}}. The caller's
/// mistakes are 4xx, everything else 5xx.
struct Failure
{
    int status = 500;
    QString message;                            ///< a sentence; keys in it are masked
    QString type = QStringLiteral("api_error"); ///< "invalid_request_error", "authentication_error", …: OpenAI's names
    QString code{};                             ///< ours, snake_case: "all_tiers_out"; empty: null
    QString param{};                            ///< the field that is wrong; empty: null
    std::optional<Nanos> retryAfter{};          ///< told as Retry-After (whole seconds, up) and retry-after-ms
    http::Headers headers{};                    ///< further ones of the answer: Allow, WWW-Authenticate
};

/// How a chain's failure is told to an application, given a run that has ended as Failed.
Failure failureOf(const chain::RunRecord& record);

Failure badRequest(QString message, QString param = {});
/// 503: not now, but after a while.
Failure unavailable(const char* code, QString message, Nanos retryAfter);
/// The gateway is going: to those that it cuts off, and to those that come too late.
Failure stopping();

QByteArray errorBody(const Failure& failure);
/// What goes with it beside its own headers: Retry-After and what else clients go by.
http::Headers adviceOf(const Failure& failure);
/// The whole answer; `headers` go with it.
void send(http::Responder& responder, const Failure& failure, http::Headers headers = {});

} // namespace sg::gateway
