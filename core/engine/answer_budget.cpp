// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/answer_budget.h"

#include <algorithm>

namespace sg::engine {

void AnswerBudget::Share::begin(AnswerBudget& budget, Client& client, qint64 most)
{
    end();
    budget_ = &budget;
    client_ = &client;
    most_ = most;
    budget.shares_.insert(this);
    if (budget.isTight())
        budget.arrange();
}

bool AnswerBudget::Share::grow(qint64 bytes)
{
    if (!budget_)
        return true;
    if (budget_->bytes_ + bytes > budget_->most_) {
        ++budget_->refused_;
        return false;
    }
    const bool wasTight = budget_->isTight();
    bytes_ += bytes;
    budget_->bytes_ += bytes;
    if (!wasTight && budget_->isTight())
        budget_->arrange();
    return true;
}

void AnswerBudget::Share::end()
{
    if (!budget_)
        return;
    AnswerBudget& budget = *std::exchange(budget_, nullptr);
    const bool wasTight = budget.isTight();
    budget.shares_.erase(this);
    budget.bytes_ -= std::exchange(bytes_, 0);
    isHeld_ = false;
    if (wasTight)
        budget.isTight() ? budget.arrange() : budget.releaseAll();
}

void AnswerBudget::Share::hold(bool held)
{
    if (std::exchange(isHeld_, held) != held)
        client_->setHeld(held);
}

int AnswerBudget::waiting() const
{
    return static_cast<int>(std::ranges::count_if(shares_, [](const Share* share) { return share->isHeld_; }));
}

/// Those that end first go first, as far as all of them have room: each that ends then makes room for the next (the
/// banker's order). Where not even one has, the largest goes on, and may turn out to be shorter than it might be.
void AnswerBudget::arrange()
{
    std::vector<Share*> all(shares_.begin(), shares_.end());
    std::ranges::sort(all, [](const Share* a, const Share* b) { return a->left() < b->left(); });
    qint64 room = most_ - bytes_;
    bool goesOn = false;
    for (Share* const share : all) {
        const bool fits = share->left() <= room;
        room -= fits ? share->left() : 0;
        goesOn = goesOn || fits;
        share->hold(!fits);
    }
    if (goesOn || all.empty())
        return;
    (*std::ranges::max_element(all, {}, [](const Share* share) { return share->bytes_; }))->hold(false);
}

void AnswerBudget::releaseAll()
{
    for (Share* const share : shares_)
        share->hold(false);
}

provider::ErrorFacts noRoom(const AnswerBudget& budget)
{
    provider::ErrorFacts error;
    error.disposition = provider::dispositionOf(provider::ErrorClass::LocalReject);
    error.disposition.fallback = provider::FallbackKind::None; // another's answer would have no room either
    error.code = provider::kAnswersFull;
    error.message = "The answers that are just arriving hold as much memory as they may (" +
                    std::to_string(budget.most() / (1024 * 1024)) + " MiB), and this one had no room among them";
    return error;
}

qint64 longest(const http::Headers& headers, qint64 most)
{
    bool isNumber = false;
    const qint64 announced = http::headerValue(headers, "content-length").trimmed().toLongLong(&isNumber);
    return isNumber && announced >= 0 ? std::min(announced, most) : most;
}

} // namespace sg::engine
