// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/endpoint_form.h"

#include "ui/endpoints/connection_section.h"
#include "ui/endpoints/endpoint_sections.h"
#include "ui/endpoints/endpoint_words.h"
#include "ui/endpoints/key_section.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

constexpr int kHead = 62; ///< px: name, and the state with what it is

} // namespace

EndpointForm::EndpointForm(ThemeContext& context, EndpointEditor& editor, ConnectionTests& tests, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , editor_(editor)
    , scroll_(new QScrollArea)
    , body_(new QWidget)
    , column_(new QVBoxLayout(body_))
{
    setAccessibleName(tr("Endpoint"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(1, kHead, 1, 1);
    scroll_->setWidget(body_);
    scroll_->setWidgetResizable(true);
    body_->setAutoFillBackground(false); // the card is painted behind it
    scroll_->viewport()->setAutoFillBackground(false);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    all->addWidget(scroll_);
    column_->setContentsMargins(0, 0, 0, 4);
    column_->setSpacing(0);
    add(new FindingsSection(context, editor));
    connection_ = new ConnectionSection(context, editor, tests);
    add(connection_);
    add(new KeySection(context, editor, KeySection::Of::Endpoint));
    add(new PriceSection(context, editor));
    add(new CapabilitiesSection(context, editor));
    add(new LimitsSection(context, editor));
    add(new TimeoutsSection(context, editor));
    add(new BreakerSection(context, editor));
    network_ = new NetworkSection(context, editor);
    add(network_);
    add(new KeySection(context, editor, KeySection::Of::Proxy));
    column_->addStretch(1);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void EndpointForm::add(FormSection* section)
{
    sections_.push_back(section);
    column_->addWidget(section);
}

QString EndpointForm::headWords(const workspace::Endpoint& endpoint) const
{
    const workspace::Workspace& workspace = editor_.workspace();
    const bool isChosen = endpointwords::isKeyChosen(endpoint, workspace.profileOf(endpoint));
    const QString key = endpointwords::keyWord(endpointwords::statusOf(editor_.keys(), endpoint.key), isChosen);
    const QString head = tr("%1 · key: %2").arg(endpointwords::providerTitle(workspace, endpoint.provider), key);
    return state_ ? head : tr("not serving · %1").arg(head);
}

void EndpointForm::refresh()
{
    const workspace::Endpoint* endpoint = editor_.selected();
    setEnabled(endpoint != nullptr);
    if (!endpoint)
        return;
    if (shown_ != endpoint->spec.name) {
        shown_ = endpoint->spec.name;
        state_.reset();
    }
    head_ = headWords(*endpoint);
    for (FormSection* section : sections_)
        section->showEndpoint(*endpoint);
    update(0, 0, width(), kHead);
}

void EndpointForm::setLive(const observe::Snapshot& snapshot)
{
    std::optional<policy::BreakerState> state;
    for (const observe::EndpointView& view : snapshot.endpoints)
        if (view.name == shown_)
            state = view.state;
    if (state == state_)
        return;
    state_ = state;
    if (const workspace::Endpoint* endpoint = editor_.selected())
        head_ = headWords(*endpoint);
    update(0, 0, width(), kHead);
}

void EndpointForm::focusName()
{
    scroll_->verticalScrollBar()->setValue(std::max(0, connection_->y() - 8));
    connection_->focusName();
}

void EndpointForm::focusFirst()
{
    focusName();
}

void EndpointForm::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::frame(p, rect(), theme.c.card, theme.c.line);
    const double width = this->width() - 26;
    paint::text(p, 13, 21, QString::fromStdString(shown_), theme.font(13, true), theme.c.text, Qt::AlignLeft, width,
                Qt::ElideMiddle);
    double left = 13;
    if (state_) {
        const double tag = paint::stateTagWidth(*state_, theme);
        paint::stateTag(p, left + tag, 32, *state_, theme);
        left += tag + 8;
    }
    paint::text(p, left, 45, head_, theme.font(11), theme.c.text3, Qt::AlignLeft, this->width() - 13 - left);
}

} // namespace sg::ui
