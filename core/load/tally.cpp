// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/tally.h"

namespace sg::load {

namespace {

constexpr std::size_t kMaxSlots = 900;
constexpr std::size_t kSlowestKept = 12;

template <typename Array, typename Enum>
auto& at(Array& array, Enum value)
{
    return array[static_cast<std::size_t>(value)];
}

QString pathOf(const chain::RunRecord& record)
{
    QStringList path;
    for (const chain::Step& step : record.steps) {
        const auto* attempt = std::get_if<chain::AttemptRecord>(&step);
        if (!attempt)
            continue;
        const QString name = QString::fromStdString(attempt->endpoint);
        if (path.isEmpty() || path.last() != name)
            path.append(name);
    }
    if (record.source == chain::Source::CannedReply)
        path.append(QStringLiteral("canned reply"));
    return path.join(QStringLiteral(" → "));
}

} // namespace

Tally::Tally(Instant started)
    : startedAt_(started)
    , lastEnd_(started)
{
}

std::int64_t Tally::bySource(chain::Source source) const
{
    return at(bySource_, source);
}
std::int64_t Tally::failedBy(provider::ErrorClass error) const
{
    return at(failedBy_, error);
}
std::int64_t Tally::failedWithoutStatus(provider::ErrorClass error) const
{
    return at(failedWithoutStatus_, error);
}
std::int64_t Tally::attemptsFailedBy(provider::ErrorClass error) const
{
    return at(attemptsFailedBy_, error);
}
const std::optional<Tally::Example>& Tally::exampleOf(provider::ErrorClass error) const
{
    return at(examples_, error);
}

void Tally::keepExample(const provider::ErrorFacts& error, const std::string& endpoint)
{
    auto& example = at(examples_, error.disposition.error);
    if (!example)
        example = Example{endpoint, error.message, error.status};
}

Tally::Slot& Tally::slotAt(Instant at)
{
    auto index = static_cast<std::size_t>(std::max(Nanos(0), at - startedAt_) / slotWidth_);
    while (index >= kMaxSlots) {
        halveResolution();
        index = static_cast<std::size_t>((at - startedAt_) / slotWidth_);
    }
    if (index >= slots_.size())
        slots_.resize(index + 1);
    return slots_[index];
}

void Tally::halveResolution()
{
    std::vector<Slot> coarser((slots_.size() + 1) / 2);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        Slot& to = coarser[i / 2];
        const Slot& from = slots_[i];
        to.answered += from.answered;
        to.failed += from.failed;
        to.attempts += from.attempts;
        to.attemptsFailed += from.attemptsFailed;
        to.latency.add(from.latency);
    }
    slots_ = std::move(coarser);
    slotWidth_ *= 2;
}

void Tally::onFinished(const engine::CallResult& result)
{
    const chain::RunRecord& record = result.record;
    lastEnd_ = std::max(lastEnd_, record.ended);
    const Nanos response = record.ended - result.intended;
    countAttempts(record, result.intended);
    countMoney(result);
    if (record.ending == chain::Ending::Cancelled) {
        ++cancelled_;
        return;
    }
    keepIfSlow(result, response);
    if (record.ending == chain::Ending::Answered) {
        countAnswer(result, response);
        return;
    }
    ++failed_;
    if (record.error.status == 0)
        ++at(failedWithoutStatus_, record.error.disposition.error);
    ++slotAt(record.ended).failed;
    failedResponse_.record(response);
    ++at(failedBy_, record.error.disposition.error);
    keepExample(record.error, {});
    ++failedByStatus_[record.error.status];
}

void Tally::countAttempts(const chain::RunRecord& record, Instant intended)
{
    bool first = true;
    Nanos waited{0};
    for (const chain::Step& step : record.steps) {
        if (const auto* wait = std::get_if<chain::WaitRecord>(&step))
            waited += wait->until - wait->from;
        const auto* attempt = std::get_if<chain::AttemptRecord>(&step);
        if (!attempt)
            continue;
        ++attempts_;
        attemptsSent_ += attempt->timing.sent ? 1 : 0;
        Slot& slot = slotAt(attempt->timing.end);
        ++slot.attempts;
        if (attempt->error.disposition.error != provider::ErrorClass::None) {
            ++slot.attemptsFailed;
            ++at(attemptsFailedBy_, attempt->error.disposition.error);
            keepExample(attempt->error, attempt->endpoint);
        }
        if (std::exchange(first, false) && attempt->timing.sent)
            clientQueue_.record(*attempt->timing.sent - intended - waited);
    }
    if (waited > Nanos(0))
        waited_.record(waited);
}

void Tally::countAnswer(const engine::CallResult& result, Nanos response)
{
    const chain::RunRecord& record = result.record;
    ++answered_;
    ++at(bySource_, record.source);
    Slot& slot = slotAt(record.ended);
    ++slot.answered;
    slot.latency.record(response);
    response_.record(response);
    switch (record.source) {
    case chain::Source::Cache:
    case chain::Source::SharedCall:
        ++byTier_["cache"];
        return;
    case chain::Source::CannedReply:
        ++byTier_["canned reply"];
        return;
    default:
        ++byTier_[record.endpoint];
    }
    const auto* attempt = record.steps.empty() ? nullptr : std::get_if<chain::AttemptRecord>(&record.steps.back());
    if (!attempt || !attempt->timing.sent)
        return;
    if (attempt->timing.lastToken)
        service_.record(*attempt->timing.lastToken - *attempt->timing.sent);
    if (attempt->timing.firstToken)
        firstToken_.record(*attempt->timing.firstToken - *attempt->timing.sent);
}

void Tally::countMoney(const engine::CallResult& result)
{
    if (result.costNanoUsd)
        money_.knownNanoUsd += *result.costNanoUsd - result.estimatedNanoUsd;
    money_.estimatedNanoUsd += result.estimatedNanoUsd;
    money_.estimatedRequests += result.estimatedNanoUsd > 0 ? 1 : 0;
    if (!result.costNanoUsd || result.costIsLowerBound)
        ++money_.unknownRequests;
    if (result.record.source != chain::Source::Endpoint)
        return;
    tokens_.input += result.usage.inputTokens.value_or(0);
    tokens_.output += result.usage.outputTokens.value_or(0);
    if (result.usage.estimated || !result.usage.inputTokens || !result.usage.outputTokens)
        ++tokens_.unknownRequests;
}

void Tally::keepIfSlow(const engine::CallResult& result, Nanos response)
{
    const double tookMs = toMs(response);
    if (slowest_.size() == kSlowestKept && tookMs <= slowest_.back().tookMs)
        return;
    SlowAnswer slow{toMs(result.intended - startedAt_) / 1000, pathOf(result.record), result.record.attempts, tookMs};
    const auto where = std::ranges::upper_bound(slowest_, tookMs, std::greater<>(), &SlowAnswer::tookMs);
    slowest_.insert(where, std::move(slow));
    if (slowest_.size() > kSlowestKept)
        slowest_.pop_back();
}

} // namespace sg::load
