// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/compare/run_card.h"

#include "ui/load/compare/curves_plot.h"
#include "ui/widgets/paint.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>

namespace sg::ui {

QColor verdictInk(RunVerdict verdict, const Tokens& tokens)
{
    switch (verdict) {
    case RunVerdict::Valid:
    case RunVerdict::Passed:
        return tokens.closed;
    case RunVerdict::Missed:
    case RunVerdict::Invalid:
    case RunVerdict::Failed:
    case RunVerdict::CutOff:
        break;
    }
    return tokens.open;
}

RunCard::RunCard(ThemeContext& context, std::size_t number, QWidget* parent)
    : QAbstractButton(parent)
    , context_(context)
    , number_(number)
{
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(48);
    setAttribute(Qt::WA_Hover);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void RunCard::setRun(const ComparedRun& run, bool isReference)
{
    run_ = run;
    isReference_ = isReference;
    QStringList parts{letterOf(number_), run.title, run.subtitle, run.verdictWords};
    if (isReference)
        parts << tr("the others are compared with it");
    setAccessibleName(parts.join(QStringLiteral(", ")));
    setToolTip(QStringLiteral("%1\n%2\n%3").arg(run.title, run.subtitle, run.verdictWords));
    update();
}

bool RunCard::event(QEvent* event)
{
    if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave)
        update();
    return QAbstractButton::event(event);
}

void RunCard::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    const QColor fill = isChecked() ? theme.c.accentTint : underMouse() ? theme.c.raised : theme.c.card;
    paint::frame(p, rect(), fill, isChecked() ? theme.c.accent : theme.c.line);
    const QColor own = curvePen(number_, theme.c).color();
    paint::text(p, 12, 29, letterOf(number_), theme.font(17, true), own);
    QPen sample = curvePen(number_, theme.c);
    p.setPen(sample);
    p.drawLine(QPointF(11, 38.5), QPointF(27, 38.5));
    const QColor ink = verdictInk(run_.verdict, theme.c);
    const QFont small = theme.font(10.5, true);
    const QFontMetricsF metrics(small, this);
    double right = width() - 10.0;
    const QString word = verdictWord(run_.verdict);
    const double wide = metrics.horizontalAdvance(word) + 14;
    paint::frame(p, QRectF(right - wide, 7, wide, 18), ink == theme.c.closed ? theme.c.closedTint : theme.c.openTint,
                 ink, 3);
    paint::text(p, right - 7, 20, word, small, ink, Qt::AlignRight);
    if (isReference_)
        paint::text(p, right, 39, run_.isBaseline ? tr("◆ baseline") : tr("reference"), theme.font(10.5), theme.c.text2,
                    Qt::AlignRight);
    right -= std::max(wide, isReference_ ? metrics.horizontalAdvance(tr("◆ baseline")) : 0.0) + 8;
    paint::text(p, 36, 20, run_.title, theme.font(12, true), theme.c.text, Qt::AlignLeft, right - 36);
    paint::text(p, 36, 38, run_.subtitle, theme.font(10.5), isChecked() ? theme.c.text2 : theme.c.text3, Qt::AlignLeft,
                right - 36);
}

} // namespace sg::ui
