// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/stages/stages_editor.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>

namespace sg::ui {

namespace {

QPushButton* smallButton(const QString& text, const QString& accessibleName)
{
    auto* button = new QPushButton(text);
    button->setProperty("role", QStringLiteral("link"));
    button->setAccessibleName(accessibleName);
    button->setAutoDefault(false);
    button->setFixedHeight(22);
    return button;
}

} // namespace

StagesEditor::StagesEditor(ThemeContext& context, Language language, QWidget* parent)
    : QWidget(parent)
    , language_(std::move(language))
    , plot_(new StagesPlot(context))
    , text_(new QLineEdit)
    , error_(new QLabel)
    , add_(smallButton(tr("Add"), tr("Add a stage behind the chosen one")))
    , remove_(smallButton(tr("Delete"), tr("Delete the chosen stage")))
    , undo_(smallButton(tr("Undo"), tr("Undo the last change of the stages")))
    , redo_(smallButton(tr("Redo"), tr("Redo the change of the stages")))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    auto* caption = new QLabel(tr("Stages"));
    caption->setProperty("role", QStringLiteral("caption"));
    caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    row->addWidget(caption, 1);
    for (QPushButton* button : {add_, remove_, undo_, redo_})
        row->addWidget(button);
    column->addLayout(row);
    column->addWidget(plot_);
    text_->setAccessibleName(tr("Stages as text"));
    text_->setPlaceholderText(language_.example);
    text_->setFixedHeight(26);
    column->addWidget(text_);
    error_->setProperty("role", QStringLiteral("error"));
    error_->setWordWrap(true);
    error_->hide();
    column->addWidget(error_);
    showText();
    connect(plot_, &StagesPlot::changed, this, &StagesEditor::onPlotChanged);
    connect(text_, &QLineEdit::textEdited, this, &StagesEditor::onTyped);
    connect(text_, &QLineEdit::editingFinished, this, &StagesEditor::leaveText);
    connect(add_, &QPushButton::clicked, plot_, &StagesPlot::insertPoint);
    connect(remove_, &QPushButton::clicked, plot_, &StagesPlot::removeSelected);
    connect(undo_, &QPushButton::clicked, &plot_->undoStack(), &QUndoStack::undo);
    connect(redo_, &QPushButton::clicked, &plot_->undoStack(), &QUndoStack::redo);
    connect(plot_, &StagesPlot::selectionChanged, this, &StagesEditor::showUndo);
    connect(&plot_->undoStack(), &QUndoStack::indexChanged, this, &StagesEditor::showUndo);
    showUndo();
}

void StagesEditor::setStages(const Stages& stages)
{
    plot_->setStages(stages);
    showText();
    setProblem({});
}

void StagesEditor::showText()
{
    text_->setText(language_.write(plot_->stages()));
    text_->setCursorPosition(0); // its beginning is what one reads
}

void StagesEditor::setReadOnly(bool isReadOnly)
{
    plot_->setReadOnly(isReadOnly);
    text_->setReadOnly(isReadOnly);
    showUndo();
}

void StagesEditor::showUndo()
{
    const bool mayEdit = !plot_->isReadOnly();
    add_->setEnabled(mayEdit && plot_->stages().size() < stages::kMost);
    remove_->setEnabled(mayEdit && plot_->selected() && stages::mayRemove(plot_->stages(), *plot_->selected()));
    undo_->setEnabled(mayEdit && plot_->undoStack().canUndo());
    redo_->setEnabled(mayEdit && plot_->undoStack().canRedo());
}

void StagesEditor::onPlotChanged()
{
    if (!isTyping_) {
        showText();
        setProblem({});
    }
    showUndo();
    Q_EMIT changed();
}

void StagesEditor::onTyped()
{
    const auto read = language_.read(text_->text());
    const bool isSound = read && stages::isSound(*read);
    setProblem(!read      ? read.error()
               : !isSound ? tr("The stages must last some time, and at most %1 points.").arg(stages::kMost)
                          : QString());
    if (isSound) {
        isTyping_ = true;
        plot_->replaceStages(*read, tr("type the stages"));
        isTyping_ = false;
    }
    Q_EMIT changed();
}

void StagesEditor::leaveText()
{
    // What was typed stays as typed while it is wrong: it is there to be mended.
    if (problem_.isEmpty())
        showText();
}

void StagesEditor::setProblem(const QString& problem)
{
    problem_ = problem;
    error_->setText(problem);
    error_->setVisible(!problem.isEmpty());
    text_->setAccessibleDescription(problem);
    if (text_->property("wrong").toBool() == !problem.isEmpty())
        return;
    text_->setProperty("wrong", !problem.isEmpty());
    // A style sheet looks at properties only when it is polished.
    text_->style()->unpolish(text_);
    text_->style()->polish(text_);
}

} // namespace sg::ui
