// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/verdict/verdict_banner.h"

#include "ui/widgets/paint.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QPainter>

namespace sg::ui {

namespace {

using Kind = VerdictBanner::Kind;

constexpr double kHead = 28, kLine = 15, kSide = 10, kText = 30;
constexpr qsizetype kMostLines = 6;

struct Look
{
    QColor ink, fill;
    bool isWarning = false;
};

Look lookOf(Kind kind, const Tokens& c)
{
    switch (kind) {
    case Kind::Passed:
    case Kind::Valid:
        return {c.closed, c.closedTint, false};
    case Kind::Missed:
        return {c.open, c.openTint, false};
    case Kind::Invalid:
    case Kind::Failed:
        return {c.open, c.openTint, true};
    case Kind::None:
    case Kind::Running:
        break;
    }
    return {c.outline, c.raised, false};
}

/// The sentences broken into lines of `width`.
QStringList linesOf(const QStringList& reasons, const QFont& font, double width)
{
    const QFontMetricsF metrics(font);
    QStringList lines;
    for (const QString& reason : reasons) {
        QString line;
        for (const QString& word : reason.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
            if (!line.isEmpty() && metrics.horizontalAdvance(longer) > width) {
                lines << line;
                line = word;
            } else
                line = longer;
        }
        lines << line;
    }
    if (lines.size() > kMostLines) {
        lines = lines.first(kMostLines);
        lines.back() += QStringLiteral(" …");
    }
    return lines;
}

} // namespace

VerdictBanner::VerdictBanner(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void VerdictBanner::setContent(Content content)
{
    if (content == content_)
        return;
    const bool isNews = content.kind != content_.kind && content.kind != Kind::None;
    content_ = std::move(content);
    setVisible(content_.kind != Kind::None);
    setAccessibleName((QStringList(content_.head) + content_.reasons).join(QStringLiteral(". ")));
    setToolTip(content_.reasons.join(QLatin1Char('\n')));
    fit();
    update();
    if (isNews) {
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

int VerdictBanner::heightForWidth(int width) const
{
    const auto lines = linesOf(content_.reasons, context_.theme().font(11), width - kText - kSide).size();
    return static_cast<int>(kHead + (lines > 0 ? kLine * static_cast<double>(lines) + 5 : 0));
}

// Fixed to what its width asks for: layouts hand out the height of a hint, which knows no width.
void VerdictBanner::fit()
{
    setFixedHeight(heightForWidth(width()));
}

void VerdictBanner::resizeEvent(QResizeEvent*)
{
    fit();
}

void VerdictBanner::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    const Look look = lookOf(content_.kind, theme.c);
    QPainter p(this);
    paint::frame(p, rect(), look.fill, look.ink, 4);
    p.fillRect(QRectF(0.5, 3, 3.5, height() - 6), look.ink);
    if (content_.kind == Kind::Missed) {
        p.setPen(QPen(look.ink, 2, Qt::SolidLine, Qt::RoundCap));
        p.drawLine(QPointF(13, 10), QPointF(21, 18));
        p.drawLine(QPointF(13, 18), QPointF(21, 10));
    } else if (content_.kind != Kind::Running) {
        p.drawPixmap(QPointF(11, 8), iconPixmap(look.isWarning ? QStringLiteral("warning") : QStringLiteral("check"),
                                                look.ink, 12, devicePixelRatioF()));
    }
    const double left = content_.kind == Kind::Running ? 12 : kText;
    paint::text(p, left, 18.5, content_.head, theme.font(12, true), theme.c.text, Qt::AlignLeft,
                width() - left - kSide);
    double baseline = kHead + 9;
    for (const QString& line : linesOf(content_.reasons, theme.font(11), width() - kText - kSide)) {
        paint::text(p, left, baseline, line, theme.font(11), theme.c.text2, Qt::AlignLeft, width() - left - kSide);
        baseline += kLine;
    }
}

VerdictBanner::Content verdictOf(bool isValid, const QStringList& reasons, int objectives, int missed, int withoutData)
{
    VerdictBanner::Content content;
    if (!isValid) {
        content = {Kind::Invalid, VerdictBanner::tr("INVALID run: its figures say nothing about the target"), {}};
        for (QString reason : reasons) {
            if (!reason.isEmpty())
                reason[0] = reason.at(0).toUpper();
            content.reasons << (reason.endsWith(QLatin1Char('.')) ? reason : reason + QLatin1Char('.'));
        }
        return content;
    }
    if (missed > 0)
        content = {Kind::Missed,
                   objectives == 1
                       ? VerdictBanner::tr("Valid run, objective missed")
                       : VerdictBanner::tr("Valid run, %1 of %2 objectives missed").arg(missed).arg(objectives),
                   {}};
    else if (objectives > withoutData)
        content = {
            Kind::Passed,
            objectives == 1 ? VerdictBanner::tr("Valid run, objective met")
            : withoutData == 0
                ? VerdictBanner::tr("Valid run, all %1 objectives met").arg(objectives)
                : VerdictBanner::tr("Valid run, %1 of %2 objectives met").arg(objectives - withoutData).arg(objectives),
            {}};
    else
        content = {Kind::Valid, VerdictBanner::tr("Valid run"), {}};
    if (withoutData > 0)
        content.reasons
            << (withoutData == 1
                    ? VerdictBanner::tr("One objective has no data: it counts as neither.")
                    : VerdictBanner::tr("%1 objectives have no data: they count as neither.").arg(withoutData));
    return content;
}

} // namespace sg::ui
