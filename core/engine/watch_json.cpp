// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/watch.h"

#include "core/policy/text.h"
#include "core/provider/usage.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace sg::engine {

namespace {

QJsonValue count(const std::optional<std::int64_t>& n)
{
    return n ? QJsonValue(static_cast<qint64>(*n)) : QJsonValue();
}

QJsonValue sinceStart(Instant start, const std::optional<Instant>& at)
{
    return at ? QJsonValue(toMs(*at - start)) : QJsonValue();
}

/// The same value with its spans in milliseconds instead of nanoseconds.
QJsonValue inMs(const QJsonValue& value)
{
    if (value.isArray()) {
        QJsonArray list;
        for (const QJsonValue& each : value.toArray())
            list.append(inMs(each));
        return list;
    }
    if (!value.isObject())
        return value;
    QJsonObject object;
    const QJsonObject sent = value.toObject();
    for (auto field = sent.constBegin(); field != sent.constEnd(); ++field) {
        if (!field.key().endsWith(QLatin1String("_ns")))
            object.insert(field.key(), inMs(field.value()));
        else
            object.insert(field.key().chopped(2) + QStringLiteral("ms"),
                          field.value().isNull() ? QJsonValue() : toMs(Nanos(field.value().toInteger())));
    }
    return object;
}

QJsonObject recordJson(const chain::RunRecord& record)
{
    return inMs(QJsonDocument::fromJson(chain::toJson(record)).object()).toObject();
}

QJsonValue currentJson(const WatchView& view)
{
    if (!view.current)
        return QJsonValue();
    chain::RunRecord alone;
    alone.started = view.record.started;
    alone.steps.push_back(*view.current);
    return recordJson(alone)[QLatin1String("steps")].toArray().first();
}

QJsonObject answerJson(const WatchView& view)
{
    const provider::Answer& answer = view.answer;
    return {
        {QStringLiteral("text"), answer.text},
        {QStringLiteral("reasoning"), answer.reasoning},
        {QStringLiteral("tool_calls"), answer.toolCalls},
        {QStringLiteral("finish_reason"), text(answer.finishReason)},
        {QStringLiteral("finish_reason_sent"), text(answer.finishReasonSent)},
        {QStringLiteral("model"), text(answer.model)},
        {QStringLiteral("id"), text(answer.id)},
        {QStringLiteral("usage"), provider::toJson(answer.usage)},
        {QStringLiteral("usage_sent"), answer.usageSent},
        {QStringLiteral("warnings"), QJsonArray::fromStringList(answer.warnings)},
        {QStringLiteral("partial"), view.answerIsPartial},
    };
}

QJsonArray headersJson(const policy::HeaderList& headers)
{
    QJsonArray list; // a name may be there twice
    for (const auto& [name, value] : headers)
        list.append(QJsonObject{{QStringLiteral("name"), text(name)}, {QStringLiteral("value"), text(value)}});
    return list;
}

/// As text where it is text; else in Base64 under another name.
void putBytes(QJsonObject& object, const QString& field, const QByteArray& bytes)
{
    const QString asText = QString::fromUtf8(bytes);
    if (asText.toUtf8() == bytes)
        object.insert(field, asText);
    else
        object.insert(field + QStringLiteral("_base64"), QString::fromLatin1(bytes.toBase64()));
}

QJsonObject traceJson(const AttemptTrace& trace)
{
    QJsonObject request{
        {QStringLiteral("method"), text(trace.method)},
        {QStringLiteral("url"), text(trace.url)},
        {QStringLiteral("headers"), headersJson(trace.requestHeaders)},
    };
    request.insert(QStringLiteral("left_out"), QJsonArray::fromStringList(trace.leftOut));
    putBytes(request, QStringLiteral("body"), trace.requestBody);
    QJsonObject response{
        {QStringLiteral("status"), trace.status},
        {QStringLiteral("headers"), headersJson(trace.responseHeaders)},
        {QStringLiteral("body_bytes"), trace.rawBytes},
    };
    putBytes(response, QStringLiteral("body"), trace.raw);
    return {
        {QStringLiteral("number"), trace.number},
        {QStringLiteral("endpoint"), text(trace.endpoint)},
        {QStringLiteral("provider"), text(trace.provider)},
        {QStringLiteral("model"), text(trace.model)},
        {QStringLiteral("dialect"), text(trace.dialect)},
        {QStringLiteral("request"), request},
        {QStringLiteral("response"), response},
    };
}

QJsonArray arrivalsJson(const WatchView& view)
{
    QJsonArray list;
    for (const Arrival& arrival : view.arrivals)
        list.append(QJsonObject{{QStringLiteral("at_ms"), toMs(arrival.at - view.record.started)},
                                {QStringLiteral("characters"), arrival.characters},
                                {QStringLiteral("reasoning"), arrival.isReasoning}});
    return list;
}

} // namespace

QByteArray toJson(const WatchView& view)
{
    QJsonArray traces;
    for (const AttemptTrace& trace : view.traces)
        traces.append(traceJson(trace));
    const bool isChain = view.target.kind == TargetKind::Chain;
    const QJsonObject object{
        {QStringLiteral("format"), QStringLiteral("switchgear-request/1")},
        {QStringLiteral("target"),
         QJsonObject{{QStringLiteral("kind"), isChain ? QStringLiteral("chain") : QStringLiteral("endpoint")},
                     {QStringLiteral("name"), text(view.target.name)}}},
        {QStringLiteral("running"), view.running},
        {QStringLiteral("started_unix_ms"), static_cast<qint64>(view.anchor.toUnixMs(view.record.started))},
        {QStringLiteral("taken_ms"), toMs(view.taken - view.record.started)},
        {QStringLiteral("record"), recordJson(view.record)},
        {QStringLiteral("current"), currentJson(view)},
        {QStringLiteral("waiting_until_ms"), sinceStart(view.record.started, view.waitingUntil)},
        {QStringLiteral("attempts"), traces},
        {QStringLiteral("attempts_dropped"), view.tracesDropped},
        {QStringLiteral("answer"), answerJson(view)},
        {QStringLiteral("arrivals"), arrivalsJson(view)},
        {QStringLiteral("arrivals_dropped"), view.arrivalsDropped},
        {QStringLiteral("cost_usd_nanos"), count(view.costNanoUsd)},
        {QStringLiteral("cost_is_lower_bound"), view.costIsLowerBound},
        {QStringLiteral("cost_basis"), view.costBasis},
    };
    return QJsonDocument(object).toJson(QJsonDocument::Indented);
}

} // namespace sg::engine
