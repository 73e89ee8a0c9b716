// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/form/prompt_part.h"

#include "ui/format/format.h"
#include "ui/load/form/form_fields.h"
#include "ui/load/form/load_texts.h"
#include "ui/widgets/segments.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include <cmath>

namespace sg::ui {

using namespace formfields;

PromptPart::PromptPart(QWidget* parent)
    : FormPart(parent)
    , source_(new Segments({tr("Built-in"), tr("Made up"), tr("File")}, tr("Prompts")))
    , answers_(new Segments({tr("Streamed"), tr("Whole")}, tr("Answers")))
    , file_(new QWidget)
    , choose_(new QPushButton(tr("Choose file…")))
    , note_(note())
    , repeats_(number(0, tr("Repeated prompts in percent"), QStringLiteral("\u202F%")))
    , maxTokens_(number(200, tr("Most tokens in an answer")))
{
    askPromptFile = [](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Prompts"), {},
                                            tr("Text, JSON lines, CSV (*.txt *.jsonl *.csv);;All files (*)"));
    };
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(7);
    grid->setColumnStretch(0, 53);
    grid->setColumnStretch(1, 47);
    madeUp_ = makeMadeUp();
    auto* fileRow = new QVBoxLayout(file_);
    fileRow->setContentsMargins(0, 0, 0, 0);
    fileRow->addWidget(choose_);
    choose_->setFixedHeight(26);
    choose_->setAutoDefault(false);
    choose_->setToolTip(
        tr("Text with one prompt a line, JSON lines with \"prompt\" or \"messages\", or CSV with a column "
           "\"prompt\""));
    repeats_->setToolTip(tr("Share of requests that ask an earlier prompt again: what a cache can answer."));
    grid->addWidget(sectionHead(tr("Prompts and answers")), 0, 0, 1, 2);
    put(grid, 1, 0, caption(tr("Prompts")), source_, 2);
    grid->addWidget(madeUp_, 2, 0, 1, 2);
    grid->addWidget(file_, 3, 0, 1, 2);
    grid->addWidget(note_, 4, 0, 1, 2);
    put(grid, 5, 0, caption(tr("Repeats"), repeats_), repeats_);
    put(grid, 5, 1, caption(tr("Max tokens"), maxTokens_), maxTokens_);
    put(grid, 6, 0, caption(tr("Answers")), answers_, 2);
    for (Segments* segments : {source_, answers_}) {
        segments->setFixedHeight(26);
        connect(segments, &Segments::selected, this, &PromptPart::onEdited);
    }
    for (QSpinBox* field : {repeats_, maxTokens_})
        connect(field, &QSpinBox::valueChanged, this, &PromptPart::onEdited);
    connect(choose_, &QPushButton::clicked, this, [this] {
        if (const QString path = askPromptFile(window()); !path.isEmpty())
            usePromptFile(path);
    });
    showWords();
}

QWidget* PromptPart::makeMadeUp()
{
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(7);
    input_ = line(QStringLiteral("200"), tr("Input tokens"), QStringLiteral("100-400"));
    output_ = line({}, tr("Output tokens"), tr("as max tokens"));
    prefix_ = number(0, tr("Shared beginning in tokens"));
    const QString forms = tr("500, 200-800 or lognormal 500 0.6");
    input_->setToolTip(forms);
    output_->setToolTip(tr("The request's own limit: %1; empty: max tokens").arg(forms));
    prefix_->setToolTip(
        tr("So many tokens at the beginning are the same in all of them: what a provider's cache hits"));
    put(grid, 0, 0, caption(tr("Input tokens"), input_), input_);
    put(grid, 0, 1, caption(tr("Output tokens"), output_), output_);
    put(grid, 1, 0, caption(tr("Shared beginning, tokens"), prefix_), prefix_, 2);
    for (QLineEdit* field : {input_, output_})
        connect(field, &QLineEdit::textChanged, this, &PromptPart::onEdited);
    connect(prefix_, &QSpinBox::valueChanged, this, &PromptPart::onEdited);
    return page;
}

void PromptPart::usePromptFile(const QString& path)
{
    path_ = path;
    prompts_ = {};
    problem_ = PromptReading::words(path);
    reading_.read(path, [this](PromptReading::Read file) { takeFile(std::move(file)); });
    source_->setCurrent(File);
    onEdited();
}

void PromptPart::takeFile(PromptReading::Read file)
{
    problem_.clear();
    if (!file)
        problem_ = file.error();
    else if (file->prompts.empty())
        problem_ =
            tr("%1 has times but no prompts: choose it as the schedule of a replay.").arg(QFileInfo(path_).fileName());
    else
        prompts_ = std::move(file->prompts);
    onEdited();
}

void PromptPart::write(load::LoadPlan& plan) const
{
    plan.stream = answers_->current() == 0;
    plan.repeatShare = repeats_->value() / 100.0;
    plan.maxTokens = maxTokens_->value();
    if (source_->current() == File)
        plan.prompts = prompts_;
    if (source_->current() != MadeUp)
        return;
    load::SyntheticPrompts made;
    if (const auto input = load::parseDistribution(input_->text().toStdString(), false))
        made.inputTokens = *input;
    if (const auto output = load::parseDistribution(output_->text().toStdString(), false))
        made.outputTokens = *output;
    made.sharedPrefixTokens = prefix_->value();
    plan.synthetic = made;
}

void PromptPart::show(const load::LoadPlan& plan)
{
    answers_->setCurrent(plan.stream ? 0 : 1);
    repeats_->setValue(static_cast<int>(std::lround(plan.repeatShare * 100)));
    maxTokens_->setValue(plan.maxTokens);
    if (!plan.prompts.empty()) {
        reading_.cancel();
        if (!plan.prompts.isSharedWith(prompts_))
            path_ = tr("prompts of the run");
        prompts_ = plan.prompts;
        problem_.clear();
        source_->setCurrent(File);
    } else if (plan.synthetic) {
        input_->setText(loadtexts::textOf(plan.synthetic->inputTokens, false));
        output_->setText(plan.synthetic->outputTokens ? loadtexts::textOf(*plan.synthetic->outputTokens, false)
                                                      : QString());
        prefix_->setValue(plan.synthetic->sharedPrefixTokens);
        source_->setCurrent(MadeUp);
    } else {
        source_->setCurrent(BuiltIn);
    }
    showWords();
}

FormPart::Problem PromptPart::problem() const
{
    if (source_->current() == File && !problem_.isEmpty())
        return {choose_, problem_};
    if (source_->current() == File && prompts_.empty())
        return {choose_, tr("Choose a file with prompts, or use the built-in ones.")};
    if (source_->current() != MadeUp)
        return {};
    if (const auto input = load::parseDistribution(input_->text().toStdString(), false); !input)
        return {input_, loadtexts::problemOf(input.error())};
    if (output_->text().trimmed().isEmpty())
        return {};
    if (const auto output = load::parseDistribution(output_->text().toStdString(), false); !output)
        return {output_, loadtexts::problemOf(output.error())};
    return {};
}

std::vector<FormPart::Mend> PromptPart::mends() const
{
    return {{repeats_, [](load::LoadPlan& plan) { plan.repeatShare = 0; }},
            {maxTokens_, [](load::LoadPlan& plan) { plan.maxTokens = load::LoadPlan{}.maxTokens; }},
            {prefix_, [](load::LoadPlan& plan) {
                 if (plan.synthetic)
                     plan.synthetic->sharedPrefixTokens = 0;
             }}};
}

QString PromptPart::fileWords() const
{
    if (source_->current() == BuiltIn)
        return tr("Built-in prompts, made from the seed.");
    if (source_->current() == MadeUp)
        return tr("Made-up text of these lengths, from the seed; a token is taken to be four characters.");
    if (path_.isEmpty() || !problem_.isEmpty())
        return {};
    const QString name = note_->fontMetrics().elidedText(QFileInfo(path_).fileName(), Qt::ElideMiddle, 180);
    return tr("%1, %2 prompts").arg(name, format::count(static_cast<std::int64_t>(prompts_.size())));
}

void PromptPart::showWords()
{
    madeUp_->setVisible(source_->current() == MadeUp);
    file_->setVisible(source_->current() == File);
    note_->setText(fileWords());
    note_->setVisible(!note_->text().isEmpty());
}

void PromptPart::onEdited()
{
    showWords();
    Q_EMIT changed();
}

} // namespace sg::ui
