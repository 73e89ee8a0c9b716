// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/edit/draft.h"

#include <QKeySequence>
#include <QList>

#include <functional>

class QHBoxLayout;
class QPushButton;
class QWidget;

namespace sg::ui {

/// A key of a page, wherever in the window the focus is; a page that is not shown does not hear it.
void addPageKeys(QWidget& page, const QString& words, const QList<QKeySequence>& keys, std::function<void()> what);

/// Undo and redo of the draft on a page: two buttons for its toolbar, and the platform's keys. The page's child.
class UndoButtons : public QObject
{
    Q_OBJECT
public:
    UndoButtons(Draft& draft, QWidget* page); ///< the draft outlives it

    void addTo(QHBoxLayout& row);
    void undo(); ///< what is being typed or dragged is its own step
    void redo();

private:
    void follow();

    Draft& draft_;
    QPushButton *undo_, *redo_;
};

} // namespace sg::ui
