// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/route_trial.h"

#include "core/chain/canned_reply.h"
#include "core/chain/tier_order.h"

#include <QCoreApplication>

#include <algorithm>

namespace sg::ui::trial {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::trial)
};

provider::ChatRequest asking(const QString& sentence)
{
    provider::ChatRequest request;
    provider::Message message;
    message.role = "user";
    message.text = sentence;
    request.messages.push_back(message);
    return request;
}

void addFound(std::vector<QString>& found, const std::vector<std::string>& words, const QString& sentence)
{
    for (const std::string& word : words) {
        const QString text = QString::fromStdString(word);
        const auto isSame = [&](const QString& other) { return other.compare(text, Qt::CaseInsensitive) == 0; };
        if (chain::containsWord(sentence, text) && std::ranges::none_of(found, isSame))
            found.push_back(text);
    }
}

QString quoted(const std::vector<QString>& words)
{
    QStringList parts;
    for (const QString& word : words)
        parts << QStringLiteral("“%1”").arg(word);
    if (parts.size() < 2)
        return parts.join(QString());
    const QString last = parts.takeLast();
    return Words::tr("%1 and %2").arg(parts.join(QStringLiteral(", ")), last);
}

} // namespace

RouteTrial route(const chain::RouterSpec& router, const QString& sentence)
{
    // By number: names may be the same or empty in a draft.
    chain::ChainSpec spec;
    spec.router = router;
    for (std::size_t i = 0; i < router.classes.size(); ++i)
        spec.router->classes[i].name = std::to_string(i);
    policy::SeededRandom unused(0);
    const std::string number = chain::TierOrder(spec).routeFor(asking(sentence), unused).name;
    if (number.empty())
        return {};
    RouteTrial trial{std::stoi(number), {}};
    const auto at = static_cast<std::size_t>(trial.decides);
    if (router.classes[at].words.empty())
        return trial;
    for (std::size_t i = router.classes[at].countsEarlier ? 0 : at; i <= at; ++i)
        addFound(trial.found, router.classes[i].words, sentence);
    return trial;
}

QString words(const chain::RouterSpec& router, const RouteTrial& trial)
{
    if (trial.decides < 0)
        return Words::tr("No class fits: the tiers keep the chain's order.");
    const chain::RouteClass& at = router.classes[static_cast<std::size_t>(trial.decides)];
    const QString name = QString::fromStdString(at.name);
    const QString where = at.tier.empty() ? Words::tr("The tiers keep the chain's order.")
                                          : Words::tr("Goes to %1 first.").arg(QString::fromStdString(at.tier));
    if (trial.found.empty())
        return Words::tr("%1: it takes what no class above took. %2").arg(name, where);
    const QString found = quoted(trial.found);
    return trial.found.size() == 1
               ? Words::tr("%1: %2 occurs, %3 asked for. %4").arg(name, found).arg(at.atLeast).arg(where)
               : Words::tr("%1: %2 occur, %3 asked for. %4").arg(name, found).arg(at.atLeast).arg(where);
}

RuleTrial rule(const std::vector<chain::CannedRule>& rules, const QString& sentence)
{
    const chain::CannedRule* match = chain::matchingRule(rules, asking(sentence));
    if (!match)
        return {};
    RuleTrial trial{static_cast<int>(match - rules.data()), {}};
    addFound(trial.found, match->words, sentence);
    return trial;
}

QString words(const std::vector<chain::CannedRule>& rules, const RuleTrial& trial)
{
    if (rules.empty())
        return Words::tr("There is no rule: nothing is answered.");
    if (trial.answers < 0)
        return Words::tr("No rule matches: the request fails here. A rule without words answers everything.");
    const QString number = QString::number(trial.answers + 1);
    return trial.found.empty() ? Words::tr("Rule %1 answers: it has no words and takes everything.").arg(number)
                               : Words::tr("Rule %1 answers: %2.").arg(number, quoted(trial.found));
}

} // namespace sg::ui::trial
