// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/report_words.h"
#include "core/load/svg_plot.h"
#include "core/load/url_target.h"

#include <QJsonArray>
#include <QStringList>

#include <cmath>

namespace sg::load {

QString valueWords(const QJsonValue& value, const QString& unit)
{
    if (!value.isDouble())
        return QStringLiteral("–");
    const double number = value.toDouble();
    const double size = std::abs(number);
    const QString digits = plainNumber(number, size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4);
    if (unit == QLatin1String("$"))
        return QLatin1Char('$') + digits;
    if (unit.startsWith(QLatin1String("1/")))
        return digits + unit.mid(1);
    return unit.isEmpty() ? digits : digits + QLatin1Char(' ') + unit;
}

QString figureWords(const QJsonObject& metric)
{
    const QString unit = metric.value(QLatin1String("unit")).toString();
    const QJsonValue least = metric.value(QLatin1String("at_least"));
    if (least.isDouble() && !metric.value(QLatin1String("value")).isDouble())
        return QStringLiteral("at least ") + valueWords(least, unit);
    return valueWords(metric.value(QLatin1String("value")), unit);
}

VerdictWords verdictWords(const QJsonObject& report)
{
    const QJsonObject verdict = report.value(QLatin1String("verdict")).toObject();
    QStringList reasons;
    const QJsonArray told = verdict.value(QLatin1String("reasons")).toArray();
    for (const QJsonValue& reason : told)
        reasons.append(reason.toString());
    const QString result = verdict.value(QLatin1String("result")).toString();
    if (result == QLatin1String("cut_off"))
        return {verdict.value(QLatin1String("word")).toString(), QStringLiteral("✂"), QStringLiteral("bad"), reasons};
    if (!verdict.value(QLatin1String("valid")).toBool())
        return {QStringLiteral("INVALID"), QStringLiteral("⚠"), QStringLiteral("bad"), reasons};
    if (result == QLatin1String("missed"))
        return {result, QStringLiteral("✗"), QStringLiteral("bad"), reasons};
    if (result == QLatin1String("passed"))
        return {result, QStringLiteral("✓"), QStringLiteral("good"), reasons};
    return {QStringLiteral("valid"), QStringLiteral("•"), QStringLiteral("plain"), reasons};
}

std::pair<QString, QJsonValue> targetOf(const LoadPlan& plan)
{
    if (plan.targetKind == TargetKind::Url && plan.url)
        return {QStringLiteral("url"), toJson(*plan.url)};
    return {plan.targetKind == TargetKind::Chain ? QStringLiteral("chain") : QStringLiteral("endpoint"),
            QString::fromStdString(plan.target)};
}

QString targetNameIn(const QJsonObject& plan)
{
    if (const auto url = urlTargetOf(plan.value(QLatin1String("url")).toObject()))
        return QStringLiteral("%1 at %2").arg(url->model, hostOf(url->baseUrl));
    return plan.value(plan.contains(QLatin1String("chain")) ? QLatin1String("chain") : QLatin1String("endpoint"))
        .toString();
}

QString targetWords(const QJsonObject& plan)
{
    const QString kind = plan.contains(QLatin1String("url"))     ? QStringLiteral("URL ")
                         : plan.contains(QLatin1String("chain")) ? QStringLiteral("chain ")
                                                                 : QStringLiteral("endpoint ");
    return kind + targetNameIn(plan);
}

QString seedWords(const QJsonObject& plan)
{
    const QJsonValue seed = plan.value(QLatin1String("seed"));
    return seed.isString() ? seed.toString() : QString::number(seed.toInteger());
}

QString planWords(const QJsonObject& report)
{
    const QJsonObject plan = report.value(QLatin1String("plan")).toObject();
    const QString target = targetWords(plan);
    const QString model = plan.value(QLatin1String("model"))[QLatin1String("words")].toString();
    return model.isEmpty() ? target : target + QStringLiteral(": ") + model;
}

QString countWords(const QJsonObject& counts)
{
    QStringList parts;
    for (auto it = counts.begin(); it != counts.end(); ++it)
        if (it.value().toDouble() != 0)
            parts.append(plainNumber(it.value().toDouble(), 0) + QLatin1Char(' ') +
                         QString(it.key()).replace(QLatin1Char('_'), QLatin1Char(' ')));
    return parts.join(QStringLiteral(" · "));
}

} // namespace sg::load
