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
    , row_(new QHBoxLayout(this))
    , close_(new QPushButton(tr("Dismiss")))
{
    setObjectName(QStringLiteral("banner"));
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::PlainText);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row_->setContentsMargins(10, 6, 8, 6);
    row_->setSpacing(8);
    row_->addWidget(label_, 1);
    row_->addWidget(close_);
    connect(close_, &QPushButton::clicked, this, &Banner::clear);
    hide();
}

void Banner::say(const QString& text, const std::vector<Way>& ways, Tone tone)
{
    for (QPushButton* way : std::exchange(ways_, {})) {
        way->hide();
        way->deleteLater(); // it may be the one that was clicked
    }
    for (const Way& way : ways) {
        auto* button = new QPushButton(way.words);
        button->setObjectName(QStringLiteral("bannerWay%1").arg(ways_.size() + 1));
        connect(button, &QPushButton::clicked, this, [run = way.run] { run(); });
        row_->insertWidget(static_cast<int>(ways_.size()) + 1, button);
        ways_.push_back(button);
    }
    setProperty("tone", tone == Tone::Notice ? QStringLiteral("soft") : QString());
    style()->unpolish(this);
    style()->polish(this);
    label_->setText(text);
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    if (isVisible()) {
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

void Banner::clear()
{
    say({});
}

QString Banner::text() const
{
    return label_->text();
}

} // namespace sg::ui
