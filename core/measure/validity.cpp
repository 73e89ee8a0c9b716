// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validity.h"

#include <algorithm>

namespace sg::measure {

namespace {

double allowedMs(const std::optional<Nanos>& measured, const ValidityLimits& limits)
{
    return std::max(toMs(limits.grain), toMs(measured.value_or(Nanos(0))) * limits.ofMeasured);
}

QString ms(Nanos span)
{
    return QString::number(toMs(span), 'f', 1);
}

QString percent(double share)
{
    return QString::number(share * 100, 'f', 0);
}

struct Late
{
    Nanos send{0}, read{0};
    Nanos all() const { return send + read; }
};

std::optional<Late> lateOf(const std::optional<Nanos>& send, const std::optional<Nanos>& read)
{
    if (!send && !read)
        return std::nullopt;
    return Late{send.value_or(Nanos(0)), read.value_or(Nanos(0))};
}

bool isAbove(Nanos late, const std::optional<Nanos>& measured, Nanos grain, double share)
{
    return measured && toMs(late) > std::max(toMs(grain), toMs(*measured) * share);
}

/// Why a generator is late without fault of its own; empty: its threads got what they wanted.
QString starvedWords(const GeneratorFacts& facts)
{
    constexpr double kWorthAWord = 0.1;
    if (facts.starvedShare.value_or(0) < kWorthAWord)
        return {};
    return QStringLiteral("; its threads were ready and had no processor for %1 % of the time that they wanted: end "
                          "other programs on this machine")
        .arg(percent(*facts.starvedShare));
}

void judgeLateness(const GeneratorFacts& facts, const ValidityLimits& limits, QStringList& reasons)
{
    if (const auto late = lateOf(facts.sendLateTypical, facts.readLateTypical);
        late && isAbove(late->all(), facts.medianResponse, limits.medianGrain, limits.ofMedian))
        return reasons.append(
            QStringLiteral("the generator was late itself: requests typically left %1 ms after their time "
                           "and answers were typically read %2 ms after they came, of a median of %3 "
                           "ms; use a lower concurrency or rate")
                .arg(ms(late->send), ms(late->read), ms(*facts.medianResponse)) +
            starvedWords(facts));
    if (const auto late = lateOf(facts.sendLateP99, facts.readLateP99);
        late && facts.finished >= limits.fewest &&
        isAbove(late->all(), facts.responseP99, limits.p99Grain, limits.ofP99))
        return reasons.append(
            QStringLiteral("the generator was late itself: 1 % of the requests left %1 ms or more "
                           "after their time and 1 % of the answers were read %2 ms or more after "
                           "they came, of a 99th percentile of %3 ms; use a lower concurrency or rate")
                .arg(ms(late->send), ms(late->read), ms(*facts.responseP99)) +
            starvedWords(facts));
    if (!facts.readLateTypical && facts.waitPerTurn &&
        isAbove(*facts.waitPerTurn * 2, facts.medianResponse, limits.p99Grain, limits.ofP99))
        reasons.append(QStringLiteral("the generator's threads waited %1 ms for a processor at each turn, of a median "
                                      "of %2 ms; use a lower concurrency or rate")
                           .arg(ms(*facts.waitPerTurn), ms(*facts.medianResponse)) +
                       starvedWords(facts));
}

void judgeStarving(const GeneratorFacts& facts, const ValidityLimits& limits, QStringList& reasons)
{
    // Many short waits of a program that hardly runs are a large share of little, and of no figure.
    const bool isFelt = !facts.waitPerTurn ||
                        isAbove(*facts.waitPerTurn * 2, facts.medianResponse, limits.feltGrain, limits.feltOfMedian);
    if (isFelt && facts.starvedShare.value_or(0) > limits.mostStarved &&
        facts.processShare.value_or(0) >= limits.leastCpu)
        reasons.append(
            QStringLiteral("the generator was held up: its threads were ready and had no processor for %1 % of "
                           "the time that they wanted; end other programs on this machine")
                .arg(percent(*facts.starvedShare)));
}

void judgeTime(const GeneratorFacts& facts, const ValidityLimits& limits, QStringList& reasons)
{
    if (facts.loopLagP95 && toMs(*facts.loopLagP95) > allowedMs(facts.medianResponse, limits))
        reasons.append(QStringLiteral("the load generator ran late: 95 % of its timer ticks came within %1 ms of their "
                                      "time only; use a lower concurrency or rate")
                           .arg(ms(*facts.loopLagP95)));
    if (facts.scheduleDelayP99 && toMs(*facts.scheduleDelayP99) > allowedMs(facts.responseP99, limits))
        reasons.append(QStringLiteral("the schedule was not kept: 1 % of the requests left %1 ms or more after their "
                                      "time; use a lower rate")
                           .arg(ms(*facts.scheduleDelayP99)));
    // The median: what one stall of the machine delays is not a client that cannot keep up.
    if (facts.medianQueue && toMs(*facts.medianQueue) > allowedMs(facts.medianResponse, limits))
        reasons.append(QStringLiteral("half of the requests waited %1 ms or more in the client before they were sent; "
                                      "use a lower concurrency")
                           .arg(ms(*facts.medianQueue)));
}

void judgeRate(const GeneratorFacts& facts, const ValidityLimits& limits, QStringList& reasons)
{
    if (facts.dropped > 0)
        reasons.append(QStringLiteral("%1 scheduled arrivals were dropped because %2 requests were in flight; allow "
                                      "more of them, or lower the rate")
                           .arg(facts.dropped)
                           .arg(facts.mostInFlight));
    if (facts.localErrors > 0)
        reasons.append(
            QStringLiteral("%1 requests failed in this machine, which had no free socket; raise its limit of "
                           "open files, or use a lower concurrency or rate")
                .arg(facts.localErrors));
    if (facts.unresolved > 0)
        reasons.append(QStringLiteral("%1 requests failed in this machine, which found no address for the target's "
                                      "name; check the address and this machine's DNS")
                           .arg(facts.unresolved));
    if (facts.requestedRate && facts.dispatchedRate &&
        *facts.dispatchedRate < *facts.requestedRate * limits.leastDispatched)
        reasons.append(QStringLiteral("the generator sent %1 requests a second of the %2 that were scheduled; use a "
                                      "lower rate")
                           .arg(*facts.dispatchedRate, 0, 'f', 1)
                           .arg(*facts.requestedRate, 0, 'f', 1));
}

void judgeMeans(const GeneratorFacts& facts, const ValidityLimits& limits, QStringList& reasons)
{
    if (facts.threadShare && *facts.threadShare > limits.mostCpu)
        reasons.append(QStringLiteral("the generator's thread was busy for %1 % of the time; use a lower concurrency "
                                      "or rate")
                           .arg(percent(*facts.threadShare)));
    if (facts.processShare && *facts.processShare > limits.mostCpu)
        reasons.append(QStringLiteral("this program used %1 % of the machine's processors; use a lower concurrency or "
                                      "rate, or run the target elsewhere")
                           .arg(percent(*facts.processShare)));
    if (facts.concurrency && facts.connectionLimit && *facts.concurrency > *facts.connectionLimit)
        reasons.append(QStringLiteral("concurrency %1 is above the transport's %2 connections to one server: requests "
                                      "waited in the client")
                           .arg(*facts.concurrency)
                           .arg(*facts.connectionLimit));
}

} // namespace

std::optional<Nanos> typicalLateness(const stats::Histogram& lateness)
{
    return std::max(lateness.percentile(50), lateness.mean());
}

QStringList invalidBecause(const GeneratorFacts& facts, const ValidityLimits& limits)
{
    QStringList reasons;
    judgeLateness(facts, limits, reasons);
    if (reasons.isEmpty())
        judgeStarving(facts, limits, reasons);
    judgeTime(facts, limits, reasons);
    judgeRate(facts, limits, reasons);
    judgeMeans(facts, limits, reasons);
    if (facts.finished == 0)
        reasons.append(QStringLiteral("no request finished"));
    return reasons;
}

Verdict verdictOf(bool valid, bool hasObjectives, bool met)
{
    if (!valid)
        return Verdict::Invalid;
    if (!hasObjectives)
        return Verdict::Valid;
    return met ? Verdict::Passed : Verdict::Missed;
}

} // namespace sg::measure
