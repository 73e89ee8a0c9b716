// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fields_panel.h"

#include <QGridLayout>
#include <QLabel>

namespace sg::ui {

FieldsPanel::FieldsPanel(ThemeContext& context, const QString& title, int rowSpacing)
    : Panel(context, title)
{
    constexpr int kWidest = 720;
    auto* body = new QWidget;
    grid_ = new QGridLayout(body);
    grid_->setContentsMargins(12, 8, 12, 16);
    grid_->setHorizontalSpacing(20);
    grid_->setVerticalSpacing(rowSpacing);
    grid_->setColumnStretch(1, 1);
    setBody(body);
    setMaximumWidth(kWidest);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
}

QLabel* FieldsPanel::addName(const QString& name)
{
    auto* label = new QLabel(name);
    label->setProperty("role", QStringLiteral("secondary"));
    grid_->addWidget(label, row_, 0);
    return label;
}

void FieldsPanel::addField(const QString& name, QWidget* field)
{
    addName(name)->setBuddy(field);
    grid_->addWidget(field, row_++, 1, Qt::AlignLeft);
}

void FieldsPanel::addText(const QString& name, QWidget* text)
{
    addName(name);
    grid_->addWidget(text, row_++, 1);
}

void FieldsPanel::addWords(QWidget* words)
{
    grid_->addWidget(words, row_++, 1);
}

void FieldsPanel::addFoot(QWidget* words)
{
    grid_->addWidget(words, row_++, 0, 1, 2);
}

} // namespace sg::ui
