// SPDX-License-Identifier: GPL-3.0-or-later
// What recording and looking cost: 12 endpoints, 5,000 requests a second of virtual time, 20 pictures a second. The
// counts for Prometheus are a part of recording; what they take of it is told apart, with the page that a scrape gets.
#include "core/chain/chain_state.h"
#include "core/observe/metrics.h"
#include "core/observe/recorder.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <malloc.h>
#include <random>

using namespace sg;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kEndpoints = 12;
constexpr std::int64_t kRequestNs = 200'000; // 5,000 a second

struct Spent
{
    std::int64_t facts = 0, pictures = 0;
    double factNs = 0, pictureNs = 0, worstPictureNs = 0;
};

double since(Clock::time_point start)
{
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

class Feed
{
public:
    Feed()
    {
        std::vector<observe::EndpointInfo> infos;
        for (int i = 0; i < kEndpoints; ++i) {
            chain::EndpointSpec spec;
            spec.name = "endpoint-number-" + std::to_string(i);
            spec.breaker.failureRate = 0.5;
            spec.breaker.minimumCalls = 20;
            spec.requestsPerMinute = 100'000;
            const std::string name = spec.name;
            states_.push_back(std::make_shared<chain::EndpointState>(
                spec, nullptr, nullptr, nullptr,
                [this, name](const policy::BreakerTransition& t) { recorder_.onBreaker(name, t); }));
            infos.push_back({name, "provider", "model", states_.back(), "api.example.com", 443});
        }
        recorder_.setEndpoints(infos);
        metrics_.setEndpoints(infos);
        chain::ChainSpec chain;
        chain.name = "assist";
        for (const auto& state : states_) {
            chain::TierSpec tier;
            tier.name = tier.endpoint = state->spec().name;
            chain.tiers.push_back(tier);
        }
        chain_ = std::make_shared<chain::ChainState>(chain, states_);
        recorder_.setChains({chain_});
        metrics_.setChains({chain_});
        recorder_.setWorkspace("bench", "dev", true, true);
        std::lognormal_distribution<double> latency(std::log(700.0), 0.5);
        for (Nanos& value : latencies_)
            value = fromMs(latency(random_));
    }

    /// Requests in batches of one picture's time; facts and pictures are timed apart.
    void run(std::int64_t requests, Nanos window, bool look, Spent& spent)
    {
        const std::int64_t batch = 250;
        for (std::int64_t done = 0; done < requests; done += batch) {
            const auto start = Clock::now();
            for (std::int64_t i = 0; i < batch; ++i)
                spent.facts += request();
            spent.factNs += since(start);
            if (!look)
                continue;
            const auto looked = Clock::now();
            const observe::SnapshotPtr picture = recorder_.snapshot(window, now_);
            const double took = since(looked);
            spent.pictureNs += took;
            spent.worstPictureNs = std::max(spent.worstPictureNs, took);
            ++spent.pictures;
        }
    }

    void slower(Nanos between) { between_ = between; }

    /// The same facts, told to the counts for Prometheus alone or to nobody.
    enum class To { Recorder, Metrics, Nobody };
    void tell(To to) { to_ = to; }

    void scrape()
    {
        const observe::SnapshotPtr picture = recorder_.snapshot(std::chrono::minutes(15), now_);
        constexpr int kPages = 200;
        qsizetype bytes = 0;
        const auto start = Clock::now();
        for (int i = 0; i < kPages; ++i)
            bytes = recorder_.metrics().expose(observe::ExpositionFormat::OpenMetrics100, *picture, {}).size();
        std::printf("a page for Prometheus        %6.0f us, %lld KiB\n", since(start) / 1000 / kPages,
                    static_cast<long long>(bytes / 1024));
    }

    /// As many states and lines as a picture may hold.
    void flap()
    {
        for (int i = 0; i < 250; ++i) {
            now_ += Millis(1000);
            for (const auto& state : states_) {
                state->breaker().trip(now_);
                state->breaker().reset(now_ + Millis(500));
            }
        }
    }

private:
    int attempt(chain::RunRecord& run, int endpoint, bool fails, Nanos took)
    {
        chain::AttemptRecord record;
        record.endpoint = states_[static_cast<std::size_t>(endpoint)]->spec().name;
        record.tier = run.tier = endpoint;
        record.timing.dispatched = now_ - took;
        record.timing.sent = record.timing.dispatched;
        record.timing.firstToken = now_ - took / 2;
        record.timing.lastToken = now_;
        record.timing.end = now_;
        record.usage.inputTokens = 500;
        record.usage.outputTokens = 200;
        if (fails) {
            record.error.disposition = provider::dispositionOf(provider::ErrorClass::Overloaded);
            record.error.status = 503;
        }
        if (to_ == To::Recorder) {
            recorder_.onAttemptStarted(record.endpoint, now_);
            recorder_.onAttemptFinished(record, now_);
        } else if (to_ == To::Metrics) {
            metrics_.onAttemptFinished(record);
        }
        run.endpoint = record.endpoint;
        run.steps.emplace_back(std::move(record));
        if (fails)
            run.steps.emplace_back(
                chain::MoveRecord{now_, endpoint, run.endpoint, chain::MoveReason::AttemptsUsed, {}});
        ++run.attempts;
        return 2;
    }

    int request()
    {
        now_ += between_;
        ++count_;
        const Nanos took = latencies_[count_ % latencies_.size()];
        const auto endpoint = static_cast<int>(count_ % kEndpoints);
        chain::RunRecord run;
        run.chain = "assist";
        if (to_ == To::Recorder)
            recorder_.onRequestStarted(now_);
        int facts = 2;
        run.ending = chain::Ending::Answered;
        run.source = count_ % 5 == 0 ? chain::Source::Cache : chain::Source::Endpoint;
        const bool troubled = count_ % 20 == 1;
        if (troubled)
            facts += attempt(run, (endpoint + 1) % kEndpoints, true, took);
        if (run.source == chain::Source::Endpoint)
            facts += attempt(run, endpoint, false, took);
        run.ended = now_;
        if (to_ == To::Recorder)
            recorder_.onRequestFinished(run, now_ - took, {1'000'000, {}}, now_, &chain_->spec());
        else if (to_ == To::Metrics)
            metrics_.onRequestFinished(run, now_ - took, {1'000'000, {}}, &chain_->spec());
        return facts;
    }

    Instant now_ = instantAtMs(0);
    Nanos between_{kRequestNs};
    std::uint64_t count_ = 0;
    std::mt19937_64 random_{1};
    std::array<Nanos, 4096> latencies_;
    To to_ = To::Recorder;
    observe::Recorder recorder_{{instantAtMs(0), 1'700'000'000'000}};
    observe::Metrics metrics_;
    std::vector<std::shared_ptr<chain::EndpointState>> states_;
    std::shared_ptr<chain::ChainState> chain_;
};

double heapMiB()
{
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd) / (1024 * 1024);
}

void print(const char* what, const Spent& spent)
{
    std::printf("%-28s %6.0f ns per fact", what, spent.factNs / static_cast<double>(spent.facts));
    if (spent.pictures > 0)
        std::printf(", %6.0f us per snapshot (worst %.0f us)",
                    spent.pictureNs / 1000 / static_cast<double>(spent.pictures), spent.worstPictureNs / 1000);
    std::printf("\n");
}

} // namespace

int main()
{
    using namespace std::chrono;
    Feed feed;
    std::printf("heap, nothing recorded          %7.1f MiB\n", heapMiB());
    Spent first;
    feed.run(200'000, minutes(15), true, first);
    print("200 k requests, 15 min", first);
    feed.scrape();
    Spent counted, nobody;
    feed.tell(Feed::To::Nobody);
    feed.run(1'000'000, minutes(15), false, nobody);
    feed.tell(Feed::To::Metrics);
    feed.run(1'000'000, minutes(15), false, counted);
    feed.tell(Feed::To::Recorder);
    print("making up the facts", nobody);
    print("with counts for Prometheus", counted);
    std::printf("of that the counts           %6.0f ns per fact\n",
                (counted.factNs - nobody.factNs) / static_cast<double>(counted.facts));
    std::printf("heap after 200 k requests       %7.1f MiB\n", heapMiB());
    Spent rest;
    feed.run(1'800'000, minutes(15), true, rest);
    print("to 2 M requests, 15 min", rest);
    std::printf("heap after 2 M requests         %7.1f MiB\n", heapMiB());
    Spent full;
    feed.run(4'000'000, minutes(15), false, full);
    print("to 6 M requests, 20 min", full);
    std::printf("heap after 6 M requests         %7.1f MiB\n", heapMiB());
    for (const auto& [name, window] : {std::pair{"window 5 min", Nanos(minutes(5))},
                                       {"window 1 h", Nanos(hours(1))},
                                       {"window 6 h", Nanos(hours(6))},
                                       {"window 24 h", Nanos(hours(24))}}) {
        Spent spent;
        feed.run(25'000, window, true, spent);
        print(name, spent);
    }
    feed.flap();
    Spent crowded;
    feed.run(25'000, minutes(15), true, crowded);
    print("15 min, 12 lanes of 400", crowded);
    feed.slower(milliseconds(20));
    Spent day;
    feed.run(5'000'000, hours(24), false, day);
    print("a day at 50 requests/s", day);
    std::printf("heap after that day             %7.1f MiB\n", heapMiB());
    feed.run(2'000'000, hours(24), false, day);
    std::printf("heap 11 hours later             %7.1f MiB\n", heapMiB());
    return 0;
}
