// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_record.h"

#include <QRandomGenerator>
#include <QRegularExpression>

namespace sg::history {

QString newRunId(const QDateTime& started)
{
    return started.toUTC().toString(QStringLiteral("yyyyMMdd'T'HHmmsszzz-")) +
           QStringLiteral("%1").arg(QRandomGenerator::system()->generate(), 8, 16, QLatin1Char('0'));
}

bool isRunId(const QString& id)
{
    static const QRegularExpression form(QStringLiteral("\\A[0-9]{8}T[0-9]{9}-[0-9a-f]{8}\\z"));
    return form.match(id).hasMatch();
}

QJsonObject listedFigures(const QJsonObject& report)
{
    const QJsonObject metrics = report.value(QLatin1String("metrics")).toObject();
    QJsonObject figures{{QStringLiteral("requests"), report.value(QLatin1String("requests"))}};
    for (const char* name : {"response", "ttft"})
        for (const char* percentile : {"p50", "p95", "p99"}) {
            const QJsonValue value =
                metrics.value(QLatin1String(name))[QLatin1String("success")][QLatin1String(percentile)];
            if (value.isDouble())
                figures.insert(QStringLiteral("%1.%2").arg(QLatin1String(name), QLatin1String(percentile)), value);
        }
    for (const char* name : {"success", "requested", "rate", "goodput", "tokens", "cost"})
        if (const QJsonValue value = metrics.value(QLatin1String(name))[QLatin1String("value")]; value.isDouble())
            figures.insert(QLatin1String(name), value);
    return figures;
}

const char* toString(HistoryFault fault)
{
    switch (fault) {
    case HistoryFault::NotFound:
        return "not_found";
    case HistoryFault::Invalid:
        return "invalid";
    case HistoryFault::Locked:
        return "locked";
    case HistoryFault::Damaged:
        return "damaged";
    case HistoryFault::ReadOnly:
        return "read_only";
    case HistoryFault::Full:
        return "full";
    case HistoryFault::Newer:
        return "newer";
    case HistoryFault::Busy:
        return "busy";
    case HistoryFault::Failed:
        break;
    }
    return "failed";
}

} // namespace sg::history
