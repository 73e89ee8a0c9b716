// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/canned_reply.h"

#include "core/chain/words.h"

#include <QJsonDocument>

#include <algorithm>

namespace sg::chain {

bool containsWord(const QString& text, const QString& word)
{
    return occurs(comparable(text), comparable(word));
}

const CannedRule* matchingRule(const std::vector<CannedRule>& rules, const provider::ChatRequest& request)
{
    const QString text = comparable(lastUserText(request));
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const CannedRule& r) {
        return r.words.empty() || std::any_of(r.words.begin(), r.words.end(), [&](const std::string& word) {
                   return occurs(text, comparable(QString::fromStdString(word)));
               });
    });
    return rule == rules.end() ? nullptr : &*rule;
}

bool isJson(const CannedRule& rule)
{
    return !QJsonDocument::fromJson(QByteArray::fromStdString(rule.reply)).isNull();
}

std::shared_ptr<const provider::Answer> answerOf(const CannedRule& rule)
{
    auto answer = std::make_shared<provider::Answer>();
    answer->text = QString::fromStdString(rule.reply);
    answer->finishReason = "stop";
    return answer;
}

} // namespace sg::chain
