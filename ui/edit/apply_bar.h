// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/edit/apply_flow.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;

namespace sg::ui {

/// The end of a page's toolbar: where changes are kept, Compare and Apply; with Ctrl+Enter on the page it belongs to.
class ApplyBar : public QWidget
{
    Q_OBJECT
public:
    /// `page` is shown and hidden with it. Of `flow` and it either may go first, as windows take their pages down in
    /// any order.
    ApplyBar(ApplyFlow& flow, QWidget* page);
    /// One at the end of a page's toolbar, with the banner of what was applied below it. The toolbar's layout is a
    /// QHBoxLayout, the page's a QVBoxLayout that begins with it.
    static ApplyBar* addTo(QWidget& page, QWidget& toolbar, ApplyFlow& flow);

    /// How the draft stands, for a place of the page's own; with it in its layout it is the layout's.
    QLabel* state() const { return state_; }
    void setNarrow(bool narrow);
    void compare();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    QString stateWords(int changes) const;

    QPointer<ApplyFlow> flow_;
    QLabel* state_;
    QCheckBox* onlyHere_;
    QPushButton *compare_, *apply_;
};

} // namespace sg::ui
