// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/form/load_texts.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace sg::ui::loadtexts {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::loadtexts)
};

double secondsOf(Nanos span)
{
    return toMs(span) / 1000;
}

QString amountText(double value, bool isTime)
{
    return isTime ? measure::spanText(fromMs(value)) : QString::number(value);
}

} // namespace

Stages pointsOf(const std::vector<load::Stage>& stages)
{
    Stages points;
    double at = 0;
    for (const load::Stage& stage : stages) {
        if (points.empty() || points.back().perSecond != stage.from)
            points.push_back({at, stage.from});
        at += secondsOf(stage.length);
        points.push_back({at, stage.to});
    }
    return points;
}

std::vector<load::Stage> stagesOf(const Stages& points)
{
    std::vector<load::Stage> stages;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const double length = points[i].second - points[i - 1].second;
        if (length > 0) // a jump takes no time
            stages.push_back({fromMs(length * 1000), points[i - 1].perSecond, points[i].perSecond});
    }
    return stages;
}

QString problemOf(const measure::ParseError& error)
{
    return Words::tr("%1 (character %2)").arg(error.problem).arg(error.at + 1);
}

StagesEditor::Language stagesLanguage()
{
    const auto read = [](const QString& text) -> tl::expected<Stages, QString> {
        const auto stages = load::parseStages(text.toStdString());
        if (!stages)
            return tl::unexpected(problemOf(stages.error()));
        return pointsOf(*stages);
    };
    const auto write = [](const Stages& points) { return load::textOf(stagesOf(points)); };
    return {read, write, QStringLiteral("ramp 60s to 20/s, hold 5min, spike 80/s for 10s")};
}

QString textOf(const stats::Distribution& distribution, bool isTime)
{
    using Kind = stats::Distribution::Kind;
    switch (distribution.kind) {
    case Kind::Uniform:
        return QStringLiteral("%1-%2").arg(amountText(distribution.low, isTime), amountText(distribution.high, isTime));
    case Kind::Lognormal:
    case Kind::TwoHumped: // nobody can type its second hump
        return QStringLiteral("lognormal %1 %2").arg(amountText(distribution.median, isTime)).arg(distribution.sigma);
    case Kind::Constant:
        break;
    }
    return amountText(distribution.value, isTime);
}

QString textOf(const load::SweepModel& sweep)
{
    return QStringLiteral("%1 to %2 each %3 by %4")
        .arg(measure::rateText(sweep.from), measure::rateText(sweep.to), measure::spanText(sweep.each))
        .arg(sweep.factor);
}

QString textOf(const std::vector<measure::Objective>& objectives)
{
    QStringList parts;
    for (const measure::Objective& objective : objectives)
        parts << measure::textOf(objective);
    return parts.join(QStringLiteral(", "));
}

} // namespace sg::ui::loadtexts
