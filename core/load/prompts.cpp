// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/prompts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sg::load {

namespace {

constexpr std::size_t kRemembered = 200;
constexpr int kCharactersPerToken = 4; // as provider::needsOf counts
constexpr double kLongestTokens = 1e6;
const QString kSystem = QStringLiteral("You help the support desk of an online shop. Be brief.");
constexpr std::array kWords = {"order", "invoice", "parcel", "refund", "price", "account", "export", "report", "seat",
                               "plan",  "address", "region", "stock",  "label", "ticket",  "answer", "delay",  "page"};

constexpr std::array kTasks = {
    "Summarise the support ticket below in two sentences.",
    "Translate the customer's message below into plain English.",
    "Classify the request below as billing, outage, question or other.",
    "Draft a polite answer to the message below.",
    "List the three facts that matter most in the text below.",
};
constexpr std::array kTexts = {
    "Since this morning the export of our monthly invoice fails with a timeout after about thirty seconds.",
    "We moved two seats to the annual plan, but the dashboard still shows the old price for one of them.",
    "The webhook for order 4821 arrived twice, and our stock is now off by one.",
    "Could you tell us in which region our data is stored, and who can read it?",
    "Our new colleague cannot sign in with the company account; the page says the session has expired.",
};

template <typename Array>
QString pick(const Array& array, policy::SeededRandom& random)
{
    return QString::fromLatin1(array[static_cast<std::size_t>(random.uniform() * static_cast<double>(array.size()))]);
}

/// Words and blanks, exactly so many characters; none below one.
QString wordsOf(qsizetype characters, policy::SeededRandom& random)
{
    QString text;
    while (text.size() < characters)
        text += pick(kWords, random) + QLatin1Char(' ');
    text.truncate(std::max<qsizetype>(0, characters));
    return text;
}

} // namespace

PromptSource::PromptSource(const LoadPlan& plan)
    : given_(plan.prompts)
    , synthetic_(plan.synthetic)
    , repeatShare_(plan.repeatShare)
    , maxTokens_(plan.maxTokens)
    , stream_(plan.stream)
    , random_(plan.seed)
{
    if (synthetic_)
        sharedPrefix_ = wordsOf(synthetic_->sharedPrefixTokens * kCharactersPerToken, random_);
}

Prompt PromptSource::freshPrompt()
{
    const std::int64_t number = ++made_;
    if (!given_.empty())
        return given_[static_cast<std::size_t>(number - 1) % given_.size()];
    if (synthetic_)
        return syntheticPrompt(number);
    // The number makes each prompt its own: otherwise a cache would answer what was meant to be new.
    return {QStringLiteral("%1\n\nTicket %2: %3").arg(pick(kTasks, random_)).arg(number).arg(pick(kTexts, random_)),
            {},
            {}};
}

/// Its length counts the system message that every request has.
Prompt PromptSource::syntheticPrompt(std::int64_t number)
{
    const double tokens = std::min(kLongestTokens, std::round(synthetic_->inputTokens.draw(random_)));
    const QString own = QStringLiteral(" Ticket %1: ").arg(number);
    const auto fixed = sharedPrefix_.size() + own.size() + kSystem.size();
    const auto left = static_cast<qsizetype>(tokens) * kCharactersPerToken - fixed;
    Prompt prompt{sharedPrefix_ + own + wordsOf(left, random_), {}, {}};
    if (synthetic_->outputTokens)
        prompt.maxTokens =
            static_cast<int>(std::clamp(std::round(synthetic_->outputTokens->draw(random_)), 1.0, kLongestTokens));
    return prompt;
}

Prompt PromptSource::choose()
{
    if (!asked_.empty() && random_.uniform() < repeatShare_)
        return asked_[static_cast<std::size_t>(random_.uniform() * static_cast<double>(asked_.size()))];
    Prompt prompt = freshPrompt();
    if (asked_.size() < kRemembered)
        asked_.push_back(prompt);
    else
        asked_[static_cast<std::size_t>(made_) % kRemembered] = prompt;
    return prompt;
}

provider::ChatRequest PromptSource::next()
{
    Prompt prompt = choose();
    provider::ChatRequest request;
    request.messages = std::move(prompt.messages);
    if (request.messages.empty())
        request.messages = {{"system", kSystem}, {"user", prompt.text}};
    request.sampling.maxTokens = prompt.maxTokens.value_or(maxTokens_);
    request.stream = stream_;
    return request;
}

} // namespace sg::load
