// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/router_form.h"

#include "core/workspace/edits.h"
#include "ui/chains/route_trial.h"
#include "ui/chains/try_line.h"
#include "ui/edit/choice_field.h"
#include "ui/edit/field_rows.h"
#include "ui/edit/ordered_list.h"
#include "ui/edit/quantity_field.h"
#include "ui/edit/text_fields.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QPushButton>

#include <algorithm>

namespace sg::ui {

using chain::RouteClass;

namespace {

QString text(const std::string& s)
{
    return QString::fromStdString(s);
}

QString freeName(const chain::RouterSpec& router)
{
    for (int i = 1;; ++i) {
        const QString name = i == 1 ? RouterForm::tr("class") : RouterForm::tr("class %1").arg(i);
        if (std::ranges::none_of(router.classes, [&](const RouteClass& c) { return text(c.name) == name; }))
            return name;
    }
}

} // namespace

RouterForm::RouterForm(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , list_(new OrderedList(context, tr("Classes of requests"), tr("Add class")))
    , usual_(new QPushButton(tr("Usual words, English and Thai")))
    , trial_(new TryLine)
{
    setAccessibleName(tr("Complexity router"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto* intro =
        wrappedLabel("caption", tr("The first class whose words occur in the last user message decides which tier "
                                   "comes first; the others follow."));
    column->addWidget(intro);
    column->addWidget(list_);
    column->addWidget(usual_);
    class_ = buildClass(context);
    column->addWidget(class_);
    column->addWidget(trial_);
    connect(trial_, &TryLine::changed, this, &RouterForm::refresh);
    usual_->setFixedHeight(26);
    connect(usual_, &QPushButton::clicked, this, [this] {
        router_.classes = workspace::standardClasses();
        commit(tr("Usual classes"));
    });
    connect(list_, &OrderedList::currentChanged, this, &RouterForm::showClass);
    connect(list_, &OrderedList::addWanted, this, &RouterForm::add);
    connect(list_, &OrderedList::removeWanted, this, [this](int row) {
        router_.classes.erase(router_.classes.begin() + row);
        commit(tr("Remove class"));
    });
    connect(list_, &OrderedList::moveWanted, this, [this](int from, int to) {
        moveEntry(router_.classes, from, to);
        commit(tr("Move class"));
    });
    refresh();
}

QWidget* RouterForm::buildClass(ThemeContext& context)
{
    rows_ = new FieldRows;
    name_ = new TextLine(tr("Name of the class"));
    name_->setObjectName(QStringLiteral("class.name"));
    tier_ = new ChoiceField(tr("Goes to tier"));
    tier_->setObjectName(QStringLiteral("class.tier"));
    words_ = new WordsBox(tr("Words of the class, parted by commas"));
    words_->setObjectName(QStringLiteral("class.words"));
    atLeast_ = new QuantityField(context, {{}, 1, 100, 0, 1, false, {}, true}, tr("Different words that must occur"));
    atLeast_->setObjectName(QStringLiteral("class.at_least"));
    earlier_ = new QCheckBox(tr("words above count"));
    earlier_->setObjectName(QStringLiteral("class.counts_earlier"));
    earlier_->setAccessibleName(tr("Words of the classes above count here too"));
    earlier_->setToolTip(earlier_->accessibleName());
    rows_->addRow({{tr("Class"), name_}, {tr("goes first to"), tier_}});
    rows_->addRow({{tr("Words, parted by commas"), words_}});
    rows_->addRow({{tr("at least"), atLeast_}, {tr("Classes above"), earlier_}});
    connect(name_, &QLineEdit::textEdited, this, [this](const QString& typed) {
        editCurrent(tr("Name of a class"), "name", [&](RouteClass& c) { c.name = typed.trimmed().toStdString(); });
    });
    connect(tier_, &QComboBox::activated, this, [this] {
        editCurrent(tr("Tier of a class"), "", [&](RouteClass& c) { c.tier = tier_->chosen().toStdString(); });
    });
    connect(words_, &WordsBox::wordsEdited, this, [this](const std::vector<std::string>& words) {
        editCurrent(tr("Words of a class"), "words", [&](RouteClass& c) { c.words = words; });
    });
    connect(atLeast_, &QuantityField::edited, this, [this](const std::optional<double>& value) {
        editCurrent(tr("Words that must occur"), "at_least",
                    [&](RouteClass& c) { c.atLeast = static_cast<int>(*value); });
    });
    connect(earlier_, &QCheckBox::clicked, this, [this](bool on) {
        editCurrent(tr("Words of the classes above"), "", [&](RouteClass& c) { c.countsEarlier = on; });
    });
    connect(name_, &TextLine::left, this, &RouterForm::left);
    connect(words_, &TextBox::left, this, &RouterForm::left);
    connect(atLeast_, &QuantityField::left, this, &RouterForm::left);
    return rows_;
}

RouteClass* RouterForm::current()
{
    const int at = list_->current();
    return at >= 0 && at < static_cast<int>(router_.classes.size()) ? &router_.classes[static_cast<std::size_t>(at)]
                                                                    : nullptr;
}

void RouterForm::editCurrent(const QString& words, const char* field, const Change& change)
{
    RouteClass* at = current();
    if (!at)
        return;
    change(*at);
    commit(words, *field ? QStringLiteral("router.%1.%2").arg(list_->current()).arg(QLatin1String(field)) : QString());
}

void RouterForm::commit(const QString& words, const QString& field)
{
    refresh();
    Q_EMIT edited(words, field);
}

void RouterForm::add()
{
    RouteClass added;
    added.name = freeName(router_).toStdString();
    const int at = std::min(list_->current() + 1, static_cast<int>(router_.classes.size()));
    router_.classes.insert(router_.classes.begin() + at, added);
    commit(tr("Add class"));
    list_->setCurrent(at);
    name_->setFocus();
    name_->selectAll();
}

void RouterForm::setRouter(const chain::RouterSpec& router, const QStringList& tiers)
{
    router_ = router;
    tiers_ = tiers;
    refresh();
}

void RouterForm::refresh()
{
    tryIt();
    std::vector<OrderedRow> rows;
    for (const RouteClass& c : router_.classes) {
        const auto count = static_cast<int>(c.words.size());
        const QString takes = count == 0      ? tr("everything")
                              : c.atLeast > 1 ? tr("%1 of %2 words").arg(c.atLeast).arg(count)
                              : count == 1    ? tr("1 word")
                                              : tr("%1 words").arg(count);
        const QString to = c.tier.empty() ? tr("chain's order") : text(c.tier);
        const bool isTaker = static_cast<int>(rows.size()) == decides_;
        rows.push_back({text(c.name), QStringLiteral("%1 → %2").arg(takes, to), isTaker ? tr("takes it") : QString()});
    }
    list_->setRows(std::move(rows));
    usual_->setVisible(router_.classes.empty());
    showClass();
}

void RouterForm::showClass()
{
    const RouteClass* at = current();
    class_->setVisible(at != nullptr);
    if (!at)
        return;
    name_->show(text(at->name));
    std::vector<std::pair<QString, QString>> tiers{{tr("chain's order"), QString()}};
    for (const QString& tier : tiers_)
        tiers.emplace_back(tier, tier);
    tier_->setItems(tiers, text(at->tier));
    words_->showWords(at->words);
    atLeast_->setValue(at->atLeast);
    earlier_->setChecked(at->countsEarlier);
    earlier_->setEnabled(list_->current() > 0);
    atLeast_->setEnabled(!at->words.empty());
    const auto same = std::ranges::count(router_.classes, at->name, &RouteClass::name);
    rows_->setProblem(name_, at->name.empty() ? tr("Give it a name")
                             : same > 1       ? tr("Another class has this name")
                                              : QString());
    const bool isReachable =
        at->words.empty() || at->atLeast <= static_cast<int>(at->words.size()) || at->countsEarlier;
    rows_->setProblem(atLeast_, isReachable ? QString() : tr("Must be at most its words, %1").arg(at->words.size()));
}

QString RouterForm::trialWords() const
{
    return trial_->answer();
}

void RouterForm::tryIt()
{
    const QString sentence = trial_->sentence();
    const auto trial = trial::route(router_, sentence);
    decides_ = sentence.isEmpty() ? -1 : trial.decides;
    trial_->setAnswer(sentence.isEmpty() ? tr("Shows which class takes it, and why.") : trial::words(router_, trial));
}

} // namespace sg::ui
