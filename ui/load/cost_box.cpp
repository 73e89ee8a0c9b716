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

CostBox::Content costBeforeStart(const loadwords::EstimateWords& estimate)
{
    return {CostBox::tr("Estimated cost"), estimate.likely, CostBox::tr("At worst"), estimate.worst, estimate.note};
}

namespace {

QString chargedNote(const load::RunProgress& progress)
{
    const bool isActive = loadwords::isActive(progress.state);
    if (isActive && progress.answered == 0)
        return CostBox::tr("Unknown until the first answer.");
    if (!progress.costUsd)
        return CostBox::tr("Unknown: answers came without usage or price.");
    if (progress.costIsEstimated)
        return progress.costIsLowerBound ? CostBox::tr("About: some of it is estimated, a part is unknown.")
                                         : CostBox::tr("About: some answers ended without usage and are estimated.");
    if (progress.costIsLowerBound)
        return CostBox::tr("At least: some answers came without usage or price.");
    return isActive ? CostBox::tr("From the usage that each answer reported so far.")
                    : CostBox::tr("From the usage that each answer reported.");
}

} // namespace

CostBox::Content costOfRun(const load::RunProgress& progress, const loadwords::EstimateWords& estimate)
{
    const QString charged = loadwords::cost(progress.costUsd, progress.costIsLowerBound, progress.costIsEstimated);
    return {CostBox::tr("Charged by this run"), charged, CostBox::tr("Estimated before"), estimate.likely,
            chargedNote(progress)};
}

} // namespace sg::ui
