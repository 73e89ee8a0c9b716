// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/objective.h"

#include "core/policy/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sg::measure {

namespace {

struct Subject
{
    Metric metric = Metric::Response;
    Statistic statistic = Statistic::Whole;
    double percentile = 0;
};

QString known()
{
    QStringList names;
    for (const MetricInfo& info : metrics())
        names.append(QString::fromUtf8(info.name));
    return names.join(QStringLiteral(", "));
}

Parsed<Subject> readStatistic(Speller& in, Metric metric)
{
    const std::size_t begin = in.at();
    if (in.skipWord("mean"))
        return Subject{metric, Statistic::Mean, 0};
    if (in.skipWord("min"))
        return Subject{metric, Statistic::Min, 0};
    if (in.skipWord("max"))
        return Subject{metric, Statistic::Max, 0};
    if (!in.scan().skip("p"))
        return Speller::wrongAt(begin, QStringLiteral("A statistic is expected here: p50, p99.9, mean, min or max."));
    const auto percentile = in.number();
    if (!percentile || !(*percentile > 0 && *percentile <= 100))
        return Speller::wrongAt(begin, QStringLiteral("A percentile is above 0 and at most 100, such as p95."));
    return Subject{metric, Statistic::Percentile, *percentile};
}

bool beginsStatistic(std::string_view rest)
{
    for (const std::string_view word : {"mean", "min", "max"})
        if (rest.starts_with(word) && (rest.size() == word.size() || !policy::isLetter(rest[word.size()])))
            return true;
    return rest.size() > 1 && rest[0] == 'p' && policy::isDigit(rest[1]);
}

Parsed<Subject> readSubject(Speller& in)
{
    if (beginsStatistic(in.scan().rest()))
        return readStatistic(in, Metric::Response);
    const std::size_t begin = in.at();
    const std::string_view name = in.word();
    const auto metric = metricNamed(name);
    if (!metric)
        return Speller::wrongAt(
            begin, name.empty() ? QStringLiteral("An objective is expected here, such as p95<2s.")
                                : QStringLiteral("There is no metric \"%1\". Known are: %2.").arg(text(name), known()));
    const bool dot = in.scan().skip(".");
    if (!isDistribution(*metric))
        return dot ? Parsed<Subject>(
                         in.wrong(QStringLiteral("\"%1\" has one value a run and takes no statistic.").arg(text(name))))
                   : Subject{*metric, Statistic::Whole, 0};
    if (!dot)
        return in.wrong(QStringLiteral("\"%1\" needs a statistic: %1.p95, %1.mean or %1.max.").arg(text(name)));
    return readStatistic(in, *metric);
}

Parsed<Relation> readRelation(Speller& in)
{
    for (const Relation relation : {Relation::AtMost, Relation::AtLeast, Relation::Less, Relation::Greater})
        if (in.scan().skip(toString(relation)))
            return relation;
    return in.wrong(QStringLiteral("A comparison is expected here: <, <=, > or >=."));
}

Parsed<double> readPlain(Speller& in, std::string_view suffix, const QString& example)
{
    const std::size_t begin = in.at();
    const auto value = in.number();
    if (!value)
        return value;
    in.scan().skipBlanks();
    if (!suffix.empty() && !in.scan().skip(suffix))
        return Speller::wrongAt(begin, QStringLiteral("This bound is written like %1.").arg(example));
    return value;
}

Parsed<double> readBound(Speller& in, Metric& metric)
{
    const std::string_view rest = in.scan().rest();
    const auto item = rest.substr(0, rest.find(','));
    if (metric == Metric::Goodput && item.find('%') != std::string_view::npos)
        metric = Metric::GoodShare;
    switch (infoOf(metric).unit) {
    case Unit::Milliseconds: {
        const auto span = in.span();
        return span ? Parsed<double>(toMs(*span)) : tl::unexpected(span.error());
    }
    case Unit::Percent: {
        const std::size_t begin = in.at();
        const auto value = readPlain(in, "%", QStringLiteral("99.5%"));
        if (value && *value > 100)
            return Speller::wrongAt(begin, QStringLiteral("A share is at most 100%."));
        return value;
    }
    case Unit::PerSecond:
        return in.ratePerSecond();
    case Unit::TokensPerSecond:
        return readPlain(in, "/s", QStringLiteral("20/s"));
    case Unit::UsDollars:
        in.scan().skip("$");
        return readPlain(in, {}, {});
    default:
        return readPlain(in, {}, {});
    }
}

Parsed<Objective> readObjective(Speller& in)
{
    const auto subject = readSubject(in);
    if (!subject)
        return tl::unexpected(subject.error());
    in.scan().skipBlanks();
    const auto relation = readRelation(in);
    if (!relation)
        return tl::unexpected(relation.error());
    in.scan().skipBlanks();
    Metric metric = subject->metric;
    const auto bound = readBound(in, metric);
    if (!bound)
        return tl::unexpected(bound.error());
    return Objective{metric, subject->statistic, subject->percentile, *relation, *bound};
}

QString boundText(Metric metric, double bound)
{
    const QString number = QString::number(bound, 'f', QLocale::FloatingPointShortest);
    switch (infoOf(metric).unit) {
    case Unit::Milliseconds:
        return spanText(fromMs(bound));
    case Unit::Percent:
        return number + QLatin1Char('%');
    case Unit::PerSecond:
    case Unit::TokensPerSecond:
        return number + QStringLiteral("/s");
    case Unit::UsDollars:
        return QLatin1Char('$') + number;
    default:
        return number;
    }
}

QString statisticText(const Objective& objective)
{
    switch (objective.statistic) {
    case Statistic::Percentile:
        return QLatin1Char('p') + QString::number(objective.percentile, 'f', QLocale::FloatingPointShortest);
    case Statistic::Mean:
        return QStringLiteral("mean");
    case Statistic::Min:
        return QStringLiteral("min");
    case Statistic::Max:
        return QStringLiteral("max");
    case Statistic::Whole:
        break;
    }
    return {};
}

/// Whether a success without a value may still be good: there was nothing to wait for.
bool keepsWithout(const Sample& sample, Metric metric)
{
    switch (metric) {
    case Metric::Service:
    case Metric::Headers:
    case Metric::Ttft:
    case Metric::UserTokenRate:
        return false;
    case Metric::Tpot:
    case Metric::Itl: // no second token, no time to it
        return sample.outputTokens && *sample.outputTokens < 2 && !sample.tokensAreEstimated;
    case Metric::ChunkGap:
        return !sample.chunks.empty();
    default:
        return true;
    }
}

/// The largest, where a request has several.
std::optional<double> judgedValue(const Sample& sample, Metric metric)
{
    std::optional<double> largest;
    valuesOf(sample, metric, [&](double value, std::int64_t) { largest = std::max(largest.value_or(value), value); });
    return largest;
}

} // namespace

std::string_view toString(Relation relation)
{
    constexpr std::array<std::string_view, 4> kWords{"<", "<=", ">", ">="};
    return kWords[static_cast<std::size_t>(relation)];
}

Parsed<std::vector<Objective>> parseObjectives(std::string_view text)
{
    Speller in(text);
    std::vector<Objective> objectives;
    do {
        in.scan().skipBlanks();
        const auto objective = readObjective(in);
        if (!objective)
            return tl::unexpected(objective.error());
        objectives.push_back(*objective);
        in.scan().skipBlanks();
    } while (in.scan().skip(","));
    if (!in.scan().atEnd())
        return in.wrong(QStringLiteral("A comma or the end is expected here."));
    return objectives;
}

QString textOf(const Objective& objective)
{
    const QString name = QString::fromUtf8(infoOf(objective.metric).name);
    const QString statistic = statisticText(objective);
    const QString subject = statistic.isEmpty()                    ? name
                            : objective.metric == Metric::Response ? statistic
                                                                   : name + QLatin1Char('.') + statistic;
    return subject + text(toString(objective.relation)) + boundText(objective.metric, objective.bound);
}

QString valueText(Metric metric, double value)
{
    const Unit unit = infoOf(metric).unit;
    if (unit == Unit::UsDollars)
        return QStringLiteral("$%1").arg(value, 0, 'f', 4);
    if (unit == Unit::Milliseconds && value >= 1000)
        return QStringLiteral("%1 s").arg(value / 1000, 0, 'f', 2);
    const int decimals = unit == Unit::Count || unit == Unit::Tokens ? 0 : 2;
    // Rounded down: 99.999 % is not 100 %.
    const double shown = unit == Unit::Percent ? std::floor(value * 100) / 100 : value;
    const QString word = unit == Unit::PerSecond ? QStringLiteral("/s") : text(toString(unit));
    const QString gap = word.isEmpty() || unit == Unit::PerSecond ? QString() : QStringLiteral(" ");
    return QString::number(shown, 'f', decimals) + gap + word;
}

bool keeps(double value, const Objective& objective)
{
    switch (objective.relation) {
    case Relation::Less:
        return value < objective.bound;
    case Relation::AtMost:
        return value <= objective.bound;
    case Relation::Greater:
        return value > objective.bound;
    case Relation::AtLeast:
        return value >= objective.bound;
    }
    return false;
}

bool isGood(const Sample& sample, const std::vector<Objective>& objectives)
{
    if (sample.outcome != Outcome::Success)
        return false;
    return std::ranges::all_of(objectives, [&](const Objective& objective) {
        const auto value = judgedValue(sample, objective.metric);
        return value ? keeps(*value, objective) : keepsWithout(sample, objective.metric);
    });
}

} // namespace sg::measure
