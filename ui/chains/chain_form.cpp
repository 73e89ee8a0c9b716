// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_form.h"

#include "ui/edit/field_rows.h"
#include "ui/edit/section_head.h"
#include "ui/edit/text_fields.h"

#include <QBoxLayout>
#include <QLabel>

namespace sg::ui {

using workspace::Chain;
using Number = BoundFields<Chain>::Number;

ChainForm::ChainForm(ThemeContext& context, ChainEditor& editor, QWidget* parent)
    : QWidget(parent)
    , editor_(editor)
    , fields_(
          context,
          [this](const auto& words, const auto& key, const auto& c) {
              editor_.editChain(tr("%1 of %2").arg(words, QString::fromStdString(editor_.chainName())), key, c);
          },
          [this] { editor_.draft().closeMerge(); })
    , rows_(new FieldRows)
    , name_(new TextLine(tr("Name of the chain")))
{
    setAccessibleName(tr("Chain"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(rows_);
    name_->setObjectName(QStringLiteral("chain.name"));
    rows_->addRow({{tr("Name, as programs ask for it"), name_}});
    buildLimits();
    buildCaller();
    auto* note = wrappedLabel("caption", tr("Only judged by the checks, never enforced."));
    column->addWidget(note);
    // At leaving: half a name would be a chain that programs cannot know.
    connect(name_, &QLineEdit::textEdited, this, [this] { rows_->setProblem(name_, nameProblem()); });
    connect(name_, &TextLine::left, this, &ChainForm::rename);
}

void ChainForm::buildLimits()
{
    auto* deadline = fields_.number(
        QStringLiteral("deadline_ms"), tr("Deadline of a request"),
        {QStringLiteral("s"), 0, 86400, 1, 5, false, {}, false},
        [](const Chain& c) { return Number(secondsOf(c.spec.deadline)); },
        [](Chain& c, Number n) { c.spec.deadline = nanosOf(*n); });
    auto* budget = fields_.number(
        QStringLiteral("attempt_budget"), tr("Tries at most, over all tiers"), {{}, 1, 1000, 0, 1, false, {}, true},
        [](const Chain& c) { return Number(c.spec.attemptBudget); },
        [](Chain& c, Number n) { c.spec.attemptBudget = static_cast<int>(*n); });
    rows_->addRow({{tr("Deadline"), deadline}, {tr("Tries at most"), budget}});
    auto* wait = fields_.number(
        QStringLiteral("max_server_wait_ms"), tr("Longest wait that a server may ask for"),
        {QStringLiteral("s"), 0, 86400, 1, 5, false, {}, true},
        [](const Chain& c) { return Number(secondsOf(c.spec.maxServerWait)); },
        [](Chain& c, Number n) { c.spec.maxServerWait = nanosOf(*n); });
    rows_->addRow({{tr("Obeys Retry-After up to"), wait}});
}

void ChainForm::buildCaller()
{
    auto* head = new SectionHead(tr("Programs that call it"));
    rows_->addWide(head);
    auto* waits = fields_.number(
        QStringLiteral("caller.waits_ms"), tr("Programs give up after"),
        {QStringLiteral("s"), 0, 86400, 1, 5, true, tr("not known"), false},
        [](const Chain& c) { return secondsOf(c.caller.waits); },
        [](Chain& c, Number n) { c.caller.waits = nanosOf(n); });
    auto* retries = fields_.number(
        QStringLiteral("caller.retries"), tr("Programs ask again by themselves"),
        {tr("times"), 0, 100, 0, 1, true, tr("not known"), true},
        [](const Chain& c) { return c.caller.retries ? Number(*c.caller.retries) : std::nullopt; },
        [](Chain& c, Number n) { c.caller.retries = n ? std::optional<int>(static_cast<int>(*n)) : std::nullopt; });
    rows_->addRow({{tr("give up after"), waits}, {tr("ask again"), retries}});
    auto* pays = fields_.number(
        QStringLiteral("caller.pays_usd"), tr("One request may cost at most"),
        {tr("USD"), 0, 1e6, 6, 0.01, true, tr("not known"), true},
        [](const Chain& c) { return c.caller.pays ? Number(c.caller.pays->toUsd()) : std::nullopt; },
        [](Chain& c, Number n) { c.caller.pays = n ? cost::NanoDollars::fromUsd(*n) : std::nullopt; });
    rows_->addRow({{tr("pay for a request at most"), pays}});
}

QString ChainForm::nameProblem() const
{
    const std::string wanted = name_->text().trimmed().toStdString();
    if (wanted.empty())
        return tr("Give it a name");
    const bool isTaken = wanted != editor_.chainName() && editor_.draft().workspace().chain(wanted);
    return isTaken ? tr("Another chain has this name") : QString();
}

void ChainForm::rename()
{
    const std::string wanted = name_->text().trimmed().toStdString();
    if (wanted != editor_.chainName() && nameProblem().isEmpty())
        editor_.editChain(tr("Name of %1").arg(QString::fromStdString(editor_.chainName())), {},
                          [&](Chain& c) { c.spec.name = wanted; });
    showName();
}

void ChainForm::showName()
{
    name_->show(QString::fromStdString(editor_.chainName()));
    rows_->setProblem(name_, {});
}

void ChainForm::refresh()
{
    const Chain* chain = editor_.chain();
    if (!chain)
        return;
    fields_.show(*chain);
    showName();
}

} // namespace sg::ui
