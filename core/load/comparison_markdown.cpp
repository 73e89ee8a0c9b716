// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/comparison_parts.h"
#include "core/load/markdown_parts.h"

namespace sg::load {

using namespace markdownparts;

namespace {

QString tableOf(const QStringList& titles, const std::vector<comparison::Row>& rows)
{
    if (rows.empty())
        return {};
    QString text = QLatin1Char('\n') + row(titles) + QLatin1Char('|') + QStringLiteral("---|").repeated(titles.size()) +
                   QLatin1Char('\n');
    for (const comparison::Row& cells : rows) {
        QStringList escaped;
        for (const QString& cell : cells)
            escaped << plain(cell);
        text += row(escaped);
    }
    return text;
}

} // namespace

QString comparisonMarkdown(const std::vector<DocumentRun>& runs)
{
    QStringList figureHeads{QString()};
    for (std::size_t i = 0; i < runs.size(); ++i)
        figureHeads << comparison::letter(i);
    QString text = QStringLiteral("### ") + plain(comparison::heading(runs)) + QLatin1Char('\n');
    text += tableOf({QString(), QStringLiteral("Run"), QStringLiteral("Target"), QStringLiteral("Started"),
                     QStringLiteral("Verdict"), QStringLiteral("Note")},
                    comparison::runRows(runs));
    text += tableOf(figureHeads, comparison::figureRows(runs)) + QLatin1Char('\n') + comparison::kIntervals +
            QLatin1Char('\n');
    text += tableOf({QStringLiteral("Breaker"), QStringLiteral("Run"), QStringLiteral("First open at"),
                     QStringLiteral("Open in all"), QStringLiteral("Times opened")},
                    comparison::breakerRows(runs));
    const comparison::Settings settings = comparison::settings(runs);
    std::vector<comparison::Row> differences;
    for (const auto& difference : settings.differences)
        differences.push_back(comparison::Row{difference.name} +
                              QStringList(difference.values.begin(), difference.values.end()));
    figureHeads.front() = QStringLiteral("Different");
    text += tableOf(figureHeads, differences);
    if (!settings.note.isEmpty())
        text += QLatin1Char('\n') + settings.note + QLatin1Char('\n');
    if (!settings.same.isEmpty())
        text += QStringLiteral("\nThe same: ") + plain(settings.same.join(QStringLiteral(", "))) + QLatin1Char('\n');
    return text;
}

} // namespace sg::load
