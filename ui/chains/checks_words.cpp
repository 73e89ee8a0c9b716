// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/checks_words.h"

#include "ui/chains/delay_words.h"
#include "ui/format/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace sg::ui::checkswords {

using workspace::Finding;
using workspace::FindingLevel;
using workspace::WorstCase;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::checkswords)
};

QString text(const std::string& s)
{
    return QString::fromStdString(s);
}

QString span(Nanos span)
{
    const double ms = toMs(span);
    return ms < 600e3 ? format::number(ms / 1000, ms < 100e3 && static_cast<std::int64_t>(ms) % 1000 != 0 ? 1 : 0) +
                            format::thin() + QLatin1Char('s')
                      : format::duration(ms);
}

QString sentence(QString words)
{
    if (words.isEmpty())
        return words;
    words[0] = words.at(0).toUpper();
    static const QString kEnds = QStringLiteral(".?!");
    return kEnds.contains(words.back()) ? words : words + QLatin1Char('.');
}

/// "router.classes[0].words" as "class complex words", "rules[1].reply" as "rule 2 reply".
QString withNames(QString field, const workspace::Chain* chain)
{
    static const QRegularExpression kClass(QStringLiteral("^router\\.classes\\[(\\d+)\\]"));
    static const QRegularExpression kItem(QStringLiteral("\\b([a-z_]+)s\\[(\\d+)\\]"));
    if (const auto found = kClass.match(field); found.hasMatch()) {
        const std::size_t at = found.captured(1).toULongLong();
        const bool hasName = chain && chain->spec.router && at < chain->spec.router->classes.size();
        const QString name = hasName ? text(chain->spec.router->classes[at].name) : QString();
        field.replace(0, found.capturedLength(),
                      Words::tr("class %1").arg(name.isEmpty() ? QString::number(at + 1) : name));
    }
    while (true) {
        const auto found = kItem.match(field);
        if (!found.hasMatch())
            return field;
        field.replace(found.capturedStart(), found.capturedLength(),
                      found.captured(1) + QLatin1Char(' ') + QString::number(found.captured(2).toULongLong() + 1));
    }
}

/// "chains[0].tiers[2].backoff.cap_ms" as "backoff cap".
QString fieldOf(const QString& place, const workspace::Chain* chain)
{
    static const QRegularExpression kHolder(
        QStringLiteral("^(endpoints|chains|providers)\\[\\d+\\]\\.?(tiers\\[\\d+\\]\\.?)?"));
    static const QRegularExpression kUnit(QStringLiteral("_(ms|usd)$"));
    QString field = place;
    field.remove(kHolder).remove(kUnit);
    field = withNames(field, chain);
    static const QLatin1String kCaller("caller.");
    if (field.startsWith(kCaller))
        field.replace(0, kCaller.size(), Words::tr("caller's "));
    return field.replace(QLatin1Char('_'), QLatin1Char(' ')).replace(QLatin1Char('.'), QLatin1Char(' '));
}

const chain::TierSpec* tierOf(const workspace::Subject& subject, const workspace::Workspace& workspace)
{
    const auto* chain = workspace.chain(subject.chain);
    const bool has = chain && subject.tier >= 0 && subject.tier < static_cast<int>(chain->spec.tiers.size());
    return has ? &chain->spec.tiers[static_cast<std::size_t>(subject.tier)] : nullptr;
}

QString costWords(const WorstCase& worst)
{
    if (!worst.cost)
        return Words::tr("no price is known");
    const QString money = format::money(worst.cost->toUsd());
    return worst.costIsLowerBound ? Words::tr("≥ %1, a tier has no price").arg(money)
                                  : Words::tr("at most %1").arg(money);
}

QString tries(int count)
{
    return count == 1 ? Words::tr("1 try") : Words::tr("%1 tries").arg(count);
}

bool areAlike(const WorstCase& worst)
{
    const auto& first = worst.tiers.front();
    return first.attempts > 0 && std::ranges::all_of(worst.tiers, [&](const workspace::TierWorst& tier) {
               return tier.attempts == first.attempts && tier.calling == first.calling && tier.waiting == first.waiting;
           });
}

QString sumWords(const WorstCase& worst)
{
    const auto& first = worst.tiers.front();
    if (worst.tiers.size() > 1 && areAlike(worst)) {
        const QString each = tries(first.attempts) + Words::tr(" × %1").arg(span(first.calling / first.attempts));
        const QString waits =
            first.waiting > Nanos::zero() ? Words::tr(" + %1 of waits").arg(span(first.waiting)) : QString();
        return Words::tr("%1 tiers × (%2)").arg(worst.tiers.size()).arg(each + waits);
    }
    Nanos calling{0}, waiting{0};
    for (const auto& tier : worst.tiers) {
        calling += tier.calling;
        waiting += tier.waiting;
    }
    const QString where =
        worst.tiers.size() == 1 ? Words::tr("on 1 tier") : Words::tr("on %1 tiers").arg(worst.tiers.size());
    return Words::tr("%1 %2: %3 of calls, %4 of waits").arg(tries(worst.attempts), where, span(calling), span(waiting));
}

} // namespace

QString subject(const Finding& finding, const workspace::Workspace& workspace)
{
    const auto& about = finding.subject;
    if (const auto* tier = tierOf(about, workspace))
        return Words::tr("%1, tier %2").arg(text(about.chain), text(tier->name));
    return text(about.endpoint.empty() ? about.chain : about.endpoint);
}

QString title(const Finding& finding, const workspace::Workspace& workspace)
{
    if (!finding.rule.isEmpty()) // the linter names what it speaks of
        return sentence(finding.problem);
    const auto* tier = tierOf(finding.subject, workspace);
    QStringList about;
    if (const QString name = tier ? text(tier->name) : subject(finding, workspace); !name.isEmpty())
        about << name;
    if (const QString field = fieldOf(finding.place, workspace.chain(finding.subject.chain)); !field.isEmpty())
        about << field;
    return about.isEmpty() ? sentence(finding.problem)
                           : about.join(QStringLiteral(", ")) + QStringLiteral(": ") + finding.problem;
}

QString detail(const Finding& finding)
{
    return QStringList{sentence(finding.why), sentence(finding.remedy)}.join(QLatin1Char(' ')).trimmed();
}

QString level(FindingLevel level)
{
    return level == FindingLevel::Error     ? Words::tr("error")
           : level == FindingLevel::Warning ? Words::tr("warning")
                                            : Words::tr("note");
}

RowsModel::Tone tone(FindingLevel level)
{
    return level == FindingLevel::Error     ? RowsModel::Tone::Bad
           : level == FindingLevel::Warning ? RowsModel::Tone::Warned
                                            : RowsModel::Tone::Soft;
}

Worst worst(const WorstCase& worst, const workspace::Chain& chain)
{
    if (worst.tiers.empty())
        return {Words::tr("No tier is on"), Words::tr("Every request fails at once."), true};
    const auto& waits = chain.caller.waits;
    const bool givesUp = waits && worst.bounded > *waits;
    const bool isCut = worst.wall > chain.spec.deadline;
    const bool isDear = chain.caller.pays && worst.cost && worst.cost->count() > chain.caller.pays->count();
    const QString wall = span(worst.wall);
    Worst said;
    said.isTooLong = givesUp || isCut || isDear;
    said.title =
        givesUp ? Words::tr("Slowest path takes %1; clients give up at %2").arg(wall, span(*waits))
        : isCut ? Words::tr("Slowest path takes %1; the deadline ends it at %2").arg(wall, span(chain.spec.deadline))
                : Words::tr("Slowest path takes %1 of %2").arg(wall, span(chain.spec.deadline));
    said.detail = sumWords(worst);
    if (worst.limiterWait > Nanos::zero())
        said.detail += Words::tr(" + %1 at the limiter").arg(span(worst.limiterWait));
    said.detail += QStringLiteral(" · ") + costWords(worst);
    if (isDear)
        said.detail += Words::tr(", clients pay %1").arg(format::money(chain.caller.pays->toUsd()));
    return said;
}

DataTable pathTable(const WorstCase& worst, const workspace::Chain& chain)
{
    DataTable table{Words::tr("Slowest path through %1").arg(text(chain.spec.name)),
                    {{Words::tr("tier"), false},
                     {Words::tr("tries"), true},
                     {Words::tr("calls"), true},
                     {Words::tr("waits"), true},
                     {Words::tr("cost"), true},
                     {Words::tr("passed by then"), true}},
                    {}};
    Nanos passed = worst.limiterWait;
    if (passed > Nanos::zero())
        table.rows.push_back(DataTable::row({Words::tr("limiter"), format::unknown(), format::unknown(), span(passed),
                                             format::unknown(), span(passed)}));
    for (const auto& tier : worst.tiers) {
        passed += tier.calling + tier.waiting;
        const auto cost = tier.cost ? std::optional(tier.cost->toUsd()) : std::nullopt;
        auto row = DataTable::row({text(chain.spec.tiers[static_cast<std::size_t>(tier.tier)].name),
                                   QString::number(tier.attempts), span(tier.calling), span(tier.waiting),
                                   format::money(cost), span(passed)});
        if (passed > chain.spec.deadline)
            row.back().tone = RowsModel::Tone::Warned;
        table.rows.push_back(row);
    }
    const auto cost = worst.cost ? std::optional(worst.cost->toUsd()) : std::nullopt;
    auto sum = DataTable::row(
        {Words::tr("all"), QString::number(worst.attempts), QString(), QString(),
         (worst.costIsLowerBound && cost ? QStringLiteral("≥ ") : QString()) + format::money(cost), span(worst.wall)});
    for (auto& cell : sum)
        cell.bold = true;
    table.rows.push_back(sum);
    return table;
}

} // namespace sg::ui::checkswords
