// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/export_parts.h"
#include "core/load/prompts.h"
#include "core/load/svg_plot.h"
#include "core/provider/request_writer.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace sg::load {

namespace {
constexpr std::int64_t kMostBodies = 200; // a script is read by people too
}

QString literal(const QString& text)
{
    const QByteArray list = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    // JSON lets them stand in a text; older JavaScript ends the line there.
    return QString::fromUtf8(list.mid(1, list.size() - 2))
        .replace(QChar(QChar::LineSeparator), QStringLiteral("\\u2028"))
        .replace(QChar(QChar::ParagraphSeparator), QStringLiteral("\\u2029"));
}

QString literal(double number)
{
    return plainNumber(number, 6);
}

QString secondsOf(Nanos span)
{
    return literal(toMs(span) / 1000);
}

QString chatUrl(const ExportTarget& target)
{
    QString base = target.baseUrl;
    while (base.endsWith(QLatin1Char('/')))
        base.chop(1);
    return base + QStringLiteral("/chat/completions");
}

QString bodiesOf(const LoadPlan& plan, const QString& model, QStringList& lost)
{
    const std::int64_t wanted = plannedRequests(plan).value_or(kMostBodies);
    PromptSource source(plan);
    QStringList bodies;
    for (std::int64_t i = 0; i < std::clamp<std::int64_t>(wanted, 1, kMostBodies); ++i)
        bodies.append(literal(
            QString::fromUtf8(provider::chatBody(provider::ProviderProfile(), source.next(), model.toStdString()))));
    if (wanted >= kMostBodies)
        lost.append(QStringLiteral("Requests after the first %1 ask the same again, which a cache may answer.")
                        .arg(kMostBodies));
    return QStringLiteral("[\n  ") + bodies.join(QStringLiteral(",\n  ")) + QStringLiteral("\n]");
}

QString comment(const QStringList& lines, const QString& mark)
{
    QString text;
    for (const QString& line : lines)
        text += mark + QLatin1Char(' ') + line.simplified() + QLatin1Char('\n');
    return text;
}

QString headOf(const LoadPlan& plan, const QStringList& lost, const QString& mark)
{
    QString text = comment({QStringLiteral("Made by Switchgear from a load plan: %1.").arg(modelWords(plan.model)),
                            QStringLiteral("What is lost or different here:")},
                           mark);
    for (const QString& line : lost)
        text += mark + QStringLiteral(" - ") + line.simplified() + QLatin1Char('\n');
    return text;
}

QStringList commonlyLost(const LoadPlan& plan)
{
    QStringList lost{
        QStringLiteral("Attempts, waits and breakers inside a request: only the gateway sees them."),
        QStringLiteral("Whether the generator itself was the bottleneck (INVALID)."),
    };
    const StopRules& stop = plan.stop;
    if (plan.warmUp > Nanos(0) || plan.coolDown > Nanos(0))
        lost.append(QStringLiteral("Warm-up and cool-down: every request counts."));
    if (stop.errorShare || stop.budgetUsd || stop.objectivesBrokenFor || stop.whenSaturated)
        lost.append(
            QStringLiteral("What ends the run early: error rate, budget, broken objectives, a busy generator."));
    return lost;
}

} // namespace sg::load
