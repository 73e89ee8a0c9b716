// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/inspector_head.h"

#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QPainter>

namespace sg::ui {

InspectorHead::InspectorHead(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(44);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void InspectorHead::show(const Facts& facts)
{
    if (facts == facts_)
        return;
    facts_ = facts;
    QStringList said{facts.name};
    if (facts.state)
        said << tr("breaker %1").arg(paint::stateWord(*facts.state));
    if (!facts.words.isEmpty())
        said << QString(facts.words).replace(QStringLiteral(" · "), QStringLiteral(", "));
    if (!facts.warning.isEmpty())
        said << facts.warning;
    setAccessibleName(said.join(QStringLiteral(", ")));
    setToolTip(format::plainTip(said.join(QLatin1Char('\n'))));
    update();
}

void InspectorHead::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    // The buttons stand at the right of the first line only.
    paint::text(p, 0, 15, facts_.name, theme.font(13, true), theme.c.text, Qt::AlignLeft, width() - 92);
    double x = 0;
    if (facts_.state) {
        const double tag = paint::stateTagWidth(*facts_.state, theme);
        paint::stateTag(p, tag, 25, *facts_.state, theme);
        x = tag + 8;
    }
    if (!facts_.warning.isEmpty())
        x +=
            paint::text(p, x, 38, facts_.warning, theme.font(10.5, true), theme.c.half, Qt::AlignLeft, width() - x) + 6;
    if (x < width() - 20)
        paint::text(p, x, 38, facts_.words, theme.font(10.5), theme.c.text3, Qt::AlignLeft, width() - x);
}

} // namespace sg::ui
