// SPDX-License-Identifier: GPL-3.0-or-later
// CPU of the whole chain (limiter, breaker, retries, recorder, prices; no cache) for each request, against a bare
// QNetworkAccessManager loop that sends the same bytes to the same server. All threads of the process count.
//   bench_chain [requests] [rounds] [whole|burst|stream]
//   bench_chain REQUESTS profile WAY      the chain alone, for a profiler
#include "core/provider/request_writer.h"
#include "tests/support/bench_chain.h"

#include <QCoreApplication>
#include <QTextStream>

using namespace sg;
using test::BenchCost;

namespace {

constexpr int kManagers = (test::kBenchConcurrency + 5) / 6;

struct Way
{
    const char* path;
    const char* what;
    bool stream;
};
constexpr Way kWays[] = {
    {"whole", "whole answers, 512 bytes", false},
    {"stream", "streams, 20 pieces, 2 ms apart", true},
    {"burst", "streams, 20 pieces, at once", true},
};

void compare(const Way& way, int count, int rounds, QTextStream& out)
{
    test::BenchServer server;
    const QUrl base = server.url(QLatin1String(way.path));
    const QUrl url = server.url(QLatin1String(way.path) + QStringLiteral("/v1/chat/completions"));
    const QByteArray body = provider::chatBody(provider::ProviderProfile(), test::benchRequest(way.stream), "bench-1");
    std::vector<BenchCost> one, many, ours;
    for (int round = 0; round < rounds; ++round) {
        const auto run = [count](std::vector<BenchCost>& costs, test::BenchLoop&& loop) {
            costs.push_back(measure(loop, count));
        };
        run(one, test::BareLoop(url, body, 1));
        run(many, test::BareLoop(url, body, kManagers));
        run(ours, test::ChainLoop(base, way.stream));
    }
    const BenchCost a = test::median(one), b = test::median(many), c = test::median(ours);
    out << way.what << "\n"
        << QString::asprintf("  bare, 1 manager (6 connections)    %7.1f us CPU %7.1f us wall\n", a.cpu, a.wall)
        << QString::asprintf("  bare, %d managers (50 connections)  %7.1f us CPU %7.1f us wall\n", kManagers, b.cpu,
                             b.wall)
        << QString::asprintf("  the whole chain                    %7.1f us CPU %7.1f us wall\n", c.cpu, c.wall)
        << QString::asprintf("  ratio to 1 manager %.2f, to %d managers %.2f\n", c.cpu / a.cpu, kManagers,
                             c.cpu / b.cpu)
        << QString::asprintf("  (server: %.1f us CPU)\n", server.stop());
    out.flush();
}

int profile(const Way& way, int count, QTextStream& out)
{
    test::BenchServer server;
    test::ChainLoop loop(server.url(QLatin1String(way.path)), way.stream);
    out << measure(loop, count).cpu << " us CPU" << Qt::endl;
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    int result = 0;
    if (test::serveIfAsked(argc, argv, result))
        return result;
    const int count = argc > 1 ? std::max(1, QByteArray(argv[1]).toInt()) : 5000;
    const int rounds = argc > 2 ? std::max(1, QByteArray(argv[2]).toInt()) : 5;
    QTextStream out(stdout);
    if (argc > 3 && QByteArrayView(argv[2]) == "profile")
        return profile(QByteArrayView(argv[3]) == "whole" ? kWays[0] : kWays[1], count, out);
    out << count << " requests, " << test::kBenchConcurrency << " at a time, median of " << rounds << " rounds\n";
    for (const Way& way : kWays) {
        if (argc <= 3 || QByteArrayView(argv[3]) == way.path)
            compare(way, count, rounds, out);
    }
    return 0;
}
