// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/tier_form.h"

#include "ui/chains/breaker_form.h"
#include "ui/chains/retry_form.h"
#include "ui/edit/field_rows.h"
#include "ui/edit/section_head.h"
#include "ui/edit/text_fields.h"
#include "ui/format/format.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QLabel>

namespace sg::ui {

using chain::MovesOn;
using chain::TierSpec;
using workspace::Endpoint;

namespace {

QString text(const std::string& s)
{
    return QString::fromStdString(s);
}

} // namespace

const TierSpec* TierForm::tier() const
{
    return editor_.tier(editor_.selected().tier);
}

std::string TierForm::endpointName() const
{
    const TierSpec* at = tier();
    return at ? at->endpoint : std::string();
}

template <class Change>
void TierForm::editTier(const QString& words, const QString& field, Change change)
{
    if (const TierSpec* at = tier())
        editor_.editTier(editor_.selected().tier, tr("%1 of %2").arg(words, text(at->name)), field, change);
}

template <class Change>
void TierForm::editEndpoint(const QString& words, const QString& field, Change change)
{
    const std::string name = endpointName();
    editor_.editEndpoint(name, tr("%1 of %2").arg(words, text(name)), field, change);
}

TierForm::TierForm(ThemeContext& context, ChainEditor& editor, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , editor_(editor)
    , endpointFields_(
          context, [this](const auto& words, const auto& key, const auto& c) { editEndpoint(words, key, c); },
          [this] { editor_.draft().closeMerge(); })
    , tierFields_(
          context, [this](const auto& words, const auto& key, const auto& c) { editTier(words, key, c); },
          [this] { editor_.draft().closeMerge(); })
    , chainFields_(
          context,
          [this](const auto& words, const auto& key, const auto& c) {
              editor_.editChain(tr("%1 of %2").arg(words, text(editor_.chainName())), key, c);
          },
          [this] { editor_.draft().closeMerge(); })
    , shared_(wrappedLabel("caption"))
    , retry_(new RetryForm(context))
    , breaker_(new BreakerForm(context))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(9);
    column->addWidget(buildLimits());
    column->addWidget(retry_);
    column->addWidget(buildServerWait());
    column->addWidget(breaker_);
    column->addWidget(buildMovesOn());
    column->addWidget(buildPlace());
    connectForms();
}

QWidget* TierForm::buildLimits()
{
    using Number = BoundFields<Endpoint>::Number;
    limits_ = new FieldRows;
    auto* head = new SectionHead(tr("Limits"));
    head->hideLine();
    limits_->addWide(head);
    auto* first = endpointFields_.number(
        QStringLiteral("first_token_ms"), tr("First token within"),
        {QStringLiteral("s"), 0, 86400, 2, 1, true, tr("no limit"), false},
        [](const Endpoint& e) { return secondsOf(e.timeouts.tokens.firstToken); },
        [](Endpoint& e, Number n) { e.timeouts.tokens.firstToken = nanosOf(n); });
    auto* whole = endpointFields_.number(
        QStringLiteral("total_ms"), tr("Whole reply within"), {QStringLiteral("s"), 0, 86400, 2, 1, false, {}, false},
        [](const Endpoint& e) { return Number(secondsOf(e.timeouts.total)); },
        [](Endpoint& e, Number n) { e.timeouts.total = nanosOf(*n); });
    limits_->addRow({{tr("First token within"), first}, {tr("Whole reply within"), whole}});
    auto* requests = endpointFields_.number(
        QStringLiteral("requests_per_minute"), tr("Requests"),
        {tr("per min"), 0, 1e9, 1, 50, true, tr("no limit"), false},
        [](const Endpoint& e) { return Number(e.spec.requestsPerMinute); },
        [](Endpoint& e, Number n) { e.spec.requestsPerMinute = n; });
    auto* inFlight = endpointFields_.number(
        QStringLiteral("max_in_flight"), tr("In flight at most"), {{}, 1, 1e6, 0, 1, true, tr("no limit"), true},
        [](const Endpoint& e) { return e.spec.maxInFlight ? Number(*e.spec.maxInFlight) : std::nullopt; },
        [](Endpoint& e, Number n) {
            e.spec.maxInFlight = n ? std::optional<int>(static_cast<int>(*n)) : std::nullopt;
        });
    limits_->addRow({{tr("Requests"), requests}, {tr("In flight at most"), inFlight}});
    limits_->addWide(shared_);
    return limits_;
}

QWidget* TierForm::buildServerWait()
{
    using Number = BoundFields<workspace::Chain>::Number;
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* obeys = chainFields_.check(
        QStringLiteral("obeys_retry_after"), tr("Obey Retry-After, up to"), tr("Wait as long as Retry-After says"),
        [](const workspace::Chain& c) { return c.spec.maxServerWait > Nanos::zero(); },
        [](workspace::Chain& c, bool on) {
            c.spec.maxServerWait = on ? chain::ChainSpec().maxServerWait : Nanos::zero();
        });
    obeys->setToolTip(tr("Waits as long as the server asks, but no longer than this; a longer wait moves on at once. "
                         "For the whole chain."));
    serverWait_ = chainFields_.number(
        QStringLiteral("max_server_wait_ms"), tr("Longest wait that a server may ask for"),
        {QStringLiteral("s"), 0, 86400, 1, 5, false, {}, true},
        [](const workspace::Chain& c) { return Number(secondsOf(c.spec.maxServerWait)); },
        [](workspace::Chain& c, Number n) { c.spec.maxServerWait = nanosOf(*n); });
    serverWait_->setFixedWidth(78);
    row->addWidget(obeys, 1);
    row->addWidget(serverWait_);
    return box;
}

QWidget* TierForm::buildMovesOn()
{
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(5);
    grid->addWidget(new SectionHead(tr("Moves on when")), 0, 0, 1, 2);
    struct Rule
    {
        const char* key;
        QString label, tip;
        bool MovesOn::*member;
    };
    const Rule rules[] = {
        {"rate_limited", tr("429"), tr("Rate limited, an empty quota, the tier's own limits"), &MovesOn::rateLimited},
        {"server_error", tr("5xx, 529"), tr("Server errors, broken connections and streams"), &MovesOn::serverError},
        {"timeout", tr("Timeout"), tr("A limit of time has passed"), &MovesOn::timeout},
        {"open_breaker", tr("Open breaker"), tr("The breaker lets nothing through"), &MovesOn::openBreaker},
        {"context_too_long", tr("Context too long"), tr("To a tier with a larger window"), &MovesOn::contextTooLong},
        {"content_policy", tr("Content filter"), tr("Another model is asked what this one refused"),
         &MovesOn::contentPolicy},
    };
    int at = 0;
    for (const Rule& rule : rules) {
        const auto member = rule.member;
        auto* check = tierFields_.check(
            QStringLiteral("moves_on.") + QLatin1String(rule.key), rule.label, tr("Moves on: %1").arg(rule.label),
            [member](const TierSpec& t) { return t.movesOn.*member; },
            [member](TierSpec& t, bool on) { t.movesOn.*member = on; });
        check->setToolTip(rule.tip);
        grid->addWidget(check, 1 + at / 2, at % 2);
        ++at;
    }
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    return box;
}

QWidget* TierForm::buildPlace()
{
    using Number = BoundFields<TierSpec>::Number;
    place_ = new FieldRows;
    placeHead_ = new SectionHead(tr("Place"));
    place_->addWide(placeHead_);
    name_ = new TextLine(tr("Name of the tier"));
    name_->setObjectName(QStringLiteral("tier.name"));
    weight_ = tierFields_.number(
        QStringLiteral("weight"), tr("Weight in the split"), {{}, 0, 1e6, 3, 1, false, {}, true},
        [](const TierSpec& t) { return Number(t.weight); }, [](TierSpec& t, Number n) { t.weight = *n; });
    place_->addRow({{tr("Name of the tier"), name_, 2}, {tr("Weight"), weight_}});
    connect(name_, &QLineEdit::textEdited, this, [this](const QString& typed) {
        const QString wanted = typed.trimmed();
        editTier(tr("Name"), QStringLiteral("name"), [&](TierSpec& t) { t.name = wanted.toStdString(); });
        const TierSpec* at = tier();
        place_->setProblem(name_, !at || text(at->name) == wanted ? QString()
                                  : wanted.isEmpty()              ? tr("Give it a name")
                                                                  : tr("Another tier has this name"));
    });
    connect(name_, &TextLine::left, this, [this] {
        editor_.draft().closeMerge();
        refreshPlace();
    });
    return place_;
}

void TierForm::connectForms()
{
    const auto close = [this] { editor_.draft().closeMerge(); };
    connect(retry_, &RetryForm::left, this, close);
    connect(breaker_, &BreakerForm::left, this, close);
    connect(retry_, &RetryForm::edited, this, [this](const QString& words, const QString& field) {
        const TierSpec wanted = retry_->tier();
        editTier(words, field, [&](TierSpec& t) {
            t.maxAttempts = wanted.maxAttempts;
            t.attemptTimeout = wanted.attemptTimeout;
            t.backoff = wanted.backoff;
            t.backoffPolicy = wanted.backoffPolicy;
        });
    });
    connect(breaker_, &BreakerForm::edited, this, [this](const QString& words, const QString& field) {
        editEndpoint(words, field.isEmpty() ? field : QStringLiteral("breaker.") + field, [this](Endpoint& e) {
            e.spec.breaker = breaker_->breaker();
            e.breakerPolicy = breaker_->policy();
        });
    });
}

void TierForm::refresh()
{
    const TierSpec* at = tier();
    const workspace::Chain* chain = editor_.chain();
    if (!at || !chain)
        return;
    const auto& policies = editor_.draft().workspace().policies;
    retry_->setTier(*at, policies);
    tierFields_.show(*at);
    chainFields_.show(*chain);
    serverWait_->setEnabled(chain->spec.maxServerWait > Nanos::zero());
    const Endpoint* endpoint = editor_.endpointOf(editor_.selected().tier);
    limits_->setEnabled(endpoint != nullptr);
    breaker_->setEnabled(endpoint != nullptr);
    if (endpoint) {
        endpointFields_.show(*endpoint);
        breaker_->setBreaker(endpoint->spec.breaker, endpoint->breakerPolicy, policies);
    }
    refreshShared();
    refreshPlace();
}

void TierForm::refreshShared()
{
    const auto users = workspace::chainsUsing(editor_.draft().workspace(), endpointName());
    QStringList others;
    for (const std::string& name : users)
        if (name != editor_.chainName())
            others << text(name);
    const auto count = others.size();
    const QString words = count == 0   ? QString()
                          : count == 1 ? tr("Limits and breaker are also used by 1 chain")
                                       : tr("Limits and breaker are also used by %1 chains").arg(count);
    shared_->setText(words);
    shared_->setToolTip(format::plainTip(others.join(QStringLiteral(", "))));
    shared_->setVisible(!others.isEmpty());
    breaker_->head().setNote(others.isEmpty() ? QString() : tr("shared"));
}

QString TierForm::sharedWords() const
{
    return shared_->text();
}

void TierForm::refreshPlace()
{
    const TierSpec* at = tier();
    const workspace::Chain* chain = editor_.chain();
    if (!at || !chain)
        return;
    name_->show(text(at->name));
    place_->setProblem(name_, {});
    place_->setFieldVisible(weight_, !at->split.empty());
    if (at->split.empty())
        return placeHead_->setNote({});
    const auto index = static_cast<std::size_t>(editor_.selected().tier);
    for (const auto& group : workspace::splitGroups(chain->spec)) {
        if (index < group.first || index >= group.first + group.count)
            continue;
        const auto shares = workspace::splitShares(chain->spec, group);
        placeHead_->setNote(tr("%1 of a split of %2").arg(format::share(shares[index - group.first])).arg(group.count));
    }
}

} // namespace sg::ui
