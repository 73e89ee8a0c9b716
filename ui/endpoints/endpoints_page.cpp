// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/endpoints_page.h"

#include "ui/edit/apply_bar.h"
#include "ui/edit/undo_buttons.h"
#include "ui/endpoints/endpoint_form.h"
#include "ui/endpoints/endpoints_table.h"
#include "ui/format/format.h"
#include "ui/overview/empty_state.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>

namespace sg::ui {

namespace {

constexpr int kFormWidth = 344, kFormNarrow = 300;

QPushButton* toolButton(const QString& text, const char* name, const QString& tip)
{
    auto* button = new QPushButton(text);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(tip);
    button->setFixedHeight(28);
    return button;
}

} // namespace

EndpointsPage::EndpointsPage(ThemeContext& context, Draft& draft, ServingControl& serving, secrets::KeyControl& keys,
                             engine::ConnectionTester& tester, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , editor_(draft, serving, keys)
    , tests_(draft, tester)
{
    setAccessibleName(tr("Endpoints"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 12, 10);
    column->setSpacing(6);
    notice_ = new Banner;
    stack_ = new QStackedWidget;
    toolbar_ = makeToolbar();
    column->addWidget(toolbar_);
    column->addWidget(notice_);
    column->addWidget(stack_, 1);
    stack_->addWidget(makeEmpty());
    stack_->addWidget(makeContent());
    makeAddMenu();
    makeTestMenu();
    makeShortcuts();
    wire();
    refresh();
}

QWidget* EndpointsPage::makeToolbar()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(4, 4, 4, 4); // the focus ring reaches over its button
    row->setSpacing(6);
    add_ = toolButton(tr("Add endpoint"), "add", {});
    add_->setProperty("role", QStringLiteral("primary"));
    duplicate_ = toolButton(tr("Duplicate"), "duplicate", tr("A copy right below it (Ctrl+D)"));
    remove_ = toolButton(tr("Remove"), "remove", {});
    test_ = toolButton(tr("Test connection"), "test", tr("Costs no tokens"));
    cancel_ = toolButton(tr("Cancel tests"), "cancelTests", {});
    undo_ = new UndoButtons(editor_.draft(), this);
    tested_ = new QLabel;
    tested_->setObjectName(QStringLiteral("tested"));
    tested_->setProperty("role", QStringLiteral("secondary"));
    tested_->setTextFormat(Qt::PlainText);
    for (QPushButton* button : {add_, duplicate_, remove_})
        row->addWidget(button);
    row->addSpacing(10);
    undo_->addTo(*row);
    row->addSpacing(10);
    row->addWidget(test_);
    row->addWidget(tested_);
    row->addWidget(cancel_);
    row->addStretch(1);
    cancel_->hide();
    return bar;
}

void EndpointsPage::offerApply(ApplyFlow& flow)
{
    apply_ = ApplyBar::addTo(*this, *toolbar_, flow);
}

QWidget* EndpointsPage::makeEmpty()
{
    empty_ = new EmptyState(context_);
    empty_->setWords(
        tr("Add an endpoint, practise on a simulated one that needs no key and costs nothing,\nor take over "
           "what another gateway has."),
        tr("Add a simulated endpoint"));
    empty_->offerImport();
    return empty_;
}

QWidget* EndpointsPage::makeContent()
{
    auto* content = new QWidget;
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    panel_ = new Panel(context_, tr("Endpoints"));
    find_ = new QLineEdit;
    find_->setObjectName(QStringLiteral("filter"));
    find_->setPlaceholderText(tr("Filter"));
    find_->setAccessibleName(tr("Filter the endpoints"));
    find_->setClearButtonEnabled(true);
    find_->setFixedSize(180, 24);
    panel_->setCorner(find_);
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    table_ = new EndpointsTable(context_, &model_);
    nothing_ = new QLabel;
    nothing_->setObjectName(QStringLiteral("noMatch"));
    nothing_->setProperty("role", QStringLiteral("secondary"));
    nothing_->setTextFormat(Qt::PlainText);
    nothing_->setContentsMargins(12, 10, 12, 10);
    nothing_->hide();
    column->addWidget(nothing_);
    column->addWidget(table_, 1);
    panel_->setBody(body);
    form_ = new EndpointForm(context_, editor_, tests_);
    form_->setFixedWidth(kFormWidth);
    row->addWidget(panel_, 1);
    row->addWidget(form_);
    return content;
}

void EndpointsPage::makeAddMenu()
{
    auto* menu = new QMenu(add_);
    menu->setObjectName(QStringLiteral("addMenu"));
    // The catalogue may have changed with the workspace.
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillAddMenu(menu); });
    fillAddMenu(menu);
    add_->setProperty("hasMenu", true);
    add_->setMenu(menu);
}

void EndpointsPage::fillAddMenu(QMenu* menu)
{
    menu->clear();
    connect(menu->addAction(tr("Simulated endpoint, for practice")), &QAction::triggered, this,
            [this] { added(editor_.addSimulated()); });
    menu->addSeparator();
    for (const provider::ProviderProfile& profile : editor_.workspace().catalogue.all()) {
        QAction* action = menu->addAction(profile.title.isEmpty() ? profile.id : profile.title);
        action->setObjectName(profile.id);
        connect(action, &QAction::triggered, this, [this, id = profile.id] { added(editor_.addOf(id)); });
    }
}

void EndpointsPage::makeTestMenu()
{
    auto* menu = new QMenu(test_);
    QAction* one = menu->addAction(tr("The selected one"));
    one->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_T));
    QAction* all = menu->addAction(tr("All endpoints"));
    all->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T));
    connect(one, &QAction::triggered, this, [this] { tests_.start(editor_.selectedName()); });
    connect(all, &QAction::triggered, this, [this] { tests_.startAll(); });
    for (QAction* action : {one, all}) {
        action->setShortcutContext(Qt::WindowShortcut);
        addAction(action);
    }
    test_->setProperty("hasMenu", true);
    test_->setMenu(menu);
}

void EndpointsPage::makeShortcuts()
{
    const auto shortcut = [this](const QString& words, const QList<QKeySequence>& keys, auto what) {
        addPageKeys(*this, words, keys, what);
    };
    shortcut(tr("Duplicate endpoint"), {QKeySequence(Qt::CTRL | Qt::Key_D)}, [this] { editor_.duplicate(); });
    shortcut(tr("Rename endpoint"), {QKeySequence(Qt::Key_F2)}, [this] { form_->focusName(); });
    shortcut(tr("Filter endpoints"), {QKeySequence(Qt::CTRL | Qt::Key_F)},
             [this] { find_->setFocus(Qt::ShortcutFocusReason); });
}

void EndpointsPage::wire()
{
    connect(&editor_, &EndpointEditor::changed, this, &EndpointsPage::refresh);
    connect(&editor_, &EndpointEditor::findingsChanged, this, &EndpointsPage::refresh);
    connect(&editor_, &EndpointEditor::selectionChanged, this, &EndpointsPage::showSelection);
    connect(&tests_, &ConnectionTests::changed, this, &EndpointsPage::refresh);
    connect(table_, &EndpointsTable::picked, this, [this](const QString& name) {
        if (!isRefreshing_)
            editor_.select(name.toStdString());
    });
    connect(table_, &EndpointsTable::removeRequested, this, &EndpointsPage::remove);
    connect(table_, &EndpointsTable::editRequested, form_, &EndpointForm::focusFirst);
    connect(find_, &QLineEdit::textChanged, this, &EndpointsPage::filter);
    connect(duplicate_, &QPushButton::clicked, this, [this] { editor_.duplicate(); });
    connect(remove_, &QPushButton::clicked, this, &EndpointsPage::remove);
    connect(cancel_, &QPushButton::clicked, this, [this] {
        test_->setFocus(Qt::OtherFocusReason); // the button that has the focus is about to go
        tests_.cancel();
    });
    slowTests_.setSingleShot(true);
    slowTests_.setInterval(1000);
    connect(&slowTests_, &QTimer::timeout, this, [this] { cancel_->setVisible(tests_.running() > 0); });
    connect(empty_, &EmptyState::addEndpointRequested, this, &EndpointsPage::addEndpoint);
    connect(empty_, &EmptyState::simulatorRequested, this, [this] { added(editor_.addSimulated()); });
    connect(empty_, &EmptyState::importRequested, this, &EndpointsPage::importRequested);
    QUndoStack& stack = editor_.draft().undoStack();
    connect(&stack, &QUndoStack::indexChanged, this, [this](int index) {
        if (index != noticeAt_)
            notice_->clear();
        showTools();
    });
}

void EndpointsPage::addEndpoint()
{
    add_->setFocus(Qt::OtherFocusReason);
    add_->menu()->popup(add_->mapToGlobal(QPoint(0, add_->height() + 2)));
}

void EndpointsPage::showEndpoint(const std::string& name)
{
    if (!editor_.workspace().endpoint(name))
        return;
    if (model_.rowOf(name) >= 0 && table_->filter()->mapFromSource(model_.index(model_.rowOf(name), 0)).row() < 0)
        find_->clear();
    editor_.select(name);
    showSelection();
    table_->setFocus(Qt::OtherFocusReason);
}

void EndpointsPage::added(const std::string& name)
{
    find_->clear();
    showEndpoint(name);
    form_->focusFirst();
}

void EndpointsPage::remove()
{
    if (!editor_.selected())
        return;
    noticeAt_ = editor_.draft().undoStack().index() + 1;
    const QString words = editor_.remove();
    noticeAt_ = editor_.draft().undoStack().index();
    notice_->say(words, {{tr("Undo"), [this] { undo_->undo(); }}}, Banner::Tone::Notice);
}

void EndpointsPage::filter(const QString& words)
{
    table_->filter()->setWords(words);
    const bool isNone = table_->filter()->rowCount() == 0 && model_.rowCount() > 0;
    nothing_->setText(tr("No endpoint matches “%1”.").arg(words.simplified()));
    nothing_->setVisible(isNone);
    table_->setVisible(!isNone);
    if (!table_->currentIndex().isValid())
        table_->setCurrentName(editor_.selectedName());
}

void EndpointsPage::refresh()
{
    isStale_ = !isVisible();
    if (isStale_ && model_.rowCount() > 0)
        return; // made good when it is shown
    isRefreshing_ = true;
    model_.setRows(endpointRows(editor_, tests_));
    isRefreshing_ = false;
    table_->fitColumns();
    if (snapshot_)
        model_.setLive(*snapshot_);
    const int count = model_.rowCount();
    stack_->setCurrentIndex(count > 0 ? 1 : 0);
    const auto unused = std::count_if(model_.rows().begin(), model_.rows().end(),
                                      [](const EndpointRow& row) { return row.chains.isEmpty(); });
    panel_->setSubtitle(unused > 0 ? tr("%1, %2 in no chain").arg(format::count(count), format::count(unused))
                                   : format::count(count));
    filter(find_->text());
    showSelection();
    showTests();
}

void EndpointsPage::showSelection()
{
    table_->setCurrentName(editor_.selectedName());
    form_->refresh();
    if (snapshot_)
        form_->setLive(*snapshot_);
    showTools();
}

void EndpointsPage::showTools()
{
    const bool hasOne = editor_.selected() != nullptr;
    for (QPushButton* button : {duplicate_, remove_, test_})
        button->setEnabled(hasOne);
    const QString effect = hasOne ? editor_.removalEffect() : QString();
    remove_->setToolTip(effect.isEmpty() ? tr("Del in the table; can be undone")
                                         : format::plainTip(tr("%1 It can be undone.").arg(effect)));
    remove_->setAccessibleDescription(effect);
}

void EndpointsPage::showTests()
{
    const int running = tests_.running();
    if (running > 0 && !slowTests_.isActive() && !cancel_->isVisible())
        slowTests_.start();
    if (running == 0) {
        slowTests_.stop();
        cancel_->hide();
    }
    tested_->setText(running > 0 ? (running == 1 ? tr("Testing 1…") : tr("Testing %1…").arg(running))
                                 : tests_.summary());
}

void EndpointsPage::setSnapshot(const observe::SnapshotPtr& snapshot, std::int64_t)
{
    snapshot_ = snapshot;
    if (!snapshot_ || !isVisible())
        return;
    model_.setLive(*snapshot_);
    form_->setLive(*snapshot_);
}

void EndpointsPage::setNarrow(bool narrow)
{
    form_->setFixedWidth(narrow ? kFormNarrow : kFormWidth);
    tested_->setVisible(!narrow);
    if (apply_)
        apply_->setNarrow(narrow);
}

std::vector<PaletteCommand> EndpointsPage::paletteCommands()
{
    std::vector<PaletteCommand> all;
    all.push_back({tr("Add an endpoint"), QString(), [this] { addEndpoint(); }});
    all.push_back({tr("Add a simulated endpoint"), QString(), [this] { added(editor_.addSimulated()); }});
    if (editor_.selected())
        all.push_back({tr("Test all connections"), tr("Ctrl Shift T"), [this] { tests_.startAll(); }});
    for (const workspace::Endpoint& endpoint : editor_.workspace().endpoints)
        all.push_back({tr("Edit endpoint %1").arg(QString::fromStdString(endpoint.spec.name)), QString(),
                       [this, name = endpoint.spec.name] { showEndpoint(name); }});
    return all;
}

void EndpointsPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    editor_.setActive(true);
    if (isStale_)
        refresh();
}

void EndpointsPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    editor_.setActive(false);
}

} // namespace sg::ui
