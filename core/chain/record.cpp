// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/record.h"

#include "core/policy/text.h"
#include "core/provider/usage.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace sg::chain {

namespace {

QJsonValue since(Instant start, Instant at)
{
    return static_cast<qint64>((at - start).count());
}

QJsonValue since(Instant start, const std::optional<Instant>& at)
{
    return at ? since(start, *at) : QJsonValue();
}

QJsonValue span(Nanos nanos)
{
    return static_cast<qint64>(nanos.count());
}

QJsonValue span(const std::optional<Nanos>& nanos)
{
    return nanos ? span(*nanos) : QJsonValue();
}

QJsonValue errorJson(const provider::ErrorFacts& error)
{
    if (error.disposition.error == provider::ErrorClass::None)
        return QJsonValue();
    return QJsonObject{
        {QStringLiteral("class"), text(provider::toString(error.disposition.error))},
        {QStringLiteral("retry"), text(provider::toString(error.disposition.retry))},
        {QStringLiteral("breaker"), text(policy::toString(error.disposition.breaker))},
        {QStringLiteral("fallback"), text(provider::toString(error.disposition.fallback))},
        {QStringLiteral("status"), error.status},
        {QStringLiteral("code"), text(error.code)},
        {QStringLiteral("message"), text(error.message)},
        {QStringLiteral("hint"), QJsonObject{{QStringLiteral("action"), text(policy::toString(error.hint.action))},
                                             {QStringLiteral("wait_ns"), span(error.hint.wait)},
                                             {QStringLiteral("source"), text(error.hint.source)}}},
    };
}

struct StepWriter
{
    Instant start;

    QJsonObject operator()(const WaitRecord& wait) const
    {
        return {
            {QStringLiteral("step"), QStringLiteral("wait")},
            {QStringLiteral("from_ns"), since(start, wait.from)},
            {QStringLiteral("until_ns"), since(start, wait.until)},
            {QStringLiteral("reason"), text(toString(wait.reason))},
            {QStringLiteral("source"), text(wait.source)},
            {QStringLiteral("own_backoff_ns"), span(wait.ownBackoff)},
            {QStringLiteral("drawn_from_ns"), span(wait.drawnFrom)},
            {QStringLiteral("drawn_to_ns"), span(wait.drawnTo)},
            {QStringLiteral("hint_ns"), span(wait.hint)},
            {QStringLiteral("endpoint"), text(wait.endpoint)},
        };
    }

    QJsonObject operator()(const MoveRecord& move) const
    {
        QJsonObject json{
            {QStringLiteral("step"), QStringLiteral("move")},
            {QStringLiteral("at_ns"), since(start, move.at)},
            {QStringLiteral("tier"), move.tier},
            {QStringLiteral("endpoint"), text(move.endpoint)},
            {QStringLiteral("reason"), text(toString(move.reason))},
            {QStringLiteral("wait_ns"), span(move.wait)},
        };
        if (!move.because.empty())
            json.insert(QStringLiteral("because"), text(move.because));
        return json;
    }

    QJsonObject operator()(const AttemptRecord& attempt) const
    {
        return {
            {QStringLiteral("step"), QStringLiteral("attempt")},
            {QStringLiteral("number"), attempt.number},
            {QStringLiteral("tier"), attempt.tier},
            {QStringLiteral("endpoint"), text(attempt.endpoint)},
            {QStringLiteral("probe"), attempt.probe},
            {QStringLiteral("committed"), attempt.committed},
            {QStringLiteral("timing"), timing(attempt.timing)},
            {QStringLiteral("usage"), provider::toJson(attempt.usage)},
            {QStringLiteral("error"), errorJson(attempt.error)},
        };
    }

    QJsonObject timing(const AttemptTiming& t) const
    {
        return {
            {QStringLiteral("dispatched_ns"), since(start, t.dispatched)},
            {QStringLiteral("connecting_ns"), since(start, t.connecting)},
            {QStringLiteral("sent_ns"), since(start, t.sent)},
            {QStringLiteral("headers_ns"), since(start, t.headers)},
            {QStringLiteral("first_byte_ns"), since(start, t.firstByte)},
            {QStringLiteral("first_token_ns"), since(start, t.firstToken)},
            {QStringLiteral("last_token_ns"), since(start, t.lastToken)},
            {QStringLiteral("end_ns"), since(start, t.end)},
        };
    }
};

} // namespace

std::string_view toString(WaitReason reason)
{
    switch (reason) {
    case WaitReason::Backoff:
        return "backoff";
    case WaitReason::ServerHint:
        return "server_hint";
    case WaitReason::Limiter:
        return "limiter";
    }
    return "";
}

std::string_view toString(MoveReason reason)
{
    switch (reason) {
    case MoveReason::Disabled:
        return "disabled";
    case MoveReason::LacksTools:
        return "lacks_tools";
    case MoveReason::LacksImages:
        return "lacks_images";
    case MoveReason::LacksJsonMode:
        return "lacks_json_mode";
    case MoveReason::WindowTooSmall:
        return "window_too_small";
    case MoveReason::CredentialOut:
        return "credential_out";
    case MoveReason::Parked:
        return "parked";
    case MoveReason::BreakerOpen:
        return "breaker_open";
    case MoveReason::RateLimited:
        return "rate_limited";
    case MoveReason::Bulkhead:
        return "bulkhead";
    case MoveReason::AttemptsUsed:
        return "attempts_used";
    case MoveReason::NotRetryable:
        return "not_retryable";
    case MoveReason::WaitTooLong:
        return "wait_too_long";
    case MoveReason::AttemptBudget:
        return "attempt_budget";
    case MoveReason::ContextTooLong:
        return "context_too_long";
    case MoveReason::ContentPolicy:
        return "content_policy";
    case MoveReason::NoRuleMatched:
        return "no_rule_matched";
    }
    return "";
}

std::string_view toString(Source source)
{
    switch (source) {
    case Source::None:
        return "none";
    case Source::Endpoint:
        return "endpoint";
    case Source::Cache:
        return "cache";
    case Source::SharedCall:
        return "shared_call";
    case Source::CannedReply:
        return "canned_reply";
    }
    return "";
}

std::string_view toString(Ending ending)
{
    switch (ending) {
    case Ending::Running:
        return "running";
    case Ending::Answered:
        return "answered";
    case Ending::Failed:
        return "failed";
    case Ending::Cancelled:
        return "cancelled";
    }
    return "";
}

const AttemptRecord* lastAttempt(const RunRecord& record)
{
    for (auto step = record.steps.rbegin(); step != record.steps.rend(); ++step)
        if (const auto* attempt = std::get_if<AttemptRecord>(&*step))
            return attempt;
    return nullptr;
}

QByteArray toJson(const RunRecord& record)
{
    QJsonArray steps;
    for (const Step& step : record.steps)
        steps.append(std::visit(StepWriter{record.started}, step));
    const bool over = record.ending != Ending::Running;
    QJsonObject object{
        // A string: an id may use all 64 bits, a JSON number of most readers holds 53.
        {QStringLiteral("id"), QString::number(record.id)},
        {QStringLiteral("chain"), text(record.chain)},
        {QStringLiteral("ended_ns"), over ? since(record.started, record.ended) : QJsonValue()},
        {QStringLiteral("steps"), steps},
        {QStringLiteral("attempts"), record.attempts},
        {QStringLiteral("ending"), text(toString(record.ending))},
        {QStringLiteral("source"), text(toString(record.source))},
        {QStringLiteral("tier"), record.tier},
        {QStringLiteral("endpoint"), text(record.endpoint)},
        {QStringLiteral("error"), errorJson(record.error)},
        {QStringLiteral("retry_after_ns"), span(record.retryAfter)},
        {QStringLiteral("committed"), record.committed},
    };
    if (!record.route.empty())
        object.insert(QStringLiteral("route"), text(record.route));
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

} // namespace sg::chain
