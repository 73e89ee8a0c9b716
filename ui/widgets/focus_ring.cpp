// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/paint.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QEvent>
#include <QLineEdit>

namespace sg::ui {

FocusRing::FocusRing(ThemeContext& context, QWidget* window)
    : QWidget(window)
    , context_(context)
    , window_(window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

void FocusRing::follow(QWidget* target)
{
    const bool isControl = qobject_cast<QAbstractButton*>(target) || qobject_cast<QLineEdit*>(target) ||
                           qobject_cast<QAbstractSpinBox*>(target);
    if (target_)
        target_->removeEventFilter(this);
    target_ = isControl && target->window() == window_ && !target->property("ownFocusRing").toBool() ? target : nullptr;
    if (!target_) {
        // Back to the window: the place next to the old control may be deleted with it.
        setParent(window_);
        hide();
        return;
    }
    target_->installEventFilter(this);
    setParent(target_->parentWidget());
    place();
}

void FocusRing::place()
{
    setGeometry(target_->geometry().adjusted(-4, -4, 4, 4));
    setVisible(target_->isVisible());
    raise();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == target_) {
        switch (event->type()) {
        case QEvent::Move:
        case QEvent::Resize:
        case QEvent::Show:
        case QEvent::Hide:
            place();
            break;
        default:
            break;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    paint::focusRing(p, rect(), context_.theme(), 6);
}

} // namespace sg::ui
