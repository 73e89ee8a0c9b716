// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/limiter_form.h"

#include "ui/edit/choice_field.h"
#include "ui/edit/field_rows.h"
#include "ui/edit/section_head.h"

#include <QBoxLayout>

namespace sg::ui {

using chain::LimiterSpec;

namespace {

/// 100 a minute is 1.6666… a second and must come back as 100.
double perMinute(double perSecond)
{
    return std::round(perSecond * 60 * 1e6) / 1e6;
}

} // namespace

LimiterForm::LimiterForm(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , fields_(
          context, [this](const QString& words, const QString& key, const Fields::Change& c) { change(words, key, c); },
          [this] { Q_EMIT left(); })
    , library_(new ChoiceField(tr("Limiter policy")))
    , rows_(new FieldRows)
{
    setAccessibleName(tr("Rate limiter"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    library_->setObjectName(QStringLiteral("limiter_policy"));
    library_->setFixedWidth(118);
    auto* head = new SectionHead(tr("Rate"));
    head->hideLine();
    head->setCorner(library_);
    column->addWidget(head);
    column->addWidget(rows_);
    build();
    connect(library_, &QComboBox::activated, this, [this] { choosePolicy(library_->chosen()); });
    refresh();
}

void LimiterForm::build()
{
    using Number = Fields::Number;
    auto* rate = fields_.number(
        QStringLiteral("rate_per_second"), tr("Requests let through"),
        {tr("per min"), 0, 6e6, 2, 60, true, tr("no limit"), true},
        [](const LimiterSpec& s) { return s.ratePerSecond > 0 ? Number(perMinute(s.ratePerSecond)) : std::nullopt; },
        [](LimiterSpec& s, Number n) { s.ratePerSecond = n.value_or(0) / 60; });
    burst_ = fields_.number(
        QStringLiteral("burst"), tr("At once"), {{}, 0, 1e6, 1, 1, false, {}, true},
        [](const LimiterSpec& s) { return Number(s.burst); }, [](LimiterSpec& s, Number n) { s.burst = *n; });
    rows_->addRow({{tr("Requests"), rate}, {tr("at once"), burst_}});
    auto* wait = fields_.number(
        QStringLiteral("max_wait_ms"), tr("Longest wait before refusing"),
        {QStringLiteral("s"), 0, 3600, 2, 1, false, {}, true},
        [](const LimiterSpec& s) { return Number(secondsOf(s.maxWait)); },
        [](LimiterSpec& s, Number n) { s.maxWait = nanosOf(*n); });
    rows_->addRow({{tr("Wait at most, then refuse"), wait}});
    auto* head = new SectionHead(tr("Window"));
    head->setNote(tr("counted beside the rate"));
    rows_->addWide(head);
    windowLimit_ = fields_.number(
        QStringLiteral("window_limit"), tr("Requests in a window"), {{}, 1, 1e9, 0, 10, true, tr("no limit"), true},
        [](const LimiterSpec& s) { return s.windowLimit ? Number(static_cast<double>(*s.windowLimit)) : std::nullopt; },
        [](LimiterSpec& s, Number n) {
            s.windowLimit = n ? std::optional<std::int64_t>(static_cast<std::int64_t>(*n)) : std::nullopt;
        });
    auto* window = fields_.number(
        QStringLiteral("window_ms"), tr("Length of the window"),
        {QStringLiteral("s"), 0.1, 86400, 1, 5, false, {}, true},
        [](const LimiterSpec& s) { return Number(secondsOf(s.window)); },
        [](LimiterSpec& s, Number n) { s.window = nanosOf(*n); });
    rows_->addRow({{tr("At most"), windowLimit_}, {tr("in"), window}});
}

void LimiterForm::setLimiter(const LimiterSpec& value, const std::string& policy, const workspace::PolicyLibrary& own)
{
    value_ = value;
    policy_ = policy;
    own_ = own;
    refresh();
}

void LimiterForm::change(const QString& words, const QString& field, const Fields::Change& change)
{
    change(value_);
    policy_.clear();
    refresh();
    Q_EMIT edited(words, field);
}

void LimiterForm::choosePolicy(const QString& name)
{
    const bool isNew = takePolicy(own_.limiters, workspace::PolicyLibrary::builtIn().limiters, name, policy_, value_);
    refresh();
    if (isNew)
        Q_EMIT edited(tr("Limiter policy"), {});
}

void LimiterForm::refresh()
{
    fields_.show(value_);
    showPolicies(*library_, own_.limiters, workspace::PolicyLibrary::builtIn().limiters, policy_);
    burst_->setEnabled(value_.ratePerSecond > 0);
    const bool letsNothing = value_.ratePerSecond > 0 && value_.burst < 1;
    rows_->setProblem(burst_, letsNothing ? tr("Must be at least 1: else no request ever passes") : QString());
    const bool limitsNothing = value_.ratePerSecond <= 0 && !value_.windowLimit;
    rows_->setProblem(windowLimit_, limitsNothing ? tr("Nothing is limited: give a rate or a window") : QString());
}

} // namespace sg::ui
