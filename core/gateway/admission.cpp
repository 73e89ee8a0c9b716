// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/admission.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_set>

namespace sg::gateway {

namespace {

constexpr std::chrono::seconds kShortestAdvice{1};
/// Of the latest gap in the mean of all before: new weight enough to follow a rush within some ten answers.
constexpr double kNewWeight = 0.2;

} // namespace

struct Admission::Impl
{
    struct Waiting
    {
        Instant since;
        int priority = 0;
        std::function<void()> admitted;
        std::function<void(Failure)> refused;
    };

    void setLimits(AdmissionLimits fresh)
    {
        limits = fresh;
        line.emplace(static_cast<std::size_t>(std::max(fresh.maxQueued, 0)));
        // Again in the order of coming; those who are too many now are refused like the last to come.
        const auto order = byAge;
        for (const auto& [since, id] : order)
            stand(id, waiting.at(id).priority);
    }

    void stand(Id id, int priority)
    {
        const auto pushed = line->push(std::to_string(id), priority);
        if (pushed.dropped)
            refuse(std::stoull(*pushed.dropped), "queue_full",
                   QStringLiteral("As many requests are waiting as may (%1).").arg(limits.maxQueued));
    }

    Waiting take(Id id)
    {
        const auto node = waiting.extract(id);
        byAge.erase({node.mapped().since, id});
        return std::move(node.mapped());
    }

    void refuse(Id id, const char* code, QString message)
    {
        const Nanos wait = advice();
        const Waiting entry = take(id);
        entry.refused(unavailable(code, std::move(message), wait));
    }

    /// When those before have gone, by the pace of the latest ends.
    Nanos advice() const
    {
        const auto ahead = static_cast<double>(waiting.size());
        const Nanos wait = gapMs ? fromMs(*gapMs * ahead) : Nanos(kShortestAdvice);
        return std::clamp<Nanos>(wait, kShortestAdvice, std::max<Nanos>(limits.maxQueueWait, kShortestAdvice));
    }

    /// Letting one in may end it or another at once, which comes back here: one loop, not one deep in the other.
    void letIn()
    {
        if (std::exchange(lettingIn, true))
            return;
        while (static_cast<int>(inside.size()) < limits.maxInFlight) {
            const auto next = line->pop();
            if (!next)
                break;
            const Id id = std::stoull(*next);
            const Waiting entry = take(id);
            inside.insert(id);
            entry.admitted();
        }
        lettingIn = false;
    }

    void noteEnd(Instant now)
    {
        if (lastEnd && !waiting.empty()) {
            const double gap = toMs(now - *lastEnd);
            gapMs = gapMs ? *gapMs + kNewWeight * (gap - *gapMs) : gap;
        }
        lastEnd = now;
    }

    AdmissionLimits limits;
    std::optional<policy::PriorityQueue> line; ///< always there; of those that wait
    std::map<Id, Waiting> waiting;
    std::set<std::pair<Instant, Id>> byAge;
    std::unordered_set<Id> inside;
    std::optional<Instant> lastEnd;
    std::optional<double> gapMs; ///< between two ends while others waited
    bool lettingIn = false;
};

Admission::Admission(AdmissionLimits limits)
    : impl_(std::make_shared<Impl>())
{
    impl_->setLimits(limits);
}

void Admission::setLimits(AdmissionLimits limits)
{
    const auto impl = impl_; // a callback may end this object
    impl->setLimits(limits);
    impl->letIn();
}

void Admission::enter(Id id, int priority, Instant now, std::function<void()> admitted,
                      std::function<void(Failure)> refused)
{
    const auto impl = impl_;
    if (impl->waiting.empty() && inFlight() < impl->limits.maxInFlight) {
        impl->inside.insert(id);
        return admitted();
    }
    if (impl->waiting.empty())
        impl->lastEnd = now; // what was quiet before says nothing of the pace
    impl->waiting.emplace(id, Impl::Waiting{now, priority, std::move(admitted), std::move(refused)});
    impl->byAge.emplace(now, id);
    impl->stand(id, priority);
}

void Admission::leave(Id id, Instant now)
{
    const auto impl = impl_;
    if (impl->inside.erase(id) > 0) {
        impl->noteEnd(now);
        return impl->letIn();
    }
    if (impl->waiting.contains(id)) {
        impl->line->remove(std::to_string(id));
        impl->take(id);
    }
}

void Admission::expire(Instant now)
{
    const auto impl = impl_;
    while (!impl->byAge.empty() && later(impl->byAge.begin()->first, impl->limits.maxQueueWait) <= now) {
        const Id id = impl->byAge.begin()->second;
        impl->line->remove(std::to_string(id));
        impl->refuse(id, "queue_timeout", QStringLiteral("The request has waited for its turn as long as it may."));
    }
}

std::optional<Instant> Admission::nextExpiry() const
{
    if (impl_->byAge.empty())
        return std::nullopt;
    return later(impl_->byAge.begin()->first, impl_->limits.maxQueueWait);
}

int Admission::inFlight() const
{
    return static_cast<int>(impl_->inside.size());
}

int Admission::queued() const
{
    return static_cast<int>(impl_->waiting.size());
}

} // namespace sg::gateway
