// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/compare/compare_words.h"

#include "ui/load/compare/curves_plot.h"

#include <QCoreApplication>
#include <QStringList>

namespace sg::ui {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::CompareView)
};

/// `below`: px to the next one.
QString paragraph(const QString& html, const QColor& ink, int below)
{
    return QStringLiteral("<p style='margin:0 0 %1px 0; color:%2'>%3</p>").arg(below).arg(ink.name(), html);
}

QString mono(const QString& html, const Theme& theme)
{
    return QStringLiteral("<span style='font-family:\"%1\"'>%2</span>")
        .arg(theme.mono(11).family().toHtmlEscaped(), html);
}

QString pairHtml(const Difference& difference, std::size_t reference, const Theme& theme)
{
    const std::size_t other = 1 - reference;
    return paragraph(mono(QStringLiteral("\u2212 ") + difference.values[reference].toHtmlEscaped(), theme),
                     theme.c.open, 0) +
           paragraph(mono(QStringLiteral("+ ") + difference.values[other].toHtmlEscaped(), theme), theme.c.closed, 8);
}

QString linesHtml(const Difference& difference, const Theme& theme)
{
    QString html;
    for (std::size_t i = 0; i < difference.values.size(); ++i)
        html +=
            paragraph(QStringLiteral("<b style='color:%1'>%2</b>&nbsp; %3")
                          .arg(curvePen(i, theme.c).color().name(), letterOf(i), difference.values[i].toHtmlEscaped()),
                      theme.c.text, i + 1 == difference.values.size() ? 8 : 0);
    return html;
}

} // namespace

QString differenceHtml(const Comparison& comparison, const Theme& theme)
{
    QString html;
    const bool isPair = comparison.runs.size() == 2 && comparison.reference < 2;
    const auto differences = differencesOf(comparison.runs);
    if (isPair && !differences.empty())
        html += paragraph(
            Words::tr("\u2212 %1, + %2").arg(letterOf(comparison.reference), letterOf(1 - comparison.reference)),
            theme.c.text3, 6);
    for (const Difference& difference : differences) {
        html += paragraph(difference.name.toHtmlEscaped(), theme.c.text3, 2);
        html += isPair ? pairHtml(difference, comparison.reference, theme) : linesHtml(difference, theme);
    }
    if (differences.empty())
        html += paragraph(Words::tr("Nothing that is kept of the plans."), theme.c.text, 8);
    if (!comparison.settingsNote.isEmpty())
        html += paragraph(comparison.settingsNote.toHtmlEscaped(), theme.c.text2, 8);
    const QStringList same = sameIn(comparison.runs);
    if (!same.isEmpty())
        html +=
            paragraph(Words::tr("The same: %1").arg(same.join(QStringLiteral(", "))).toHtmlEscaped(), theme.c.text3, 0);
    return html;
}

QString noteHtml(const Comparison& comparison, const Theme& theme)
{
    QString html;
    for (std::size_t i = 0; i < comparison.runs.size(); ++i)
        if (const QString& note = comparison.runs[i].note; !note.isEmpty())
            html += paragraph(QStringLiteral("<b style='color:%1'>%2</b>&nbsp; %3")
                                  .arg(curvePen(i, theme.c).color().name(), letterOf(i), note.toHtmlEscaped()),
                              theme.c.text, 4);
    return html.isEmpty() ? Words::tr("No notes. They are written in the list of runs.") : html;
}

} // namespace sg::ui
