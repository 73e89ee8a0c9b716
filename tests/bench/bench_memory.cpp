// SPDX-License-Identifier: GPL-3.0-or-later
// Resident memory after 200 thousand and after 2 million requests through the engine. Of those
// that are sent three in a hundred meet an endpoint that fails (retries, a move, the event log, a breaker that trips),
// one in four is streamed; a picture is taken 15 times a second as the screen does.
//   bench_memory [requests] [percent that is sent for real; the others are answered from the cache]
#include "tests/support/bench_chain.h"

#include <QCoreApplication>
#include <QFile>
#include <QTextStream>
#include <QTimer>

using namespace sg;

namespace {

constexpr std::int64_t kRepeated = 500; ///< prompts that come again

double residentMiB()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QByteArrayList lines = status.readAll().split('\n');
    for (const QByteArray& line : lines)
        if (line.startsWith("VmRSS:"))
            return line.simplified().split(' ').value(1).toDouble() / 1024;
    return 0;
}

class Traffic final : public test::BenchLoop
{
public:
    Traffic(const test::BenchServer& server, double realShare)
        : realShare_(realShare)
        , random_(1)
        , core_(engine::EngineOptions{})
    {
        workspace::Workspace workspace =
            test::benchWorkspace({{server.url(QStringLiteral("whole")), server.url(QStringLiteral("burst"))}, true});
        workspace.endpoints.push_back(workspace.endpoints.front());
        workspace.endpoints.back().spec.name = "busy";
        workspace.endpoints.back().baseUrl = server.url(QStringLiteral("busy")).toString();
        workspace.endpoints.back().spec.breaker.open = Millis(50); // trips again and again
        addChain(workspace, "streamed", {1});
        addChain(workspace, "failing", {2, 0});
        core_.apply(workspace, cost::PriceBook(), QUrl(),
                    [](const workspace::KeyRef&) { return QByteArray("sk-bench"); });
        QObject::connect(&beat_, &QTimer::timeout, &beat_,
                         [this] { core_.recorder().snapshot(std::chrono::hours(1), http::steadyNow()); });
        beat_.start(std::chrono::milliseconds(1000 / 15));
    }
    void startOne() override
    {
        const bool real = random_.uniform() < realShare_;
        const double kind = random_.uniform();
        engine::Call call;
        call.target.name = !real || kind > 0.28 ? "bench" : kind < 0.03 ? "failing" : "streamed";
        const std::int64_t again = static_cast<std::int64_t>(random_.uniform() * static_cast<double>(kRepeated));
        call.request = test::benchRequest(call.target.name == "streamed", real ? kRepeated + ++fresh_ : again);
        call.intended = http::steadyNow();
        call.onFinished = [this](const engine::CallResult& result) {
            sources_[static_cast<std::size_t>(result.record.source)] += 1;
            done();
        };
        core_.start(std::move(call));
    }
    const std::array<std::int64_t, 5>& sources() const { return sources_; }

private:
    static void addChain(workspace::Workspace& workspace, const char* name, std::initializer_list<std::size_t> tiers)
    {
        workspace::Chain chain = workspace.chains.front();
        const chain::TierSpec tier = chain.spec.tiers.front();
        chain.spec.name = name;
        chain.spec.tiers.clear();
        for (const std::size_t endpoint : tiers) {
            chain.spec.tiers.push_back(tier);
            chain.spec.tiers.back().name = chain.spec.tiers.back().endpoint = workspace.endpoints[endpoint].spec.name;
        }
        workspace.chains.push_back(std::move(chain));
    }

    double realShare_;
    policy::SeededRandom random_;
    engine::EngineCore core_;
    QTimer beat_;
    std::int64_t fresh_ = 0;
    std::array<std::int64_t, 5> sources_{};
};

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    int result = 0;
    if (test::serveIfAsked(argc, argv, result))
        return result;
    const int requests = argc > 1 ? std::max(20, QByteArray(argv[1]).toInt()) : 2'000'000;
    const double percentReal = argc > 2 ? QByteArray(argv[2]).toDouble() : 100;
    test::BenchServer server;
    Traffic traffic(server, percentReal / 100);
    QTextStream out(stdout);
    out << "start                 " << QString::asprintf("%7.1f MiB", residentMiB()) << Qt::endl;
    const int step = requests / 20;
    double atTenth = 0;
    const Instant from = http::steadyNow();
    for (int done = step; done <= requests; done += step) {
        traffic.run(step);
        const double now = residentMiB();
        if (done == step * 2)
            atTenth = now;
        out << QString::asprintf("%9d requests    %7.1f MiB  %6.0f s", done, now, toMs(http::steadyNow() - from) / 1000)
            << Qt::endl;
    }
    using S = chain::Source;
    const auto count = [&](S source) { return traffic.sources()[static_cast<std::size_t>(source)]; };
    out << "answered by an endpoint " << count(S::Endpoint) << ", from cache " << count(S::Cache)
        << ", by a shared call " << count(S::SharedCall) << ", failed " << count(S::None) << "\n"
        << QString::asprintf("growth from a tenth to all: %+.1f MiB (%+.1f %%)\n", residentMiB() - atTenth,
                             100 * (residentMiB() / atTenth - 1));
    return 0;
}
