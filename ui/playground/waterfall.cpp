// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/waterfall.h"

#include "ui/format/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace sg::ui::waterfall {

namespace {

using chain::AttemptRecord;
using chain::MoveReason;
using chain::MoveRecord;
using chain::WaitReason;
using chain::WaitRecord;
using provider::ErrorClass;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::waterfall)
};

bool hasFailed(const AttemptRecord& attempt)
{
    return attempt.error.disposition.error != ErrorClass::None;
}

/// Servers ask for whole seconds: "2 s", not "2.00 s".
QString waitSpan(double ms)
{
    const bool isWhole = ms >= 1000 && std::abs(std::remainder(ms, 1000)) < 1;
    return isWhole ? format::number(ms / 1000, 0) + format::thin() + QLatin1Char('s') : span(ms);
}

/// Puts a scene together step by step.
class Builder
{
public:
    Builder(const engine::WatchView& view, const Surroundings& surroundings)
        : view_(view)
        , surroundings_(surroundings)
    {
        scene_.id = view.id;
        scene_.running = view.running;
        const Instant end = view.running ? std::max(view.taken, view.record.started) : view.record.ended;
        scene_.total = std::max(0.0, at(end));
    }

    Scene build()
    {
        addCache();
        for (const chain::Step& step : view_.record.steps)
            std::visit([this](const auto& s) { add(s); }, step);
        if (view_.current)
            addAttempt(*view_.current, true);
        addCanned();
        addNotNeeded();
        addUp();
        scene_.totalText = span(scene_.total);
        scene_.summary = summary();
        for (Row& row : scene_.rows)
            row.sentence = sentence(row);
        return std::move(scene_);
    }

private:
    double at(Instant instant) const { return toMs(spanBetween(view_.record.started, instant)); }
    double at(const std::optional<Instant>& instant, double otherwise) const
    {
        return instant ? at(*instant) : otherwise;
    }

    QString providerOf(const std::string& endpoint) const
    {
        for (const engine::WatchTarget& target : surroundings_.targets)
            if (target.target.kind == engine::TargetKind::Endpoint && target.target.name == endpoint)
                return text(target.provider);
        return {};
    }

    void take(Part::Kind kind, double ms) { spent_[static_cast<std::size_t>(kind)] += std::max(0.0, ms); }

    Row& addRow(const std::string& endpoint, int tier)
    {
        Row row;
        row.step = text(endpoint);
        row.provider = providerOf(endpoint);
        row.isOfAnsweringTier = tier >= 0 && tier == view_.record.tier;
        scene_.rows.push_back(std::move(row));
        return scene_.rows.back();
    }

    void addCache()
    {
        const bool isShared = view_.record.source == chain::Source::SharedCall;
        if (view_.record.source != chain::Source::Cache && !isShared)
            return;
        Row& row = addRow({}, -2);
        row.step = Words::tr("Cache");
        row.outcome = isShared ? Words::tr("shared an equal call") : Words::tr("hit, answered from it");
        row.tone = Tone::Good;
        row.took = span(scene_.total);
        row.bars.push_back({BarKind::Cache, 0, scene_.total, {}});
    }

    void addCanned()
    {
        if (view_.record.source != chain::Source::CannedReply)
            return;
        Row& row = addRow({}, view_.record.tier);
        row.step = Words::tr("Canned reply");
        row.outcome = Words::tr("answered by a rule");
        row.tone = Tone::Warned;
        row.bars.push_back({BarKind::Cache, scene_.total, scene_.total, {}});
    }

    void add(const AttemptRecord& attempt) { addAttempt(attempt, false); }

    void addAttempt(const AttemptRecord& attempt, bool isOn)
    {
        used_.insert(attempt.endpoint);
        closeMove(attempt.tier);
        tiers_.insert(attempt.tier);
        ++attempts_;
        Row& row = addRow(attempt.endpoint, attempt.tier);
        row.number = attempt.number;
        lastTier_ = attempt.tier;
        const double end = isOn ? scene_.total : at(attempt.timing.end);
        row.took = span(end - at(attempt.timing.dispatched));
        addBars(row, attempt, end, isOn);
        setOutcome(row, attempt, isOn);
        addFacts(row, attempt, end);
        if (attempt.committed && attempt.timing.firstToken)
            scene_.commit = at(*attempt.timing.firstToken);
    }

    void addBars(Row& row, const AttemptRecord& attempt, double end, bool isOn)
    {
        const chain::AttemptTiming& t = attempt.timing;
        const double begin = at(t.dispatched);
        const double connecting = std::min(end, at(t.connecting, begin));
        const double sent = t.sent ? std::clamp(at(*t.sent), connecting, end) : end;
        if (t.firstByte)
            row.firstByte = std::clamp(at(*t.firstByte), begin, end);
        const ErrorClass error = attempt.error.disposition.error;
        // Whoever cancels has seen so much of a good attempt: it is no failure.
        const bool isLost = hasFailed(attempt) && error != ErrorClass::Cancelled;
        if (isLost && !attempt.committed) {
            const BarKind kind = error == ErrorClass::RateLimited ? BarKind::RateLimited : BarKind::Failed;
            row.bars.push_back({kind, begin, end, {}});
            return take(Part::Kind::Failed, end - begin);
        }
        // What a failed attempt took is lost, however far it came.
        const auto part = [&](Part::Kind kind) { return isLost ? Part::Kind::Failed : kind; };
        push(row, BarKind::Queue, part(Part::Kind::Queue), begin, connecting);
        push(row, BarKind::Connect, part(Part::Kind::Connect), connecting, sent);
        const double first = t.firstToken ? std::clamp(at(*t.firstToken), sent, end) : end;
        push(row, BarKind::FirstToken, part(Part::Kind::FirstToken), sent, first);
        if (first > sent && (t.firstToken || !isOn))
            row.bars.back().words = span(first - sent);
        if (!t.firstToken)
            return;
        const double last = isLost ? std::clamp(at(t.lastToken, first), first, end) : end;
        push(row, BarKind::Streaming, part(Part::Kind::Streaming), first, last);
        if (last > first)
            row.bars.back().words = streamingWords(attempt, last - first);
        if (isLost) {
            row.bars.push_back({BarKind::Failed, last, end, {}});
            take(Part::Kind::Failed, end - last);
        }
    }

    void push(Row& row, BarKind kind, Part::Kind part, double from, double to)
    {
        if (to <= from)
            return;
        row.bars.push_back({kind, from, to, {}});
        take(part, to - from);
    }

    static QString streamingWords(const AttemptRecord& attempt, double ms)
    {
        const QString base = Words::tr("streaming %1").arg(span(ms));
        if (attempt.usage.outputTokens.value_or(0) < 2 || ms < 1)
            return base;
        const double rate = static_cast<double>(*attempt.usage.outputTokens - 1) / ms * 1000;
        return Words::tr("%1, %2 tokens/s").arg(base, format::number(rate, rate < 10 ? 1 : 0));
    }

    void setOutcome(Row& row, const AttemptRecord& attempt, bool isOn) const
    {
        if (isOn) {
            row.outcome = attempt.timing.firstToken ? Words::tr("streaming…")
                          : attempt.timing.sent     ? Words::tr("waiting for the first token")
                                                    : Words::tr("connecting…");
            return;
        }
        if (!hasFailed(attempt)) {
            row.tone = Tone::Good;
            const int status = statusOf(attempt);
            row.outcome = status > 0 ? QString::number(status) : Words::tr("answered");
            if (attempt.usage.outputTokens)
                row.outcome += Words::tr(", %1 tokens").arg(format::count(*attempt.usage.outputTokens));
            return;
        }
        const ErrorClass error = attempt.error.disposition.error;
        row.tone = error == ErrorClass::RateLimited ? Tone::Warned
                   : error == ErrorClass::Cancelled ? Tone::Plain
                                                    : Tone::Bad;
        row.outcome = outcomeOf(attempt.error);
        if (attempt.committed)
            row.outcome += Words::tr(", after first words");
    }

    int statusOf(const AttemptRecord& attempt) const
    {
        if (attempt.error.status > 0)
            return attempt.error.status;
        for (const engine::AttemptTrace& trace : view_.traces)
            if (trace.number == attempt.number)
                return trace.status;
        return 0;
    }

    void addFacts(Row& row, const AttemptRecord& attempt, double end) const
    {
        const chain::AttemptTiming& t = attempt.timing;
        const double begin = at(t.dispatched);
        const auto fact = [&](const QString& name, const std::optional<Instant>& when) {
            if (when)
                row.facts.push_back(name.arg(span(at(*when) - begin)));
        };
        row.facts.push_back(Words::tr("Began %1 after the request").arg(span(begin)));
        fact(t.connecting ? Words::tr("connected and sent after %1")
                          : Words::tr("sent after %1, over an open connection"),
             t.sent);
        fact(Words::tr("headers after %1"), t.headers);
        fact(Words::tr("first byte after %1"), t.firstByte);
        fact(Words::tr("first token after %1"), t.firstToken);
        row.facts.push_back(Words::tr("ended after %1").arg(span(end - begin)));
        if (attempt.probe)
            row.facts.push_back(Words::tr("a probe: the breaker was half-open"));
        if (!attempt.error.code.empty())
            row.facts.push_back(Words::tr("code %1").arg(text(attempt.error.code)));
        if (!attempt.error.message.empty())
            row.facts.push_back(text(attempt.error.message));
    }

    void add(const WaitRecord& wait)
    {
        const bool isLast = std::holds_alternative<WaitRecord>(view_.record.steps.back()) &&
                            &std::get<WaitRecord>(view_.record.steps.back()) == &wait;
        const bool isOn = isLast && view_.waitingUntil && view_.running;
        Wait shown;
        shown.from = at(wait.from);
        shown.to = at(wait.until);
        shown.isOn = isOn;
        // A cancelled or finished request did not wait to the end.
        const double over = isOn || isLast ? std::min(shown.to, scene_.total) : shown.to;
        const QString took = waitSpan(shown.to - shown.from);
        if (wait.reason == WaitReason::Limiter) {
            Row& row = addRow({}, -2);
            row.step = Words::tr("Limiter");
            row.outcome = isOn ? Words::tr("waiting its turn") : Words::tr("held back, then let through");
            row.took = span(over - shown.from);
            row.bars.push_back({BarKind::Queue, shown.from, over, {}});
            row.facts.push_back(text(wait.source));
            return take(Part::Kind::Queue, over - shown.from);
        }
        shown.isAsked = wait.reason == WaitReason::ServerHint;
        shown.words = shown.isAsked ? Words::tr("told to wait %1: %2").arg(took, text(wait.source))
                                    : Words::tr("backoff %1").arg(took);
        if (!shown.isAsked && wait.drawnFrom && wait.drawnTo) {
            const QString low =
                *wait.drawnFrom > Nanos::zero() ? waitSpan(toMs(*wait.drawnFrom)) : format::number(0, 0);
            shown.detail = Words::tr("drawn from %1 – %2").arg(low, waitSpan(toMs(*wait.drawnTo)));
            shown.kind = text(wait.source);
        } else if (!shown.isAsked)
            shown.detail = text(wait.source);
        else if (wait.ownBackoff > Nanos::zero())
            shown.detail = Words::tr("own backoff would have been %1").arg(span(toMs(wait.ownBackoff)));
        take(shown.isAsked ? Part::Kind::Asked : Part::Kind::Backoff, over - shown.from);
        if (scene_.rows.empty() || scene_.rows.back().wait || scene_.rows.back().movedAt)
            addRow(wait.endpoint, -2).outcome = Words::tr("waits");
        scene_.rows.back().wait = std::move(shown);
    }

    void add(const MoveRecord& move)
    {
        closeMove(move.tier);
        const bool isOfLastRow =
            !scene_.rows.empty() && lastTier_ == move.tier && scene_.rows.back().number > 0 && !scene_.rows.back().wait;
        used_.insert(move.endpoint);
        const QString why = moveWords(move.reason, move.wait);
        if (!isOfLastRow) {
            Row& row = addRow(move.endpoint, -2);
            if (row.step.isEmpty())
                row.step = Words::tr("Tier %1").arg(move.tier + 1);
            row.outcome = Words::tr("passed over: %1").arg(why);
            row.tone = Tone::Faint;
        }
        scene_.rows.back().movedAt = at(move.at);
        scene_.rows.back().move = why;
        openMove_ = scene_.rows.size() - 1;
        openMoveTier_ = move.tier;
    }

    // Only what comes next says where the move went.
    void closeMove(int nextTier)
    {
        if (!openMove_)
            return;
        Row& row = scene_.rows[*openMove_];
        const int from = openMoveTier_ + 1;
        row.movesOn = true;
        if (nextTier != openMoveTier_)
            row.move = Words::tr("Tier %1 → %2: %3").arg(from).arg(nextTier + 1).arg(row.move);
        openMove_.reset();
    }

    void addNotNeeded()
    {
        if (openMove_) {
            Row& row = scene_.rows[*openMove_];
            const bool isCanned = view_.record.source == chain::Source::CannedReply;
            row.movesOn = isCanned;
            row.move = (isCanned ? Words::tr("Tier %1 → canned reply: %2") : Words::tr("Tier %1 left: %2"))
                           .arg(openMoveTier_ + 1)
                           .arg(row.move);
        }
        for (const std::string& endpoint : surroundings_.reach) {
            if (used_.contains(endpoint))
                continue;
            Row& row = addRow(endpoint, -2);
            row.outcome = view_.running                                    ? Words::tr("in reserve")
                          : view_.record.ending == chain::Ending::Answered ? Words::tr("not needed")
                                                                           : Words::tr("not tried");
            row.tone = Tone::Faint;
        }
    }

    void addUp()
    {
        const double known = std::accumulate(spent_.begin(), spent_.end(), 0.0);
        spent_[static_cast<std::size_t>(Part::Kind::Other)] += std::max(0.0, scene_.total - known);
        const std::pair<Part::Kind, QString> names[] = {
            {Part::Kind::Queue, Words::tr("queue")},         {Part::Kind::Failed, Words::tr("tried and failed")},
            {Part::Kind::Backoff, Words::tr("backoff")},     {Part::Kind::Asked, Words::tr("told to wait")},
            {Part::Kind::Connect, Words::tr("connect")},     {Part::Kind::FirstToken, Words::tr("first token")},
            {Part::Kind::Streaming, Words::tr("streaming")}, {Part::Kind::Other, Words::tr("own time")},
        };
        for (const auto& [kind, name] : names)
            if (const double ms = spent_[static_cast<std::size_t>(kind)]; ms > 0)
                scene_.parts.push_back({kind, ms, name, {}});
        writeParts();
    }

    // Rounded one by one the parts would not add up to the total: what rounding takes goes to those that lost most.
    void writeParts()
    {
        const double total = scene_.total;
        const double grain = total < 9.95 ? 0.1 : total < 999.5 ? 1 : total < 9995 ? 10 : 100;
        std::vector<std::int64_t> grains;
        std::int64_t sum = 0;
        for (const Part& part : scene_.parts)
            sum += grains.emplace_back(static_cast<std::int64_t>(std::floor(part.ms / grain)));
        std::vector<std::size_t> order(scene_.parts.size());
        std::iota(order.begin(), order.end(), 0);
        const auto lost = [&](std::size_t i) { return scene_.parts[i].ms / grain - static_cast<double>(grains[i]); };
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return lost(a) > lost(b); });
        std::int64_t missing = std::llround(total / grain) - sum;
        for (const std::size_t i : order)
            if (missing-- > 0)
                ++grains[i];
        std::erase_if(scene_.parts, [&](const Part& part) {
            return grains[static_cast<std::size_t>(&part - scene_.parts.data())] == 0;
        });
        std::erase(grains, 0);
        for (std::size_t i = 0; i < scene_.parts.size(); ++i) {
            const double ms = static_cast<double>(grains[i]) * grain;
            const bool inSeconds = grain >= 10;
            const int decimals = grain < 1 ? 1 : grain < 10 ? 0 : grain < 100 ? 2 : 1;
            scene_.parts[i].text = format::number(inSeconds ? ms / 1000 : ms, decimals) + format::thin() +
                                   (inSeconds ? QStringLiteral("s") : QStringLiteral("ms"));
        }
    }

    QString summary() const
    {
        if (attempts_ == 0)
            return view_.running ? Words::tr("running") : Words::tr("no endpoint was asked");
        const QString tries = attempts_ == 1 ? Words::tr("1 try") : Words::tr("%1 tries").arg(attempts_);
        if (view_.target.kind == engine::TargetKind::Endpoint)
            return Words::tr("%1, straight to the endpoint").arg(tries);
        const auto tiers = static_cast<int>(tiers_.size());
        return tiers == 1 ? Words::tr("%1 on one tier").arg(tries)
                          : Words::tr("%1 over %2 tiers").arg(tries).arg(tiers);
    }

    static QString sentence(const Row& row)
    {
        QStringList parts;
        if (row.number > 0)
            parts << Words::tr("Try %1").arg(row.number);
        parts << row.step;
        if (!row.provider.isEmpty())
            parts << row.provider;
        parts << row.outcome;
        if (!row.took.isEmpty())
            parts << Words::tr("took %1").arg(row.took);
        if (row.wait)
            parts << Words::tr("then %1").arg(row.wait->words);
        if (!row.move.isEmpty() && row.number > 0)
            parts << row.move;
        return parts.join(QStringLiteral(", "));
    }

    const engine::WatchView& view_;
    const Surroundings& surroundings_;
    Scene scene_;
    std::array<double, 8> spent_{};
    std::set<std::string> used_;
    std::set<int> tiers_;
    std::optional<std::size_t> openMove_;
    int openMoveTier_ = -1, lastTier_ = -1, attempts_ = 0;
};

} // namespace

Scene sceneOf(const engine::WatchView& view, const Surroundings& surroundings)
{
    return Builder(view, surroundings).build();
}

} // namespace sg::ui::waterfall
