// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/traffic.h"

#include "core/gateway/failure.h"
#include "core/gateway/way_headers.h"

#include <algorithm>

namespace sg::gateway {

namespace {

Passage passageOf(const Ended& ended, std::int64_t unixMs)
{
    Passage passage{unixMs, ended.requestId, ended.path, ended.status, ended.code, ended.chain, ended.endpoint};
    passage.source = ended.source;
    passage.isRefused = isRefused(ended);
    passage.took = ended.took;
    passage.waited = ended.queued;
    passage.costNanoUsd = ended.costNanoUsd;
    passage.costIsLowerBound = ended.costIsLowerBound;
    passage.costIsEstimated = ended.costIsEstimated;
    passage.sentStatus = ended.sentStatus;
    if (ended.record) {
        passage.error = ended.record->error.disposition.error;
        passage.errorWords = ended.record->error.message;
        passage.attempts = ended.record->attempts;
        passage.waited += waitedIn(*ended.record);
    }
    return passage;
}

} // namespace

Result resultOf(const Passage& passage)
{
    if (passage.status == kClientLeft)
        return Result::ClientLeft;
    if (passage.isRefused)
        return Result::Refused;
    if (passage.status < 400)
        return Result::Answered;
    if (passage.sentStatus == 0 || passage.sentStatus >= 400)
        return Result::Failed;
    return passage.error == provider::ErrorClass::StreamBroken ? Result::CutShort : Result::StreamError;
}

void TrafficLog::add(const Ended& ended, std::int64_t unixMs)
{
    picture_.reset();
    latest_.push_front(passageOf(ended, unixMs));
    if (latest_.size() > most_)
        latest_.pop_back();
    if (!latest_.front().isRefused)
        return;
    const auto known = std::find_if(refusals_.begin(), refusals_.end(), [&](const Refusals& each) {
        return each.status == ended.status && each.code == ended.code;
    });
    if (known == refusals_.end())
        refusals_.push_back({ended.status, ended.code, 1});
    else
        ++known->count;
}

void TrafficLog::clear()
{
    picture_.reset();
    latest_.clear();
    refusals_.clear();
}

TrafficPtr TrafficLog::picture()
{
    if (picture_)
        return picture_;
    auto fresh = std::make_shared<Traffic>();
    fresh->latest.assign(latest_.begin(), latest_.end());
    fresh->refusals = refusals_;
    std::stable_sort(fresh->refusals.begin(), fresh->refusals.end(),
                     [](const Refusals& a, const Refusals& b) { return a.count > b.count; });
    picture_ = std::move(fresh);
    return picture_;
}

} // namespace sg::gateway
