// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/palette_model.h"
#include "ui/theme/theme.h"

#include <QListView>
#include <QStyledItemDelegate>
#include <QWidget>

#include <functional>

class QLineEdit;

namespace sg::ui {

class PaletteDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    PaletteDelegate(ThemeContext& context, const PaletteFilter& filter, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    ThemeContext& context_;
    const PaletteFilter& filter_;
};

/// The lines of the palette, with the card that hangs on the pointer while one is dragged.
class PaletteList : public QListView
{
    Q_OBJECT
public:
    PaletteList(ThemeContext& context, const PaletteFilter& filter, QWidget* parent);
    QPixmap ghost(const QModelIndex& index) const;

protected:
    void startDrag(Qt::DropActions actions) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    ThemeContext& context_;
    const PaletteFilter& filter_;
};

/// What can go into the chain: endpoints and steps, to be dragged onto the canvas or put in with Enter.
class ChainPalette : public QWidget
{
    Q_OBJECT
public:
    ChainPalette(ThemeContext& context, ChainEditor& editor, QWidget* parent = nullptr);

    void setLive(const observe::SnapshotPtr& snapshot) { model_->setLive(snapshot); }
    /// Where Enter inserts when it answers something, else behind the selected tier or at the end. The page gives the
    /// canvas's focused line.
    void setPlace(std::function<std::optional<int>()> place) { place_ = std::move(place); }
    void activate(const NodeKind& node);

    PaletteList& list() { return *list_; }
    QLineEdit& filterField() { return *field_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int insertAt() const;
    int splitTier() const;

    ThemeContext& context_;
    ChainEditor& editor_;
    PaletteModel* model_;
    PaletteFilter* filter_;
    QLineEdit* field_;
    PaletteList* list_;
    std::function<std::optional<int>()> place_;
};

} // namespace sg::ui
