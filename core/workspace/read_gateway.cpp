// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_read.h"
#include "core/workspace/workspace_write.h"

#include <limits>

namespace sg::workspace {

namespace {

constexpr double kDayMs = 86400000;
const QLatin1String kNever("never");

QStringList readTexts(ObjectReader& reader, const QString& field)
{
    QStringList texts;
    const QJsonArray list = reader.array(field).value_or(QJsonArray());
    for (qsizetype i = 0; i < list.size(); ++i) {
        if (list.at(i).isString())
            texts << list.at(i).toString();
        else
            reader.findings().push_back({FindingLevel::Error, reader.place(field, i),
                                         QStringLiteral("this must be a text in quotes"),
                                         QStringLiteral("Write it in quotes, or remove it")});
    }
    return texts;
}

std::optional<Nanos> readBeginAfter(ObjectReader& reader, const std::optional<Nanos>& usual)
{
    const QString field = QStringLiteral("begin_after_ms");
    const auto said = reader.any(field);
    if (said == QJsonValue(kNever))
        return std::nullopt;
    if (said && said->isString()) {
        reader.error(field, QStringLiteral("this must be a number of milliseconds or \"never\""),
                     QStringLiteral("Write a number without quotes, or \"never\" in quotes"));
        return usual;
    }
    const auto after = reader.millis(field, {0, kDayMs});
    return after ? after : usual;
}

int readCount(ObjectReader& reader, const char* field, int low, int usual)
{
    return int(reader.integer(QLatin1String(field), low, 1000000).value_or(usual));
}

} // namespace

GatewaySettings readGateway(ObjectReader& owner, QJsonObject& unknown)
{
    GatewaySettings gateway;
    auto reader = partReader(owner, QStringLiteral("gateway"));
    if (!reader)
        return gateway;
    QJsonObject nested;
    const auto span = [&](const char* field, Nanos& value, Bounds bounds) {
        value = reader->millis(QLatin1String(field), bounds).value_or(value);
    };
    gateway.address = reader->text(QStringLiteral("address")).value_or(gateway.address);
    gateway.port =
        quint16(reader->integer(QStringLiteral("port"), 0, std::numeric_limits<quint16>::max()).value_or(gateway.port));
    gateway.token = readKey(*reader, QStringLiteral("token"), nested);
    gateway.hosts = readTexts(*reader, QStringLiteral("hosts"));
    gateway.origins = readTexts(*reader, QStringLiteral("origins"));
    gateway.beginAfter = readBeginAfter(*reader, gateway.beginAfter);
    span("keep_alive_ms", gateway.keepAlive, {100, kDayMs});
    span("drain_ms", gateway.drain, {0, kDayMs});
    gateway.maxInFlight = readCount(*reader, "max_in_flight", 1, gateway.maxInFlight);
    gateway.maxQueued = readCount(*reader, "max_queued", 0, gateway.maxQueued);
    span("max_queue_wait_ms", gateway.maxQueueWait, {0, kDayMs});
    joinUnknown(nested, reader->finish());
    keepUnknown(unknown, QStringLiteral("gateway"), nested);
    return gateway;
}

QJsonObject gatewayJson(const GatewaySettings& gateway)
{
    const GatewaySettings usual;
    QJsonObject object;
    const auto put = [&](const char* field, const auto& value, const auto& byDefault, auto say) {
        if (!(value == byDefault))
            object.insert(QLatin1String(field), say(value));
    };
    const auto plain = [](const QString& text) { return QJsonValue(text); };
    const auto whole = [](int count) { return QJsonValue(count); };
    const auto list = [](const QStringList& texts) { return QJsonValue(QJsonArray::fromStringList(texts)); };
    put("address", gateway.address, usual.address, plain);
    put("port", gateway.port, usual.port, whole);
    put("token", gateway.token, usual.token, keyJson);
    put("hosts", gateway.hosts, usual.hosts, list);
    put("origins", gateway.origins, usual.origins, list);
    put("begin_after_ms", gateway.beginAfter, usual.beginAfter,
        [](const std::optional<Nanos>& after) { return after ? ms(*after) : QJsonValue(kNever); });
    put("keep_alive_ms", gateway.keepAlive, usual.keepAlive, ms);
    put("drain_ms", gateway.drain, usual.drain, ms);
    put("max_in_flight", gateway.maxInFlight, usual.maxInFlight, whole);
    put("max_queued", gateway.maxQueued, usual.maxQueued, whole);
    put("max_queue_wait_ms", gateway.maxQueueWait, usual.maxQueueWait, ms);
    return object;
}

} // namespace sg::workspace
