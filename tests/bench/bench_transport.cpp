// SPDX-License-Identifier: GPL-3.0-or-later
// CPU of the transports for each request against bare loops over the libraries that they use.
//   bench_transport [requests]
#include "core/http/transport_kind.h"
#include "tests/support/bare_curl.h"
#include "tests/support/bench_loop.h"

#include <QCoreApplication>
#include <QTextStream>

using namespace sg;
using test::BenchCost;

namespace {

constexpr int concurrency = test::kBenchConcurrency;
const QByteArray body(1024, 'p');

class Ours final : public test::BenchLoop
{
public:
    Ours(QUrl url, http::TransportKind kind)
        : url_(std::move(url))
        , transport_(http::makeTransport(kind, concurrency, {concurrency}))
    {
    }
    void startOne() override
    {
        http::Request request;
        request.url = url_;
        request.headers = {{"Content-Type", "application/json"}, {"Authorization", "Bearer key"}};
        request.body = body;
        request.limits.connect = Millis(10000);
        request.limits.firstByte = Millis(30000);
        request.limits.idle = Millis(30000);
        request.limits.total = Millis(60000);
        transport_->start(std::move(request), std::make_shared<Sink>(*this));
    }
    http::TransportFigures figures() const { return transport_->figures(); }

private:
    struct Sink final : http::Listener
    {
        explicit Sink(Ours& o)
            : owner(o)
        {
        }
        void onHeaders(int, const http::Headers&, Instant) override {}
        void onBody(QByteArrayView piece, Instant) override { owner.bytes_ += piece.size(); }
        void onFinished(const http::Outcome& outcome) override
        {
            if (outcome.failure != http::FailureKind::None)
                qFatal("%s", qPrintable(outcome.detail));
            owner.done();
        }
        Ours& owner;
    };

    QUrl url_;
    std::unique_ptr<http::Transport> transport_;
    qint64 bytes_ = 0;
};

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    int result = 0;
    if (test::serveIfAsked(argc, argv, result))
        return result;
    const int count = argc > 1 ? std::max(1, QByteArray(argv[1]).toInt()) : 5000;
    test::BenchServer server;
    const QUrl url = server.url(QStringLiteral("whole/"));

    std::vector<BenchCost> one, many, ours, bareCurl, curl;
    http::TransportFigures figures, curlFigures;
    for (int round = 0; round < 3; ++round) {
        {
            test::BareLoop loop(url, body, 1);
            one.push_back(measure(loop, count));
        }
        {
            test::BareLoop loop(url, body, (concurrency + 5) / 6);
            many.push_back(measure(loop, count));
        }
        {
            Ours loop(url, http::TransportKind::Qnam);
            ours.push_back(measure(loop, count));
            figures = loop.figures();
        }
        {
            test::BareCurl loop(url, body, concurrency);
            bareCurl.push_back(loop.measure(count));
        }
        {
            Ours loop(url, http::TransportKind::Curl);
            curl.push_back(measure(loop, count));
            curlFigures = loop.figures();
        }
    }
    const BenchCost a = test::best(one), b = test::best(many), c = test::best(ours), d = test::best(bareCurl),
                    e = test::best(curl);
    QTextStream out(stdout);
    out << "requests " << count << ", concurrency " << concurrency << ", best of 3, per request:\n"
        << QString::asprintf("bare, 1 manager (6 connections)     %6.1f us CPU %6.1f us wall\n", a.cpu, a.wall)
        << QString::asprintf("bare, 9 managers (54 connections)   %6.1f us CPU %6.1f us wall\n", b.cpu, b.wall)
        << QString::asprintf("transport qt (%lld connections)       %6.1f us CPU %6.1f us wall\n",
                             static_cast<long long>(figures.connectionsOpened), c.cpu, c.wall)
        << QString::asprintf("bare libcurl, epoll                 %6.1f us CPU %6.1f us wall\n", d.cpu, d.wall)
        << QString::asprintf("transport curl (%lld connections)     %6.1f us CPU %6.1f us wall\n",
                             static_cast<long long>(curlFigures.connectionsOpened), e.cpu, e.wall)
        << QString::asprintf("ratio of qt to 1 manager %.2f, to 9 managers %.2f; of curl to libcurl %.2f, to qt %.2f\n",
                             c.cpu / a.cpu, c.cpu / b.cpu, e.cpu / d.cpu, e.cpu / c.cpu);
    out << "server " << server.stop() << " us CPU a request\n";
    return 0;
}
