// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/cost_box.h"

#include "ui/widgets/paint.h"

namespace sg::ui {

CostBox::CostBox(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setFixedHeight(80);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void CostBox::setContent(Content content)
{
    if (content == content_)
        return;
    content_ = std::move(content);
    setAccessibleName(
        QStringLiteral("%1 %2, %3 %4. %5")
            .arg(content_.name, content_.value, content_.secondName, content_.secondValue, content_.note));
    setToolTip(content_.note);
    update();
}

void CostBox::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    paint::frame(p, rect(), theme.c.accentTint, theme.c.accent, 5);
    const double right = width() - 10;
    paint::text(p, 10, 21, content_.name, theme.font(11.5), theme.c.text);
    paint::text(p, right, 21, content_.value, theme.font(15, true), theme.c.text, Qt::AlignRight);
    paint::text(p, 10, 39, content_.secondName, theme.font(11.5), theme.c.text2);
    paint::text(p, right, 39, content_.secondValue, theme.font(13, true), theme.c.text2, Qt::AlignRight);
    paint::wrapped(p, QRectF(10, 45, width() - 20, 30), {{content_.note, false, theme.c.text2}}, theme.font(10.5),
                   theme.font(10.5, true), 14);
}

CostBox::Content costBeforeStart(const load::CostEstimate& estimate)
{
    const loadwords::EstimateWords words = loadwords::estimate(estimate);
    return {CostBox::tr("Estimated cost"), words.likely, CostBox::tr("At worst"), words.worst, words.note};
}

CostBox::Content costOfRun(const load::RunProgress& progress, const loadwords::EstimateWords& estimate)
{
    const QString charged = loadwords::cost(progress.costUsd, progress.costIsLowerBound);
    const QString note =
        !progress.costUsd                     ? CostBox::tr("Unknown: answers came without usage or price.")
        : progress.costIsLowerBound           ? CostBox::tr("At least: some answers came without usage or price.")
        : loadwords::isActive(progress.state) ? CostBox::tr("From the usage that each answer reported so far.")
                                              : CostBox::tr("From the usage that each answer reported.");
    return {CostBox::tr("Charged by this run"), charged, CostBox::tr("Estimated before"), estimate.likely, note};
}

} // namespace sg::ui
