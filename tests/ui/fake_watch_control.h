// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/watch.h"

#include <QJsonObject>

#include <map>

/// A watch control without an engine: hands out the pictures a test puts in, remembers what it was told.
class FakeWatchControl : public sg::engine::WatchControl
{
public:
    std::vector<sg::engine::WatchTarget> known;
    std::vector<std::pair<sg::engine::CallTarget, sg::provider::ChatRequest>> sent;
    std::map<std::uint64_t, sg::engine::WatchViewPtr> views;
    std::vector<std::uint64_t> cancelled, forgotten;
    std::vector<sg::engine::WatchEstimate> estimates;
    mutable int asked = 0;

    FakeWatchControl()
    {
        using sg::engine::TargetKind;
        known = {{{TargetKind::Chain, "prod-chat"}, {}, {}, {}},
                 {{TargetKind::Endpoint, "gpt-4.1"}, "openai", "gpt-4.1", {}},
                 {{TargetKind::Endpoint, "claude-sonnet-4.5"}, "anthropic", "claude-sonnet-4.5", {}},
                 {{TargetKind::Endpoint, "gemini-2.5-flash"}, "gemini", "gemini-2.5-flash", {}},
                 {{TargetKind::Endpoint, "deepseek-v3.2"}, "deepseek", "deepseek-v3.2", {}}};
        estimates = {{"gpt-4.1", 612, 2'400'000, 5'300'000},
                     {"claude-sonnet-4.5", 612, 4'100'000, 9'500'000},
                     {"gemini-2.5-flash", 612, 500'000, 1'400'000},
                     {"deepseek-v3.2", 612, {}, {}}};
    }
    std::vector<sg::engine::WatchTarget> targets() const override { return known; }
    std::uint64_t send(const sg::engine::CallTarget& target, const sg::provider::ChatRequest& request) override
    {
        sent.emplace_back(target, request);
        return sent.size();
    }
    void cancel(std::uint64_t id) override { cancelled.push_back(id); }
    sg::engine::WatchViewPtr view(std::uint64_t id) const override
    {
        ++asked;
        const auto found = views.find(id);
        return found == views.end() ? nullptr : found->second;
    }
    void forget(std::uint64_t id) override { forgotten.push_back(id); }
    std::vector<sg::engine::WatchEstimate> estimate(const sg::engine::CallTarget& target,
                                                    const sg::provider::ChatRequest&) const override
    {
        if (target.kind == sg::engine::TargetKind::Chain)
            return estimates;
        for (const sg::engine::WatchEstimate& estimate : estimates)
            if (estimate.endpoint == target.name)
                return {estimate};
        return {};
    }
};

namespace scene {

using namespace sg;
using engine::WatchView;

constexpr std::int64_t kStart = 1'000'000;

inline Instant at(double ms)
{
    return instantAtMs(kStart) + fromMs(ms);
}

inline provider::ErrorFacts error(provider::ErrorClass c, int status, const char* code, const char* message)
{
    provider::ErrorFacts facts;
    facts.disposition = provider::dispositionOf(c);
    facts.status = status;
    facts.code = code;
    facts.message = message;
    return facts;
}

inline WatchView begun()
{
    WatchView view;
    view.id = 1;
    view.target = {engine::TargetKind::Chain, "prod-chat"};
    view.anchor = {at(0), 1'700'000'000'000};
    view.record.id = 0x01d8;
    view.record.chain = "prod-chat";
    view.record.started = at(0);
    view.taken = at(0);
    return view;
}

struct Try
{
    int tier = 0;
    const char* endpoint = "gpt-4.1";
    double from = 0, to = 0;
    provider::ErrorFacts error{};
    double firstToken = -1;
};

inline chain::AttemptRecord attempt(WatchView& view, const Try& made)
{
    chain::AttemptRecord attempt;
    attempt.number = ++view.record.attempts;
    attempt.tier = made.tier;
    attempt.endpoint = made.endpoint;
    attempt.timing.dispatched = at(made.from);
    const double span = made.to - made.from;
    attempt.timing.connecting = at(made.from + span * 0.002);
    attempt.timing.sent = at(made.from + span * 0.02);
    attempt.timing.headers = attempt.timing.firstByte = at(made.from + span * 0.2);
    attempt.timing.end = at(made.to);
    attempt.error = made.error;
    if (made.firstToken >= 0) {
        attempt.timing.firstToken = at(made.firstToken);
        attempt.timing.lastToken = at(made.to);
        attempt.committed = true;
    }
    engine::AttemptTrace trace;
    trace.number = attempt.number;
    trace.endpoint = made.endpoint;
    trace.provider = "openai";
    trace.dialect = "openai";
    trace.method = "POST";
    trace.url = "https://api.example.com/v1/chat/completions";
    trace.requestHeaders = {{"content-type", "application/json"}, {"authorization", "Bearer ***"}};
    trace.requestBody = R"({"messages":[]})";
    trace.status = made.error.status > 0                                        ? made.error.status
                   : made.error.disposition.error == provider::ErrorClass::None ? 200
                                                                                : 0;
    trace.responseHeaders = {{"content-type", "text/event-stream"},     {"request-id", "req_011CVqk7H2d3"},
                             {"ratelimit-requests-limit", "800"},       {"ratelimit-requests-remaining", "331"},
                             {"ratelimit-requests-reset", "14:33:00Z"}, {"ratelimit-tokens-remaining", "61240"}};
    trace.raw = "data: {\"choices\":[{\"delta\":{\"content\":\"Sorry\"}}]}\n\n";
    trace.rawBytes = trace.raw.size();
    view.traces.push_back(trace);
    return attempt;
}

inline void add(WatchView& view, const Try& made)
{
    view.record.steps.emplace_back(attempt(view, made));
}

inline void wait(WatchView& view, double from, double to, chain::WaitReason reason, const char* source,
                 const char* endpoint, std::optional<double> drawnTo = {})
{
    chain::WaitRecord wait;
    if (drawnTo) {
        wait.drawnFrom = Nanos::zero();
        wait.drawnTo = fromMs(*drawnTo);
    }
    wait.from = at(from);
    wait.until = at(to);
    wait.reason = reason;
    wait.source = source;
    wait.endpoint = endpoint;
    if (reason == chain::WaitReason::ServerHint)
        wait.hint = fromMs(to - from);
    view.record.steps.emplace_back(wait);
}

inline void move(WatchView& view, double when, int tier, const char* endpoint, chain::MoveReason reason)
{
    view.record.steps.emplace_back(chain::MoveRecord{at(when), tier, endpoint, reason, {}});
}

inline void end(WatchView& view, double ms, chain::Ending ending)
{
    view.running = false;
    view.record.ended = view.taken = at(ms);
    view.record.ending = ending;
    view.answerIsPartial = ending != chain::Ending::Answered;
    if (ending != chain::Ending::Answered)
        return;
    view.record.source = chain::Source::Endpoint;
    for (const chain::Step& step : view.record.steps)
        if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step)) {
            view.record.tier = attempt->tier;
            view.record.endpoint = attempt->endpoint;
            view.record.committed = true;
        }
}

inline void stream(WatchView& view, double from, double to, int pieces)
{
    for (int i = 0; i < pieces; ++i) {
        const double wobble = 4 * std::sin(i * 1.7);
        const double stall = i > pieces / 3 ? 40 : 0;
        view.arrivals.push_back({at(from + stall + wobble + (to - from - stall - 8) * i / pieces), 4, false});
    }
}

inline const char* answerText()
{
    return "Sorry to hear that, four days with a slipping pole is no fun. For order A-20417:\n\n"
           "Try this first (5 minutes)\n\n"
           " 1. Pull the lower section out completely and wipe the plastic expander dry.\n"
           " 2. Turn the expander two full turns counter-clockwise, then reinsert.\n"
           " 3. Tighten by hand and lean on the pole with about half your weight.\n\n"
           "If it still slips, a replacement collar ships from our Lyon warehouse. Ordered before 16:00 today it "
           "reaches most addresses by Friday. Reply with your postcode and I will check the delivery date for you.";
}

inline const provider::ErrorFacts overloaded()
{
    return error(provider::ErrorClass::Overloaded, 503, "overloaded_error", "The engine is overloaded, try later");
}

/// The picture of the design: five tries over two tiers.
inline WatchView answered()
{
    using chain::WaitReason;
    WatchView view = begun();
    provider::ErrorFacts limited =
        error(provider::ErrorClass::RateLimited, 429, "rate_limit_error", "Too many requests for this key");
    limited.hint = {policy::HintAction::Wait, fromMs(2000), "retry-after"};
    add(view, {0, "gpt-4.1", 20, 232, overloaded()});
    wait(view, 232, 542, WaitReason::Backoff, "exponential backoff, full jitter", "gpt-4.1", 500);
    add(view, {0, "gpt-4.1", 542, 740, overloaded()});
    wait(view, 740, 1560, WaitReason::Backoff, "exponential backoff, full jitter", "gpt-4.1", 1000);
    add(view, {0, "gpt-4.1", 1560, 1765, overloaded()});
    move(view, 1765, 0, "gpt-4.1", chain::MoveReason::BreakerOpen);
    add(view, {1, "claude-sonnet-4.5", 1766, 1924, limited});
    wait(view, 1924, 3924, WaitReason::ServerHint, "retry-after", "claude-sonnet-4.5");
    add(view, {1, "claude-sonnet-4.5", 3924, 6470, {}, 4560});
    auto& last = std::get<chain::AttemptRecord>(view.record.steps.back());
    last.usage.inputTokens = 612;
    last.usage.outputTokens = 148;
    end(view, 6470, chain::Ending::Answered);
    view.answer.text = QString::fromUtf8(answerText());
    view.answer.finishReason = "stop";
    view.answer.model = "claude-sonnet-4.5";
    view.answer.usage = last.usage;
    view.costNanoUsd = 4'056'000;
    view.costBasis = QStringLiteral("612 in × $3.00/M + 148 out × $15.00/M");
    stream(view, 4560, 6470, 148);
    return view;
}

inline WatchView running()
{
    WatchView view = begun();
    add(view, {0, "gpt-4.1", 20, 232, overloaded()});
    wait(view, 232, 542, chain::WaitReason::Backoff, "exponential backoff, full jitter", "gpt-4.1");
    view.current = attempt(view, {0, "gpt-4.1", 542, 2100, {}, 1100});
    view.taken = at(2100);
    view.answer.text = QStringLiteral("Sorry to hear that, four days with");
    view.answer.reasoning = QStringLiteral("The customer has a locking collar that slips. The manual says: dry it.");
    stream(view, 1100, 2100, 30);
    return view;
}

inline WatchView waiting()
{
    WatchView view = begun();
    add(view, {0, "gpt-4.1", 20, 232, overloaded()});
    wait(view, 232, 8232, chain::WaitReason::ServerHint, "retry-after", "gpt-4.1");
    view.waitingUntil = at(8232);
    view.taken = at(1200);
    return view;
}

/// Every tier is out.
inline WatchView failed()
{
    WatchView view = begun();
    add(view, {0, "gpt-4.1", 4, 216, overloaded()});
    wait(view, 216, 527, chain::WaitReason::Backoff, "exponential backoff, full jitter", "gpt-4.1");
    add(view, {0, "gpt-4.1", 527, 731, overloaded()});
    move(view, 731, 0, "gpt-4.1", chain::MoveReason::AttemptsUsed);
    move(view, 731, 1, "claude-sonnet-4.5", chain::MoveReason::CredentialOut);
    add(view, {2, "gemini-2.5-flash", 732, 1030,
               error(provider::ErrorClass::Connection, 0, "", "Connection refused by 127.0.0.1:9")});
    move(view, 1030, 2, "gemini-2.5-flash", chain::MoveReason::NotRetryable);
    end(view, 1030, chain::Ending::Failed);
    view.record.error = overloaded();
    view.record.retryAfter = fromMs(12'000);
    return view;
}

/// Its variable is not set: the product did not ask anybody.
inline WatchView keyless()
{
    WatchView view = begun();
    add(view, {0, "gpt-4.1", 0, 0, error(provider::ErrorClass::Authentication, 0, "", "OPENAI_API_KEY is not set")});
    auto& last = std::get<chain::AttemptRecord>(view.record.steps.back());
    last.timing.sent.reset();
    last.timing.connecting.reset();
    move(view, 0, 0, "gpt-4.1", chain::MoveReason::CredentialOut);
    end(view, 1, chain::Ending::Failed);
    view.record.error = last.error;
    return view;
}

/// Broke off after the first words.
inline WatchView brokenOff()
{
    WatchView view = begun();
    add(view,
        {0, "gpt-4.1", 20, 3100, error(provider::ErrorClass::StreamBroken, 0, "", "The stream ended early"), 640});
    auto& last = std::get<chain::AttemptRecord>(view.record.steps.back());
    last.timing.lastToken = at(1900);
    end(view, 3100, chain::Ending::Failed);
    view.record.error = last.error;
    view.record.committed = true;
    view.answer.text = QStringLiteral("Sorry to hear that, four days");
    stream(view, 640, 1900, 20);
    return view;
}

inline WatchView cancelled()
{
    WatchView view = running();
    auto last = *view.current;
    view.current.reset();
    last.error = error(provider::ErrorClass::Cancelled, 0, "", "");
    view.record.steps.emplace_back(last);
    end(view, 2150, chain::Ending::Cancelled);
    return view;
}

inline WatchView tools()
{
    WatchView view = begun();
    add(view, {0, "gpt-4.1", 20, 900, {}, 400});
    end(view, 900, chain::Ending::Answered);
    const auto call = [](const char* name, const char* arguments) {
        return QJsonObject{
            {QStringLiteral("id"), QStringLiteral("call_1")},
            {QStringLiteral("type"), QStringLiteral("function")},
            {QStringLiteral("function"), QJsonObject{{QStringLiteral("name"), QLatin1String(name)},
                                                     {QStringLiteral("arguments"), QLatin1String(arguments)}}}};
    };
    view.answer.toolCalls = {call("find_order", R"({"order":"A-20417"})"),
                             call("delivery_date", R"({"postcode":"69001","express":true})")};
    view.answer.finishReason = "tool_calls";
    view.answer.reasoning = QStringLiteral("I should look the order up first.");
    view.answer.usage.inputTokens = 210;
    view.answer.usage.outputTokens = 44;
    stream(view, 400, 900, 12);
    return view;
}

inline WatchView quick()
{
    WatchView view = begun();
    view.target = {engine::TargetKind::Endpoint, "gpt-4.1"};
    add(view, {0, "gpt-4.1", 0.2, 98, {}, 61});
    end(view, 98.4, chain::Ending::Answered);
    view.answer.text = QStringLiteral("Yes.");
    view.answer.usage.inputTokens = 12;
    view.answer.usage.outputTokens = 2;
    stream(view, 61, 98, 2);
    return view;
}

/// Twenty tries in ten minutes, with names that go on and on and a huge answer in one line.
inline WatchView extreme()
{
    static const char* const kLong = "an-endpoint-with-a-name-that-goes-on-and-on-eu-central-1-gpt-4.1-2025-04-14";
    WatchView view = begun();
    double now = 0;
    for (int i = 0; i < 19; ++i) {
        provider::ErrorFacts facts =
            i % 3 == 2 ? error(provider::ErrorClass::RateLimited, 429, "rate_limit", "slow") : overloaded();
        facts.message = std::string(300, 'm');
        facts.code = std::string(80, 'c');
        add(view, {i / 5, i % 2 ? kLong : "gpt-4.1", now, now + 14'000, facts});
        now += 14'000;
        if (i % 5 == 4) {
            move(view, now, i / 5, kLong, chain::MoveReason::WaitTooLong);
        } else {
            wait(view, now, now + 17'000, i % 3 == 2 ? chain::WaitReason::ServerHint : chain::WaitReason::Backoff,
                 i % 3 == 2 ? "anthropic-ratelimit-requests-reset" : "exponential backoff, decorrelated jitter", kLong);
            now += 17'000;
        }
    }
    add(view, {4, kLong, now, 600'000, {}, now + 20'000});
    end(view, 600'000, chain::Ending::Answered);
    view.answer.text = QString(1'000'000, QLatin1Char('x'));
    view.answer.model = std::string(200, 'm');
    view.answer.usage.inputTokens = 99'999'999;
    view.answer.usage.outputTokens = 9'999'999;
    view.costNanoUsd = 12'345'678'900'000;
    view.costIsLowerBound = true;
    view.traces.back().raw = QByteArray(256 * 1024, 'y');
    view.traces.back().rawBytes = 9'000'000;
    for (int i = 0; i < 60; ++i)
        view.traces.back().responseHeaders.emplace_back("x-a-header-with-a-long-name-" + std::to_string(i),
                                                        std::string(4000, 'v'));
    for (int i = 0; i < 4096; ++i)
        view.arrivals.push_back({at(now + 20'000 + i * 9.0), 40, false});
    view.arrivalsDropped = 123'456;
    return view;
}

inline engine::WatchViewPtr shared(WatchView view)
{
    return std::make_shared<const WatchView>(std::move(view));
}

} // namespace scene
