// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_page.h"

#include "ui/edit/apply_bar.h"
#include "ui/edit/undo_buttons.h"
#include "ui/gateway/gateway_form.h"
#include "ui/gateway/gateway_view.h"
#include "ui/widgets/panel.h"

#include <QHBoxLayout>
#include <QScrollArea>

namespace sg::ui {

namespace {
constexpr int kFormWidest = 640, kViewWide = 420;

QScrollArea* scrolled(QWidget* content)
{
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    content->setAutoFillBackground(false); // the card is painted behind it
    scroll->viewport()->setAutoFillBackground(false);
    return scroll;
}

} // namespace

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
    formPanel_->setSubtitle(tr("in force once they are applied"));
    formPanel_->setBody(scrolled(form_));
    formPanel_->setMaximumWidth(kFormWidest);
    viewPanel_ = new Panel(context, tr("At this moment"));
    viewPanel_->setBody(scrolled(view_));
    viewPanel_->setMinimumWidth(kViewWide);
    row->addWidget(formPanel_, 3);
    row->addWidget(viewPanel_, 2);
    column->addLayout(row, 1);
}

QWidget* GatewayPage::makeToolbar()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(4, 4, 4, 4); // the focus ring reaches over its button
    row->setSpacing(6);
    (new UndoButtons(draft_, this))->addTo(*row);
    row->addStretch(1);
    return bar;
}

void GatewayPage::offerApply(ApplyFlow& flow)
{
    apply_ = ApplyBar::addTo(*this, *toolbar_, flow);
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

} // namespace sg::ui
