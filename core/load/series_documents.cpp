// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/series_documents.h"
#include "core/load/markdown_parts.h"
#include "core/policy/text.h"

#include <QJsonArray>

#include <algorithm>

namespace sg::load {

namespace {

using C = SeriesColumn;

QString headWords(C column)
{
    return QString::fromUtf8(infoOf(column).title);
}

QString firstHead(const SeriesTable& table)
{
    return table.kind == SeriesKind::Strategies ? QStringLiteral("Strategy") : QStringLiteral("Endpoint");
}

QString verdictText(const SeriesRow& row)
{
    if (row.verdict.isEmpty())
        return inWords(row.state);
    return row.state == SeriesRunState::Stopped ? row.verdict + QStringLiteral(", stopped by hand") : row.verdict;
}

/// The value with its mark, or the verdict.
QString cellText(const SeriesRow& row, C column)
{
    if (column == C::Verdict)
        return verdictText(row);
    const SeriesCell& cell = row.cell(column);
    const QString value = valueText(column, cell.value);
    const QString mark = markOf(cell.standing);
    return mark.isEmpty() ? value : value + QLatin1Char(' ') + mark;
}

bool hasStanding(const SeriesTable& table, Standing standing)
{
    return std::ranges::any_of(table.rows, [&](const SeriesRow& row) {
        return std::ranges::any_of(row.cells, [&](const SeriesCell& cell) { return cell.standing == standing; });
    });
}

QString planLine(const SeriesProgress& series)
{
    const LoadPlan& plan = series.plan->plan;
    const QString what = series.plan->kind == SeriesKind::Strategies
                             ? QStringLiteral("chain %1, each strategy").arg(QString::fromStdString(plan.target))
                             : QStringLiteral("each endpoint");
    const QString requests =
        plan.stop.requests ? QStringLiteral(", %1 requests a run").arg(*plan.stop.requests) : QString();
    return QStringLiteral("%1: %2%3, seed %4").arg(what, modelWords(plan.model), requests).arg(plan.seed);
}

QString stateLine(const SeriesProgress& series)
{
    switch (series.state) {
    case SeriesState::Cancelled:
        return QStringLiteral("Stopped by hand: what is missing was not run.");
    case SeriesState::Failed:
        return QStringLiteral("Ended early: %1").arg(series.error);
    default:
        return {};
    }
}

/// What a reader needs beside the table, a line each.
QStringList linesBelow(const SeriesProgress& series)
{
    QStringList lines;
    if (const QString state = stateLine(series); !state.isEmpty())
        lines.append(state);
    for (const SeriesRow& row : series.table.rows)
        for (const QString& reason : row.reasons)
            lines.append(QStringLiteral("%1: %2").arg(row.words, reason));
    return lines + notesOf(series.table);
}

const QString kStyle = QStringLiteral(
    R"(:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem;margin:0}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8884}td.n,th.n{text-align:right;white-space:nowrap}
td.best{font-weight:700}tr.invalid td{text-decoration:line-through;text-decoration-thickness:1px}p,li{margin:.3rem 0}
)");

QString htmlRow(const SeriesTable& table, const SeriesRow& row)
{
    QString html = QStringLiteral("<tr%1><th scope=\"row\" title=\"%2\">%3</th>")
                       .arg(row.verdict == QLatin1String("INVALID") ? QStringLiteral(" class=\"invalid\"") : QString(),
                            row.about.toHtmlEscaped(), row.words.toHtmlEscaped());
    for (const C column : columnsOf(table.kind)) {
        const SeriesCell& cell = row.cell(column);
        QString hint = inWords(cell.standing);
        if (cell.estimate)
            hint = QStringLiteral("95 %: %1 to %2. ")
                       .arg(valueText(column, cell.estimate->low), valueText(column, cell.estimate->high)) +
                   hint;
        html += QStringLiteral("<td class=\"%1%2\" title=\"%3\">%4</td>")
                    .arg(column == C::Verdict ? QString() : QStringLiteral("n"),
                         cell.standing == Standing::Best ? QStringLiteral(" best") : QString(), hint.toHtmlEscaped(),
                         cellText(row, column).toHtmlEscaped());
    }
    return html + QStringLiteral("</tr>\n");
}

} // namespace

QStringList notesOf(const SeriesTable& table)
{
    QStringList notes;
    for (const Standing standing : {Standing::Best, Standing::MaybeBest, Standing::TooFew})
        if (hasStanding(table, standing))
            notes.append(QStringLiteral("%1 %2").arg(markOf(standing), inWords(standing)));
    if (!table.rankedBy.isEmpty())
        notes.append(
            QStringLiteral("Rank: by the mean of the places in %1; place = 1 + how many are clearly better there.")
                .arg(table.rankedBy.join(QStringLiteral(", "))));
    return notes;
}

QJsonObject reportOf(const SeriesProgress& series)
{
    QJsonArray reports;
    for (const SeriesRunPtr& run : series.runs)
        if (run)
            reports.append(run->record.report);
    return {{QStringLiteral("format"), QStringLiteral("switchgear-load-series/1")},
            {QStringLiteral("id"), series.id},
            {QStringLiteral("kind"), text(toString(series.table.kind))},
            {QStringLiteral("state"), text(toString(series.state))},
            {QStringLiteral("error"), series.error.isEmpty() ? QJsonValue() : series.error},
            {QStringLiteral("plan_words"), planLine(series)},
            {QStringLiteral("table"), toJson(series.table)},
            {QStringLiteral("notes"), QJsonArray::fromStringList(notesOf(series.table))},
            {QStringLiteral("reports"), reports}};
}

QString tableOf(const SeriesProgress& series)
{
    const auto columns = columnsOf(series.table.kind);
    std::vector<QStringList> lines{{firstHead(series.table)}};
    for (const C column : columns)
        lines.front().append(headWords(column));
    for (const SeriesRow& row : series.table.rows) {
        lines.push_back({row.words});
        for (const C column : columns)
            lines.back().append(cellText(row, column));
    }
    std::vector<qsizetype> widths(columns.size() + 1, 0);
    for (const QStringList& line : lines)
        for (qsizetype i = 0; i < line.size(); ++i)
            widths[static_cast<std::size_t>(i)] = std::max(widths[static_cast<std::size_t>(i)], line[i].size());
    QString text = QStringLiteral("Series on %1\n\n").arg(planLine(series));
    for (const QStringList& line : lines) {
        QString out = QStringLiteral("  ") + line.front().leftJustified(widths.front());
        for (qsizetype i = 1; i < line.size(); ++i) {
            const qsizetype width = widths[static_cast<std::size_t>(i)];
            out += QStringLiteral("  ") + (i + 1 == line.size() ? line[i] : line[i].rightJustified(width));
        }
        text += out + QLatin1Char('\n');
    }
    for (const QString& line : linesBelow(series))
        text += QStringLiteral("\n  ") + line;
    return text;
}

QString markdownOf(const SeriesProgress& series, const QString& title)
{
    const auto columns = columnsOf(series.table.kind);
    QString text =
        QStringLiteral("### %1\n\n%2\n\n").arg(markdownparts::plain(title), markdownparts::plain(planLine(series)));
    QStringList heads{firstHead(series.table)}, lines{QStringLiteral("---")};
    for (const C column : columns) {
        heads.append(headWords(column));
        lines.append(column == C::Verdict ? QStringLiteral("---") : QStringLiteral("---:"));
    }
    text += markdownparts::row(heads) + markdownparts::row(lines);
    for (const SeriesRow& row : series.table.rows) {
        QStringList cells{markdownparts::plain(row.words)};
        for (const C column : columns)
            cells.append(markdownparts::plain(cellText(row, column)));
        text += markdownparts::row(cells);
    }
    text += QLatin1Char('\n');
    for (const QString& line : linesBelow(series))
        text += QStringLiteral("- %1\n").arg(markdownparts::plain(line));
    return text;
}

QString htmlOf(const SeriesProgress& series, const QString& title)
{
    QString heads = QStringLiteral("<th scope=\"col\">%1</th>").arg(firstHead(series.table)), rows, notes;
    for (const C column : columnsOf(series.table.kind))
        heads += QStringLiteral("<th scope=\"col\" class=\"%1\" title=\"%2\">%3</th>")
                     .arg(column == C::Verdict ? QString() : QStringLiteral("n"),
                          QString::fromUtf8(infoOf(column).formula).toHtmlEscaped(), headWords(column).toHtmlEscaped());
    for (const SeriesRow& row : series.table.rows)
        rows += htmlRow(series.table, row);
    for (const QString& line : linesBelow(series))
        notes += QStringLiteral("<li>%1</li>\n").arg(line.toHtmlEscaped());
    for (const C column : columnsOf(series.table.kind))
        notes += QStringLiteral("<li>%1: %2</li>\n")
                     .arg(headWords(column).toHtmlEscaped(), QString::fromUtf8(infoOf(column).formula).toHtmlEscaped());
    return QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
                          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                          "'unsafe-inline'\"/><meta name=\"viewport\" content=\"width=device-width\"/><title>") +
           title.toHtmlEscaped() + QStringLiteral("</title><style>\n") + kStyle +
           QStringLiteral("</style></head><body>\n<h1>") + title.toHtmlEscaped() + QStringLiteral("</h1>\n<p>") +
           planLine(series).toHtmlEscaped() + QStringLiteral("</p>\n<div class=\"wide\"><table><thead><tr>") + heads +
           QStringLiteral("</tr></thead><tbody>\n") + rows + QStringLiteral("</tbody></table></div>\n<ul>\n") + notes +
           QStringLiteral("</ul></body></html>\n");
}

} // namespace sg::load
