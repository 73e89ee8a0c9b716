// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_editor.h"

#include <QAbstractItemModel>

#include <memory>

namespace sg::ui {

/// The chain in front as a tree: its steps in the order of the way, below each the settings that matter. The same as
/// the canvas shows, for keyboards and screen readers. Edits go through the editor; what changes there arrives here by
/// difference, so that what is open stays open.
class ChainTreeModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { Name, Value, ColumnCount };
    enum Role { ChoicesRole = Qt::UserRole }; ///< what a cell may be set to; QStringList

    explicit ChainTreeModel(ChainEditor& editor, QObject* parent = nullptr); ///< which outlives it
    ~ChainTreeModel() override;

    /// The step that a row is, or belongs to.
    ChainNode nodeOf(const QModelIndex& index) const;
    QModelIndex indexOf(ChainNode node) const; ///< invalid: there is none

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    struct Item; ///< one row

private:
    Item* itemOf(const QModelIndex& index) const;
    QModelIndex indexOf(Item* item, int column = Name) const;
    void follow();
    void merge(Item& into, std::vector<std::unique_ptr<Item>> fresh, const QModelIndex& parent);
    bool adopt(Item& item, Item& fresh, const QModelIndex& index); ///< true: the row looks different

    ChainEditor& editor_;
    std::unique_ptr<Item> root_;
};

} // namespace sg::ui
