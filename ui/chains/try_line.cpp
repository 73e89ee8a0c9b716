// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/try_line.h"

#include "ui/edit/field_rows.h"
#include "ui/edit/section_head.h"
#include "ui/edit/text_fields.h"

#include <QBoxLayout>
#include <QLabel>

namespace sg::ui {

TryLine::TryLine(QWidget* parent)
    : QWidget(parent)
    , sentence_(new TextLine(tr("A sentence to try")))
    , answer_(wrappedLabel("secondary"))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(new SectionHead(tr("Try it")));
    sentence_->setObjectName(QStringLiteral("trial"));
    sentence_->setPlaceholderText(tr("What would a user ask?"));
    column->addWidget(sentence_);
    column->addWidget(answer_);
    connect(sentence_, &QLineEdit::textChanged, this, &TryLine::changed);
}

QString TryLine::sentence() const
{
    return sentence_->text();
}

void TryLine::setAnswer(const QString& words)
{
    answer_->setText(words);
}

QString TryLine::answer() const
{
    return answer_->text();
}

} // namespace sg::ui
