// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_view.h"

#include "ui/edit/field_rows.h"
#include "ui/edit/section_head.h"
#include "ui/format/format.h"
#include "ui/gateway/gateway_figures.h"
#include "ui/gateway/gateway_names.h"
#include "ui/gateway/gateway_switch.h"
#include "ui/gateway/gateway_traffic.h"
#include "ui/gateway/gateway_words.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStyle>

namespace sg::ui {

namespace {

using gateway::Phase;
using gatewaysnippets::Form;

constexpr int kMark = 11;
constexpr int kNameRows = 6, kNameRowsOnPage = 3;
/// Rows of tables are as wide as the view; what they say begins and ends where everything else does.
constexpr int kInset = 14, kRowLeft = 12, kRowRight = 11;

/// A style sheet looks at properties only when it is polished.
void setTone(QWidget& frame, const QString& tone)
{
    if (frame.property("tone").toString() == tone)
        return;
    frame.setProperty("tone", tone);
    frame.style()->unpolish(&frame);
    frame.style()->polish(&frame);
}

} // namespace

GatewayView::GatewayView(ThemeContext& context, GatewayFeed& feed, bool offersSettings, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , feed_(feed)
    , offersSettings_(offersSettings)
{
    setAccessibleName(tr("Gateway"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kInset - kRowLeft, 12, kInset - kRowRight, 10);
    column->setSpacing(9);
    auto* words = new QVBoxLayout;
    words->setContentsMargins(kRowLeft, 0, kRowRight, 0);
    words->setSpacing(9);
    column->addLayout(words);
    makeHead(words);
    makeFailure(words);
    makeAddress(words);
    makeToken(words);
    makeFigures(words);
    makeNames(words, column);
    if (!offersSettings_) {
        traffic_ = new GatewayTraffic(context_);
        connect(traffic_, &GatewayTraffic::copied, this,
                [this](const QString& what) { say(tr("Copied: %1").arg(what)); });
        column->addWidget(traffic_, 1);
    }
    makeLastLine(column);
    connect(&feed, &GatewayFeed::changed, this, [this] {
        if (isVisible())
            follow();
    });
    connect(&feed, &GatewayFeed::phaseChanged, this, [this] { say({}); });
    connect(&context, &ThemeContext::changed, this, &GatewayView::dress);
    dress();
}

QPushButton* GatewayView::button(const QString& words, const char* name)
{
    auto* made = new QPushButton(words);
    made->setObjectName(QString::fromLatin1(name));
    made->setAutoDefault(false); // Enter is for what has the focus, not for the first button of a dialog
    return made;
}

void GatewayView::makeHead(QVBoxLayout* column)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    switch_ = new GatewaySwitch(context_);
    mark_ = new QLabel;
    state_ = new QLabel;
    state_->setObjectName(QStringLiteral("gatewayState"));
    state_->setProperty("role", QStringLiteral("heading"));
    cut_ = button(tr("Cut off now"), "cutOff");
    cut_->setProperty("role", QStringLiteral("danger"));
    settings_ = button(tr("Settings…"), "gatewaySettings");
    settings_->setAccessibleName(tr("Settings of the gateway"));
    settings_->setVisible(offersSettings_);
    row->addWidget(switch_);
    row->addWidget(mark_);
    row->addWidget(state_, 1);
    row->addWidget(cut_);
    row->addWidget(settings_);
    column->addLayout(row);
    sentence_ = wrappedLabel("secondary");
    sentence_->setObjectName(QStringLiteral("gatewaySentence"));
    column->addWidget(sentence_);
    connect(switch_, &QAbstractButton::clicked, this, [this] { feed_.toggle(); });
    connect(cut_, &QPushButton::clicked, this, [this] { feed_.stop(); });
    connect(settings_, &QPushButton::clicked, this, [this] { Q_EMIT settingsRequested({}); });
}

void GatewayView::makeFailure(QVBoxLayout* column)
{
    failure_ = new QFrame;
    failure_->setObjectName(QStringLiteral("failure"));
    auto* box = new QVBoxLayout(failure_);
    box->setContentsMargins(10, 8, 10, 8);
    failureWords_ = wrappedLabel("plain");
    failureWords_->setObjectName(QStringLiteral("failureWords"));
    box->addWidget(failureWords_);
    column->addWidget(failure_);
    failureWays_ = new QWidget;
    auto* row = new QHBoxLayout(failureWays_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    port_ = button(tr("Choose another port"), "anotherPort");
    port_->setProperty("role", QStringLiteral("primary"));
    again_ = button(tr("Try again"), "tryAgain");
    row->addWidget(port_);
    row->addWidget(again_);
    row->addStretch(1);
    column->addWidget(failureWays_);
    connect(port_, &QPushButton::clicked, this, [this] { Q_EMIT settingsRequested(QStringLiteral("port")); });
    connect(again_, &QPushButton::clicked, this, [this] { feed_.start(); });
}

void GatewayView::makeAddress(QVBoxLayout* column)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    address_ = new QLineEdit;
    address_->setObjectName(QStringLiteral("gatewayAddress"));
    address_->setReadOnly(true);
    address_->setProperty("mono", true);
    address_->setAccessibleName(tr("Address for applications"));
    copy_ = button(tr("Copy"), "copyAddress");
    copy_->setAccessibleName(tr("Copy the gateway's address"));
    copy_->setToolTip(tr("Copy the gateway's address (Ctrl Shift C)"));
    copyAs_ = button(tr("Copy as"), "copyAs");
    copyAs_->setProperty("hasMenu", true);
    auto* menu = new QMenu(copyAs_);
    for (const Form form : gatewaysnippets::forms())
        connect(menu->addAction(gatewaysnippets::title(form)), &QAction::triggered, this, [this, form] { copy(form); });
    copyAs_->setMenu(menu);
    row->addWidget(address_, 1);
    row->addWidget(copy_);
    row->addWidget(copyAs_);
    column->addLayout(row);
    connect(copy_, &QPushButton::clicked, this, [this] { copy(Form::BaseUrl); });
}

void GatewayView::makeToken(QVBoxLayout* column)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    auto* caption = new QLabel(tr("Token"));
    caption->setProperty("role", QStringLiteral("title"));
    token_ = wrappedLabel("secondary");
    token_->setObjectName(QStringLiteral("gatewayToken"));
    setToken_ = button({}, "setToken");
    setToken_->setVisible(offersSettings_);
    row->addWidget(caption);
    row->addWidget(token_, 1);
    row->addWidget(setToken_);
    column->addLayout(row);
    connect(setToken_, &QPushButton::clicked, this, [this] { Q_EMIT settingsRequested(QStringLiteral("token")); });
}

void GatewayView::makeFigures(QVBoxLayout* column)
{
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedHeight(1);
    column->addWidget(line);
    figures_ = new GatewayFigures;
    column->addWidget(figures_);
}

void GatewayView::makeNames(QVBoxLayout* words, QVBoxLayout* column)
{
    auto* names = new SectionHead(tr("Names to ask for"));
    namesHead_ = new QLabel;
    namesHead_->setProperty("role", QStringLiteral("caption"));
    names->setCorner(namesHead_);
    words->addWidget(names);
    noNames_ = wrappedLabel("secondary", tr("There is no chain yet: add one on the page Chains."));
    words->addWidget(noNames_);
    names_ = new GatewayNames(context_);
    column->addWidget(names_);
    connect(names_, &GatewayNames::copied, this, [this](const QString& name) { say(tr("Copied: %1").arg(name)); });
}

void GatewayView::makeLastLine(QVBoxLayout* column)
{
    said_ = captionLabel();
    said_->setObjectName(QStringLiteral("gatewaySaid"));
    said_->setIndent(kRowLeft);
    said_->hide();
    column->addWidget(said_);
}

QWidget& GatewayView::firstStop() const
{
    return *switch_;
}

void GatewayView::copy(Form form)
{
    const gateway::Status& status = feed_.status();
    const QString model = names_->model()->index(0, 0).data().toString();
    QGuiApplication::clipboard()->setText(gatewaysnippets::text(form, {status.url, model, feed_.tokenVariable()}));
    say(form == Form::BaseUrl ? tr("Copied: %1").arg(status.url) : tr("Copied: %1").arg(gatewaysnippets::title(form)));
}

void GatewayView::say(const QString& words)
{
    said_->setText(words);
    if (said_->isHidden() != words.isEmpty()) {
        said_->setVisible(!words.isEmpty());
        Q_EMIT heightChanged();
    }
    if (words.isEmpty() || !isVisible())
        return;
    said_->setAccessibleName(words);
    QAccessibleEvent alert(said_, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void GatewayView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    follow();
}

void GatewayView::follow()
{
    const gateway::Status& status = feed_.status();
    const bool hasFailed = status.phase == Phase::Failed, isDraining = status.phase == Phase::Draining;
    switch_->setPhase(status.phase);
    state_->setText(tr("Gateway %1").arg(gatewaywords::phaseWord(status.phase)));
    const QString sentence = gatewaywords::phaseSentence(status);
    // What is hidden must not take the focus with it.
    const QWidget* focused = window()->focusWidget();
    if ((!isDraining && focused == cut_) || (!hasFailed && (focused == port_ || focused == again_)))
        switch_->setFocus(Qt::OtherFocusReason);
    sentence_->setText(hasFailed ? gatewaywords::silenceSentence() : sentence);
    const QString trouble = hasFailed ? sentence : status.words; // it may serve on, and not as it was asked to
    failure_->setVisible(!trouble.isEmpty());
    failureWords_->setText(trouble);
    setTone(*failure_, hasFailed ? QString() : QStringLiteral("warned"));
    failureWays_->setVisible(hasFailed);
    cut_->setVisible(isDraining);
    if (address_->text() != status.url) {
        address_->setText(status.url);
        address_->setCursorPosition(0);
        address_->setToolTip(format::plainTip(status.url));
    }
    for (QPushButton* each : {copy_, copyAs_})
        each->setEnabled(!status.url.isEmpty());
    token_->setText(gatewaywords::tokenWords(status));
    setToken_->setText(status.hasToken ? tr("Change…") : tr("Set a token…"));
    setToken_->setAccessibleName(status.hasToken ? tr("Change the token") : tr("Set a token"));
    figures_->showFeed(feed_);
    names_->setNames(status.models, feed_.chains());
    names_->setFixedHeight(names_->rowHeight(0) *
                           std::min(offersSettings_ ? kNameRows : kNameRowsOnPage, names_->nameCount()));
    if (traffic_)
        traffic_->showFeed(feed_);
    noNames_->setVisible(status.models.isEmpty());
    names_->setVisible(!status.models.isEmpty());
    namesHead_->setText(status.models.isEmpty() ? QString() : format::count(status.models.size()));
    if (shown_ != status.phase)
        dress();
    shown_ = status.phase;
}

void GatewayView::dress()
{
    const double ratio = devicePixelRatioF();
    QPixmap picture(QSize(kMark + 1, kMark + 1) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter p(&picture);
    gatewaywords::phaseMark(p, QPointF(kMark / 2.0 + 0.5, kMark / 2.0 + 0.5), kMark, feed_.status().phase,
                            context_.c());
    p.end();
    mark_->setPixmap(picture);
}

} // namespace sg::ui
