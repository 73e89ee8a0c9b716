// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/dialects.h"

namespace sg::simulator {

namespace {

QByteArray event(const QByteArray& name, const QByteArray& data)
{
    return "event: " + name + "\ndata: " + data + "\n\n";
}

QByteArray number(int value)
{
    return QByteArray::number(value);
}

/// Types as Anthropic's error reference pairs them with statuses.
QByteArray anthropicType(int status)
{
    switch (status) {
    case 401:
        return "authentication_error";
    case 403:
        return "permission_error";
    case 404:
        return "not_found_error";
    case 413:
        return "request_too_large";
    case 429:
        return "rate_limit_error";
    case 503:
    case 529:
        return "overloaded_error";
    default:
        return status >= 500 ? "api_error" : "invalid_request_error";
    }
}

/// As Google's status codes pair them.
QByteArray geminiStatus(int status)
{
    switch (status) {
    case 401:
        return "UNAUTHENTICATED";
    case 403:
        return "PERMISSION_DENIED";
    case 404:
        return "NOT_FOUND";
    case 429:
        return "RESOURCE_EXHAUSTED";
    case 503:
        return "UNAVAILABLE";
    case 504:
        return "DEADLINE_EXCEEDED";
    default:
        return status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT";
    }
}

/// Only the last piece knows the usage.
QByteArray geminiAnswer(const AnswerFacts& facts, const QByteArray& text, bool isLast)
{
    QByteArray json = R"({"candidates":[{"content":{"parts":[{"text":")" + text + R"("}],"role":"model"})";
    if (isLast)
        json += facts.cutByLimit ? R"(,"finishReason":"MAX_TOKENS")" : R"(,"finishReason":"STOP")";
    json += R"(,"index":0}])";
    if (isLast)
        json += R"(,"usageMetadata":{"promptTokenCount":)" + number(facts.promptTokens) +
                R"(,"candidatesTokenCount":)" + number(facts.outputTokens) + R"(,"totalTokenCount":)" +
                number(facts.promptTokens + facts.outputTokens) + "}";
    json += R"(,"modelVersion":)" + facts.model + R"(,"responseId":")" + facts.id + "\"}";
    return json;
}

} // namespace

namespace anthropic {

QByteArray whole(const AnswerFacts& facts, const QByteArray& text)
{
    return R"({"id":")" + facts.id + R"(","type":"message","role":"assistant","model":)" + facts.model +
           R"(,"content":[{"type":"text","text":")" + text + R"("}],"stop_reason":")" +
           (facts.cutByLimit ? "max_tokens" : "end_turn") + R"(","stop_sequence":null,"usage":{"input_tokens":)" +
           number(facts.promptTokens) + R"(,"output_tokens":)" + number(facts.outputTokens) + "}}";
}

QByteArray opening(const AnswerFacts& facts)
{
    return event("message_start", R"({"type":"message_start","message":{"id":")" + facts.id +
                                      R"(","type":"message","role":"assistant","model":)" + facts.model +
                                      R"(,"content":[],"stop_reason":null,"stop_sequence":null,)"
                                      R"("usage":{"input_tokens":)" +
                                      number(facts.promptTokens) + R"(,"output_tokens":1}}})") +
           event("content_block_start",
                 R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})") +
           event("ping", R"({"type":"ping"})");
}

QByteArray piece(const QByteArray& text)
{
    return event("content_block_delta",
                 R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")" + text + "\"}}");
}

QByteArray closing(const AnswerFacts& facts)
{
    return event("content_block_stop", R"({"type":"content_block_stop","index":0})") +
           event("message_delta", QByteArray(R"({"type":"message_delta","delta":{"stop_reason":")") +
                                      (facts.cutByLimit ? "max_tokens" : "end_turn") +
                                      R"(","stop_sequence":null},"usage":{"output_tokens":)" +
                                      number(facts.outputTokens) + "}}") +
           event("message_stop", R"({"type":"message_stop"})");
}

QByteArray error(int status)
{
    return R"({"type":"error","error":{"type":")" + anthropicType(status) + R"(","message":"Simulated status )" +
           number(status) + "\"}}";
}

} // namespace anthropic

namespace gemini {

QByteArray whole(const AnswerFacts& facts, const QByteArray& text)
{
    return geminiAnswer(facts, text, true);
}

QByteArray piece(const AnswerFacts& facts, const QByteArray& text)
{
    return "data: " + geminiAnswer(facts, text, false) + "\r\n\r\n";
}

QByteArray closing(const AnswerFacts& facts)
{
    return "data: " + geminiAnswer(facts, {}, true) + "\r\n\r\n";
}

QByteArray error(int status)
{
    return R"({"error":{"code":)" + number(status) + R"(,"message":"Simulated status )" + number(status) +
           R"(","status":")" + geminiStatus(status) + "\"}}";
}

} // namespace gemini

} // namespace sg::simulator
