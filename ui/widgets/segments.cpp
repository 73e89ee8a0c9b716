// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segments.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace sg::ui {

Segments::Segments(const QStringList& labels, const QString& accessibleName, bool compact, QWidget* parent)
    : QFrame(parent)
    , group_(new QButtonGroup(this))
{
    setProperty("compact", compact);
    setAccessibleName(accessibleName);
    setFixedHeight(compact ? 22 : 28);
    auto* row = new QHBoxLayout(this);
    const int inset = compact ? 1 : 2;
    row->setContentsMargins(inset, inset, inset, inset);
    row->setSpacing(0);
    for (int i = 0; i < labels.size(); ++i) {
        auto* button = new QToolButton;
        button->setText(labels.at(i));
        button->setCheckable(true);
        button->setChecked(i == 0);
        button->setFocusPolicy(i == 0 ? Qt::TabFocus : Qt::NoFocus);
        button->setAccessibleName(QStringLiteral("%1: %2").arg(accessibleName, labels.at(i)));
        // Inside its own edge: there is no room for a ring around it, least of all in a panel's corner.
        button->setProperty("ownFocusRing", true);
        button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
        group_->addButton(button, i);
        row->addWidget(button);
    }
    connect(group_, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        // Qt moves the one stop for Tab when a person chooses, not when the program does.
        group_->button(id)->setFocusPolicy(on ? Qt::TabFocus : Qt::NoFocus);
        if (on)
            Q_EMIT selected(id);
    });
}

int Segments::current() const
{
    return group_->checkedId();
}

void Segments::setCurrent(int index)
{
    if (auto* button = group_->button(index))
        button->setChecked(true);
}

void Segments::setLabel(int index, const QString& label)
{
    auto* button = group_->button(index);
    if (!button || button->text() == label)
        return;
    button->setText(label);
    button->setAccessibleName(QStringLiteral("%1: %2").arg(accessibleName(), label));
}

int Segments::count() const
{
    return static_cast<int>(group_->buttons().size());
}

} // namespace sg::ui
