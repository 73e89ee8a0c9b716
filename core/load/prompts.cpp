// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/prompts.h"

#include <array>

namespace sg::load {

namespace {

constexpr std::size_t kRemembered = 200;

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

} // namespace

PromptSource::PromptSource(const LoadPlan& plan)
    : given_(plan.prompts)
    , repeatShare_(plan.repeatShare)
    , maxTokens_(plan.maxTokens)
    , stream_(plan.stream)
    , random_(plan.seed)
{
}

QString PromptSource::freshPrompt()
{
    const std::int64_t number = ++made_;
    if (!given_.empty())
        return given_[static_cast<std::size_t>(number - 1) % given_.size()];
    // The number makes each prompt its own: otherwise a cache would answer what was meant to be new.
    return QStringLiteral("%1\n\nTicket %2: %3").arg(pick(kTasks, random_)).arg(number).arg(pick(kTexts, random_));
}

provider::ChatRequest PromptSource::next()
{
    QString prompt;
    if (!asked_.empty() && random_.uniform() < repeatShare_) {
        prompt = asked_[static_cast<std::size_t>(random_.uniform() * static_cast<double>(asked_.size()))];
    } else {
        prompt = freshPrompt();
        if (asked_.size() < kRemembered)
            asked_.push_back(prompt);
        else
            asked_[static_cast<std::size_t>(made_) % kRemembered] = prompt;
    }
    provider::ChatRequest request;
    request.messages = {{"system", QStringLiteral("You help the support desk of an online shop. Be brief.")},
                        {"user", prompt}};
    request.sampling.maxTokens = maxTokens_;
    request.stream = stream_;
    return request;
}

} // namespace sg::load
