// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/field_rows.h"

#include "ui/edit/quantity_field.h"

#include <QGridLayout>
#include <QLabel>
#include <QStyle>

namespace sg::ui {

namespace {

/// Takes its height itself: nested layouts give a wrapping label one line until they are laid out once more.
class WrappedLabel : public QLabel
{
public:
    using QLabel::QLabel;

protected:
    bool event(QEvent* event) override
    {
        const bool done = QLabel::event(event);
        const bool isNew = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest ||
                           event->type() == QEvent::FontChange || event->type() == QEvent::Polish;
        if (!isNew || width() <= 0)
            return done;
        if (minimumHeight() > 0)
            setMinimumHeight(0); // QLabel never answers less than the minimum it has
        // A label that has not had a text yet answers -1.
        setMinimumHeight(std::max(0, heightForWidth(width())));
        return done;
    }
};

} // namespace

QLabel* wrappedLabel(const char* role, const QString& text)
{
    auto* label = new WrappedLabel(text);
    label->setProperty("role", QString::fromLatin1(role));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

QLabel* captionLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setProperty("role", QStringLiteral("caption"));
    label->setTextFormat(Qt::PlainText);
    return label;
}

void markWrong(QWidget& field, const QString& problem)
{
    field.setAccessibleDescription(problem);
    if (field.property("wrong").toBool() == !problem.isEmpty())
        return;
    field.setProperty("wrong", !problem.isEmpty());
    // A style sheet looks at properties only when it is polished.
    field.style()->unpolish(&field);
    field.style()->polish(&field);
}

FieldRows::FieldRows(QWidget* parent)
    : QWidget(parent)
    , column_(new QVBoxLayout(this))
{
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(7);
}

void FieldRows::addRow(const std::vector<Cell>& cells)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    auto* error = wrappedLabel("error");
    error->hide();
    int at = 0;
    for (const Cell& cell : cells) {
        auto* caption = captionLabel(cell.caption);
        caption->setBuddy(cell.field);
        // Words of other lengths must not make columns of other widths.
        caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        caption->setToolTip(cell.caption);
        grid->addWidget(caption, 0, at, 1, cell.span);
        for (int i = 0; i < cell.span; ++i)
            grid->setColumnStretch(at + i, 1);
        keep({cell.field, caption, error, grid, at, cell.span});
        at += cell.span;
    }
    // Equal columns: a grid gives what is wanted before it shares the rest.
    for (int i = 0; i < at; ++i)
        grid->setColumnMinimumWidth(i, 1);
    grid->addWidget(error, 2, 0, 1, std::max(1, at));
    column_->addLayout(grid);
}

void FieldRows::keep(const Entry& entry)
{
    // What a field would like to have must not make its column wider than the others.
    entry.field->setSizePolicy(QSizePolicy::Ignored, entry.field->sizePolicy().verticalPolicy());
    entry.grid->addWidget(entry.field, 1, entry.column, 1, entry.span);
    entries_.push_back(entry);
    if (auto* number = qobject_cast<QuantityField*>(entry.field))
        connect(number, &QuantityField::problemChanged, this, [this, number] { refresh(*find(number)); });
}

void FieldRows::addInstead(QWidget* field, QWidget* other)
{
    Entry entry = *find(field);
    entry.field = other;
    keep(entry);
}

void FieldRows::addWide(QWidget* widget)
{
    column_->addWidget(widget);
}

const FieldRows::Entry* FieldRows::find(const QWidget* field) const
{
    const auto found = std::ranges::find(entries_, field, &Entry::field);
    return found == entries_.end() ? nullptr : &*found;
}

void FieldRows::setCaption(QWidget* field, const QString& caption)
{
    if (const Entry* entry = find(field)) {
        entry->caption->setText(caption);
        entry->caption->setToolTip(caption);
    }
}

void FieldRows::setFieldVisible(QWidget* field, bool isVisible)
{
    field->setVisible(isVisible);
    if (const Entry* entry = find(field))
        entry->caption->setVisible(isVisible);
}

void FieldRows::setProblem(QWidget* field, const QString& words)
{
    const auto found = std::ranges::find(entries_, field, &Entry::field);
    if (found == entries_.end() || found->fromOutside == words)
        return;
    found->fromOutside = words;
    refresh(*found);
}

QString FieldRows::problemOf(const QWidget* field) const
{
    const Entry* entry = find(field);
    if (!entry)
        return {};
    const auto* number = qobject_cast<const QuantityField*>(field);
    return number && !number->problem().isEmpty() ? number->problem() : entry->fromOutside;
}

void FieldRows::refresh(const Entry& entry)
{
    markWrong(*entry.field, problemOf(entry.field));
    QStringList said;
    for (const Entry& other : entries_) {
        if (other.error != entry.error || other.field->isHidden())
            continue;
        if (const QString problem = problemOf(other.field); !problem.isEmpty())
            said << problem;
    }
    entry.error->setText(said.join(QLatin1Char('\n')));
    entry.error->setVisible(!said.isEmpty());
}

} // namespace sg::ui
