// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/canned_rules_editor.h"

#include "core/chain/canned_reply.h"
#include "ui/chains/route_trial.h"
#include "ui/chains/try_line.h"
#include "ui/edit/field_rows.h"
#include "ui/edit/ordered_list.h"
#include "ui/edit/text_fields.h"

#include <QBoxLayout>
#include <QLabel>

#include <algorithm>

namespace sg::ui {

using chain::CannedRule;

CannedRulesEditor::CannedRulesEditor(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , list_(new OrderedList(context, tr("Rules of the canned reply"), tr("Add rule")))
    , trial_(new TryLine)
{
    setAccessibleName(tr("Canned reply"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    note_ = wrappedLabel("caption");
    column->addWidget(note_);
    column->addWidget(list_);
    rule_ = buildRule();
    column->addWidget(rule_);
    column->addWidget(trial_);
    connect(trial_, &TryLine::changed, this, &CannedRulesEditor::refresh);
    buildActions();
    refresh();
}

QWidget* CannedRulesEditor::buildRule()
{
    rows_ = new FieldRows;
    words_ = new WordsBox(tr("Words of the rule, parted by commas; none: it answers everything"));
    words_->setObjectName(QStringLiteral("rule.words"));
    words_->setPlaceholderText(tr("no words: answers everything"));
    reply_ = new TextBox(tr("Reply of the rule"), 3, 10);
    reply_->setObjectName(QStringLiteral("rule.reply"));
    rows_->addRow({{tr("Words, parted by commas"), words_}});
    rows_->addRow({{tr("Reply"), reply_}});
    connect(words_, &WordsBox::wordsEdited, this, [this](const std::vector<std::string>& words) {
        if (CannedRule* at = current()) {
            at->words = words;
            commit(tr("Words of a rule"), keyOf("words"));
        }
    });
    connect(reply_, &TextBox::edited, this, [this](const QString& reply) {
        if (CannedRule* at = current()) {
            at->reply = reply.toStdString();
            commit(tr("Reply of a rule"), keyOf("reply"));
        }
    });
    connect(words_, &TextBox::left, this, &CannedRulesEditor::left);
    connect(reply_, &TextBox::left, this, &CannedRulesEditor::left);
    return rows_;
}

void CannedRulesEditor::buildActions()
{
    connect(list_, &OrderedList::currentChanged, this, &CannedRulesEditor::showRule);
    connect(list_, &OrderedList::addWanted, this, &CannedRulesEditor::add);
    connect(list_, &OrderedList::removeWanted, this, [this](int row) {
        rules_.erase(rules_.begin() + row);
        commit(tr("Remove rule"));
    });
    connect(list_, &OrderedList::moveWanted, this, [this](int from, int to) {
        moveEntry(rules_, from, to);
        commit(tr("Move rule"));
    });
}

CannedRule* CannedRulesEditor::current()
{
    const int at = list_->current();
    return at >= 0 && at < static_cast<int>(rules_.size()) ? &rules_[static_cast<std::size_t>(at)] : nullptr;
}

QString CannedRulesEditor::keyOf(const char* field) const
{
    return QStringLiteral("rules.%1.%2").arg(list_->current()).arg(QLatin1String(field));
}

void CannedRulesEditor::commit(const QString& words, const QString& field)
{
    refresh();
    Q_EMIT edited(words, field);
}

void CannedRulesEditor::add()
{
    // Before a last rule that takes everything: behind it none would ever answer.
    auto at = std::min(static_cast<std::size_t>(list_->current() + 1), rules_.size());
    while (at > 0 && rules_[at - 1].words.empty())
        --at;
    rules_.insert(rules_.begin() + static_cast<std::ptrdiff_t>(at), {{tr("word").toStdString()}, {}});
    commit(tr("Add rule"));
    list_->setCurrent(static_cast<int>(at));
    words_->setFocus();
    words_->selectAll();
}

void CannedRulesEditor::setRules(const std::vector<CannedRule>& rules)
{
    rules_ = rules;
    refresh();
}

void CannedRulesEditor::refresh()
{
    const QString sentence = trial_->sentence();
    const auto trial = sentence.isEmpty() ? trial::RuleTrial() : trial::rule(rules_, sentence);
    trial_->setAnswer(sentence.isEmpty() ? tr("Shows which rule answers, and with what.")
                                         : trial::words(rules_, trial));
    std::vector<OrderedRow> rows;
    bool isTaken = false, answersJson = false;
    for (const CannedRule& rule : rules_) {
        QStringList words;
        for (const std::string& word : rule.words)
            words << QString::fromStdString(word);
        QString title = words.isEmpty() ? tr("everything") : words.join(QStringLiteral(", "));
        if (isTaken)
            title = tr("never reached: %1").arg(title);
        const bool answers = static_cast<int>(rows.size()) == trial.answers;
        rows.push_back({title, QString::fromStdString(rule.reply).simplified(), answers ? tr("answers") : QString()});
        isTaken |= rule.words.empty();
        answersJson |= chain::isJson(rule);
    }
    list_->setRows(std::move(rows));
    const QString first = rules_.empty() ? tr("No rule yet: nothing is answered.")
                          : isTaken      ? tr("The first rule whose words occur answers. Every request is answered.")
                                         : tr("The first rule whose words occur answers; what none takes fails.");
    note_->setText(answersJson ? first + QLatin1Char(' ') + tr("Requests for JSON get a rule whose reply is JSON.")
                               : first);
    showRule();
}

void CannedRulesEditor::showRule()
{
    const CannedRule* at = current();
    rule_->setVisible(at != nullptr);
    if (!at)
        return;
    words_->showWords(at->words);
    reply_->show(QString::fromStdString(at->reply));
    rows_->setProblem(reply_, at->reply.empty() ? tr("Write what is answered") : QString());
}

QString CannedRulesEditor::trialWords() const
{
    return trial_->answer();
}

} // namespace sg::ui
