// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_tree_model.h"

namespace sg::ui {

/// One row of the tree: what it says and what may be done to it in place.
struct ChainTreeModel::Item
{
    QString key;              ///< unlike that of its siblings; stays while it is the same thing
    ChainNode node;           ///< the step it is, or belongs to
    QString name, value;      ///< the two columns
    QString spoken;           ///< the row as a sentence
    QStringList choices;      ///< for the value; empty: it is typed
    QString typed;            ///< what typing begins with
    std::optional<bool> isOn; ///< a check box beside the name
    bool isOff = false;       ///< a tier that is switched off looks so
    // Each answers false when it cannot be that.
    std::function<bool(const QString&)> rename, change;
    std::function<void(bool)> check;

    Item* parent = nullptr;
    int row = 0; ///< in its parent
    std::vector<std::unique_ptr<Item>> children;

    Item* add(std::unique_ptr<Item> child)
    {
        child->parent = this;
        child->row = static_cast<int>(children.size());
        children.push_back(std::move(child));
        return children.back().get();
    }
    bool looksLike(const Item& other) const
    {
        return name == other.name && value == other.value && spoken == other.spoken && choices == other.choices &&
               typed == other.typed && isOn == other.isOn && isOff == other.isOff;
    }
};

/// The rows of the chain in front, made anew.
std::vector<std::unique_ptr<ChainTreeModel::Item>> chainTreeItems(ChainEditor& editor);

} // namespace sg::ui
