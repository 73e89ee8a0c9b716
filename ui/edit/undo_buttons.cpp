// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/undo_buttons.h"

#include "ui/format/format.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSet>

namespace sg::ui {

void addPageKeys(QWidget& page, const QString& words, const QList<QKeySequence>& keys, std::function<void()> what)
{
    auto* action = new QAction(words, &page);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WindowShortcut); // the focus may be in the rail
    QObject::connect(action, &QAction::triggered, &page, [what = std::move(what)] { what(); });
    page.addAction(action);
}

UndoButtons::UndoButtons(Draft& draft, QWidget* page)
    : QObject(page)
    , draft_(draft)
    , undo_(new QPushButton(tr("Undo"), page))
    , redo_(new QPushButton(tr("Redo"), page))
{
    undo_->setObjectName(QStringLiteral("undo"));
    redo_->setObjectName(QStringLiteral("redo"));
    for (QPushButton* button : {undo_, redo_})
        button->setFixedHeight(28);
    connect(undo_, &QPushButton::clicked, this, &UndoButtons::undo);
    connect(redo_, &QPushButton::clicked, this, &UndoButtons::redo);
    addPageKeys(*page, tr("Undo"), QKeySequence::keyBindings(QKeySequence::Undo), [this] { undo(); });
    QList<QKeySequence> again = QKeySequence::keyBindings(QKeySequence::Redo);
    again << QKeySequence(Qt::CTRL | Qt::Key_Y);
    again.removeAll(QKeySequence());
    addPageKeys(*page, tr("Redo"), QSet<QKeySequence>(again.begin(), again.end()).values(), [this] { redo(); });
    connect(&draft, &Draft::changed, this, &UndoButtons::follow);
    connect(&draft.undoStack(), &QUndoStack::indexChanged, this, &UndoButtons::follow);
    follow();
}

void UndoButtons::addTo(QHBoxLayout& row)
{
    row.addWidget(undo_);
    row.addWidget(redo_);
}

void UndoButtons::undo()
{
    draft_.closeMerge();
    draft_.undoStack().undo();
}

void UndoButtons::redo()
{
    draft_.closeMerge();
    draft_.undoStack().redo();
}

void UndoButtons::follow()
{
    const QUndoStack& stack = draft_.undoStack();
    undo_->setEnabled(stack.canUndo());
    redo_->setEnabled(stack.canRedo());
    undo_->setToolTip(format::plainTip(tr("%1 (Ctrl+Z)").arg(stack.undoText())));
    redo_->setToolTip(format::plainTip(tr("%1 (Ctrl+Shift+Z)").arg(stack.redoText())));
    undo_->setAccessibleDescription(stack.undoText());
    redo_->setAccessibleDescription(stack.redoText());
}

} // namespace sg::ui
