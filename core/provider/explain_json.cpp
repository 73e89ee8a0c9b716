// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/explain.h"
#include "core/provider/mask.h"

#include <QJsonDocument>

namespace sg::provider {

namespace {
QJsonValue textOrNull(const QString& text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonValue textOrNull(const std::string& text)
{
    return textOrNull(QString::fromStdString(text));
}

QString word(std::string_view text)
{
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

template <class T>
QJsonValue numberOrNull(const std::optional<T>& number)
{
    return number ? QJsonValue(static_cast<qint64>(*number)) : QJsonValue();
}

QJsonValue usdOrNull(const std::optional<cost::NanoDollars>& amount)
{
    return amount ? QJsonValue(amount->toUsd()) : QJsonValue();
}

/// Beside OpenAI's form the name and the arguments as JSON, which people read.
QJsonArray toolCallsJson(const QJsonArray& calls)
{
    QJsonArray list;
    for (const QJsonValue& value : calls) {
        QJsonObject call = value.toObject();
        const QJsonObject function = call.value(QLatin1String("function")).toObject();
        const QString text = function[QLatin1String("arguments")].toString();
        const QJsonDocument arguments = QJsonDocument::fromJson(text.toUtf8());
        call.insert(QStringLiteral("name"), function[QLatin1String("name")]);
        call.insert(QStringLiteral("arguments"), arguments.isObject()  ? QJsonValue(arguments.object())
                                                 : arguments.isArray() ? QJsonValue(arguments.array())
                                                                       : QJsonValue(text));
        list.append(call);
    }
    return list;
}

QJsonObject normalisedJson(const Usage& usage)
{
    const bool both = usage.inputTokens && usage.outputTokens;
    const QJsonValue total =
        both ? QJsonValue(static_cast<qint64>(*usage.inputTokens + *usage.outputTokens)) : QJsonValue();
    return {{QStringLiteral("input_tokens"), numberOrNull(usage.inputTokens)},
            {QStringLiteral("output_tokens"), numberOrNull(usage.outputTokens)},
            {QStringLiteral("cached_input_tokens"), numberOrNull(usage.cachedInputTokens)},
            {QStringLiteral("cache_write_tokens"), numberOrNull(usage.cacheWriteTokens)},
            {QStringLiteral("reasoning_tokens"), numberOrNull(usage.reasoningTokens)},
            {QStringLiteral("audio_input_tokens"), numberOrNull(usage.audioInputTokens)},
            {QStringLiteral("audio_output_tokens"), numberOrNull(usage.audioOutputTokens)},
            {QStringLiteral("total_tokens"), total},
            {QStringLiteral("reported_cost_usd"), usdOrNull(usage.reportedCost)},
            {QStringLiteral("inconsistent"), usage.inconsistent}};
}

void addError(const Explanation& explanation, QJsonObject& out)
{
    const ErrorFacts& error = explanation.error;
    const bool failed = explanation.failed();
    const QJsonValue errorClass = failed ? QJsonValue(word(toString(error.disposition.error))) : QJsonValue();
    const QJsonValue message = failed ? textOrNull(error.message) : QJsonValue();
    out.insert(QStringLiteral("error"), failed ? QJsonValue(QJsonObject{
                                                     {QStringLiteral("class"), errorClass},
                                                     {QStringLiteral("cause_class"), word(toString(explanation.cause))},
                                                     {QStringLiteral("provider_code"), explanation.errorCode},
                                                     {QStringLiteral("message"), message},
                                                 })
                                               : QJsonValue());
    out.insert(QStringLiteral("error_class"), errorClass);
    out.insert(QStringLiteral("error_words"),
               failed ? QJsonValue(word(inWords(error.disposition.error))) : QJsonValue());
    out.insert(QStringLiteral("provider_code"), explanation.errorCode);
    out.insert(QStringLiteral("message"), message);
    out.insert(QStringLiteral("retry"), word(toString(error.disposition.retry)));
    out.insert(QStringLiteral("breaker"), word(toString(error.disposition.breaker)));
    out.insert(QStringLiteral("fallback"), word(toString(error.disposition.fallback)));
}

QString retryWords(const ErrorFacts& error)
{
    if (error.disposition.retry == RetryAdvice::No || error.hint.action == policy::HintAction::Stop)
        return QStringLiteral("Not tried again here");
    const QString times =
        error.disposition.retry == RetryAdvice::Once ? QStringLiteral(" once more") : QStringLiteral(" again");
    const auto asked = error.hint.asked();
    const QString ms = asked ? QString::number(std::chrono::duration_cast<Millis>(*asked).count()) : QString();
    switch (error.hint.action) {
    case policy::HintAction::Failover:
        return QStringLiteral("Not tried again here: the endpoint rests for %1 ms").arg(ms);
    case policy::HintAction::Wait:
        return QStringLiteral("Tried%1 here after %2 ms, as the server asks").arg(times, ms);
    case policy::HintAction::Backoff:
    case policy::HintAction::Stop:
        break;
    }
    return QStringLiteral("Tried%1 here after the chain's own backoff").arg(times);
}

QString fallbackWords(FallbackKind fallback)
{
    switch (fallback) {
    case FallbackKind::Next:
        return QStringLiteral("then the next tier");
    case FallbackKind::LargerContext:
        return QStringLiteral("then only a tier with a larger context window");
    case FallbackKind::ContentPolicy:
        return QStringLiteral("then the next tier where the operator allows it for refused content");
    case FallbackKind::Stop:
        return QStringLiteral("the caller gets the error: no other tier would help");
    case FallbackKind::None:
        break;
    }
    return QStringLiteral("the caller gets the error and what was said so far");
}

void addWait(const Explanation& explanation, QJsonObject& out)
{
    const policy::WaitHint& hint = explanation.error.hint;
    const auto asked = hint.asked();
    const QJsonValue ms =
        asked ? QJsonValue(static_cast<qint64>(std::chrono::duration_cast<Millis>(*asked).count())) : QJsonValue();
    const QJsonValue source = explanation.failed() ? textOrNull(hint.source) : QJsonValue();
    out.insert(QStringLiteral("wait"),
               explanation.failed() ? QJsonValue(QJsonObject{{QStringLiteral("action"), word(toString(hint.action))},
                                                             {QStringLiteral("ms"), ms},
                                                             {QStringLiteral("source"), source}})
                                    : QJsonValue());
    out.insert(QStringLiteral("wait_action"),
               explanation.failed() ? QJsonValue(word(toString(hint.action))) : QJsonValue());
    out.insert(QStringLiteral("wait_ms"), explanation.failed() ? ms : QJsonValue());
    out.insert(QStringLiteral("wait_source"), source);
    out.insert(QStringLiteral("next"), nextStep(explanation));
    out.insert(QStringLiteral("retry_after"),
               explanation.retryAfter ? QJsonValue(QString::fromStdString(*explanation.retryAfter).left(200))
                                      : QJsonValue());
    out.insert(QStringLiteral("quota"), QJsonObject{{QStringLiteral("scope"), explanation.quota.scope},
                                                    {QStringLiteral("endpoint"), explanation.quota.endpoint},
                                                    {QStringLiteral("group"), explanation.quota.group}});
}

void addStream(const StreamFacts& stream, QJsonObject& out)
{
    out.insert(QStringLiteral("first_event_bytes"), numberOrNull(stream.firstEvent));
    out.insert(QStringLiteral("first_token_bytes"), numberOrNull(stream.firstToken));
    out.insert(QStringLiteral("commit_bytes"), numberOrNull(stream.commit));
    out.insert(QStringLiteral("last_token_bytes"), numberOrNull(stream.lastToken));
    out.insert(QStringLiteral("terminal_bytes"), numberOrNull(stream.terminal));
    out.insert(QStringLiteral("bytes"), stream.bytes);
    out.insert(QStringLiteral("events"), stream.events);
    out.insert(QStringLiteral("comments"), stream.comments);
    out.insert(QStringLiteral("terminal_seen"), stream.terminalSeen);
    out.insert(QStringLiteral("done_seen"), stream.doneSeen);
}

void addFilters(const std::vector<FilterVerdict>& filters, QJsonObject& out)
{
    QJsonArray filtered, all;
    for (const FilterVerdict& verdict : filters) {
        if (verdict.filtered)
            filtered.append(verdict.category);
        all.append(QJsonObject{{QStringLiteral("category"), verdict.category},
                               {QStringLiteral("severity"), textOrNull(verdict.severity)},
                               {QStringLiteral("filtered"), verdict.filtered}});
    }
    out.insert(QStringLiteral("filtered"), filtered);
    out.insert(QStringLiteral("filter_results"), all);
}

QJsonValue maskedEverywhere(const QJsonValue& value);

/// Arguments of tool calls may hold what a person must not show.
bool namesSecret(const QString& key)
{
    static const QStringList names{QStringLiteral("api_key"),      QStringLiteral("apikey"),
                                   QStringLiteral("api-key"),      QStringLiteral("password"),
                                   QStringLiteral("secret"),       QStringLiteral("access_token"),
                                   QStringLiteral("authorization")};
    return names.contains(key.toLower());
}

QJsonObject maskedObject(const QJsonObject& object)
{
    QJsonObject out;
    for (auto it = object.begin(); it != object.end(); ++it)
        out.insert(maskSecrets(it.key()), namesSecret(it.key()) && it->isString() ? QJsonValue(QStringLiteral("***"))
                                                                                  : maskedEverywhere(it.value()));
    return out;
}

QJsonValue maskedEverywhere(const QJsonValue& value)
{
    if (value.isString())
        return maskSecrets(value.toString());
    if (value.isObject())
        return maskedObject(value.toObject());
    if (!value.isArray())
        return value;
    QJsonArray list;
    const QJsonArray items = value.toArray();
    for (const QJsonValue& item : items)
        list.append(maskedEverywhere(item));
    return list;
}
} // namespace

QString nextStep(const Explanation& explanation)
{
    if (!explanation.failed())
        return QStringLiteral("The caller gets the answer");
    return retryWords(explanation.error) + QStringLiteral("; ") + fallbackWords(explanation.error.disposition.fallback);
}

QJsonObject toJson(const Explanation& explanation)
{
    const Answer& answer = explanation.answer;
    QJsonObject out{
        {QStringLiteral("format"), QStringLiteral("switchgear-explain/1")},
        {QStringLiteral("status"), word(toString(explanation.status))},
        {QStringLiteral("dialect"), word(toString(explanation.dialect))},
        {QStringLiteral("dialect_source"), explanation.dialectSource},
        {QStringLiteral("provider"), textOrNull(explanation.provider)},
        {QStringLiteral("http_status"), numberOrNull(explanation.httpStatus)},
        {QStringLiteral("is_stream"), explanation.isStream},
        {QStringLiteral("partial"), explanation.partial},
        {QStringLiteral("text"), answer.text},
        {QStringLiteral("reasoning"), answer.reasoning},
        {QStringLiteral("tool_calls"), toolCallsJson(answer.toolCalls)},
        {QStringLiteral("finish_reason"), textOrNull(answer.finishReason)},
        {QStringLiteral("finish_reason_sent"), textOrNull(answer.finishReasonSent)},
        {QStringLiteral("model"), textOrNull(answer.model)},
        {QStringLiteral("id"), textOrNull(answer.id)},
        {QStringLiteral("usage"),
         QJsonObject{{QStringLiteral("sent"), answer.usageSent.isEmpty() ? QJsonValue() : answer.usageSent},
                     {QStringLiteral("normalised"), normalisedJson(answer.usage)}}},
        {QStringLiteral("cost"), QJsonObject{{QStringLiteral("usd"), usdOrNull(explanation.charge.amount)},
                                             {QStringLiteral("basis"), explanation.charge.basis},
                                             {QStringLiteral("words"), explanation.charge.words},
                                             {QStringLiteral("source"), textOrNull(explanation.charge.source)}}},
        {QStringLiteral("request_id"), explanation.requestId ? QJsonValue(*explanation.requestId) : QJsonValue()},
        {QStringLiteral("ray_id"), explanation.rayId ? QJsonValue(*explanation.rayId) : QJsonValue()},
        {QStringLiteral("limits"),
         explanation.limits == NamedLimits()
             ? QJsonValue()
             : QJsonValue(QJsonObject{{QStringLiteral("limit"), numberOrNull(explanation.limits.limit)},
                                      {QStringLiteral("requested"), numberOrNull(explanation.limits.requested)},
                                      {QStringLiteral("affordable"), numberOrNull(explanation.limits.affordable)}})},
        {QStringLiteral("warnings"), QJsonArray::fromStringList(explanation.warnings)},
    };
    addError(explanation, out);
    addWait(explanation, out);
    addStream(explanation.stream, out);
    addFilters(explanation.filters, out);
    return maskedObject(out);
}

} // namespace sg::provider
