// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_tree_model.h"
#include "ui/chains/chain_tree_item.h"

#include <algorithm>
#include <set>

namespace sg::ui {

namespace {

using ItemPtr = std::unique_ptr<ChainTreeModel::Item>;
using Items = std::vector<ItemPtr>;

std::set<QString> keysOf(const Items& items)
{
    std::set<QString> all;
    for (const ItemPtr& item : items)
        all.insert(item->key);
    return all;
}

/// Where something else stands at the same place than before, and neither is anywhere else, it got another name.
void recogniseRenamed(Items& old, const Items& fresh)
{
    const std::set<QString> before = keysOf(old), now = keysOf(fresh);
    for (std::size_t i = 0; i < std::min(old.size(), fresh.size()); ++i) {
        if (!now.contains(old[i]->key) && !before.contains(fresh[i]->key))
            old[i]->key = fresh[i]->key;
    }
}

void number(Items& items)
{
    for (std::size_t i = 0; i < items.size(); ++i)
        items[i]->row = static_cast<int>(i);
}

} // namespace

ChainTreeModel::ChainTreeModel(ChainEditor& editor, QObject* parent)
    : QAbstractItemModel(parent)
    , editor_(editor)
    , root_(std::make_unique<Item>())
{
    connect(&editor, &ChainEditor::chainChanged, this, &ChainTreeModel::follow);
    follow();
}

ChainTreeModel::~ChainTreeModel() = default;

ChainTreeModel::Item* ChainTreeModel::itemOf(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<Item*>(index.internalPointer()) : root_.get();
}

QModelIndex ChainTreeModel::indexOf(Item* item, int column) const
{
    if (!item || item == root_.get())
        return {};
    return createIndex(item->row, column, item);
}

ChainNode ChainTreeModel::nodeOf(const QModelIndex& index) const
{
    return index.isValid() ? itemOf(index)->node : ChainNode();
}

QModelIndex ChainTreeModel::indexOf(ChainNode node) const
{
    for (const ItemPtr& item : root_->children) {
        if (item->node == node)
            return indexOf(item.get());
    }
    return {};
}

QModelIndex ChainTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    const Item* item = itemOf(parent);
    if (row < 0 || column < 0 || column >= ColumnCount || parent.column() > 0 ||
        static_cast<std::size_t>(row) >= item->children.size())
        return {};
    return createIndex(row, column, item->children[static_cast<std::size_t>(row)].get());
}

QModelIndex ChainTreeModel::parent(const QModelIndex& index) const
{
    return index.isValid() ? indexOf(itemOf(index)->parent) : QModelIndex();
}

int ChainTreeModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(itemOf(parent)->children.size());
}

int ChainTreeModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant ChainTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Name ? tr("Step") : tr("Setting");
}

Qt::ItemFlags ChainTreeModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Item& item = *itemOf(index);
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.column() == Name && item.isOn)
        flags |= Qt::ItemIsUserCheckable;
    if (index.column() == Name ? bool(item.rename) : bool(item.change))
        flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant ChainTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Item& item = *itemOf(index);
    const bool isName = index.column() == Name;
    switch (role) {
    case Qt::DisplayRole:
        return isName ? item.name : item.value;
    case Qt::EditRole:
        return isName ? item.name : item.choices.isEmpty() ? item.typed : item.value;
    case Qt::CheckStateRole:
        return isName && item.isOn ? QVariant(*item.isOn ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::AccessibleTextRole:
        return isName ? item.spoken : item.value;
    case Qt::ToolTipRole:
        return isName ? item.spoken : QVariant();
    case ChoicesRole:
        return isName ? QVariant() : QVariant(item.choices);
    default:
        return {};
    }
}

bool ChainTreeModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid())
        return false;
    // What it does may take the row away: nothing of it is used afterwards.
    const Item& item = *itemOf(index);
    if (role == Qt::CheckStateRole && index.column() == Name && item.check) {
        const auto check = item.check;
        check(value.toInt() == Qt::Checked);
        return true;
    }
    if (role != Qt::EditRole)
        return false;
    const auto set = index.column() == Name ? item.rename : item.change;
    return set && set(value.toString());
}

void ChainTreeModel::follow()
{
    merge(*root_, chainTreeItems(editor_), {});
}

bool ChainTreeModel::adopt(Item& item, Item& fresh, const QModelIndex& index)
{
    const bool isOther = !item.looksLike(fresh);
    item.node = fresh.node;
    item.name = fresh.name;
    item.value = fresh.value;
    item.spoken = fresh.spoken;
    item.choices = fresh.choices;
    item.typed = fresh.typed;
    item.isOn = fresh.isOn;
    item.isOff = fresh.isOff;
    item.rename = std::move(fresh.rename);
    item.change = std::move(fresh.change);
    item.check = std::move(fresh.check);
    merge(item, std::move(fresh.children), index);
    return isOther;
}

void ChainTreeModel::merge(Item& into, Items fresh, const QModelIndex& parent)
{
    Items& old = into.children;
    recogniseRenamed(old, fresh);
    const std::set<QString> now = keysOf(fresh);
    for (std::size_t i = old.size(); i-- > 0;) {
        if (now.contains(old[i]->key))
            continue;
        beginRemoveRows(parent, static_cast<int>(i), static_cast<int>(i));
        old.erase(old.begin() + static_cast<std::ptrdiff_t>(i));
        number(old);
        endRemoveRows();
    }
    int firstOther = -1, lastOther = -1;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        const auto known =
            std::ranges::find_if(old.begin() + static_cast<std::ptrdiff_t>(std::min(i, old.size())), old.end(),
                                 [&](const ItemPtr& item) { return item->key == fresh[i]->key; });
        const auto at = static_cast<int>(i);
        if (known == old.end()) {
            fresh[i]->parent = &into;
            beginInsertRows(parent, at, at);
            old.insert(old.begin() + at, std::move(fresh[i]));
            number(old);
            endInsertRows();
            continue;
        }
        const auto from = static_cast<int>(known - old.begin());
        if (from != at) {
            beginMoveRows(parent, from, from, parent, at);
            std::rotate(old.begin() + at, old.begin() + from, old.begin() + from + 1);
            number(old);
            endMoveRows();
        }
        if (adopt(*old[i], *fresh[i], index(at, Name, parent))) {
            firstOther = firstOther < 0 ? at : firstOther;
            lastOther = at;
        }
    }
    if (firstOther >= 0) // once: views look at all they show for each
        Q_EMIT dataChanged(index(firstOther, Name, parent), index(lastOther, Value, parent));
}

} // namespace sg::ui
