// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/report_facts.h"

#include "core/load/report_words.h"
#include "core/load/stop_rules.h"
#include "core/load/svg_plot.h"
#include "core/policy/text.h"

#include <QJsonArray>
#include <QStringList>

#include <array>

namespace sg::load {

namespace {

constexpr std::array kEarlyEnds{StopReason::ByHand, StopReason::ErrorShare, StopReason::Budget,
                                StopReason::ObjectivesBroken, StopReason::GeneratorSaturated};

QString seconds(const QJsonValue& ms)
{
    return plainNumber(ms.toDouble() / 1000, 1) + QStringLiteral(" s");
}

QString rates(const QJsonObject& report)
{
    constexpr std::array<std::pair<const char*, const char*>, 4> kRates{
        {{"requested_rps", "requested"}, {"due_rps", "due"}, {"dispatched_rps", "sent"}, {"achieved_rps", "achieved"}}};
    QStringList parts;
    for (const auto& [field, words] : kRates)
        if (const QJsonValue rate = report.value(QLatin1String(field)); rate.isDouble())
            parts.append(plainNumber(rate.toDouble(), 2) + QStringLiteral("/s ") + QLatin1String(words));
    return parts.join(QStringLiteral(", "));
}

QString lateness(const QJsonObject& generator)
{
    constexpr std::array<std::pair<const char*, const char*>, 2> kSides{
        {{"send_late_ms", "sending"}, {"read_late_ms", "reading"}}};
    QStringList parts;
    for (const auto& [field, words] : kSides)
        if (const QJsonValue p99 = generator.value(QLatin1String(field))[QLatin1String("p99")]; p99.isDouble())
            parts.append(QStringLiteral("%1 %2").arg(valueWords(p99, QStringLiteral("ms")), QLatin1String(words)));
    return parts.isEmpty() ? QString() : QStringLiteral("late at p99: ") + parts.join(QStringLiteral(", "));
}

} // namespace

QString earlyEndWords(const QJsonObject& report)
{
    const QString reason = report.value(QLatin1String("ended_because")).toString();
    for (const StopReason early : kEarlyEnds)
        if (reason == text(toString(early)))
            return QStringLiteral("after %1: %2").arg(seconds(report.value(QLatin1String("wall_ms"))), inWords(early));
    return {};
}

NamedWords runFacts(const QJsonObject& report)
{
    const QJsonObject plan = report.value(QLatin1String("plan")).toObject();
    NamedWords facts;
    const auto add = [&](const QString& name, const QString& value) {
        if (!value.isEmpty())
            facts.emplace_back(name, value);
    };
    if (const QString early = earlyEndWords(report); !early.isEmpty())
        add(QStringLiteral("Ended early"), early);
    add(QStringLiteral("Wall time"), seconds(report.value(QLatin1String("wall_ms"))));
    add(QStringLiteral("Rate"), rates(report));
    add(QStringLiteral("Seed"), seedWords(plan));
    add(QStringLiteral("Transport"), report.value(QLatin1String("transport"))[QLatin1String("name")].toString());
    add(QStringLiteral("Generator"), lateness(report.value(QLatin1String("generator")).toObject()));
    return facts;
}

NamedWords breakerFacts(const QJsonObject& report)
{
    NamedWords facts;
    const QJsonArray breakers = report.value(QLatin1String("breakers")).toArray();
    for (const QJsonValue& breaker : breakers) {
        QStringList changes;
        const QJsonArray transitions = breaker[QLatin1String("transitions")].toArray();
        for (const QJsonValue& change : transitions)
            changes.append(QStringLiteral("%1 %2 (%3)")
                               .arg(seconds(change[QLatin1String("at_ms")]),
                                    change[QLatin1String("to")].toString().replace(u'_', u'-'),
                                    change[QLatin1String("cause")].toString().replace(u'_', u' ')));
        facts.emplace_back(breaker[QLatin1String("endpoint")].toString(),
                           changes.isEmpty()
                               ? breaker[QLatin1String("state")].toString() + QStringLiteral(", no change")
                               : changes.join(QStringLiteral(", ")));
    }
    return facts;
}

} // namespace sg::load
