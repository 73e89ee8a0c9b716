// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/breaker_form.h"

#include "ui/chains/breaker_words.h"
#include "ui/edit/choice_field.h"
#include "ui/edit/field_rows.h"
#include "ui/edit/section_head.h"

#include <QBoxLayout>
#include <QToolButton>

#include <numeric>

namespace sg::ui {

using policy::BreakerConfig;
using policy::CountWindow;
using policy::TimeWindow;

namespace {

constexpr double kDay = 86400;

/// 55.000000000000007 is nobody's percent.
double tidy(double value)
{
    return std::round(value * 1e6) / 1e6;
}

/// A window is made of whole buckets; the bucket gives way where a typed window is no multiple of it.
void setTimeWindow(BreakerConfig& config, Nanos window)
{
    TimeWindow time;
    if (const auto* before = std::get_if<TimeWindow>(&config.window))
        time = *before;
    time.window = window;
    if (time.bucket <= Nanos::zero())
        time.bucket = TimeWindow().bucket;
    time.bucket = Nanos(std::gcd(time.bucket.count(), window.count()));
    config.window = time;
}

QuantityField::Rules spanRules(double low, double high = kDay)
{
    return {QStringLiteral("s"), low, high, 2, 1, false, {}, true};
}

QuantityField::Rules optionalSpan(double low, const QString& whenEmpty)
{
    return {QStringLiteral("s"), low, kDay, 2, 1, true, whenEmpty, true};
}

QuantityField::Rules countRules(double low, double high, bool isOptional = false, const QString& whenEmpty = {})
{
    return {{}, low, high, 0, 1, isOptional, whenEmpty, true};
}

} // namespace

BreakerForm::BreakerForm(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , fields_(
          context, [this](const QString& words, const QString& key, const Fields::Change& c) { change(words, key, c); },
          [this] { Q_EMIT left(); })
    , essentials_(new FieldRows)
    , more_(new FieldRows)
{
    setAccessibleName(tr("Breaker"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(7);
    column->addWidget(buildHead());
    column->addWidget(essentials_);
    buildEssentials();
    column->addWidget(buildMore());
    refresh();
}

QWidget* BreakerForm::buildHead()
{
    head_ = new SectionHead(tr("Breaker"));
    library_ = new ChoiceField(tr("Breaker policy"));
    library_->setObjectName(QStringLiteral("breaker_policy"));
    library_->setFixedWidth(118);
    head_->setCorner(library_);
    connect(library_, &QComboBox::activated, this, [this] { choosePolicy(library_->chosen()); });
    return head_;
}

QuantityField* BreakerForm::add(const char* key, const QString& name, Rules rules,
                                std::function<Fields::Number(const BreakerConfig&)> get,
                                std::function<void(BreakerConfig&, Fields::Number)> set)
{
    return fields_.number(QLatin1String(key), name, std::move(rules), std::move(get), std::move(set));
}

QuantityField* BreakerForm::addSpan(const char* key, const QString& name, Rules rules, Nanos BreakerConfig::*member)
{
    return add(
        key, name, std::move(rules), [member](const BreakerConfig& c) { return Fields::Number(secondsOf(c.*member)); },
        [member](BreakerConfig& c, Fields::Number s) { c.*member = nanosOf(*s); });
}

QuantityField* BreakerForm::addSpan(const char* key, const QString& name, Rules rules,
                                    std::optional<Nanos> BreakerConfig::*member)
{
    return add(
        key, name, std::move(rules), [member](const BreakerConfig& c) { return secondsOf(c.*member); },
        [member](BreakerConfig& c, Fields::Number s) { c.*member = nanosOf(s); });
}

QuantityField* BreakerForm::addShare(const char* key, const QString& name, std::optional<double> BreakerConfig::*member)
{
    const Rules rules{QStringLiteral("%"), 0, 100, 1, 5, true, tr("off"), false};
    return add(
        key, name, rules,
        [member](const BreakerConfig& c) {
            return c.*member ? Fields::Number(tidy(*(c.*member) * 100)) : std::nullopt;
        },
        [member](BreakerConfig& c, Fields::Number percent) {
            c.*member = percent ? std::optional<double>(*percent / 100) : std::nullopt;
        });
}

void BreakerForm::buildEssentials()
{
    auto* trips = addShare("failure_rate", tr("Trips at a failure rate of"), &BreakerConfig::failureRate);
    // One field for both kinds of window: which kind it is, is told below.
    auto* window = add(
        "window.window_ms", tr("Breaker window"), {QStringLiteral("s"), 0.1, kDay, 1, 5, false, {}, true},
        [](const BreakerConfig& c) {
            const auto* time = std::get_if<TimeWindow>(&c.window);
            return Fields::Number(secondsOf(time ? time->window : TimeWindow().window));
        },
        [](BreakerConfig& c, Fields::Number s) { setTimeWindow(c, nanosOf(*s)); });
    auto* size = add(
        "window.size", tr("Breaker window in calls"), {tr("calls"), 1, 100000, 0, 10, false, {}, true},
        [](const BreakerConfig& c) {
            const auto* count = std::get_if<CountWindow>(&c.window);
            return Fields::Number(count ? count->size : CountWindow().size);
        },
        [](BreakerConfig& c, Fields::Number n) { c.window = CountWindow{static_cast<int>(*n)}; });
    auto* calls = add(
        "minimum_calls", tr("Minimum calls"), countRules(0, 100000),
        [](const BreakerConfig& c) { return Fields::Number(c.minimumCalls); },
        [](BreakerConfig& c, Fields::Number n) { c.minimumCalls = static_cast<int>(*n); });
    essentials_->addRow({{tr("Trips at"), trips}, {tr("Window"), window}, {tr("Min. calls"), calls}});
    essentials_->addInstead(window, size);
    auto* open = addSpan("open_ms", tr("Open for"), spanRules(0), &BreakerConfig::open);
    auto* upTo = addSpan("max_open_ms", tr("Open then up to"), spanRules(0), &BreakerConfig::maxOpen);
    auto* probes = add(
        "half_open_max_probes", tr("Probes at a time"), countRules(1, 1000),
        [](const BreakerConfig& c) { return Fields::Number(c.halfOpenMaxProbes); },
        [](BreakerConfig& c, Fields::Number n) { c.halfOpenMaxProbes = static_cast<int>(*n); });
    essentials_->addRow({{tr("Open for"), open}, {tr("then up to"), upTo}, {tr("Probes"), probes}});
    for (QuantityField* field : {trips, window, size, calls, open, upTo, probes})
        places_[field->objectName().toStdString()] = {essentials_, field};
}

QWidget* BreakerForm::buildMore()
{
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(7);
    moreButton_ = new QToolButton;
    moreButton_->setObjectName(QStringLiteral("disclosure"));
    moreButton_->setCheckable(true);
    moreButton_->setFocusPolicy(Qt::StrongFocus);
    moreButton_->setStyleSheet(QStringLiteral("padding-left: 0px;")); // in line with the fields
    moreButton_->setAccessibleName(tr("More breaker rules"));
    more_->hide();
    connect(moreButton_, &QToolButton::toggled, this, [this](bool on) {
        more_->setVisible(on);
        refresh();
    });
    column->addWidget(moreButton_, 0, Qt::AlignLeft);
    column->addWidget(more_);
    buildTripRules(*more_);
    buildWindow(*more_);
    buildOpening(*more_);
    return box;
}

void BreakerForm::buildTripRules(FieldRows& rows)
{
    auto* streak = add(
        "consecutive_failures", tr("Trips at failures in a row"), countRules(0, 100000, true, tr("off")),
        [](const BreakerConfig& c) {
            return c.consecutiveFailures ? Fields::Number(*c.consecutiveFailures) : std::nullopt;
        },
        [](BreakerConfig& c, Fields::Number n) {
            c.consecutiveFailures = n ? std::optional<int>(static_cast<int>(*n)) : std::nullopt;
        });
    auto* limited = addShare("rate_limited_share", tr("Trips at a share of 429"), &BreakerConfig::rateLimitedShare);
    rows.addRow({{tr("or failures in a row"), streak}, {tr("or share of 429"), limited}});
    using policy::RateLimitedCountsAs;
    auto* counts = fields_.segments(
        QStringLiteral("rate_limited_counts_as"), {tr("a failure"), tr("apart"), tr("nothing")}, tr("429 counts as"),
        [](const BreakerConfig& c) { return static_cast<int>(c.rateLimitedCountsAs); },
        [](BreakerConfig& c, int at) { c.rateLimitedCountsAs = static_cast<RateLimitedCountsAs>(at); });
    rows.addRow({{tr("429 counts as"), counts}});
    auto* slow = addShare("slow_rate", tr("Trips at a share of slow calls"), &BreakerConfig::slowRate);
    auto* slowCall =
        addSpan("slow_call_ms", tr("Slow is more than"), optionalSpan(0, tr("not set")), &BreakerConfig::slowCall);
    rows.addRow({{tr("or share of slow calls"), slow}, {tr("slow is more than"), slowCall}});
    for (QuantityField* field : {streak, limited, slow, slowCall})
        places_[field->objectName().toStdString()] = {&rows, field};
}

void BreakerForm::buildWindow(FieldRows& rows)
{
    auto* kind = fields_.segments(
        QStringLiteral("window.type"), {tr("Time"), tr("Calls")}, tr("Window counts"),
        [](const BreakerConfig& c) { return std::holds_alternative<CountWindow>(c.window) ? 1 : 0; },
        [](BreakerConfig& c, int at) {
            if (at == 1)
                c.window = CountWindow{};
            else
                c.window = TimeWindow{};
        });
    auto* metrics = fields_.check(
        QStringLiteral("metrics_only"), tr("Count only"), tr("Only count, never open"),
        [](const BreakerConfig& c) { return c.metricsOnly; }, [](BreakerConfig& c, bool on) { c.metricsOnly = on; });
    rows.addRow({{tr("Window of"), kind}, {tr("Drill"), metrics}});
}

void BreakerForm::buildOpening(FieldRows& rows)
{
    auto* multiplier = add(
        "open_multiplier", tr("Open wait grows by"), {QStringLiteral("×"), 0, 100, 2, 0.5, false, {}, true},
        [](const BreakerConfig& c) { return Fields::Number(c.openMultiplier); },
        [](BreakerConfig& c, Fields::Number n) { c.openMultiplier = *n; });
    auto* jitter = add(
        "open_jitter", tr("Open wait spreads by"), {QStringLiteral("%"), 0, 100, 1, 5, false, {}, true},
        [](const BreakerConfig& c) { return Fields::Number(tidy(c.openJitter * 100)); },
        [](BreakerConfig& c, Fields::Number n) { c.openJitter = *n / 100; });
    auto* successes = add(
        "half_open_successes", tr("Successes to close"), countRules(1, 1000),
        [](const BreakerConfig& c) { return Fields::Number(c.halfOpenSuccesses); },
        [](BreakerConfig& c, Fields::Number n) { c.halfOpenSuccesses = static_cast<int>(*n); });
    rows.addRow({{tr("Grows by"), multiplier}, {tr("Jitter"), jitter}, {tr("Successes"), successes}});
    auto* deadline = addSpan("half_open_deadline_ms", tr("A probe may take"), optionalSpan(0, tr("as open for")),
                             &BreakerConfig::halfOpenDeadline);
    auto* timeout = addSpan("call_timeout_ms", tr("A call counts as failed after"), optionalSpan(0, tr("not set")),
                            &BreakerConfig::callTimeout);
    rows.addRow({{tr("A probe may take"), deadline}, {tr("A call may take"), timeout}});
    for (QuantityField* field : {multiplier, jitter, successes, deadline, timeout})
        places_[field->objectName().toStdString()] = {&rows, field};
}

void BreakerForm::setBreaker(const BreakerConfig& value, const std::string& policy, const workspace::PolicyLibrary& own)
{
    value_ = value;
    policy_ = policy;
    own_ = own;
    refresh();
}

void BreakerForm::change(const QString& words, const QString& field, const Fields::Change& change)
{
    change(value_);
    policy_.clear();
    refresh();
    Q_EMIT edited(words, field);
}

void BreakerForm::choosePolicy(const QString& name)
{
    const bool isNew = takePolicy(own_.breakers, workspace::PolicyLibrary::builtIn().breakers, name, policy_, value_);
    refresh();
    if (isNew)
        Q_EMIT edited(tr("Breaker policy"), {});
}

void BreakerForm::setMoreShown(bool isShown)
{
    moreButton_->setChecked(isShown);
}

bool BreakerForm::isMoreShown() const
{
    return moreButton_->isChecked();
}

void BreakerForm::refresh()
{
    fields_.show(value_);
    showPolicies(*library_, own_.breakers, workspace::PolicyLibrary::builtIn().breakers, policy_);
    const bool byCalls = std::holds_alternative<CountWindow>(value_.window);
    places_["window.window_ms"].second->setVisible(!byCalls);
    places_["window.size"].second->setVisible(byCalls);
    const QString rules = breakerwords::rules(value_);
    head_->setToolTip(rules);
    setAccessibleDescription(rules);
    const int rare = breakerwords::rareSettings(value_);
    moreButton_->setText(isMoreShown() ? tr("▾ Fewer rules")
                         : rare > 0    ? tr("▸ More rules, %1 in use").arg(rare)
                                       : tr("▸ More rules"));
    showFinding();
}

void BreakerForm::showFinding()
{
    const auto finding = policy::checkBreakerConfig(value_);
    for (const auto& [key, place] : places_) {
        const bool isHere = finding && finding->field == key;
        place.first->setProblem(place.second, isHere ? breakerwords::problem(*finding, value_) : QString());
        // What is wrong must be seen.
        if (isHere && place.first == more_)
            moreButton_->setChecked(true);
    }
}

QString BreakerForm::problemAt(const QString& field) const
{
    const auto place = places_.find(field.toStdString());
    return place == places_.end() ? QString() : place->second.first->problemOf(place->second.second);
}

} // namespace sg::ui
