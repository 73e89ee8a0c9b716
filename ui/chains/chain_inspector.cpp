// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_inspector.h"

#include "ui/chains/cache_form.h"
#include "ui/chains/canned_rules_editor.h"
#include "ui/chains/chain_form.h"
#include "ui/chains/inspector_head.h"
#include "ui/chains/limiter_form.h"
#include "ui/chains/router_form.h"
#include "ui/chains/tier_form.h"
#include "ui/edit/field_rows.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>

namespace sg::ui {

using Kind = ChainNode::Kind;

namespace {

constexpr int kInset = 12;

QString text(const std::string& s)
{
    return QString::fromStdString(s);
}

QString keyWords(const workspace::Endpoint& endpoint)
{
    switch (endpoint.key.source) {
    case workspace::KeySource::Keychain:
        return ChainInspector::tr("key in keychain");
    case workspace::KeySource::Environment:
        return ChainInspector::tr("key from %1").arg(endpoint.key.name);
    case workspace::KeySource::Session:
        return ChainInspector::tr("key for this run");
    case workspace::KeySource::None:
        break;
    }
    return endpoint.key.saysNone ? ChainInspector::tr("needs no key") : ChainInspector::tr("no key");
}

} // namespace

ChainInspector::ChainInspector(ThemeContext& context, ChainEditor& editor, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , editor_(editor)
{
    setObjectName(QStringLiteral("inspector"));
    setAccessibleName(tr("Inspector"));
    build();
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
    connect(&editor_, &ChainEditor::chainChanged, this, &ChainInspector::refresh);
    connect(&editor_, &ChainEditor::selectionChanged, this, &ChainInspector::refresh);
    connect(&editor_.serving(), &ServingControl::factsChanged, this, &ChainInspector::refreshHead);
    connectPages();
    refresh();
}

void ChainInspector::build()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 0, 1, 1);
    column->setSpacing(0);
    buildHead(column);
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedHeight(1);
    column->addWidget(line);
    scroll_ = new QScrollArea;
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    auto* body = new QWidget;
    auto* pages = new QVBoxLayout(body);
    pages->setContentsMargins(kInset - 1, 9, kInset - 1, 12);
    buildPages();
    for (QWidget* page :
         {static_cast<QWidget*>(tier_), static_cast<QWidget*>(canned_), static_cast<QWidget*>(limiter_),
          static_cast<QWidget*>(cache_), static_cast<QWidget*>(router_), static_cast<QWidget*>(chain_), empty_}) {
        page->hide();
        pages->addWidget(page);
    }
    pages->addStretch(1);
    scroll_->setWidget(body);
    // The card shows through.
    body->setAutoFillBackground(false);
    scroll_->viewport()->setAutoFillBackground(false);
    column->addWidget(scroll_, 1);
}

void ChainInspector::buildHead(QVBoxLayout* column)
{
    auto* box = new QWidget;
    box->setFixedHeight(60);
    head_ = new InspectorHead(context_, box);
    auto* over = new QVBoxLayout(box);
    over->setContentsMargins(kInset, 9, kInset - 4, 7);
    over->addWidget(head_);
    auto* buttons = new QHBoxLayout(head_);
    buttons->setContentsMargins(0, 0, 0, 22);
    buttons->setSpacing(4);
    on_ = new QCheckBox(tr("On"));
    on_->setObjectName(QStringLiteral("tier.enabled"));
    on_->setAccessibleName(tr("Tier is on"));
    on_->setToolTip(tr("A tier that is off is passed over"));
    more_ = new QToolButton;
    more_->setObjectName(QStringLiteral("disclosure"));
    more_->setText(QStringLiteral("⋯"));
    more_->setAccessibleName(tr("More actions"));
    more_->setFocusPolicy(Qt::StrongFocus);
    more_->setPopupMode(QToolButton::InstantPopup);
    menu_ = new QMenu(more_);
    more_->setMenu(menu_);
    more_->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    buttons->addStretch(1);
    buttons->addWidget(on_);
    buttons->addWidget(more_);
    column->addWidget(box);
    connect(menu_, &QMenu::aboutToShow, this, &ChainInspector::fillMenu);
    connect(on_, &QCheckBox::clicked, this, [this](bool on) { editor_.setEnabled(editor_.selected().tier, on); });
}

void ChainInspector::buildPages()
{
    tier_ = new TierForm(context_, editor_);
    canned_ = new CannedRulesEditor(context_);
    limiter_ = new LimiterForm(context_);
    cache_ = new CacheForm(context_);
    router_ = new RouterForm(context_);
    chain_ = new ChainForm(context_, editor_);
    empty_ = wrappedLabel("secondary", tr("There is no chain yet. Add one to route traffic through endpoints."));
}

void ChainInspector::connectPages()
{
    const auto close = [this] { editor_.draft().closeMerge(); };
    connect(canned_, &CannedRulesEditor::left, this, close);
    connect(limiter_, &LimiterForm::left, this, close);
    connect(cache_, &CacheForm::left, this, close);
    connect(router_, &RouterForm::left, this, close);
    connect(canned_, &CannedRulesEditor::edited, this, [this](const QString& words, const QString& field) {
        const auto rules = canned_->rules();
        editor_.editTier(editor_.selected().tier, words, field, [&](chain::TierSpec& t) { t.rules = rules; });
    });
    connect(limiter_, &LimiterForm::edited, this, [this](const QString& words, const QString& field) {
        const QString key = field.isEmpty() ? field : QStringLiteral("limiter.") + field;
        editor_.editChain(tr("%1 of the limiter").arg(words), key, [this](workspace::Chain& c) {
            c.spec.limiter = limiter_->limiter();
            c.spec.limiterPolicy = limiter_->policy();
        });
    });
    connect(cache_, &CacheForm::edited, this, [this](const QString& words, const QString& field) {
        const QString key = field.isEmpty() ? field : QStringLiteral("cache.") + field;
        editor_.editChain(tr("%1 of the cache").arg(words), key,
                          [this](workspace::Chain& c) { c.spec.cache = cache_->cache(); });
    });
    connect(router_, &RouterForm::edited, this, [this](const QString& words, const QString& field) {
        const auto router = router_->router();
        editor_.editChain(words, field, [&](workspace::Chain& c) { c.spec.router = router; });
    });
}

void ChainInspector::fillMenu()
{
    menu_->clear();
    const ChainNode node = editor_.selected();
    const auto count = editor_.chain() ? static_cast<int>(editor_.chain()->spec.tiers.size()) : 0;
    if (node.kind == Kind::Tier) {
        const auto add = [&](const QString& words, bool can, const std::function<void()>& act) {
            auto* action = menu_->addAction(words, this, act);
            action->setEnabled(can);
        };
        const int at = node.tier;
        const auto move = [this, at](int to) {
            editor_.moveTier(at, to);
            editor_.draft().closeMerge();
        };
        add(tr("Move earlier"), at > 0, [move, at] { move(at - 1); });
        add(tr("Move later"), at + 1 < count, [move, at] { move(at + 1); });
        add(tr("Duplicate"), true, [this, node] { editor_.duplicate(node); });
        const chain::TierSpec* tier = editor_.tier(at);
        const auto change = [this, at](const QString& words, void (*act)(chain::ChainSpec&, std::size_t)) {
            editor_.editChain(words, {}, [&](workspace::Chain& c) { act(c.spec, static_cast<std::size_t>(at)); });
        };
        add(tr("Share traffic with the tier before"), at > 0,
            [change] { change(tr("Split by weight"), workspace::joinSplit); });
        add(tr("Leave the split"), tier && !tier->split.empty(),
            [change] { change(tr("Leave the split"), workspace::leaveSplit); });
        menu_->addSeparator();
    }
    if (node.kind != Kind::None)
        menu_->addAction(tr("Remove"), this, [this, node] { editor_.remove(node); });
}

QWidget* ChainInspector::pageFor(const ChainNode& node) const
{
    if (!editor_.chain())
        return empty_;
    switch (node.kind) {
    case Kind::Limiter:
        return limiter_;
    case Kind::Cache:
        return cache_;
    case Kind::Router:
        return router_;
    case Kind::Tier: {
        const chain::TierSpec* tier = editor_.tier(node.tier);
        if (!tier)
            break;
        return tier->kind == chain::TierKind::CannedReply ? static_cast<QWidget*>(canned_) : tier_;
    }
    case Kind::None:
        break;
    }
    return chain_;
}

void ChainInspector::refresh()
{
    const ChainNode node = editor_.selected();
    QWidget* page = pageFor(node);
    if (const workspace::Chain* chain = editor_.chain())
        refreshPage(*chain);
    if (page != shown_) {
        if (shown_)
            shown_->hide();
        shown_ = page;
        shown_->show();
    }
    if (node != node_)
        scroll_->verticalScrollBar()->setValue(0);
    node_ = node;
    on_->setVisible(node.kind == Kind::Tier);
    if (const chain::TierSpec* tier = editor_.tier(node.tier))
        on_->setChecked(tier->enabled);
    more_->setVisible(node.kind != Kind::None);
    refreshHead();
}

void ChainInspector::refreshPage(const workspace::Chain& chain)
{
    const QWidget* page = pageFor(editor_.selected());
    const auto& own = editor_.draft().workspace().policies;
    if (page == tier_)
        tier_->refresh();
    else if (page == canned_)
        canned_->setRules(editor_.tier(editor_.selected().tier)->rules);
    else if (page == limiter_ && chain.spec.limiter)
        limiter_->setLimiter(*chain.spec.limiter, chain.spec.limiterPolicy, own);
    else if (page == cache_ && chain.spec.cache)
        cache_->setCache(*chain.spec.cache);
    else if (page == chain_)
        chain_->refresh();
    if (page != router_ || !chain.spec.router)
        return;
    QStringList tiers;
    for (const chain::TierSpec& tier : chain.spec.tiers)
        tiers << text(tier.name);
    router_->setRouter(*chain.spec.router, tiers);
}

void ChainInspector::setSnapshot(const observe::SnapshotPtr& snapshot)
{
    snapshot_ = snapshot;
    refreshHead(); // only this: a field that is typed in has nothing to do with what is measured
}

const observe::EndpointView* ChainInspector::live(const std::string& endpoint) const
{
    if (!snapshot_)
        return nullptr;
    const auto found = std::ranges::find(snapshot_->endpoints, endpoint, &observe::EndpointView::name);
    return found == snapshot_->endpoints.end() ? nullptr : &*found;
}

void ChainInspector::headOfTier(const chain::TierSpec& tier)
{
    const QString place = tr("tier %1").arg(editor_.selected().tier + 1);
    const workspace::Endpoint* endpoint = editor_.endpointOf(editor_.selected().tier);
    if (tier.kind == chain::TierKind::CannedReply)
        return head_->show({text(tier.name), {}, tr("canned reply · %1").arg(place)});
    if (!endpoint)
        return head_->show({text(tier.name), {}, place, tr("no endpoint %1").arg(text(tier.endpoint))});
    const observe::EndpointView* now = live(tier.endpoint);
    const auto facts = editor_.serving().lintFacts();
    const auto key = facts.keys.find(tier.endpoint);
    const bool isKeyBad = key != facts.keys.end() && !key->second.isUsable;
    const QString named = tier.name == tier.endpoint ? QString() : text(tier.endpoint) + QStringLiteral(" · ");
    head_->show({text(tier.name), now ? std::optional(now->state) : std::nullopt,
                 QStringLiteral("%1%2 · %3 · %4").arg(named, endpoint->provider, place, keyWords(*endpoint)),
                 isKeyBad ? tr("key not usable") : QString()});
    if (isKeyBad)
        head_->setToolTip(format::plainTip(key->second.words + QLatin1Char(' ') + key->second.remedy));
}

void ChainInspector::refreshHead()
{
    const workspace::Chain* chain = editor_.chain();
    if (!chain)
        return head_->show({tr("No chain"), {}, {}});
    const ChainNode node = editor_.selected();
    if (const chain::TierSpec* tier = node.kind == Kind::Tier ? editor_.tier(node.tier) : nullptr)
        return headOfTier(*tier);
    const QString of = tr("of %1").arg(text(chain->spec.name));
    if (node.kind == Kind::Limiter)
        return head_->show({tr("Rate limiter"), {}, of});
    if (node.kind == Kind::Cache)
        return head_->show({tr("Cache"), {}, of});
    if (node.kind == Kind::Router)
        return head_->show({tr("Complexity router"), {}, of});
    const auto count = static_cast<int>(chain->spec.tiers.size());
    head_->show({text(chain->spec.name), {}, count == 1 ? tr("chain · 1 tier") : tr("chain · %1 tiers").arg(count)});
}

void ChainInspector::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::frame(p, rect(), context_.c().card, context_.c().line);
}

} // namespace sg::ui
