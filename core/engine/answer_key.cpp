// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/answer_key.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace sg::engine {

namespace {

QJsonValue withoutKey(const QJsonValue& value, const QByteArray& key)
{
    if (value.isString())
        return hideKey(value.toString(), key);
    if (value.isArray()) {
        QJsonArray list;
        for (const QJsonValue& each : value.toArray())
            list.append(withoutKey(each, key));
        return list;
    }
    if (!value.isObject())
        return value;
    QJsonObject shown;
    const QJsonObject object = value.toObject();
    for (auto field = object.constBegin(); field != object.constEnd(); ++field)
        shown.insert(hideKey(field.key(), key), withoutKey(field.value(), key));
    return shown;
}

void hideIn(std::string& word, const QByteArray& key)
{
    if (mentionsKey(QByteArrayView(word.data(), static_cast<qsizetype>(word.size())), 0, key))
        word = hideKey(word, key);
}

} // namespace

provider::Answer withoutKeyInHead(provider::Answer answer, const QByteArray& key)
{
    for (std::string* word : {&answer.model, &answer.id, &answer.finishReasonSent})
        hideIn(*word, key);
    if (!answer.finishReason.empty() && answer.finishReason != "stop")
        hideIn(answer.finishReason, key.toLower()); // unknown ones are kept in small letters
    for (QString& warning : answer.warnings)
        warning = hideKey(warning, key);
    return answer;
}

provider::Answer withoutKey(provider::Answer answer, const QByteArray& key)
{
    answer = withoutKeyInHead(std::move(answer), key);
    answer.text = hideKey(answer.text, key);
    answer.reasoning = hideKey(answer.reasoning, key);
    answer.toolCalls = withoutKey(QJsonValue(answer.toolCalls), key).toArray();
    answer.usageSent = withoutKey(QJsonValue(answer.usageSent), key).toObject();
    return answer;
}

DeltaKeys::DeltaKeys(QByteArray key)
    : key_(std::move(key))
    , text_(key_)
    , reasoning_(key_)
{
}

KeyHider& DeltaKeys::argumentsOf(int index)
{
    const auto known = std::ranges::find(arguments_, index, &std::pair<int, KeyHider>::first);
    return known != arguments_.end() ? known->second : arguments_.emplace_back(index, KeyHider(key_)).second;
}

provider::Delta DeltaKeys::take(const provider::Delta& delta)
{
    provider::Delta shown{text_.take(delta.text), reasoning_.take(delta.reasoning), delta.toolCalls};
    for (provider::ToolCallPiece& piece : shown.toolCalls) {
        for (QString* word : {&piece.id, &piece.name, &piece.signature}) {
            const QString hidden = word->isEmpty() ? *word : hideKey(*word, key_);
            hasHidden_ = hasHidden_ || hidden != *word;
            *word = hidden;
        }
        if (!piece.arguments.isEmpty())
            piece.arguments = argumentsOf(piece.index).take(piece.arguments);
    }
    return shown;
}

provider::Delta DeltaKeys::rest()
{
    provider::Delta rest{text_.rest(), reasoning_.rest(), {}};
    for (auto& [index, hider] : arguments_)
        if (QString left = hider.rest(); !left.isEmpty())
            rest.toolCalls.push_back({index, {}, {}, std::move(left)});
    return rest;
}

bool DeltaKeys::hasMet() const
{
    const auto met = [](const KeyHider& hider) { return hider.hasHidden() || hider.isHolding(); };
    return hasHidden_ || met(text_) || met(reasoning_) ||
           std::ranges::any_of(arguments_, met, &std::pair<int, KeyHider>::second);
}

} // namespace sg::engine
