// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/form_section.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QStyle>

namespace sg::ui {

FieldCell::FieldCell(const QString& caption, QWidget* field, QWidget* parent)
    : QWidget(parent)
    , field_(field)
    , problem_(new QLabel)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* label = new QLabel(caption);
    label->setProperty("role", QStringLiteral("caption"));
    label->setBuddy(field);
    if (field->accessibleName().isEmpty())
        field->setAccessibleName(caption);
    field->setFixedHeight(26);
    problem_->setProperty("role", QStringLiteral("error"));
    problem_->setTextFormat(Qt::PlainText);
    problem_->setWordWrap(true);
    problem_->hide();
    column->addWidget(label);
    column->addWidget(field);
    column->addWidget(problem_);
    column->addStretch(1);
}

void FieldCell::setProblem(const QString& problem)
{
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    field_->setAccessibleDescription(problem);
    const bool isWrong = !problem.isEmpty();
    // A number paints its own frame.
    if (qobject_cast<QuantityField*>(field_) || field_->property("wrong").toBool() == isWrong)
        return;
    field_->setProperty("wrong", isWrong);
    // A style sheet looks at properties only when it is polished.
    field_->style()->unpolish(field_);
    field_->style()->polish(field_);
}

FormSection::FormSection(ThemeContext& context, EndpointEditor& editor, const QString& title, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , editor_(editor)
    , grid_(new QGridLayout)
{
    setAccessibleName(title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedHeight(1);
    column->addWidget(line);
    if (!title.isEmpty()) {
        auto* head = new QLabel(title);
        head->setProperty("role", QStringLiteral("title"));
        head->setContentsMargins(12, 8, 12, 0);
        column->addWidget(head);
    }
    grid_->setContentsMargins(12, 7, 12, 11);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(7);
    grid_->setColumnStretch(0, 1);
    grid_->setColumnStretch(1, 1);
    column->addLayout(grid_);
}

void FormSection::showEndpoint(const workspace::Endpoint& endpoint)
{
    for (const auto& show : shows_)
        show(endpoint);
}

void FormSection::put(QWidget* widget, Span span)
{
    if (span == Span::Whole && column_ != 0) {
        ++row_;
        column_ = 0;
    }
    grid_->addWidget(widget, row_, column_, 1, span == Span::Whole ? 2 : 1);
    column_ = span == Span::Whole ? 0 : 1 - column_;
    if (column_ == 0)
        ++row_;
}

FieldCell* FormSection::putField(const QString& caption, QWidget* field, Span span)
{
    auto* cell = new FieldCell(caption, field);
    put(cell, span);
    return cell;
}

QString FormSection::undoWords(const QString& caption) const
{
    return tr("%1 of %2").arg(caption, QString::fromStdString(editor_.selectedName()));
}

QuantityField* FormSection::addNumber(const QString& caption, const QString& field, const QuantityField::Rules& rules,
                                      std::function<std::optional<double>(const workspace::Endpoint&)> read,
                                      std::function<void(workspace::Endpoint&, std::optional<double>)> write, Span span)
{
    auto* number = new QuantityField(context_, rules, caption);
    number->setObjectName(field);
    FieldCell* cell = putField(caption, number, span);
    connect(number, &QuantityField::problemChanged, cell, &FieldCell::setProblem);
    connect(number, &QuantityField::left, &editor_, &EndpointEditor::closeMerge);
    connect(number, &QuantityField::edited, this,
            [this, caption, field, write = std::move(write)](const std::optional<double>& value) {
                editor_.edit(undoWords(caption), field,
                             [&](workspace::Endpoint& endpoint) { write(endpoint, value); });
            });
    shows_.push_back([number, read = std::move(read)](const workspace::Endpoint& endpoint) {
        number->setValue(read(endpoint));
    });
    return number;
}

void FormSection::wireText(QLineEdit* line, FieldCell* cell, const QString& caption, const QString& field,
                           const Read& read, const Write& write, const Judge& judge)
{
    connect(line, &QLineEdit::textEdited, this, [=, this](const QString& text) {
        const Verdict verdict = judge ? judge(text) : Verdict{};
        typing_ = line; // the text stays as it is typed: an empty field may stand for a name
        if (!verdict.isRefused)
            editor_.edit(undoWords(caption), field, [&](workspace::Endpoint& endpoint) { write(endpoint, text); });
        typing_ = nullptr;
        cell->setProblem(verdict.problem);
    });
    connect(line, &QLineEdit::editingFinished, this, [=, this] {
        editor_.closeMerge();
        // What was refused is not kept on screen either.
        if (const workspace::Endpoint* endpoint = editor_.selected(); endpoint && line->text() != read(*endpoint)) {
            line->setText(read(*endpoint));
            cell->setProblem(judge ? judge(line->text()).problem : QString());
        }
    });
    shows_.push_back([=, this](const workspace::Endpoint& endpoint) {
        const QString text = read(endpoint);
        const bool isBeingRefused = line->hasFocus() && judge && judge(line->text()).isRefused;
        if (line->text() != text && typing_ != line && !isBeingRefused)
            line->setText(text);
        cell->setProblem(judge ? judge(line->text()).problem : QString());
    });
}

QLineEdit* FormSection::addText(const QString& caption, const QString& field, Read read, Write write, Judge judge,
                                bool isMono)
{
    auto* line = new QLineEdit;
    line->setObjectName(field);
    if (isMono)
        setMono(line);
    wireText(line, putField(caption, line, Span::Whole), caption, field, read, write, judge);
    return line;
}

QComboBox* FormSection::addNames(const QString& caption, const QString& field, Read read, Write write, Judge judge)
{
    auto* box = new QComboBox;
    box->setObjectName(field);
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(6);
    box->setMaxVisibleItems(14);
    box->lineEdit()->setAccessibleName(caption);
    wireText(box->lineEdit(), putField(caption, box, Span::Whole), caption, field, read, write, judge);
    connect(box, &QComboBox::textActivated, this, [=, this](const QString& text) {
        editor_.edit(undoWords(caption), {}, [&](workspace::Endpoint& endpoint) { write(endpoint, text); });
    });
    return box;
}

QCheckBox* FormSection::addFlag(const QString& caption, const QString& field,
                                std::function<bool&(workspace::Endpoint&)> member)
{
    auto* box = new QCheckBox(caption);
    box->setObjectName(field);
    put(box, Span::Half);
    connect(box, &QCheckBox::clicked, this, [=, this](bool isOn) {
        editor_.edit(undoWords(caption), {}, [&](workspace::Endpoint& endpoint) { member(endpoint) = isOn; });
    });
    shows_.push_back([=](const workspace::Endpoint& endpoint) {
        workspace::Endpoint copy = endpoint;
        box->setChecked(member(copy));
    });
    return box;
}

QLabel* FormSection::addNote()
{
    auto* note = new QLabel;
    note->setProperty("role", QStringLiteral("caption"));
    note->setTextFormat(Qt::PlainText);
    note->setWordWrap(true);
    note->hide();
    put(note);
    return note;
}

void FormSection::setNote(QLabel* note, const QString& words)
{
    note->setText(words);
    note->setVisible(!words.isEmpty());
}

void FormSection::setMono(QWidget* field)
{
    field->setProperty("mono", true);
}

} // namespace sg::ui
