// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/canned_reply.h"

#include <QJsonDocument>

#include <algorithm>

namespace sg::chain {

namespace {

QString comparable(const QString& text)
{
    return text.normalized(QString::NormalizationForm_C).toCaseFolded();
}

bool isLatinLetter(QChar c)
{
    return c.isLetter() && c.script() == QChar::Script_Latin;
}

bool continuesWord(QChar c)
{
    return isLatinLetter(c) || c.isDigit();
}

QString lastUserText(const provider::ChatRequest& request)
{
    const auto last = std::find_if(request.messages.rbegin(), request.messages.rend(),
                                   [](const provider::Message& m) { return m.role == "user"; });
    return last == request.messages.rend() ? QString() : last->text;
}

/// Both already comparable.
bool occurs(const QString& text, const QString& word)
{
    if (word.isEmpty())
        return false;
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        const qsizetype end = at + word.size();
        const bool cutsFront = isLatinLetter(word.front()) && at > 0 && continuesWord(text.at(at - 1));
        const bool cutsBack = isLatinLetter(word.back()) && end < text.size() && continuesWord(text.at(end));
        if (!cutsFront && !cutsBack)
            return true;
    }
    return false;
}

} // namespace

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
