// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/plan_form.h"

#include "ui/format/format.h"
#include "ui/load/load_files.h"
#include "ui/load/load_words.h"
#include "ui/widgets/segments.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QStyle>

#include <cmath>

namespace sg::ui {

namespace {

constexpr int kColumn = 128;

QLabel* caption(const QString& text, QWidget* buddy = nullptr)
{
    auto* label = new QLabel(text);
    label->setProperty("role", QStringLiteral("caption"));
    if (buddy) {
        label->setBuddy(buddy);
        if (buddy->accessibleName().isEmpty())
            buddy->setAccessibleName(text);
    }
    return label;
}

QLabel* note()
{
    auto* label = caption({});
    label->setWordWrap(true);
    return label;
}

// The range is wider than what a plan may have: a typed 0 is answered with the reason, not silently changed to 1.
QSpinBox* numberField(int value, const QString& name, const QString& suffix = {})
{
    auto* field = new QSpinBox;
    field->setRange(0, std::numeric_limits<int>::max());
    field->setButtonSymbols(QAbstractSpinBox::NoButtons);
    field->setValue(value);
    field->setSuffix(suffix);
    field->setAccessibleName(name);
    field->setFixedHeight(26);
    return field;
}

// A hairline and a title over a group of fields.
QWidget* sectionHead(const QString& title)
{
    auto* head = new QWidget;
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 5, 0, 0);
    column->setSpacing(7);
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedHeight(1);
    auto* label = new QLabel(title);
    label->setProperty("role", QStringLiteral("title"));
    column->addWidget(line);
    column->addWidget(label);
    return head;
}

void put(QGridLayout* grid, int row, int column, QLabel* label, QWidget* field, int span = 1)
{
    auto* cell = new QVBoxLayout;
    cell->setSpacing(2);
    cell->addWidget(label);
    cell->addWidget(field);
    grid->addLayout(cell, row, column, 1, span);
}

} // namespace

PlanForm::PlanForm(load::LoadControl& control, QWidget* parent)
    : QWidget(parent)
    , control_(control)
{
    askPromptFile = [](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Prompts, one a line"), {}, tr("Text (*.txt);;All files (*)"));
    };
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(4, 4, 4, 4); // the focus ring reaches over its field
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(7);
    grid->setColumnMinimumWidth(0, kColumn);
    grid->setColumnStretch(0, 53);
    grid->setColumnStretch(1, 47);
    buildTarget(grid);
    buildAmount(grid);
    buildLoad(grid);
    buildPrompts(grid);
    error_ = new QLabel;
    error_->setProperty("role", QStringLiteral("error"));
    error_->setWordWrap(true);
    error_->setObjectName(QStringLiteral("planError"));
    grid->addWidget(error_, 10, 0, 1, 2);
    reloadTargets();
}

void PlanForm::buildTarget(QGridLayout* grid)
{
    target_ = new Segments({tr("Chain"), tr("Endpoint")}, tr("Target"));
    name_ = new QComboBox;
    name_->setFixedHeight(26);
    name_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    name_->setMinimumContentsLength(6);
    nameLabel_ = caption({}, name_);
    put(grid, 0, 0, caption(tr("Target")), target_);
    put(grid, 0, 1, nameLabel_, name_);
    connect(target_, &Segments::selected, this, &PlanForm::reloadTargets);
    connect(name_, &QComboBox::currentTextChanged, this, &PlanForm::refresh);
}

void PlanForm::buildAmount(QGridLayout* grid)
{
    amount_ = new Segments({tr("Requests"), tr("Duration")}, tr("Ends after"));
    requests_ = numberField(200, tr("Requests"));
    seconds_ = numberField(60, tr("Duration in seconds"), QStringLiteral("\u202Fs"));
    seconds_->hide();
    amountLabel_ = caption({}, requests_);
    auto* fields = new QWidget;
    auto* row = new QHBoxLayout(fields);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(requests_);
    row->addWidget(seconds_);
    put(grid, 1, 0, caption(tr("Ends after")), amount_);
    put(grid, 1, 1, amountLabel_, fields);
    connect(amount_, &Segments::selected, this, &PlanForm::refresh);
    connect(requests_, &QSpinBox::valueChanged, this, &PlanForm::refresh);
    connect(seconds_, &QSpinBox::valueChanged, this, &PlanForm::refresh);
}

void PlanForm::buildLoad(QGridLayout* grid)
{
    concurrency_ = numberField(10, tr("Concurrency"));
    seed_ = new QLineEdit(QStringLiteral("1"));
    seed_->setFixedHeight(26);
    seed_->setMaxLength(20);
    closed_ = note();
    grid->addWidget(sectionHead(tr("Load")), 2, 0, 1, 2);
    put(grid, 3, 0, caption(tr("Concurrency"), concurrency_), concurrency_);
    put(grid, 3, 1, caption(tr("Seed"), seed_), seed_);
    grid->addWidget(closed_, 4, 0, 1, 2);
    connect(concurrency_, &QSpinBox::valueChanged, this, &PlanForm::refresh);
    connect(seed_, &QLineEdit::textChanged, this, &PlanForm::refresh);
}

void PlanForm::buildPrompts(QGridLayout* grid)
{
    prompts_ = new Segments({tr("Built-in"), tr("Text file")}, tr("Prompts"));
    choose_ = new QPushButton(tr("Choose file…"));
    choose_->setFixedHeight(26);
    promptNote_ = note();
    repeats_ = numberField(0, tr("Repeated prompts in percent"), QStringLiteral("\u202F%"));
    repeats_->setToolTip(tr("Share of requests that ask an earlier prompt again: what a cache can answer."));
    maxTokens_ = numberField(200, tr("Most tokens in an answer"));
    answers_ = new Segments({tr("Streamed"), tr("Whole")}, tr("Answers"));
    grid->addWidget(sectionHead(tr("Prompts and answers")), 5, 0, 1, 2);
    put(grid, 6, 0, caption(tr("Prompts")), prompts_);
    put(grid, 6, 1, caption(tr("Prompt file"), choose_), choose_);
    grid->addWidget(promptNote_, 7, 0, 1, 2);
    put(grid, 8, 0, caption(tr("Repeats"), repeats_), repeats_);
    put(grid, 8, 1, caption(tr("Max tokens"), maxTokens_), maxTokens_);
    put(grid, 9, 0, caption(tr("Answers")), answers_, 2);
    for (Segments* segments : {target_, amount_, prompts_, answers_})
        segments->setFixedHeight(26);
    connect(prompts_, &Segments::selected, this, &PlanForm::refresh);
    connect(answers_, &Segments::selected, this, &PlanForm::refresh);
    connect(choose_, &QPushButton::clicked, this, &PlanForm::choosePromptFile);
    connect(repeats_, &QSpinBox::valueChanged, this, &PlanForm::refresh);
    connect(maxTokens_, &QSpinBox::valueChanged, this, &PlanForm::refresh);
}

void PlanForm::reloadTargets()
{
    const bool isChain = target_->current() == 0;
    const QString before = name_->currentText();
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

void PlanForm::choosePromptFile()
{
    const QString path = askPromptFile(window());
    if (!path.isEmpty())
        usePromptFile(path);
}

void PlanForm::usePromptFile(const QString& path)
{
    promptPath_ = path;
    promptLines_.clear();
    promptProblem_.clear();
    if (auto lines = loadfiles::readPrompts(path))
        promptLines_ = std::move(*lines);
    else
        promptProblem_ = lines.error();
    prompts_->setCurrent(1);
    refresh();
}

load::LoadPlan PlanForm::plan() const
{
    load::LoadPlan plan;
    plan.targetKind = target_->current() == 0 ? load::TargetKind::Chain : load::TargetKind::Endpoint;
    plan.target = name_->currentText().toStdString();
    if (amount_->current() == 0)
        plan.stop.requests = requests_->value();
    else
        plan.stop.duration = std::chrono::seconds(seconds_->value());
    plan.model = load::ClosedModel{concurrency_->value()};
    plan.seed = seed_->text().trimmed().toULongLong();
    plan.stream = answers_->current() == 0;
    if (prompts_->current() == 1)
        plan.prompts = load::promptsOf(promptLines_);
    plan.repeatShare = repeats_->value() / 100.0;
    plan.maxTokens = maxTokens_->value();
    return plan;
}

void PlanForm::setPlan(const load::LoadPlan& plan)
{
    const QSignalBlocker quiet(this);
    target_->setCurrent(plan.targetKind == load::TargetKind::Chain ? 0 : 1);
    name_->setCurrentIndex(name_->findText(QString::fromStdString(plan.target)));
    amount_->setCurrent(plan.stop.requests ? 0 : 1);
    constexpr std::int64_t kMost = std::numeric_limits<int>::max();
    requests_->setValue(static_cast<int>(std::min(kMost, plan.stop.requests.value_or(requests_->value()))));
    if (plan.stop.duration)
        seconds_->setValue(static_cast<int>(std::ceil(toMs(*plan.stop.duration) / 1000)));
    concurrency_->setValue(load::concurrencyOf(plan));
    seed_->setText(QString::number(plan.seed));
    answers_->setCurrent(plan.stream ? 0 : 1);
    std::vector<QString> lines;
    for (const load::Prompt& prompt : plan.prompts)
        lines.push_back(prompt.text);
    if (!lines.empty() && lines != promptLines_) {
        promptLines_ = std::move(lines);
        promptPath_ = tr("prompts of the run");
        promptProblem_.clear();
    }
    prompts_->setCurrent(plan.prompts.empty() ? 0 : 1);
    repeats_->setValue(static_cast<int>(std::lround(plan.repeatShare * 100)));
    maxTokens_->setValue(plan.maxTokens);
    refresh();
}

std::pair<PlanForm::Field, QString> PlanForm::findProblem() const
{
    const bool isChain = target_->current() == 0;
    if (name_->count() == 0)
        return {Target, isChain ? tr("The workspace has no chain. Add one, or test an endpoint.")
                                : tr("The workspace has no endpoint. Add one, or test a chain.")};
    bool isNumber = false;
    seed_->text().trimmed().toULongLong(&isNumber);
    if (!isNumber)
        return {Seed, tr("Seed: a whole number from 0 to 18446744073709551615.")};
    if (prompts_->current() == 1 && !promptProblem_.isEmpty())
        return {Prompts, promptProblem_};
    if (prompts_->current() == 1 && promptLines_.empty())
        return {Prompts, tr("Choose a text file with one prompt a line, or use the built-in prompts.")};
    const load::LoadPlan plan = this->plan();
    const QString problem = load::checkPlan(plan);
    if (problem.isEmpty())
        return {Target, {}};
    // checkPlan() is the only place that knows the limits. Which field it means shows when that field is made good.
    const load::LoadPlan good;
    for (int i = Amount; i < FieldCount; ++i) {
        load::LoadPlan mended = plan;
        if (i == Amount) {
            mended.stop.requests = plan.stop.requests ? std::optional<std::int64_t>(1) : std::nullopt;
            mended.stop.duration = plan.stop.duration ? std::optional<Nanos>(std::chrono::seconds(1)) : std::nullopt;
        } else if (i == Concurrency)
            mended.model = load::ClosedModel{load::concurrencyOf(good)};
        else if (i == Repeats)
            mended.repeatShare = good.repeatShare;
        else if (i == MaxTokens)
            mended.maxTokens = good.maxTokens;
        if (load::checkPlan(mended) != problem)
            return {static_cast<Field>(i), problem};
    }
    return {Target, problem};
}

QWidget* PlanForm::widgetOf(Field field) const
{
    switch (field) {
    case Amount:
        return amount_->current() == 0 ? requests_ : seconds_;
    case Concurrency:
        return concurrency_;
    case Seed:
        return seed_;
    case Prompts:
        return choose_;
    case Repeats:
        return repeats_;
    case MaxTokens:
        return maxTokens_;
    default:
        return name_;
    }
}

QString PlanForm::promptWords() const
{
    if (prompts_->current() == 0)
        return tr("Synthetic prompts, made from the seed.");
    if (promptPath_.isEmpty() || !promptProblem_.isEmpty())
        return {};
    const QString name = promptNote_->fontMetrics().elidedText(QFileInfo(promptPath_).fileName(), Qt::ElideMiddle, 180);
    return tr("%1, %2 prompts").arg(name, format::count(static_cast<std::int64_t>(promptLines_.size())));
}

void PlanForm::showWords()
{
    const bool byCount = amount_->current() == 0;
    requests_->setVisible(byCount);
    seconds_->setVisible(!byCount);
    amountLabel_->setBuddy(byCount ? requests_ : seconds_);
    amountLabel_->setText(byCount ? tr("Requests") : tr("Duration, %1 min").arg(loadwords::span(seconds_->value())));
    const bool isChain = target_->current() == 0;
    nameLabel_->setText(isChain ? tr("Chain") : tr("Endpoint"));
    name_->setAccessibleName(nameLabel_->text());
    name_->setToolTip(format::plainTip(name_->currentText()));
    closed_->setText(loadwords::closedLoad(concurrency_->value()));
    promptNote_->setText(promptWords());
    promptNote_->setVisible(!promptNote_->text().isEmpty());
    choose_->setEnabled(prompts_->current() == 1);
}

void PlanForm::refresh()
{
    showWords();
    QWidget* before = widgetOf(problemField_);
    std::tie(problemField_, problem_) = findProblem();
    QWidget* now = problem_.isEmpty() ? nullptr : widgetOf(problemField_);
    if (before != now)
        markProblem(before, false);
    if (now)
        markProblem(now, true);
    error_->setText(problem_);
    error_->setVisible(!problem_.isEmpty());
    Q_EMIT changed();
}

void PlanForm::markProblem(QWidget* field, bool isWrong)
{
    field->setAccessibleDescription(isWrong ? problem_ : QString());
    if (field->property("wrong").toBool() == isWrong)
        return;
    field->setProperty("wrong", isWrong);
    // A style sheet looks at properties only when it is polished.
    field->style()->unpolish(field);
    field->style()->polish(field);
}

void PlanForm::focusProblem()
{
    widgetOf(problemField_)->setFocus(Qt::OtherFocusReason);
}

void PlanForm::setLocked(bool locked)
{
    setEnabled(!locked);
}

} // namespace sg::ui
