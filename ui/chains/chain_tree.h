// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_tree_model.h"
#include "ui/theme/theme.h"

#include <QTreeView>

class QMenu;

namespace sg::ui {

/// The chain in front as a tree to be edited in place: F2 or Enter types, Space switches, Alt+↑/↓ moves a tier, Insert
/// offers what can be put in, Del removes, Ctrl+D duplicates. What is selected is selected on the canvas too.
class ChainTree : public QTreeView
{
    Q_OBJECT
public:
    ChainTree(ThemeContext& context, ChainEditor& editor, QWidget* parent = nullptr); ///< both outlive it

    ChainTreeModel& chainModel() { return *model_; }
    /// What can be put in below the selected step. The caller shows and deletes it.
    QMenu* makeInsertMenu();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void showInsertMenu();
    void moveBy(int steps);
    void showSelected();
    int placeToInsert() const;

    ThemeContext& context_;
    ChainEditor& editor_;
    ChainTreeModel* model_;
    bool isFollowing_ = false; ///< the selection comes from the editor
};

} // namespace sg::ui
