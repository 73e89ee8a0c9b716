// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_tree.h"

#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>

namespace sg::ui {

namespace {

constexpr int kRowHeight = 26, kNameWidth = 270;

/// Text fields for what is typed, lists for what is chosen; in the theme's colours.
class TreeDelegate final : public QStyledItemDelegate
{
public:
    TreeDelegate(ThemeContext& context, QObject* parent)
        : QStyledItemDelegate(parent)
        , context_(context)
    {
    }

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QStringList choices = index.data(ChainTreeModel::ChoicesRole).toStringList();
        const QString name = index.siblingAtColumn(ChainTreeModel::Name).data().toString();
        if (choices.isEmpty()) {
            QWidget* field = QStyledItemDelegate::createEditor(parent, option, index);
            field->setAccessibleName(name);
            return field;
        }
        auto* list = new QComboBox(parent);
        list->addItems(choices);
        list->setAccessibleName(name);
        return list;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override
    {
        if (auto* list = qobject_cast<QComboBox*>(editor))
            return list->setCurrentText(index.data(Qt::EditRole).toString());
        QStyledItemDelegate::setEditorData(editor, index);
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override
    {
        if (const auto* list = qobject_cast<QComboBox*>(editor)) {
            model->setData(index, list->currentText(), Qt::EditRole);
            return;
        }
        QStyledItemDelegate::setModelData(editor, model, index);
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return {QStyledItemDelegate::sizeHint(option, index).width(), kRowHeight};
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const Theme& theme = context_.theme();
        const bool isStep = !index.parent().isValid();
        const bool isName = index.column() == ChainTreeModel::Name;
        option->font = theme.font(12, isStep && isName);
        const bool isOff =
            index.siblingAtColumn(ChainTreeModel::Name).data(Qt::CheckStateRole).isValid() && isStep &&
            index.siblingAtColumn(ChainTreeModel::Name).data(Qt::CheckStateRole).toInt() == Qt::Unchecked;
        const QColor ink = isOff ? theme.c.text3 : isName ? theme.c.text : theme.c.text2;
        option->palette.setColor(QPalette::Text, ink);
        option->palette.setColor(QPalette::HighlightedText, theme.c.text);
        option->palette.setColor(QPalette::Highlight, theme.c.accentTint);
    }

private:
    ThemeContext& context_;
};

} // namespace

ChainTree::ChainTree(ThemeContext& context, ChainEditor& editor, QWidget* parent)
    : QTreeView(parent)
    , context_(context)
    , editor_(editor)
    , model_(new ChainTreeModel(editor, this))
{
    setObjectName(QStringLiteral("chainTree"));
    setAccessibleName(tr("Steps of the chain"));
    setWhatsThis(tr("The chain step by step. F2 types over a name or a setting, Space switches a tier, Alt and the "
                    "arrow keys move it, Insert puts something in, Del removes."));
    setModel(model_);
    setItemDelegate(new TreeDelegate(context, this));
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked |
                    QAbstractItemView::SelectedClicked);
    setExpandsOnDoubleClick(false);
    header()->resizeSection(ChainTreeModel::Name, kNameWidth); // not by contents: that would ask every row each time
    header()->setStretchLastSection(true);
    header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    connect(&editor, &ChainEditor::selectionChanged, this, &ChainTree::showSelected);
    connect(&editor, &ChainEditor::chainChanged, this, &ChainTree::showSelected);
    connect(&context, &ThemeContext::changed, viewport(), qOverload<>(&QWidget::update));
    showSelected();
}

void ChainTree::showSelected()
{
    const QModelIndex wanted = model_->indexOf(editor_.selected());
    if (model_->nodeOf(currentIndex()) == editor_.selected() && wanted.isValid())
        return; // also when one of its settings is the current row
    const QScopedValueRollback guard(isFollowing_, true);
    setCurrentIndex(wanted);
}

void ChainTree::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTreeView::currentChanged(current, previous);
    if (!isFollowing_ && current.isValid())
        editor_.select(model_->nodeOf(current));
}

void ChainTree::moveBy(int steps)
{
    const ChainNode node = editor_.selected();
    if (node.kind != ChainNode::Kind::Tier || !editor_.tier(node.tier + steps))
        return;
    editor_.moveTier(node.tier, node.tier + steps);
    editor_.draft().closeMerge(); // each press is a move of its own
}

int ChainTree::placeToInsert() const
{
    const ChainNode node = editor_.selected();
    if (node.kind == ChainNode::Kind::Tier)
        return node.tier + 1;
    if (node.kind != ChainNode::Kind::None)
        return 0; // right behind limiter, cache and router
    return editor_.chain() ? static_cast<int>(editor_.chain()->spec.tiers.size()) : 0;
}

QMenu* ChainTree::makeInsertMenu()
{
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("insertMenu"));
    const workspace::Chain* chain = editor_.chain();
    if (!chain)
        return menu;
    const int at = placeToInsert();
    for (const workspace::Endpoint& endpoint : editor_.draft().workspace().endpoints) {
        const std::string& name = endpoint.spec.name;
        menu->addAction(tr("Tier on %1").arg(QString::fromStdString(name)),
                        [this, name, at] { editor_.insertEndpoint(name, at); });
    }
    menu->addAction(tr("Canned reply"), [this, at] { editor_.insertCannedReply(at); });
    const ChainNode node = editor_.selected();
    const chain::TierSpec* tier = editor_.tier(node.tier);
    if (tier && tier->kind == chain::TierKind::Endpoint) {
        auto* split = menu->addMenu(tr("Split by weight with"));
        for (const workspace::Endpoint& endpoint : editor_.draft().workspace().endpoints) {
            const std::string& name = endpoint.spec.name;
            split->addAction(QString::fromStdString(name), [this, node, name] { editor_.splitWith(node.tier, name); });
        }
    }
    menu->addSeparator();
    if (!chain->spec.limiter)
        menu->addAction(tr("Rate limiter"), [this] { editor_.addLimiter(); });
    if (!chain->spec.cache)
        menu->addAction(tr("Cache"), [this] { editor_.addCache(); });
    if (!chain->spec.router)
        menu->addAction(tr("Complexity router"), [this] { editor_.addRouter(); });
    return menu;
}

void ChainTree::showInsertMenu()
{
    QMenu* menu = makeInsertMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QRect row = visualRect(currentIndex());
    menu->popup(viewport()->mapToGlobal(row.isValid() ? row.bottomLeft() : QPoint(8, 8)));
    if (!menu->actions().isEmpty())
        menu->setActiveAction(menu->actions().constFirst());
}

void ChainTree::contextMenuEvent(QContextMenuEvent* event)
{
    showInsertMenu();
    event->accept();
}

void ChainTree::keyPressEvent(QKeyEvent* event)
{
    const bool isAlt = event->modifiers() == Qt::AltModifier;
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (isAlt)
            return moveBy(event->key() == Qt::Key_Up ? -1 : 1);
        break;
    case Qt::Key_Insert:
        return showInsertMenu();
    case Qt::Key_Delete:
        return editor_.remove(editor_.selected());
    case Qt::Key_D:
        if (event->modifiers() == Qt::ControlModifier)
            return editor_.duplicate(editor_.selected());
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers() != Qt::NoModifier || state() == EditingState)
            break;
        // On a step it opens; a setting has one thing to type or choose.
        if (currentIndex().isValid() && !currentIndex().parent().isValid())
            return setExpanded(currentIndex().siblingAtColumn(0), !isExpanded(currentIndex().siblingAtColumn(0)));
        if (currentIndex().isValid())
            edit(currentIndex().siblingAtColumn(ChainTreeModel::Value));
        return;
    case Qt::Key_F2:
        if (currentIndex().parent().isValid() && currentIndex().column() == ChainTreeModel::Name)
            return void(edit(currentIndex().siblingAtColumn(ChainTreeModel::Value)));
        break;
    default:
        break;
    }
    QTreeView::keyPressEvent(event);
}

} // namespace sg::ui
