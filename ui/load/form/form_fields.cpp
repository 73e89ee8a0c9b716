// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/form/form_fields.h"

#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStyle>

#include <limits>

namespace sg::ui::formfields {

namespace {

constexpr int kHeight = 26;

} // namespace

QLabel* caption(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text);
    label->setProperty("role", QStringLiteral("caption"));
    if (buddy) {
        label->setBuddy(buddy);
        if (buddy->accessibleName().isEmpty())
            buddy->setAccessibleName(text);
    }
    return label;
}

QLabel* note()
{
    auto* label = caption({});
    label->setWordWrap(true);
    return label;
}

QSpinBox* number(int value, const QString& name, const QString& suffix)
{
    auto* field = new QSpinBox;
    field->setRange(0, std::numeric_limits<int>::max());
    field->setButtonSymbols(QAbstractSpinBox::NoButtons);
    field->setValue(value);
    field->setSuffix(suffix);
    field->setAccessibleName(name);
    field->setFixedHeight(kHeight);
    return field;
}

QLineEdit* line(const QString& text, const QString& name, const QString& example)
{
    auto* field = new QLineEdit(text);
    field->setAccessibleName(name);
    field->setPlaceholderText(example);
    field->setFixedHeight(kHeight);
    return field;
}

QWidget* sectionHead(const QString& title)
{
    auto* head = new QWidget;
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 5, 0, 0);
    column->setSpacing(7);
    auto* hairline = new QFrame;
    hairline->setObjectName(QStringLiteral("hairline"));
    hairline->setFixedHeight(1);
    auto* label = new QLabel(title);
    label->setProperty("role", QStringLiteral("title"));
    column->addWidget(hairline);
    column->addWidget(label);
    return head;
}

void put(QGridLayout* grid, int row, int column, QLabel* label, QWidget* field, int span)
{
    auto* cell = new QVBoxLayout;
    cell->setSpacing(2);
    cell->addWidget(label);
    cell->addWidget(field);
    grid->addLayout(cell, row, column, 1, span);
}

void mark(QWidget* field, const QString& problem)
{
    field->setAccessibleDescription(problem);
    if (field->property("wrong").toBool() == !problem.isEmpty())
        return;
    field->setProperty("wrong", !problem.isEmpty());
    // A style sheet looks at properties only when it is polished.
    field->style()->unpolish(field);
    field->style()->polish(field);
}

} // namespace sg::ui::formfields
