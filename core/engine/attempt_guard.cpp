// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/attempt_guard.h"

#include "core/http/transport.h"

namespace sg::engine {

namespace {

constexpr double kCharactersPerToken = 4;

std::string inMs(Nanos span)
{
    return std::to_string(std::chrono::ceil<Millis>(span).count()) + " ms";
}

std::string shortest(double value)
{
    return QByteArray::number(value, 'g', 6).toStdString();
}

} // namespace

AttemptGuard::AttemptGuard(TimerQueue& timers, const policy::TokenLimits& limits, Broken broken)
    : timers_(timers)
    , limits_(limits)
    , broken_(std::move(broken))
{
}

void AttemptGuard::expectFirstToken(SentAt sentAt)
{
    if (!limits_.firstToken)
        return;
    sentAt_ = std::move(sentAt);
    wakeForFirstToken(later(http::steadyNow(), *limits_.firstToken));
}

void AttemptGuard::wakeForFirstToken(Instant at)
{
    awaitsToken_ = true;
    if (pausedAt_)
        return;
    firstToken_ = timers_.at(at, [this] { firstTokenDue(); });
}

/// Nobody says when the request is out: asked late, the answer is the same.
void AttemptGuard::firstTokenDue()
{
    firstToken_.reset();
    const Instant now = http::steadyNow();
    const Instant due = later(later(sentAt_().value_or(now), *limits_.firstToken), stoodStill_);
    if (due > now)
        return wakeForFirstToken(due);
    breakOff(provider::TransportError::FirstTokenTimeout,
             "no token within " + inMs(*limits_.firstToken) + " after the request was sent");
}

void AttemptGuard::answerBegins(bool asStream, Instant at)
{
    countsBytes_ = !asStream;
    if (!asStream)
        endFirstToken();
    if (!limits_.slowest)
        return;
    rate_.emplace(*limits_.slowest, at);
    wakeForWindow();
}

void AttemptGuard::wakeForWindow()
{
    inWindow_ = true;
    if (pausedAt_)
        return;
    window_ = timers_.at(rate_->due(), [this] { windowOver(); });
}

void AttemptGuard::windowOver()
{
    window_.reset();
    if (!rate_->isTooSlow(http::steadyNow()))
        return wakeForWindow();
    breakOff(provider::TransportError::TooSlow, "less than " + shortest(limits_.slowest->tokensPerSecond) +
                                                    " tokens a second for " + inMs(limits_.slowest->window));
}

void AttemptGuard::bodyCame(qsizetype bytes)
{
    if (rate_ && countsBytes_)
        rate_->add(static_cast<double>(bytes) / kCharactersPerToken);
}

void AttemptGuard::committed()
{
    endFirstToken();
    if (!limits_.abortsSlowStreams)
        endWindow();
}

void AttemptGuard::said(qsizetype characters)
{
    if (rate_)
        rate_->add(static_cast<double>(characters) / kCharactersPerToken);
}

void AttemptGuard::setPaused(bool paused)
{
    if (paused == pausedAt_.has_value())
        return;
    const Instant now = http::steadyNow();
    if (paused) {
        pausedAt_ = now;
        stop(firstToken_);
        return stop(window_);
    }
    const Instant from = *std::exchange(pausedAt_, std::nullopt);
    stoodStill_ += now - from;
    if (rate_)
        rate_->stoodStill(from, now);
    if (awaitsToken_)
        wakeForFirstToken(now); // which looks when it is really due
    if (inWindow_)
        wakeForWindow();
}

void AttemptGuard::lift()
{
    endFirstToken();
    endWindow();
}

void AttemptGuard::endFirstToken()
{
    awaitsToken_ = false;
    stop(firstToken_);
}

void AttemptGuard::endWindow()
{
    inWindow_ = false;
    stop(window_);
}

void AttemptGuard::stop(std::optional<TimerQueue::Id>& timer)
{
    if (timer)
        timers_.cancel(*std::exchange(timer, std::nullopt));
}

void AttemptGuard::breakOff(provider::TransportError error, std::string detail)
{
    lift();
    const Broken broken = std::move(broken_); // ends this object's owner
    broken(error, std::move(detail));
}

} // namespace sg::engine
