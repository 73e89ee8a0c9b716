// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/banner.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

namespace sg::ui {

Banner::Banner(QWidget* parent)
    : QFrame(parent)
    , label_(new QLabel)
    , action_(new QPushButton)
    , other_(new QPushButton)
    , close_(new QPushButton(tr("Dismiss")))
{
    setObjectName(QStringLiteral("banner"));
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::PlainText);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(label_, 1);
    row->addWidget(action_);
    row->addWidget(other_);
    action_->setObjectName(QStringLiteral("bannerAction"));
    other_->setObjectName(QStringLiteral("bannerOther"));
    row->addWidget(close_);
    connect(action_, &QPushButton::clicked, this, &Banner::actionClicked);
    connect(other_, &QPushButton::clicked, this, &Banner::otherClicked);
    connect(close_, &QPushButton::clicked, this, &Banner::clear);
    hide();
}

void Banner::say(const QString& text, const QString& action, const QString& other, Tone tone)
{
    setProperty("tone", tone == Tone::Calm ? QStringLiteral("calm") : QString());
    style()->unpolish(this);
    style()->polish(this);
    label_->setText(text);
    for (const auto& [button, words] : {std::pair(action_, action), std::pair(other_, other)}) {
        button->setText(words);
        button->setVisible(!words.isEmpty());
    }
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
