// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/retry_form.h"

#include "ui/chains/delay_words.h"
#include "ui/chains/envelope_plot.h"
#include "ui/edit/choice_field.h"
#include "ui/edit/field_rows.h"
#include "ui/edit/section_head.h"

#include <QBoxLayout>

namespace sg::ui {

using chain::TierSpec;
using policy::BackoffKind;
using policy::BackoffPolicy;
using policy::JitterType;

namespace {

constexpr int kMostRetries = 99;
/// In the order of the buttons.
constexpr JitterType kJitters[] = {JitterType::None,         JitterType::Equal,        JitterType::Full,
                                   JitterType::Decorrelated, JitterType::Proportional, JitterType::Additive};

int placeOf(JitterType type)
{
    return static_cast<int>(std::ranges::find(kJitters, type) - std::begin(kJitters));
}

} // namespace

RetryForm::RetryForm(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , fields_(
          context, [this](const QString& words, const QString& key, const Fields::Change& c) { change(words, key, c); },
          [this] { Q_EMIT left(); })
    , head_(new SectionHead(tr("Retry")))
    , library_(new ChoiceField(tr("Retry policy")))
    , rows_(new FieldRows)
    , plot_(new EnvelopePlot(context))
{
    setAccessibleName(tr("Retry"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(7);
    library_->setObjectName(QStringLiteral("backoff_policy"));
    library_->setFixedWidth(118);
    head_->setCorner(library_);
    column->addWidget(head_);
    column->addWidget(rows_);
    buildKinds();
    buildNumbers();
    buildAmounts();
    column->addWidget(plot_);
    connect(library_, &QComboBox::activated, this, [this] { choosePolicy(library_->chosen()); });
    refresh();
}

void RetryForm::buildKinds()
{
    kind_ = fields_.segments(
        QStringLiteral("kind"), {tr("No wait"), tr("Fixed"), tr("Exponential")}, tr("Delay"),
        [](const TierSpec& t) { return static_cast<int>(t.backoff.kind); },
        [](TierSpec& t, int at) { t.backoff.kind = static_cast<BackoffKind>(at); });
    jitter_ = fields_.segments(
        QStringLiteral("jitter.type"), {tr("None"), tr("Equal"), tr("Full"), tr("Decorr."), tr("±"), tr("+")},
        tr("Jitter"), [](const TierSpec& t) { return placeOf(t.backoff.jitter.type); },
        [](TierSpec& t, int at) {
            t.backoff.jitter.type = kJitters[at];
            // Nothing spread is no jitter: begin with what is usual.
            if (kJitters[at] == JitterType::Proportional && t.backoff.jitter.r == 0)
                t.backoff.jitter.r = 0.2;
            if (kJitters[at] == JitterType::Additive && t.backoff.jitter.addMs == 0)
                t.backoff.jitter.addMs = 1000;
        });
    const QStringList tips{tr("No jitter: everybody comes back at once"),
                           tr("Equal: half of the delay, and up to the other half"),
                           tr("Full: anything from nothing to the delay"),
                           tr("Decorrelated: from the base to three times the wait before"),
                           tr("Proportional: a share of the delay more or less"),
                           tr("Additive: the delay and up to a fixed time more")};
    const auto buttons = jitter_->findChildren<QWidget*>();
    for (qsizetype i = 0; i < std::min(buttons.size(), tips.size()); ++i) {
        buttons[i]->setToolTip(tips[i]);
        buttons[i]->setAccessibleName(tr("Jitter: %1").arg(tips[i]));
    }
    rows_->addWide(kind_);
    rows_->addRow({{tr("Jitter"), jitter_}});
}

QuantityField* RetryForm::amount(const char* key, const QString& name, QuantityField::Rules rules,
                                 std::function<double&(BackoffPolicy&)> of, double scale)
{
    return fields_.number(
        QLatin1String(key), name, std::move(rules),
        [of, scale](const TierSpec& t) {
            BackoffPolicy policy = t.backoff;
            return Fields::Number(std::round(of(policy) / scale * 1e6) / 1e6);
        },
        [of, scale](TierSpec& t, Fields::Number n) { of(t.backoff) = *n * scale; });
}

void RetryForm::buildNumbers()
{
    auto* retries = fields_.number(
        QStringLiteral("max_attempts"), tr("Retries"), {{}, 0, kMostRetries, 0, 1, false, {}, true},
        [](const TierSpec& t) { return Fields::Number(t.maxAttempts - 1); },
        [](TierSpec& t, Fields::Number n) { t.maxAttempts = static_cast<int>(*n) + 1; });
    const QuantityField::Rules span{QStringLiteral("s"), 0, 86400, 3, 0.5, false, {}, true};
    base_ = amount(
        "base_ms", tr("Base delay"), span, [](BackoffPolicy& p) -> double& { return p.baseMs; }, 1000);
    cap_ = amount(
        "cap_ms", tr("Cap of a delay"), span, [](BackoffPolicy& p) -> double& { return p.capMs; }, 1000);
    rows_->addRow({{tr("Retries"), retries}, {tr("Base"), base_}, {tr("Cap"), cap_}});
}

void RetryForm::buildAmounts()
{
    multiplier_ = amount(
        "multiplier", tr("Delay grows by"), {QStringLiteral("×"), 0, 100, 2, 0.5, false, {}, true},
        [](BackoffPolicy& p) -> double& { return p.multiplier; }, 1);
    spread_ = amount(
        "jitter.r", tr("Jitter, share of the delay"), {QStringLiteral("%"), 0, 100, 1, 5, false, {}, true},
        [](BackoffPolicy& p) -> double& { return p.jitter.r; }, 0.01);
    added_ = amount(
        "jitter.a_ms", tr("Jitter, added at most"), {QStringLiteral("s"), 0, 86400, 3, 0.5, false, {}, true},
        [](BackoffPolicy& p) -> double& { return p.jitter.addMs; }, 1000);
    attempt_ = fields_.number(
        QStringLiteral("attempt_timeout_ms"), tr("Each try within"),
        {QStringLiteral("s"), 0, 86400, 2, 1, true, tr("off"), false},
        [](const TierSpec& t) { return secondsOf(t.attemptTimeout); },
        [](TierSpec& t, Fields::Number n) { t.attemptTimeout = nanosOf(n); });
    rows_->addRow({{tr("Try within"), attempt_}, {tr("Grows by"), multiplier_}, {tr("Jitter"), spread_}});
    rows_->addInstead(spread_, added_);
}

void RetryForm::setTier(const TierSpec& tier, const workspace::PolicyLibrary& own)
{
    value_ = tier;
    own_ = own;
    refresh();
}

void RetryForm::change(const QString& words, const QString& field, const Fields::Change& change)
{
    const BackoffPolicy before = value_.backoff;
    change(value_);
    if (value_.backoff != before)
        value_.backoffPolicy.clear();
    refresh();
    Q_EMIT edited(words, field);
}

void RetryForm::choosePolicy(const QString& name)
{
    const bool isNew = takePolicy(own_.backoffs, workspace::PolicyLibrary::builtIn().backoffs, name,
                                  value_.backoffPolicy, value_.backoff);
    refresh();
    if (isNew)
        Q_EMIT edited(tr("Retry policy"), {});
}

void RetryForm::refresh()
{
    fields_.show(value_);
    showPolicies(*library_, own_.backoffs, workspace::PolicyLibrary::builtIn().backoffs, value_.backoffPolicy);
    const BackoffPolicy& p = value_.backoff;
    const int retries = value_.maxAttempts - 1;
    head_->setNote(retries > 0 ? tr("up to %1").arg(retries) : tr("none"));
    const bool waits = p.kind != BackoffKind::None;
    const bool isDecorrelated = p.jitter.type == JitterType::Decorrelated;
    jitter_->setEnabled(waits);
    base_->setEnabled(waits);
    cap_->setEnabled(waits);
    multiplier_->setEnabled(p.kind == BackoffKind::Exponential && !isDecorrelated);
    const bool isAdded = p.jitter.type == JitterType::Additive;
    spread_->setVisible(!isAdded);
    added_->setVisible(isAdded);
    spread_->setEnabled(waits && p.jitter.type == JitterType::Proportional);
    added_->setEnabled(waits);
    rows_->setCaption(spread_, isAdded ? tr("Jitter, up to") : tr("Jitter ±"));
    plot_->setPolicy(p, retries);
    refreshProblems();
}

void RetryForm::refreshProblems()
{
    const BackoffPolicy& p = value_.backoff;
    const bool isAbove = p.kind != BackoffKind::None && p.baseMs > p.capMs;
    rows_->setProblem(base_, isAbove ? tr("Must be at most the cap, %1").arg(delaywords::text(p.capMs)) : QString());
    const bool shrinks =
        p.kind == BackoffKind::Exponential && p.multiplier < 1 && p.jitter.type != JitterType::Decorrelated;
    rows_->setProblem(multiplier_, shrinks ? tr("Below 1 each retry comes sooner than the one before") : QString());
}

QString RetryForm::problemAt(const char* field) const
{
    const auto* widget = findChild<QWidget*>(QLatin1String(field));
    return widget ? rows_->problemOf(widget) : QString();
}

} // namespace sg::ui
