// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzz.h"

#include <QJsonDocument>

namespace sg::fuzz {

namespace {
constexpr qsizetype kMaxMessage = 300;
constexpr Nanos kLongestPark = std::chrono::hours(24);
} // namespace

QByteArray inOneText(const provider::Answer& answer)
{
    QByteArray text = answer.text.toUtf8() + '|' + answer.reasoning.toUtf8() + '|' +
                      QJsonDocument(answer.toolCalls).toJson(QJsonDocument::Compact) + '|' +
                      QJsonDocument(answer.usageSent).toJson(QJsonDocument::Compact) + '|' +
                      answer.warnings.join(QLatin1Char(';')).toUtf8();
    for (const std::string& word : {answer.finishReason, answer.finishReasonSent, answer.model, answer.id})
        text += '|' + QByteArray::fromStdString(word);
    return text;
}

QByteArray inOneText(const provider::ErrorFacts& error)
{
    QByteArray text;
    for (const std::string_view word :
         {toString(error.disposition.error), toString(error.disposition.retry), toString(error.disposition.fallback),
          std::string_view(error.code), std::string_view(error.message), std::string_view(error.hint.source)})
        text += QByteArray(word.data(), static_cast<qsizetype>(word.size())) + '|';
    return text + QByteArray::number(static_cast<int>(error.disposition.breaker)) + '|' +
           QByteArray::number(error.status) + '|' + QByteArray::number(qint64(error.hint.wait.count()));
}

QByteArray inOneText(const tl::expected<provider::Answer, provider::ErrorFacts>& result)
{
    return result ? "answer|" + inOneText(*result) : "error|" + inOneText(result.error());
}

void checkPromises(const provider::ErrorFacts& error)
{
    const QString message = QString::fromStdString(error.message);
    require(message.size() <= kMaxMessage, "a message has at most 300 characters");
    require(message.toStdString() == error.message, "a message is UTF-8");
    const policy::WaitHint& hint = error.hint;
    require(hint.wait >= Nanos::zero() && hint.wait <= kLongestPark, "a wait is no longer than a day");
    require(hint.wait % Millis(1) == Nanos::zero(), "a wait has whole milliseconds");
    const bool asks = hint.action == policy::HintAction::Wait || hint.action == policy::HintAction::Failover;
    require(asks || hint.wait == Nanos::zero(), "only who asks for a wait has one");
}

void checkPromises(const tl::expected<provider::Answer, provider::ErrorFacts>& result)
{
    if (!result) {
        require(result.error().disposition.error != provider::ErrorClass::None, "what is no answer has a class");
        return checkPromises(result.error());
    }
    for (const auto& count : {result->usage.inputTokens, result->usage.outputTokens, result->usage.cachedInputTokens,
                              result->usage.cacheWriteTokens, result->usage.reasoningTokens})
        require(!count || *count >= 0, "counts are not negative");
}

} // namespace sg::fuzz
