// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QPointer>
#include <QWidget>

namespace sg::ui {

/// Draws the focus ring, 2 px with a gap of 2 px, around the control that has the focus. Controls that draw their own
/// set the property "ownFocusRing". One per window; lives next to the focused control so that it scrolls with it.
class FocusRing : public QWidget
{
    Q_OBJECT
public:
    FocusRing(ThemeContext& context, QWidget* window);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(QWidget* target);
    void place();

    ThemeContext& context_;
    QWidget* window_;
    QPointer<QWidget> target_;
};

} // namespace sg::ui
