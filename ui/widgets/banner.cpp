// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/banner.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace sg::ui {

Banner::Banner(QWidget* parent, Tone tone)
    : QFrame(parent)
    , label_(new QLabel)
    , action_(new QPushButton)
    , close_(new QPushButton(tr("Dismiss")))
{
    setObjectName(QStringLiteral("banner"));
    setProperty("tone", tone == Tone::Notice ? QStringLiteral("soft") : QString());
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::PlainText);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(label_, 1);
    row->addWidget(action_);
    row->addWidget(close_);
    connect(action_, &QPushButton::clicked, this, &Banner::actionClicked);
    connect(close_, &QPushButton::clicked, this, &Banner::clear);
    hide();
}

void Banner::say(const QString& text, const QString& action)
{
    label_->setText(text);
    action_->setText(action);
    action_->setVisible(!action.isEmpty());
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    if (isVisible()) {
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

void Banner::clear()
{
    label_->clear();
    setAccessibleName({});
    hide();
}

QString Banner::text() const
{
    return label_->text();
}

} // namespace sg::ui
