// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_page.h"

#include "ui/edit/apply_bar.h"
#include "ui/format/format.h"
#include "ui/gateway/gateway_form.h"
#include "ui/gateway/gateway_view.h"
#include "ui/widgets/panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>

namespace sg::ui {

namespace {
constexpr int kFormWidest = 760, kViewWide = 420;
}

GatewayPage::GatewayPage(ThemeContext& context, Draft& draft, ServingControl& serving, secrets::KeyControl& keys,
                         GatewayFeed& feed, QWidget* parent)
    : QWidget(parent)
    , draft_(draft)
    , toolbar_(makeToolbar())
    , form_(new GatewayForm(context, draft, serving, keys))
    , view_(new GatewayView(context, feed, false))
{
    setAccessibleName(tr("Gateway"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 12, 10);
    column->setSpacing(6);
    column->addWidget(toolbar_);
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    formPanel_ = new Panel(context, tr("Settings"));
    formPanel_->setSubtitle(tr("they count from Apply on"));
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(form_);
    form_->setAutoFillBackground(false); // the card is painted behind it
    scroll->viewport()->setAutoFillBackground(false);
    formPanel_->setBody(scroll);
    formPanel_->setMaximumWidth(kFormWidest);
    viewPanel_ = new Panel(context, tr("At this moment"));
    viewPanel_->setBody(view_);
    viewPanel_->setMinimumWidth(kViewWide);
    row->addWidget(formPanel_, 3);
    row->addWidget(viewPanel_, 2);
    column->addLayout(row, 1);
    makeShortcuts();
    connect(&draft, &Draft::changed, this, &GatewayPage::showTools);
    showTools();
}

QWidget* GatewayPage::makeToolbar()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(4, 4, 4, 4); // the focus ring reaches over its button
    row->setSpacing(6);
    undo_ = new QPushButton(tr("Undo"));
    redo_ = new QPushButton(tr("Redo"));
    undo_->setObjectName(QStringLiteral("undo"));
    redo_->setObjectName(QStringLiteral("redo"));
    for (QPushButton* button : {undo_, redo_}) {
        button->setFixedHeight(28);
        row->addWidget(button);
    }
    row->addStretch(1);
    connect(undo_, &QPushButton::clicked, this, &GatewayPage::undo);
    connect(redo_, &QPushButton::clicked, this, &GatewayPage::redo);
    return bar;
}

void GatewayPage::makeShortcuts()
{
    // Of the window, because the focus may be in the rail; a page that is not shown does not hear them.
    const auto shortcut = [this](const QString& text, const QList<QKeySequence>& keys, auto what) {
        auto* action = new QAction(text, this);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WindowShortcut);
        connect(action, &QAction::triggered, this, what);
        addAction(action);
    };
    shortcut(tr("Undo"), QKeySequence::keyBindings(QKeySequence::Undo), [this] { undo(); });
    QList<QKeySequence> again = QKeySequence::keyBindings(QKeySequence::Redo);
    again << QKeySequence(Qt::CTRL | Qt::Key_Y);
    again.removeAll(QKeySequence());
    shortcut(tr("Redo"), QSet<QKeySequence>(again.begin(), again.end()).values(), [this] { redo(); });
}

void GatewayPage::offerApply(ApplyFlow& flow)
{
    auto* row = static_cast<QHBoxLayout*>(toolbar_->layout());
    apply_ = new ApplyBar(flow, this);
    row->addWidget(apply_->state());
    row->addWidget(apply_);
    auto* served = new Banner;
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, served);
    flow.addBanner(*served);
}

void GatewayPage::setNarrow(bool narrow)
{
    if (apply_)
        apply_->setNarrow(narrow);
}

std::vector<QWidget*> GatewayPage::regions()
{
    return {toolbar_, form_, view_};
}

std::vector<PaletteCommand> GatewayPage::paletteCommands()
{
    return {{tr("Gateway: address and port"), {}, [this] { showField({}); }},
            {tr("Gateway: token"), {}, [this] { showField(QStringLiteral("token")); }},
            {tr("Gateway: limits"), {}, [this] { showField(QStringLiteral("max_in_flight")); }}};
}

void GatewayPage::showField(const QString& field)
{
    form_->focusField(field);
}

void GatewayPage::undo()
{
    draft_.closeMerge();
    draft_.undoStack().undo();
}

void GatewayPage::redo()
{
    draft_.closeMerge();
    draft_.undoStack().redo();
}

void GatewayPage::showTools()
{
    const QUndoStack& stack = draft_.undoStack();
    undo_->setEnabled(stack.canUndo());
    redo_->setEnabled(stack.canRedo());
    undo_->setToolTip(format::plainTip(tr("%1 (Ctrl+Z)").arg(stack.undoText())));
    redo_->setToolTip(format::plainTip(tr("%1 (Ctrl+Shift+Z)").arg(stack.redoText())));
    undo_->setAccessibleDescription(stack.undoText());
    redo_->setAccessibleDescription(stack.redoText());
}

} // namespace sg::ui
