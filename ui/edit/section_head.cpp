// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/section_head.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>

namespace sg::ui {

SectionHead::SectionHead(const QString& title, QWidget* parent)
    : QWidget(parent)
    , note_(new QLabel)
    , row_(new QHBoxLayout)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(7);
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedHeight(1);
    line_ = line;
    auto* label = new QLabel(title);
    label->setProperty("role", QStringLiteral("title"));
    note_->setProperty("role", QStringLiteral("caption"));
    note_->setTextFormat(Qt::PlainText);
    // A long note gives way instead of making the form wider.
    note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row_->setSpacing(8);
    row_->addWidget(label);
    row_->addWidget(note_, 1);
    column->addWidget(line_);
    column->addLayout(row_);
}

void SectionHead::setNote(const QString& note)
{
    note_->setText(note);
    note_->setToolTip(note);
}

QString SectionHead::note() const
{
    return note_->text();
}

void SectionHead::setCorner(QWidget* corner)
{
    row_->addWidget(corner);
}

void SectionHead::hideLine()
{
    line_->hide();
}

} // namespace sg::ui
