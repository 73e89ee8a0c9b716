// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/form/rules_part.h"

#include "ui/format/format.h"
#include "ui/load/form/form_fields.h"
#include "ui/load/form/load_texts.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include <cmath>

namespace sg::ui {

using namespace formfields;

namespace {

/// The metrics an objective can be about, with their formulas: what is shown on hover.
QString metricsHelp()
{
    QStringList lines{RulesPart::tr("METRIC.STATISTIC RELATION BOUND, comma-separated; without a metric it is the "
                                    "response time. The metrics:")};
    for (const measure::MetricInfo& info : measure::metrics())
        lines << QStringLiteral("%1: %2").arg(QString::fromUtf8(info.name), QString::fromUtf8(info.formula));
    return format::plainTip(lines.join(QLatin1Char('\n')));
}

int wholeSeconds(Nanos span)
{
    return static_cast<int>(std::ceil(toMs(span) / 1000));
}

} // namespace

RulesPart::RulesPart(QWidget* parent)
    : FormPart(parent)
    , objectives_(line({}, tr("Objectives"), QStringLiteral("p95<2s, success>99.5%")))
    , budget_(line(QStringLiteral("5.00"), tr("Budget in dollars")))
    , seed_(line(QStringLiteral("1"), tr("Seed")))
    , costLimit_(line(QStringLiteral("10.00"), tr("Ask before a run that may cost more, in dollars")))
    , warmUp_(number(0, tr("Warm-up in seconds"), QStringLiteral("\u202Fs")))
    , coolDown_(number(0, tr("Cool-down in seconds"), QStringLiteral("\u202Fs")))
    , failures_(number(50, tr("Failures in percent"), QStringLiteral("\u202F%")))
    , broken_(number(10, tr("Seconds of broken objectives"), QStringLiteral("\u202Fs")))
    , stopFailures_(new QCheckBox(tr("Failures reach")))
    , stopBudget_(new QCheckBox(tr("Spend reaches, $")))
    , stopBroken_(new QCheckBox(tr("Objectives broken for")))
    , stopSaturated_(new QCheckBox(tr("The generator is saturated")))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(7);
    grid->setColumnStretch(0, 53);
    grid->setColumnStretch(1, 47);
    buildRules(grid);
    buildStops(grid);
    for (QLineEdit* field : {objectives_, budget_, seed_, costLimit_})
        connect(field, &QLineEdit::textChanged, this, &RulesPart::onEdited);
    for (QSpinBox* field : {warmUp_, coolDown_, failures_, broken_})
        connect(field, &QSpinBox::valueChanged, this, &RulesPart::onEdited);
    for (QCheckBox* box : {stopFailures_, stopBudget_, stopBroken_, stopSaturated_})
        connect(box, &QCheckBox::toggled, this, &RulesPart::onEdited);
}

void RulesPart::buildRules(QGridLayout* grid)
{
    seed_->setMaxLength(20);
    objectives_->setToolTip(metricsHelp());
    const QString cut = tr("Requests of this time are sent and shown, and left out of the figures");
    warmUp_->setToolTip(cut);
    coolDown_->setToolTip(cut);
    grid->addWidget(sectionHead(tr("Pass when")), 0, 0, 1, 2);
    put(grid, 1, 0, caption(tr("Objectives"), objectives_), objectives_, 2);
    put(grid, 2, 0, caption(tr("Warm-up"), warmUp_), warmUp_);
    put(grid, 2, 1, caption(tr("Cool-down"), coolDown_), coolDown_);
    put(grid, 3, 0, caption(tr("Seed"), seed_), seed_);
    put(grid, 3, 1, caption(tr("Ask above, $"), costLimit_), costLimit_);
}

void RulesPart::addStop(QGridLayout* grid, int row, QCheckBox* box, QWidget* value)
{
    box->setAccessibleName(tr("Stop early when: %1").arg(box->text()));
    grid->addWidget(box, row, 0, 1, value ? 1 : 2);
    if (!value)
        return;
    grid->addWidget(value, row, 1);
    value->setEnabled(false);
    connect(box, &QCheckBox::toggled, value, &QWidget::setEnabled);
}

void RulesPart::buildStops(QGridLayout* grid)
{
    failures_->setToolTip(tr("Of the last 10 s, from 20 requests on"));
    grid->addWidget(sectionHead(tr("Stop early when")), 4, 0, 1, 2);
    addStop(grid, 5, stopFailures_, failures_);
    addStop(grid, 6, stopBudget_, budget_);
    addStop(grid, 7, stopBroken_, broken_);
    addStop(grid, 8, stopSaturated_, nullptr);
}

std::optional<double> RulesPart::costLimit() const
{
    return format::numberIn(costLimit_->text());
}

void RulesPart::write(load::LoadPlan& plan) const
{
    plan.objectives =
        measure::parseObjectives(objectives_->text().toStdString()).value_or(std::vector<measure::Objective>());
    plan.warmUp = std::chrono::seconds(warmUp_->value());
    plan.coolDown = std::chrono::seconds(coolDown_->value());
    plan.seed = seed_->text().trimmed().toULongLong();
    if (stopFailures_->isChecked())
        plan.stop.errorShare = failures_->value() / 100.0;
    if (stopBudget_->isChecked())
        plan.stop.budgetUsd = format::numberIn(budget_->text()).value_or(0);
    if (stopBroken_->isChecked())
        plan.stop.objectivesBrokenFor = std::chrono::seconds(broken_->value());
    plan.stop.whenSaturated = stopSaturated_->isChecked();
}

void RulesPart::show(const load::LoadPlan& plan)
{
    objectives_->setText(loadtexts::textOf(plan.objectives));
    warmUp_->setValue(wholeSeconds(plan.warmUp));
    coolDown_->setValue(wholeSeconds(plan.coolDown));
    seed_->setText(QString::number(plan.seed));
    stopFailures_->setChecked(plan.stop.errorShare.has_value());
    if (plan.stop.errorShare)
        failures_->setValue(static_cast<int>(std::lround(*plan.stop.errorShare * 100)));
    stopBudget_->setChecked(plan.stop.budgetUsd.has_value());
    if (plan.stop.budgetUsd)
        budget_->setText(QString::number(*plan.stop.budgetUsd, 'f', 2));
    stopBroken_->setChecked(plan.stop.objectivesBrokenFor.has_value());
    if (plan.stop.objectivesBrokenFor)
        broken_->setValue(wholeSeconds(*plan.stop.objectivesBrokenFor));
    stopSaturated_->setChecked(plan.stop.whenSaturated);
}

FormPart::Problem RulesPart::problem() const
{
    if (!objectives_->text().trimmed().isEmpty())
        if (const auto read = measure::parseObjectives(objectives_->text().toStdString()); !read)
            return {objectives_, loadtexts::problemOf(read.error())};
    bool isNumber = false;
    seed_->text().trimmed().toULongLong(&isNumber);
    if (!isNumber)
        return {seed_, tr("Seed: a whole number from 0 to 18446744073709551615.")};
    if (!costLimit())
        return {costLimit_, tr("Ask above: an amount in dollars, such as 10.00.")};
    if (stopBudget_->isChecked() && !format::numberIn(budget_->text()))
        return {budget_, tr("The budget: an amount in dollars, such as 5.00.")};
    return {};
}

std::vector<FormPart::Mend> RulesPart::mends() const
{
    return {{failures_, [](load::LoadPlan& plan) { plan.stop.errorShare.reset(); }},
            {budget_, [](load::LoadPlan& plan) { plan.stop.budgetUsd.reset(); }},
            {objectives_->text().trimmed().isEmpty() ? static_cast<QWidget*>(objectives_) : broken_,
             [](load::LoadPlan& plan) { plan.stop.objectivesBrokenFor.reset(); }},
            {coolDown_, [](load::LoadPlan& plan) { plan.coolDown = Nanos(0); }},
            {warmUp_, [](load::LoadPlan& plan) { plan.warmUp = Nanos(0); }}};
}

void RulesPart::onEdited()
{
    Q_EMIT changed();
}

} // namespace sg::ui
