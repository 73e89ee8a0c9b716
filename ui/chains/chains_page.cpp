// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chains_page.h"

#include "ui/chains/chain_canvas.h"
#include "ui/chains/chain_inspector.h"
#include "ui/chains/chain_palette.h"
#include "ui/chains/chain_tree.h"
#include "ui/chains/checks_strip.h"
#include "ui/edit/apply_bar.h"
#include "ui/format/format.h"
#include "ui/settings/preferences.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segments.h"

#include <QAction>
#include <QCheckBox>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>

namespace sg::ui {

namespace {

constexpr int kPaletteWidth = 172, kInspectorWidth = 272;

} // namespace

ChainsPage::ChainsPage(ThemeContext& context, Draft& draft, ServingControl& serving, Preferences* preferences,
                       QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , draft_(draft)
    , preferences_(preferences)
    , editor_(draft, serving)
    , banner_(new Banner)
{
    flow_ = new ApplyFlow(context, draft, serving, *banner_);
    flow_->setParent(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(10);
    makeActions();
    toolbar_ = makeToolbar();
    column->addWidget(toolbar_);
    column->addWidget(banner_);
    stack_ = new QStackedWidget;
    stack_->addWidget(makeMiddle());
    stack_->addWidget(makeEmpty());
    column->addWidget(stack_, 1);
    wire();
    showChain();
    showUndo();
    setAsTree(preferences_ && preferences_->chainsAsTree());
}

ChainsPage::~ChainsPage()
{
    if (preferences_)
        preferences_->setChainsColumns(columns_->saveState());
}

void ChainsPage::makeActions()
{
    // Of the window, because the focus may be in the rail; a page that is not shown does not hear them.
    undoAction_ = new QAction(tr("Undo"), this);
    undoAction_->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Z)});
    connect(undoAction_, &QAction::triggered, &draft_.undoStack(), &QUndoStack::undo);
    redoAction_ = new QAction(tr("Redo"), this);
    redoAction_->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    connect(redoAction_, &QAction::triggered, &draft_.undoStack(), &QUndoStack::redo);
    addActions({undoAction_, redoAction_});
}

QWidget* ChainsPage::makeToolbar()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    const auto button = [](const QString& text, const char* name) {
        auto* made = new QPushButton(text);
        made->setObjectName(QString::fromLatin1(name));
        made->setAutoDefault(false);
        return made;
    };
    switcher_ = button({}, "chainSwitcher");
    switcher_->setProperty("role", QStringLiteral("switcher"));
    chainMenu_ = new QMenu(switcher_);
    chainMenu_->setObjectName(QStringLiteral("chainMenu"));
    switcher_->setMenu(chainMenu_);
    row->addWidget(switcher_);
    apply_ = new ApplyBar(*flow_, this);
    row->addWidget(apply_->state());
    row->addSpacing(8);
    undo_ = button(tr("Undo"), "undo");
    redo_ = button(tr("Redo"), "redo");
    row->addWidget(undo_);
    row->addWidget(redo_);
    row->addStretch(1);
    live_ = new QCheckBox(tr("Live traffic"));
    live_->setObjectName(QStringLiteral("liveTraffic"));
    live_->setChecked(true);
    row->addWidget(live_);
    window_ = new Segments({tr("Last 1\u202Fmin"), format::range(observe::Snapshot().windowMs)},
                           tr("Span of the traffic shown"));
    window_->setToolTip(tr("The last minute, or the range of the top bar"));
    row->addWidget(window_);
    view_ = new Segments({tr("Canvas"), tr("Tree")}, tr("How the chain is shown"));
    row->addWidget(view_);
    row->addWidget(apply_);
    return bar;
}

QWidget* ChainsPage::makeEmpty()
{
    auto* page = new Panel(context_, tr("Chains"));
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->addStretch(4);
    auto* title = new QLabel(tr("There is no chain yet"));
    title->setProperty("role", QStringLiteral("heading"));
    title->setAlignment(Qt::AlignCenter);
    column->addWidget(title);
    auto* words = new QLabel(tr("A chain says where requests go first, and where they go when that fails.\n"
                                "Build one by hand, begin with a preset, or bring one over from another program."));
    words->setProperty("role", QStringLiteral("secondary"));
    words->setAlignment(Qt::AlignCenter);
    column->addWidget(words);
    column->addSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addStretch(1);
    const auto add = [&](const QString& text, const char* name) {
        auto* made = new QPushButton(text);
        made->setObjectName(QString::fromLatin1(name));
        row->addWidget(made);
        return made;
    };
    auto* fresh = add(tr("New chain"), "newChain");
    fresh->setProperty("role", QStringLiteral("primary"));
    connect(fresh, &QPushButton::clicked, this, &ChainsPage::newChain);
    connect(add(tr("From a preset…"), "fromPreset"), &QPushButton::clicked, this, &ChainsPage::presetRequested);
    connect(add(tr("Import…"), "import"), &QPushButton::clicked, this, &ChainsPage::importRequested);
    row->addStretch(1);
    column->addLayout(row);
    column->addStretch(5);
    page->setBody(body);
    return page;
}

QWidget* ChainsPage::makeMiddle()
{
    middle_ = new QWidget;
    auto* column = new QVBoxLayout(middle_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    columns_ = new QSplitter(Qt::Horizontal);
    columns_->setHandleWidth(10);
    columns_->setChildrenCollapsible(false);
    palette_ = new ChainPalette(context_, editor_);
    palette_->setPlace([this] { return views_->currentIndex() == 0 ? canvas_->insertPlace() : std::nullopt; });
    tree_ = new ChainTree(context_, editor_);
    auto* treePanel = new Panel(context_, tr("Steps"));
    treePanel->setBody(tree_);
    canvas_ = new ChainCanvas(context_, editor_);
    views_ = new QStackedWidget;
    views_->addWidget(canvas_);
    views_->addWidget(treePanel);
    inspector_ = new ChainInspector(context_, editor_);
    columns_->addWidget(palette_);
    columns_->addWidget(views_);
    columns_->addWidget(inspector_);
    columns_->setStretchFactor(1, 1);
    columns_->setSizes({kPaletteWidth, 860, kInspectorWidth});
    if (preferences_ && !preferences_->chainsColumns().isEmpty())
        columns_->restoreState(preferences_->chainsColumns());
    column->addWidget(columns_, 1);
    checks_ = new ChecksStrip(context_, editor_);
    column->addWidget(checks_);
    return middle_;
}

void ChainsPage::wire()
{
    connect(chainMenu_, &QMenu::aboutToShow, this, &ChainsPage::fillChainMenu);
    connect(undo_, &QPushButton::clicked, undoAction_, &QAction::trigger);
    connect(redo_, &QPushButton::clicked, redoAction_, &QAction::trigger);
    connect(view_, &Segments::selected, this, [this](int index) { setAsTree(index == 1); });
    connect(live_, &QCheckBox::toggled, this, [this](bool isOn) {
        window_->setEnabled(isOn);
        showLive();
    });
    connect(window_, &Segments::selected, this, &ChainsPage::showLive);
    connect(canvas_, &ChainCanvas::editRequested, this, &ChainsPage::focusInspector);
    connect(checks_, &ChecksStrip::endpointWanted, this, &ChainsPage::endpointWanted);
    connect(&editor_, &ChainEditor::chainChanged, this, &ChainsPage::showChain);
    QUndoStack& undo = draft_.undoStack();
    connect(&undo, &QUndoStack::indexChanged, this, &ChainsPage::showUndo);
    connect(&undo, &QUndoStack::undoTextChanged, this, &ChainsPage::showUndo);
    connect(&undo, &QUndoStack::cleanChanged, this, &ChainsPage::showUndo);
}

void ChainsPage::setAsTree(bool isTree)
{
    view_->setCurrent(isTree ? 1 : 0);
    views_->setCurrentIndex(isTree ? 1 : 0);
    if (preferences_)
        preferences_->setChainsAsTree(isTree);
}

void ChainsPage::focusInspector()
{
    const QWidget* form = inspector_->page();
    if (!form)
        return;
    for (QWidget* field : form->findChildren<QWidget*>()) {
        if ((field->focusPolicy() & Qt::TabFocus) && field->isVisible() && field->isEnabled())
            return field->setFocus(Qt::TabFocusReason);
    }
}

// ---- the chain in front

void ChainsPage::fillChainMenu()
{
    chainMenu_->clear();
    for (const workspace::Chain& chain : draft_.workspace().chains) {
        const std::string& name = chain.spec.name;
        QAction* action =
            chainMenu_->addAction(QString::fromStdString(name), [this, name] { editor_.showChain(name); });
        action->setCheckable(true);
        action->setChecked(name == editor_.chainName());
    }
    chainMenu_->addSeparator();
    chainMenu_->addAction(tr("New chain"), this, &ChainsPage::newChain);
    chainMenu_->addAction(tr("From a preset…"), this, &ChainsPage::presetRequested);
    chainMenu_->addAction(tr("Import from LiteLLM…"), this, &ChainsPage::importRequested);
    const bool isThere = editor_.chain() != nullptr;
    chainMenu_->addAction(tr("Duplicate"), this, &ChainsPage::duplicateChain)->setEnabled(isThere);
    chainMenu_->addAction(tr("Rename…"), this, &ChainsPage::renameChain)->setEnabled(isThere);
    chainMenu_->addAction(tr("Export to LiteLLM…"), this, [this] { Q_EMIT exportRequested(editor_.chainName()); })
        ->setEnabled(isThere);
    chainMenu_->addAction(tr("Remove"), this, &ChainsPage::removeChain)->setEnabled(isThere);
}

void ChainsPage::newChain()
{
    std::string made;
    draft_.edit(tr("New chain"), [&](workspace::Workspace& workspace) {
        workspace::Chain chain;
        chain.spec.name = "chain";
        made = workspace::addChain(workspace, std::move(chain));
    });
    editor_.showChain(made);
    (views_->currentIndex() == 1 ? static_cast<QWidget*>(tree_) : canvas_)->setFocus();
}

void ChainsPage::duplicateChain()
{
    std::string made;
    draft_.edit(tr("Duplicate chain"), [&](workspace::Workspace& workspace) {
        made = workspace::duplicateChain(workspace, editor_.chainName());
    });
    if (!made.empty())
        editor_.showChain(made);
}

void ChainsPage::renameChain()
{
    askName(tr("Rename chain"), QString::fromStdString(editor_.chainName()), [this](const std::string& name) {
        editor_.editChain(tr("Rename chain"), {}, [&](workspace::Chain& chain) { chain.spec.name = name; });
    });
}

void ChainsPage::removeChain()
{
    const std::string name = editor_.chainName();
    draft_.edit(tr("Remove chain %1").arg(QString::fromStdString(name)),
                [&](workspace::Workspace& workspace) { workspace::removeChain(workspace, name); });
}

void ChainsPage::askName(const QString& title, const QString& start, std::function<void(const std::string&)> done)
{
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName(QStringLiteral("nameDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(tr("Applications ask for the chain by this name."));
    dialog->setTextValue(start);
    context_.applyTo(dialog);
    connect(dialog, &QInputDialog::textValueSelected, this, [done = std::move(done), this](const QString& typed) {
        const std::string name = typed.trimmed().toStdString();
        if (name.empty())
            return;
        if (name != editor_.chainName() && draft_.workspace().chain(name))
            return banner_->say(tr("There is a chain %1 already. Choose another name.").arg(typed.trimmed()));
        done(name);
    });
    dialog->open();
}

void ChainsPage::showChain()
{
    const bool isThere = editor_.chain() != nullptr;
    stack_->setCurrentIndex(isThere ? 0 : 1);
    const QString name = QString::fromStdString(editor_.chainName());
    const QString shown =
        isThere ? QFontMetrics(switcher_->font()).elidedText(name, Qt::ElideRight, 180) : tr("No chain");
    switcher_->setText(shown);
    switcher_->setAccessibleName(isThere ? tr("Chain %1").arg(name) : tr("No chain"));
    switcher_->setToolTip(isThere ? name : QString());
}

// ---- draft and serving

void ChainsPage::showUndo()
{
    const QUndoStack& stack = draft_.undoStack();
    const auto dress = [](QPushButton* button, QAction* action, bool can, const QString& what, const QString& keys) {
        action->setEnabled(can);
        button->setEnabled(can);
        button->setToolTip(can ? QStringLiteral("%1: %2 (%3)").arg(action->text(), what, keys) : QString());
        button->setAccessibleName(can ? QStringLiteral("%1: %2").arg(action->text(), what) : action->text());
    };
    dress(undo_, undoAction_, stack.canUndo(), stack.undoText(), tr("Ctrl Z"));
    dress(redo_, redoAction_, stack.canRedo(), stack.redoText(), tr("Ctrl Shift Z"));
}

void ChainsPage::compare()
{
    apply_->compare();
}

// ---- the page in its window

void ChainsPage::setSnapshot(const observe::SnapshotPtr& snapshot, std::int64_t)
{
    snapshot_ = snapshot;
    flow_->setSnapshot(snapshot);
    if (snapshot)
        window_->setLabel(1, format::range(snapshot->windowMs));
    showLive();
}

void ChainsPage::showLive()
{
    const observe::SnapshotPtr shown = live_->isChecked() ? snapshot_ : nullptr;
    canvas_->setLive(shown, window_->current() == 0);
    palette_->setLive(shown);
    inspector_->setSnapshot(shown);
}

void ChainsPage::setNarrow(bool narrow)
{
    palette_->setVisible(!narrow);
    window_->setVisible(!narrow);
    apply_->setNarrow(narrow);
}

std::vector<QWidget*> ChainsPage::regions()
{
    if (!editor_.chain())
        return {toolbar_, stack_->currentWidget()};
    return {toolbar_, palette_, views_, inspector_, checks_};
}

std::vector<PaletteCommand> ChainsPage::paletteCommands()
{
    std::vector<PaletteCommand> all{
        {tr("New chain"), {}, [this] { newChain(); }},
        {tr("New chain from a preset"), {}, [this] { Q_EMIT presetRequested(); }},
        {tr("Import LiteLLM's configuration"), {}, [this] { Q_EMIT importRequested(); }},
        {tr("Compare the draft with what serves"), {}, [this] { compare(); }},
        {tr("Chain as a tree"), {}, [this] { setAsTree(true); }},
        {tr("Chain as a canvas"), {}, [this] { setAsTree(false); }},
    };
    if (flow_->hasChanges() && !flow_->isBusy())
        all.push_back({tr("Apply the draft"), tr("Ctrl Enter"), [this] { flow_->apply(); }});
    if (const int before = flow_->versionBefore())
        all.push_back({tr("Roll back to v%1").arg(before), {}, [this] { flow_->rollBack(); }});
    for (const workspace::Chain& chain : draft_.workspace().chains)
        all.push_back({tr("Show chain %1").arg(QString::fromStdString(chain.spec.name)),
                       {},
                       [this, name = chain.spec.name] { editor_.showChain(name); }});
    return all;
}

} // namespace sg::ui
