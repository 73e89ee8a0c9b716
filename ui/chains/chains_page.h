// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_editor.h"
#include "ui/edit/apply_flow.h"
#include "ui/main_window/page.h"

#include <QWidget>

class QAction;
class QCheckBox;
class QMenu;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace sg::ui {

class ApplyBar;
class Banner;
class ChainCanvas;
class ChainInspector;
class ChainPalette;
class ChainTree;
class ChecksStrip;
class Panel;
class Preferences;
class Segments;

/// Chains edited by hand while traffic runs: palette, canvas or tree, inspector, checks; a draft apart from what serves
/// until it is applied.
class ChainsPage : public QWidget, public Page
{
    Q_OBJECT
public:
    /// All outlive the page; `preferences` null: nothing is remembered.
    ChainsPage(ThemeContext& context, Draft& draft, ServingControl& serving, Preferences* preferences = nullptr,
               QWidget* parent = nullptr);
    ~ChainsPage() override;

    QString id() const override { return QStringLiteral("chains"); }
    QString title() const override { return tr("Chains"); }
    QString icon() const override { return QStringLiteral("chains"); }
    QWidget* widget() override { return this; }
    void setSnapshot(const observe::SnapshotPtr& snapshot, std::int64_t nowUnixMs) override;
    void setNarrow(bool narrow) override;
    std::vector<QWidget*> regions() override;
    std::vector<PaletteCommand> paletteCommands() override;

    ChainEditor& editor() { return editor_; }
    ApplyFlow& flow() { return *flow_; }
    ChainTree* tree() const { return tree_; }
    ChainCanvas* canvas() const { return canvas_; }
    ChainPalette* palette() const { return palette_; }
    ChainInspector* inspector() const { return inspector_; }
    Banner& banner() { return *banner_; }
    void setAsTree(bool isTree);
    void compare();

Q_SIGNALS:
    void presetRequested();                         ///< a chain from a preset
    void importRequested();                         ///< from another program's file
    void exportRequested(const std::string& chain); ///< into one
    void endpointWanted(const QString& name);       ///< a finding about it is to be shown where it is edited

private:
    QWidget* makeToolbar();
    QWidget* makeEmpty();
    QWidget* makeMiddle();
    void makeActions();
    void wire();
    void fillChainMenu();
    void newChain();
    void duplicateChain();
    void renameChain();
    void removeChain();
    void askName(const QString& title, const QString& start, std::function<void(const std::string&)> done);
    void showChain();
    void showUndo();
    void showLive();
    void focusInspector();

    ThemeContext& context_;
    Draft& draft_;
    Preferences* preferences_;
    ChainEditor editor_;
    Banner* banner_;
    ApplyFlow* flow_ = nullptr;
    observe::SnapshotPtr snapshot_;

    QWidget *toolbar_ = nullptr, *middle_ = nullptr;
    QPushButton *switcher_ = nullptr, *undo_ = nullptr, *redo_ = nullptr;
    QAction *undoAction_ = nullptr, *redoAction_ = nullptr;
    QMenu* chainMenu_ = nullptr;
    ApplyBar* apply_ = nullptr;
    QCheckBox* live_ = nullptr;
    Segments *window_ = nullptr, *view_ = nullptr;
    QStackedWidget *stack_ = nullptr, *views_ = nullptr; ///< chain or empty state; canvas or tree
    QSplitter* columns_ = nullptr;
    ChainTree* tree_ = nullptr;
    ChainCanvas* canvas_ = nullptr;
    ChainPalette* palette_ = nullptr;
    ChainInspector* inspector_ = nullptr;
    ChecksStrip* checks_ = nullptr;
};

} // namespace sg::ui
