// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_streams.h"

namespace sg::test {

using provider::Dialect;

namespace {
QByteArray sse(const QByteArray& data)
{
    return "data: " + data + "\n\n";
}

/// Anthropic names its events in the type of their data as well.
QByteArray named(const QByteArray& name, const QByteArray& fields)
{
    return "event: " + name + "\ndata: {\"type\":\"" + name + '"' + fields + "}\n\n";
}

QByteArray chunk(const QByteArray& delta, const QByteArray& finish = "null", const QByteArray& more = {})
{
    return sse(
        R"({"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion.chunk","created":1741570283,)"
        R"("model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_fc9f1d7035",)"
        R"("choices":[{"index":0,"delta":)" +
        delta + R"(,"logprobs":null,"finish_reason":)" + finish + "}]" + more + '}');
}

QByteArray gemini(const QByteArray& parts, const QByteArray& more = {}, const QByteArray& usage = {})
{
    return "data: {\"candidates\": [{\"content\": {\"parts\": [" + parts + "],\"role\": \"model\"}" + more +
           ",\"index\": 0}],\"usageMetadata\": {\"promptTokenCount\": 11" + usage +
           ",\"promptTokensDetails\": [{\"modality\": \"TEXT\",\"tokenCount\": 11}]},\"modelVersion\": "
           "\"gemini-2.5-flash\",\"responseId\": \"mAitaLmkHPPlz7IPvtfUqQ4\"}\r\n\r\n";
}

const QByteArray kDone = sse("[DONE]");
const QByteArray kRole = chunk(R"({"role":"assistant","content":"","refusal":null})");
const QByteArray kAnthropicHead = named("message_start", R"(,"message":{"id":"msg_01XFDUDYJgAACzvnptvVoYEL",)"
                                                         R"("type":"message","role":"assistant","content":[],)"
                                                         R"("model":"claude-sonnet-4-5","stop_reason":null,)"
                                                         R"("usage":{"input_tokens":25,"cache_read_input_tokens":100,)"
                                                         R"("cache_creation_input_tokens":7,"output_tokens":1}})");

QByteArray blockStart(int index, const QByteArray& block)
{
    return named("content_block_start", ",\"index\":" + QByteArray::number(index) + ",\"content_block\":" + block);
}

QByteArray blockDelta(int index, const QByteArray& delta)
{
    return named("content_block_delta", ",\"index\":" + QByteArray::number(index) + ",\"delta\":" + delta);
}

QByteArray blockStop(int index)
{
    return named("content_block_stop", ",\"index\":" + QByteArray::number(index));
}

QByteArray anthropicEnd(const QByteArray& reason, int tokens)
{
    return named("message_delta", R"(,"delta":{"stop_reason":")" + reason +
                                      R"(","stop_sequence":null},"usage":{"output_tokens":)" +
                                      QByteArray::number(tokens) + '}') +
           named("message_stop", {});
}

void addOpenAi(std::vector<SampleStream>& all)
{
    const auto add = [&all](const char* name, const QByteArray& bytes) {
        all.push_back({name, Dialect::OpenAi, bytes});
    };
    const QByteArray stop = chunk("{}", "\"stop\"");
    const QByteArray word = chunk(R"({"content":"Grüße \ud83d\ude00"})");
    add("openai: usage of its own chunk",
        kRole + word + stop +
            sse(R"({"id":"x","choices":[],"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29,)"
                R"("prompt_tokens_details":{"cached_tokens":4,"audio_tokens":0},)"
                R"("completion_tokens_details":{"reasoning_tokens":3,"audio_tokens":0}}})") +
            kDone);
    add("openai: usage repeated, zero usage first",
        chunk(R"({"content":"a"})", "null", R"(,"usage":{"prompt_tokens":0,"completion_tokens":0})") +
            chunk(R"({"content":"b"})", "\"stop\"", R"(,"usage":{"prompt_tokens":5,"completion_tokens":2})"));
    add("openai: unknown fields and events",
        ": keep-alive\n\nevent: ping\ndata: {}\n\n" + kRole + sse(R"({"choices":[],"x_groq":{"id":"req_1"}})") +
            chunk(R"({"content":"hi","annotations":[],"x":{"y":[1]}})", "null", R"(,"obfuscation":"8Yb1")") + stop +
            kDone);
    add("openai: half a character in each of two chunks",
        chunk(R"({"content":"a\ud83d"})") + chunk(R"({"content":"\ude00b"})") + stop + kDone);
    add("openai: tool calls, ids late or never",
        kRole + chunk(R"({"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"q\":"}}]})") +
            chunk(R"({"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}]})") +
            chunk(R"({"content":"meanwhile"})") +
            chunk(R"({"tool_calls":[{"index":0,"id":"a","function":{"arguments":"1}"}},)"
                  R"({"index":2,"function":{"name":"h","arguments":"{}"}}]})") +
            chunk(R"({"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]})") + chunk("{}", "\"tool_calls\"") +
            kDone);
    add("openai: reasoning in the other spelling, cost, native reason",
        chunk(R"({"role":"assistant","content":"","reasoning":"Let me"})") + chunk(R"({"reasoning":" think."})") +
            chunk(R"({"content":"42"})") +
            chunk(R"({"content":""})", R"("length","native_finish_reason":"MAX_TOKENS")",
                  R"(,"usage":{"prompt_tokens":9,"completion_tokens":3,"cost":0.0000125})") +
            kDone);
    add("openai: refusal",
        chunk(R"({"refusal":"I can't help"})") + chunk(R"({"refusal":" with that."})") + stop + kDone);
    add("openai: filtered after words", word + chunk("{}", "\"content_filter\"") + kDone);
    add("openai: all the limit spent on hidden reasoning",
        kRole +
            chunk("{}", "\"length\"",
                  R"(,"usage":{"prompt_tokens":9,"completion_tokens":64,"completion_tokens_details":)"
                  R"({"reasoning_tokens":64}})") +
            kDone);
    add("openai: no finish reason", word + kDone);
}

void addAnthropic(std::vector<SampleStream>& all)
{
    const auto add = [&all](const char* name, const QByteArray& bytes) {
        all.push_back({name, Dialect::Anthropic, bytes});
    };
    const QByteArray text = R"({"type":"text","text":""})";
    add("anthropic: text", kAnthropicHead + blockStart(0, text) + named("ping", {}) +
                               blockDelta(0, R"({"type":"text_delta","text":"Hello"})") +
                               blockDelta(0, R"({"type":"text_delta","text":" \"you\""})") + blockStop(0) +
                               anthropicEnd("end_turn", 15));
    add("anthropic: thinking, text and two tools",
        kAnthropicHead + blockStart(0, R"({"type":"thinking","thinking":"","signature":""})") +
            blockDelta(0, R"({"type":"thinking_delta","thinking":"The weather, then."})") +
            blockDelta(0, R"({"type":"signature_delta","signature":"EqQBCgIYAhIM"})") + blockStop(0) +
            blockStart(1, text) + blockDelta(1, R"({"type":"text_delta","text":"Let me look."})") + blockStop(1) +
            blockStart(2, R"({"type":"tool_use","id":"toolu_01","name":"get_weather","input":{}})") +
            blockDelta(2, R"({"type":"input_json_delta","partial_json":""})") +
            blockDelta(2, R"({"type":"input_json_delta","partial_json":"{\"location\": \"San"})") +
            blockDelta(2, R"({"type":"input_json_delta","partial_json":" Francisco\"}"})") + blockStop(2) +
            blockStart(3, R"({"type":"tool_use","id":"toolu_02","name":"get_time","input":{}})") + blockStop(3) +
            anthropicEnd("tool_use", 89));
    add("anthropic: cut at the limit", kAnthropicHead + blockStart(0, text) +
                                           blockDelta(0, R"({"type":"text_delta","text":"One, two"})") + blockStop(0) +
                                           anthropicEnd("max_tokens", 2));
}

void addGemini(std::vector<SampleStream>& all)
{
    const auto add = [&all](const char* name, const QByteArray& bytes) {
        all.push_back({name, Dialect::Gemini, bytes});
    };
    const QByteArray end = ",\"candidatesTokenCount\": 7,\"totalTokenCount\": 18";
    add("gemini: text", gemini(R"({"text": "Hello"})", {}, ",\"totalTokenCount\": 11") +
                            gemini(R"({"text": " there"})", R"(,"finishReason": "STOP")", end));
    add("gemini: thoughts and calls",
        gemini(R"({"text": "I look it up.","thought": true})") +
            gemini(R"({"text": "Moment."},{"functionCall": {"name": "find","args": {"q": "a\u2028b"}},)"
                   R"("thoughtSignature": "CpcBAdHtim+7"})") +
            gemini(R"({"functionCall": {"name": "find","args": {"q": "c"}}})", R"(,"finishReason": "STOP")",
                   ",\"candidatesTokenCount\": 7,\"thoughtsTokenCount\": 4,\"totalTokenCount\": 22"));
    add("gemini: cut at the limit", gemini(R"({"text": "One"})", R"(,"finishReason": "MAX_TOKENS")", end));
}

QByteArray tokenEvent(Dialect dialect)
{
    switch (dialect) {
    case Dialect::Anthropic:
        return blockDelta(0, R"({"type":"text_delta","text":" word"})");
    case Dialect::Gemini:
        return gemini(R"({"text": " word"})", {}, ",\"totalTokenCount\": 11");
    case Dialect::OpenAi:
    case Dialect::Azure:
        break;
    }
    return chunk(R"({"content":" word"})");
}
} // namespace

std::vector<SampleStream> sampleStreams()
{
    std::vector<SampleStream> all;
    addOpenAi(all);
    addAnthropic(all);
    addGemini(all);
    return all;
}

QByteArray tokenStream(Dialect dialect, int tokens)
{
    const QByteArray words = tokenEvent(dialect).repeated(tokens);
    switch (dialect) {
    case Dialect::Anthropic:
        return kAnthropicHead + blockStart(0, R"({"type":"text","text":""})") + words + blockStop(0) +
               anthropicEnd("end_turn", tokens);
    case Dialect::Gemini:
        return words + gemini(R"({"text": "."})", R"(,"finishReason": "STOP")", ",\"totalTokenCount\": 20");
    case Dialect::OpenAi:
    case Dialect::Azure:
        break;
    }
    return kRole + words + chunk("{}", "\"stop\"") +
           sse(R"({"choices":[],"usage":{"prompt_tokens":45,"completion_tokens":)" + QByteArray::number(tokens) +
               "}}") +
           kDone;
}

} // namespace sg::test
