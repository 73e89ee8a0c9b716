// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/plan_form.h"

#include "ui/format/format.h"
#include "ui/load/form/form_fields.h"
#include "ui/load/form/model_part.h"
#include "ui/load/form/prompt_part.h"
#include "ui/load/form/rules_part.h"
#include "ui/load/form/url_part.h"
#include "ui/widgets/segments.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>

#include <limits>

namespace sg::ui {

using namespace formfields;
using load::TargetKind;

PlanForm::PlanForm(ThemeContext& context, load::LoadControl& control, QWidget* parent)
    : QWidget(parent)
    , control_(control)
    , preview_(note())
    , error_(new QLabel)
    , model_(new ModelPart(context))
    , prompts_(new PromptPart)
    , rules_(new RulesPart)
    , url_(new UrlPart(control))
    , parts_{model_, prompts_, rules_}
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 4); // the focus ring reaches over its field
    column->setSpacing(7);
    preview_->setObjectName(QStringLiteral("planPreview"));
    preview_->setAccessibleName(tr("What the plan will send"));
    error_->setProperty("role", QStringLiteral("error"));
    error_->setWordWrap(true);
    error_->setObjectName(QStringLiteral("planError"));
    column->addWidget(makeTarget());
    column->addWidget(url_);
    column->addWidget(model_);
    column->addWidget(preview_);
    column->addWidget(error_);
    column->addWidget(prompts_);
    column->addWidget(rules_);
    column->addStretch(1);
    connect(url_, &FormPart::changed, this, &PlanForm::refresh);
    for (FormPart* part : parts_)
        connect(part, &FormPart::changed, this, &PlanForm::refresh);
    reloadTargets();
}

load::TargetKind PlanForm::kind() const
{
    return static_cast<TargetKind>(target_->current());
}

/// The target's fields first: what is wrong there is said first.
std::vector<FormPart*> PlanForm::shownParts() const
{
    std::vector<FormPart*> parts = parts_;
    if (kind() == TargetKind::Url)
        parts.insert(parts.begin(), url_);
    return parts;
}

QWidget* PlanForm::makeTarget()
{
    auto* row = new QWidget;
    auto* grid = new QGridLayout(row);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setColumnStretch(0, 53);
    grid->setColumnStretch(1, 47);
    target_ = new Segments({tr("Chain"), tr("Endpoint"), tr("URL")}, tr("Target"));
    target_->setFixedHeight(26);
    name_ = new QComboBox;
    name_->setFixedHeight(26);
    name_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    name_->setMinimumContentsLength(6);
    nameLabel_ = caption({}, name_);
    put(grid, 0, 0, caption(tr("Target")), target_);
    put(grid, 0, 1, nameLabel_, name_);
    connect(target_, &Segments::selected, this, &PlanForm::reloadTargets);
    connect(name_, &QComboBox::currentTextChanged, this, &PlanForm::refresh);
    return row;
}

void PlanForm::reloadTargets()
{
    const bool isChain = kind() == TargetKind::Chain;
    const QString before = name_->currentText();
    url_->reload();
    {
        const QSignalBlocker quiet(name_);
        name_->clear();
        for (const std::string& name : isChain ? control_.chains() : control_.endpoints())
            name_->addItem(QString::fromStdString(name));
        name_->setCurrentIndex(std::max(0, name_->findText(before)));
        if (name_->count() == 0)
            name_->setCurrentIndex(-1);
    }
    refresh();
}

void PlanForm::usePromptFile(const QString& path)
{
    prompts_->usePromptFile(path);
}

load::LoadPlan PlanForm::plan() const
{
    load::LoadPlan plan;
    plan.targetKind = kind();
    plan.target = name_->currentText().toStdString();
    for (const FormPart* part : shownParts())
        part->write(plan);
    return plan;
}

void PlanForm::setPlan(const load::LoadPlan& plan)
{
    {
        const QSignalBlocker quiet(this);
        target_->setCurrent(static_cast<int>(plan.targetKind));
        const QSignalBlocker address(url_);
        url_->show(plan);
        name_->setCurrentIndex(name_->findText(QString::fromStdString(plan.target)));
        for (FormPart* part : parts_) {
            const QSignalBlocker whole(part); // half of a plan has problems that the whole has not
            part->show(plan);
        }
    }
    refresh();
}

FormPart::Problem PlanForm::findProblem() const
{
    const bool isChain = kind() == TargetKind::Chain;
    if (name_->count() == 0 && kind() != TargetKind::Url)
        return {name_, isChain ? tr("The workspace has no chain. Add one, or test an endpoint.")
                               : tr("The workspace has no endpoint. Add one, or test a chain.")};
    for (const FormPart* part : shownParts())
        if (const auto problem = part->problem(); problem.field)
            return problem;
    const load::LoadPlan plan = this->plan();
    const QString problem = load::checkPlan(plan);
    if (problem.isEmpty())
        return {};
    for (const FormPart* part : shownParts())
        for (const FormPart::Mend& mend : part->mends()) {
            load::LoadPlan mended = plan;
            mend.mend(mended);
            if (load::checkPlan(mended) != problem)
                return {mend.field, problem};
        }
    return {name_, problem};
}

void PlanForm::setPreview(const PlanPreview& preview)
{
    preview_->setText(previewLine(preview));
}

double PlanForm::costLimit() const
{
    return rules_->costLimit().value_or(std::numeric_limits<double>::infinity());
}

void PlanForm::showWords()
{
    const bool isUrl = kind() == TargetKind::Url;
    url_->setVisible(isUrl);
    name_->setVisible(!isUrl);
    nameLabel_->setVisible(!isUrl);
    nameLabel_->setText(kind() == TargetKind::Chain ? tr("Chain") : tr("Endpoint"));
    name_->setAccessibleName(nameLabel_->text());
    name_->setToolTip(format::plainTip(name_->currentText()));
}

void PlanForm::refresh()
{
    showWords();
    QWidget* before = problemField_;
    const FormPart::Problem found = findProblem();
    problemField_ = found.field;
    problem_ = found.words;
    if (before && before != problemField_)
        mark(before, {});
    if (problemField_)
        mark(problemField_, problem_);
    error_->setText(problem_);
    error_->setVisible(!problem_.isEmpty());
    Q_EMIT changed();
}

void PlanForm::focusProblem()
{
    if (problemField_)
        problemField_->setFocus(Qt::OtherFocusReason);
}

void PlanForm::setLocked(bool locked)
{
    setEnabled(!locked);
    model_->setLocked(locked);
}

} // namespace sg::ui
