// SPDX-License-Identifier: GPL-3.0-or-later
// What watching one request costs the engine thread: hearing a token, and a picture of a request that has said much.
#include "core/engine/watched_request.h"

#include <QCoreApplication>

#include <chrono>
#include <cstdio>

using namespace sg;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kTokens = 20'000;
constexpr int kPictures = 100;

double microsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication app(argc, argv);
    engine::EngineCore core({});
    engine::WatchedRequest watched(1, {engine::TargetKind::Chain, "chain"});
    engine::EndpointRoute route;
    route.key = "bench-odd-key-0001";
    http::Request request;
    request.body = QByteArray(16 * 1024, 'x');
    watched.onAttempt({1, 0, "endpoint", {}, false}, {});
    watched.onSend(route, request, {});
    watched.onHeaders(200, {{"Content-Type", "text/event-stream"}});

    const QByteArray piece = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"token\"}}]}\n\n";
    provider::Delta delta;
    delta.text = QStringLiteral("token");
    const chain::RunRecord record;
    double hearing = 0, looking = 0, worst = 0;
    for (int picture = 0; picture < kPictures; ++picture) {
        const auto heard = Clock::now();
        for (int i = 0; i < kTokens / kPictures; ++i) {
            watched.onBody(piece);
            watched.onDelta(delta, {});
        }
        hearing += microsSince(heard);
        const auto looked = Clock::now();
        const auto view = watched.picture(core, {record, nullptr});
        const double took = microsSince(looked);
        looking += took;
        worst = std::max(worst, took);
    }
    std::printf("a token heard: %.3f us; a picture, 20,000 tokens growing: mean %.0f us, worst %.0f us\n",
                hearing / kTokens, looking / kPictures, worst);
    provider::Answer answer;
    answer.text = QString(1024 * 1024, QLatin1Char('a'));
    watched.onAttemptOver(answer);
    const auto looked = Clock::now();
    const auto view = watched.picture(core, {record, nullptr});
    std::printf("a picture of an answer of 1 MiB characters: %.0f us\n", microsSince(looked));
    return view->answer.text.size() == answer.text.size() ? 0 : 1;
}
