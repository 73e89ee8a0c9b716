// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/model.h"

#include <QObject>
#include <QUndoStack>

#include <functional>

namespace sg::ui {

/// The workspace as the operator edits it, apart from what serves until it is applied. Each edit is one undo command
/// that holds the workspace before and after it, so undo gives back the very same value. GUI thread.
class Draft : public QObject
{
    Q_OBJECT
public:
    explicit Draft(workspace::WorkspacePtr start, QObject* parent = nullptr);

    const workspace::WorkspacePtr& pointer() const { return now_; }
    const workspace::Workspace& workspace() const { return *now_; }
    QUndoStack& undoStack() { return undo_; }

    /// `words` name the edit in the undo menu ("Move tier gpt-4.1"). Edits in a row with the same `mergeKey`, not
    /// empty, become one, until closeMerge(). An edit that changes nothing leaves no trace.
    void edit(const QString& words, const std::function<void(workspace::Workspace&)>& change,
              const QString& mergeKey = {});
    void closeMerge(); ///< the mouse was released, the field was left
    /// Another state as one undoable edit: a version from before, an import.
    void replace(const QString& words, workspace::WorkspacePtr with);
    /// Another document: the undo stack is emptied.
    void restart(workspace::WorkspacePtr start);

Q_SIGNALS:
    void changed(); ///< after every edit, undo and redo; once each

private:
    class Command;
    void show(const workspace::WorkspacePtr& state);

    workspace::WorkspacePtr now_;
    QUndoStack undo_;
    QString openMerge_;
};

} // namespace sg::ui
