// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/curve/step_sign.h"

#include <QCoreApplication>
#include <QPainter>

namespace sg::ui::stepsign {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::stepsign)
};

} // namespace

Look lookOf(const load::RateStep& step)
{
    if (!step.invalidBecause.isEmpty())
        return Look::Invalid;
    if (!step.isRise)
        return Look::After;
    return step.held() ? Look::Held : Look::NotHeld;
}

QString words(Look look)
{
    switch (look) {
    case Look::Held:
        return Words::tr("held");
    case Look::NotHeld:
        return Words::tr("did not hold");
    case Look::After:
        return Words::tr("after a higher rate");
    case Look::Invalid:
        break;
    }
    return Words::tr("INVALID: the generator was late");
}

void paint(QPainter& p, const QPointF& centre, Look look, const QColor& ink, const QColor& behind, bool isLarge)
{
    const double size = isLarge ? 4.5 : 3.2;
    p.setPen(QPen(ink, 1.6));
    p.setBrush(behind);
    switch (look) {
    case Look::Held:
        p.setPen(Qt::NoPen);
        p.setBrush(ink);
        p.drawEllipse(centre, size - 0.4, size - 0.4);
        break;
    case Look::NotHeld:
        p.drawLine(centre - QPointF(size, size), centre + QPointF(size, size));
        p.drawLine(centre - QPointF(size, -size), centre + QPointF(size, -size));
        break;
    case Look::After:
        p.drawEllipse(centre, size, size);
        break;
    case Look::Invalid:
        p.drawRect(QRectF(centre - QPointF(size, size), centre + QPointF(size, size)));
        break;
    }
}

} // namespace sg::ui::stepsign
