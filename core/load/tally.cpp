// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/tally.h"

#include "core/load/sample_of.h"
#include "core/policy/text.h"

namespace sg::load {

namespace {

constexpr int kOk = 200; ///< what a client gets of a success, also from a cache

constexpr int kFirstErrorStatus = 400;
constexpr std::size_t kSlowestKept = 12;

template <typename Array, typename Enum>
auto& at(Array& array, Enum value)
{
    return array[static_cast<std::size_t>(value)];
}

/// The status that said so, else minus the class: an answer of 200 that broke off was no success.
int causeOf(const provider::ErrorFacts& error)
{
    return error.status >= kFirstErrorStatus ? error.status : -static_cast<int>(error.disposition.error);
}

/// Why no endpoint was asked, of a request that no cache answered either.
QString whyNobody(const chain::RunRecord& record)
{
    const chain::MoveRecord* move = nullptr;
    const chain::WaitRecord* wait = nullptr;
    for (const chain::Step& step : record.steps) {
        if (const auto* one = std::get_if<chain::MoveRecord>(&step))
            move = one;
        else if (const auto* other = std::get_if<chain::WaitRecord>(&step))
            wait = other;
    }
    if (move)
        return QStringLiteral("no tier usable: %1").arg(text(chain::toString(move->reason)).replace(u'_', u' '));
    if (wait)
        return QStringLiteral("waited in vain: %1").arg(text(wait->source));
    if (record.ending == chain::Ending::Cancelled)
        return QStringLiteral("cancelled before it was sent");
    return QStringLiteral("nobody asked: %1")
        .arg(text(provider::toString(record.error.disposition.error)).replace(u'_', u' '));
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
    else if (record.source == chain::Source::Cache)
        path.append(QStringLiteral("cache"));
    else if (record.source == chain::Source::SharedCall)
        path.append(QStringLiteral("shared call"));
    else if (path.isEmpty()) // nobody was asked
        path.append(whyNobody(record));
    return path.join(QStringLiteral(" → "));
}

} // namespace

Tally::Tally(Instant started, std::vector<measure::Objective> objectives)
    : startedAt_(started)
    , lastEnd_(started)
    , lastMeasuredEnd_(started)
    , figures_(std::move(objectives))
    , axis_(started)
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

void Tally::onArrival(Instant intended, RunPart part)
{
    ++axis_.at(intended).requested;
    scheduled_ += part == RunPart::Measured ? 1 : 0;
}

void Tally::onDropped(Instant intended, RunPart part)
{
    ++dropped_;
    ++axis_.at(intended).dropped;
    droppedMeasured_ += part == RunPart::Measured ? 1 : 0;
}

void Tally::onStarted(Instant intended, RunPart part)
{
    ++started_;
    ++at(startedIn_, part);
    ++axis_.at(intended).dispatched;
}

void Tally::onInFlight(Instant now, std::size_t count)
{
    int& most = axis_.at(now).mostInFlight;
    most = std::max(most, static_cast<int>(count));
}

void Tally::onFinished(const engine::CallResult& result, const measure::Sample& sample, RunPart part)
{
    const chain::RunRecord& record = result.record;
    ++ended_;
    lastEnd_ = std::max(lastEnd_, record.ended);
    countOnAxis(record, sample);
    countMoney(result);
    if (sample.outcome != measure::Outcome::Cancelled)
        keepIfSlow(result, sample.end - sample.intended);
    if (part != RunPart::Measured)
        return;
    lastMeasuredEnd_ = std::max(lastMeasuredEnd_, record.ended);
    figures_.add(sample);
    countAttempts(record);
    if (sample.outcome == measure::Outcome::Cancelled)
        return;
    countTokens(result);
    if (sample.outcome == measure::Outcome::Success && sample.firstBegun)
        sendLateness_.record(std::max(Nanos(0), *sample.firstBegun - sample.intended - sample.waitedBeforeSent));
    if (sample.outcome == measure::Outcome::Success)
        countAnswer(record);
    else
        countFailure(failureOf(result));
}

void Tally::countOnAxis(const chain::RunRecord& record, const measure::Sample& sample)
{
    for (const chain::Step& step : record.steps) {
        const auto* attempt = std::get_if<chain::AttemptRecord>(&step);
        if (!attempt)
            continue;
        measure::TimeAxis::Slot& slot = axis_.at(attempt->timing.end);
        ++slot.attempts;
        if (attempt->error.disposition.error == provider::ErrorClass::None)
            continue;
        ++slot.attemptsFailed;
        ++slot.causes[causeOf(attempt->error)];
    }
    if (sample.outcome == measure::Outcome::Cancelled)
        return;
    measure::TimeAxis::Slot& slot = axis_.at(sample.end);
    const bool isSuccess = sample.outcome == measure::Outcome::Success;
    ++slot.statuses[isSuccess ? kOk : sample.status];
    if (!isSuccess) {
        ++slot.failed;
        return;
    }
    ++slot.answered;
    slot.good += measure::isGood(sample, figures_.objectives()) ? 1 : 0;
    slot.outputTokens += sample.tokensAreEstimated ? 0 : sample.outputTokens.value_or(0);
    slot.latency.record(sample.end - sample.intended);
}

void Tally::countAttempts(const chain::RunRecord& record)
{
    bool wasBlocked = false;
    for (const chain::Step& step : record.steps) {
        const auto* attempt = std::get_if<chain::AttemptRecord>(&step);
        if (!attempt)
            continue;
        ++attempts_;
        attemptsSent_ += attempt->timing.sent ? 1 : 0;
        if (attempt->error.disposition.error == provider::ErrorClass::None)
            continue;
        ++at(attemptsFailedBy_, attempt->error.disposition.error);
        if (attempt->error.disposition.error == provider::ErrorClass::RateLimited)
            attemptsBlockedAgain_ += std::exchange(wasBlocked, true) ? 1 : 0;
        keepExample(attempt->error, attempt->endpoint);
    }
}

void Tally::countFailure(const provider::ErrorFacts& error)
{
    keepExample(error, {});
    ++failedByStatus_[error.status];
    const bool hadNoSocket = error.code == provider::kOutOfDescriptors;
    const bool wasUnresolved = error.code == provider::kNameNotResolved;
    noSocket_ += hadNoSocket ? 1 : 0;
    unresolved_ += wasUnresolved ? 1 : 0;
    if (hadNoSocket || wasUnresolved)
        return;
    if (error.status == 0)
        ++at(failedWithoutStatus_, error.disposition.error);
    ++at(failedBy_, error.disposition.error);
}

void Tally::countAnswer(const chain::RunRecord& record)
{
    ++at(bySource_, record.source);
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
}

void Tally::countMoney(const engine::CallResult& result)
{
    if (result.costNanoUsd)
        money_.knownNanoUsd += *result.costNanoUsd - result.estimatedNanoUsd;
    money_.estimatedNanoUsd += result.estimatedNanoUsd;
    money_.estimatedRequests += result.estimatedNanoUsd > 0 ? 1 : 0;
    if (!result.costNanoUsd || result.costIsLowerBound)
        ++money_.unknownRequests;
}

void Tally::countTokens(const engine::CallResult& result)
{
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
