// SPDX-License-Identifier: GPL-3.0-or-later
// How true the figures of a load are: bench_load [RATE] [SECONDS] [auto|qt|curl] [BUSY]. Open loads against the
// simulator in this process, a known distribution each; its own account of itself is the truth. 2000/s at 500 ms are
// 1,000 requests in flight. BUSY: so many programs that only compute take the processors meanwhile; figures that are
// off by more than 2 % at p50 or 5 % at p99 must then be those of an INVALID run.
#include "core/load/report.h"
#include "core/load/run.h"
#include "core/simulator/simulator.h"
#include "tests/support/endpoint_at.h"

#include <QCoreApplication>

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sg;

namespace {

/// Programs that do nothing but compute, until this one goes.
class Busy
{
public:
    explicit Busy(int count)
    {
        for (int i = 0; i < count; ++i) {
            const pid_t child = ::fork();
            if (child == 0)
                compute();
            if (child > 0)
                children_.push_back(child);
        }
    }
    ~Busy()
    {
        for (const pid_t child : children_) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
    }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    [[noreturn]] static void compute()
    {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (volatile unsigned counter = 0;;)
            counter = counter + 1;
    }
    std::vector<pid_t> children_;
};

struct Case
{
    const char* name;
    QByteArray endpoint; ///< the fields of its script
};

load::LoadPlan planOf(double rate, double seconds)
{
    load::LoadPlan plan;
    plan.targetKind = load::TargetKind::Endpoint;
    plan.target = "known";
    const int most = static_cast<int>(rate * 20);
    plan.model = load::OpenModel{{{fromMs(seconds * 1000), rate, rate}}, load::Arrivals::Poisson, most};
    plan.maxTokens = 16;
    return plan;
}

double at(const QJsonValue& distribution, const char* percentile)
{
    return distribution[QLatin1String(percentile)].toDouble();
}

void print(const Case& one, const QJsonObject& report, const QJsonValue& truth)
{
    const QJsonValue response = report.value(QLatin1String("response_ms"));
    const QJsonValue generator = report.value(QLatin1String("generator"));
    std::printf("%-12s", one.name);
    for (const char* p : {"p50", "p90", "p99"}) {
        const double measured = at(response, p), true_ = at(truth, p);
        std::printf("  %s %8.1f of %8.1f ms (%+.2f %%)", p, measured, true_, (measured / true_ - 1) * 100);
    }
    const QJsonValue sent = generator[QLatin1String("send_late_ms")], read = generator[QLatin1String("read_late_ms")];
    std::printf("  sent late %.1f/%.1f, read late %.1f/%.1f ms, starved %.0f %%, thread %.0f %%, %s\n", at(sent, "p50"),
                at(sent, "p99"), at(read, "p50"), at(read, "p99"),
                generator[QLatin1String("starved_share")].toDouble() * 100,
                generator[QLatin1String("thread_share")].toDouble() * 100,
                qPrintable(report.value(QLatin1String("verdict"))[QLatin1String("word")].toString()));
    for (const QJsonValue& reason : report.value(QLatin1String("verdict"))[QLatin1String("reasons")].toArray())
        std::printf("             %s\n", qPrintable(reason.toString()));
    std::fflush(stdout);
}

bool runCase(const Case& one, double rate, double seconds, http::TransportKind transport)
{
    auto script = simulator::parseScript("{\"version\":1,\"endpoints\":[{\"name\":\"known\","
                                         "\"output_tokens\":{\"kind\":\"constant\",\"tokens\":8}," +
                                         one.endpoint + "}]}");
    if (!script)
        return false;
    simulator::Simulator simulator(*std::move(script));
    const auto port = simulator.start();
    if (!port)
        return false;
    const load::LoadPlan plan = planOf(rate, seconds);
    engine::EngineOptions options;
    options.maxConnectionsPerOrigin = options.mostInFlight = load::concurrencyOf(plan);
    options.transport = transport;
    engine::EngineCore core(options);
    core.apply(test::simulatedEndpoint(QStringLiteral("known")), {},
               QUrl(QStringLiteral("http://127.0.0.1:%1").arg(*port)), [](const auto&) { return QByteArray(); });
    load::LoadRun run(core, plan);
    QEventLoop loop;
    QObject::connect(&run, &load::LoadRun::finished, &loop, &QEventLoop::quit);
    run.start();
    loop.exec();
    print(one, load::reportOf(run),
          simulator.stats()[QLatin1String("endpoints")][QLatin1String("known")][QLatin1String("service_ms")]);
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    const Busy busy(argc > 4 ? atoi(argv[4]) : 0); // before there are threads
    const QCoreApplication app(argc, argv);
    const double rate = argc > 1 ? atof(argv[1]) : 2000;
    const double seconds = argc > 2 ? atof(argv[2]) : 10;
    const auto transport = http::transportKindOf(QString::fromLocal8Bit(argc > 3 ? argv[3] : "auto"));
    if (!transport)
        return 2;
    const Case cases[] = {
        {"constant", R"("latency":{"kind":"constant","ms":500})"},
        {"log-normal", R"("latency":{"kind":"lognormal","median_ms":460,"sigma":0.4})"},
        {"two humps", R"("latency":{"kind":"two_humped","median_ms":400,"second_median_ms":1400,"second_share":0.1,)"
                      R"("sigma":0.1})"},
        {"frozen 15 s", R"("latency":{"kind":"constant","ms":50},)"
                        R"("phases":[{"from_ms":2000,"to_ms":17000,"frozen":true}])"},
    };
    for (const Case& one : cases) {
        const bool isFrozen = one.endpoint.contains("frozen");
        if (!runCase(one, isFrozen ? rate / 20 : rate, isFrozen ? seconds + 15 : seconds, *transport))
            return 1;
    }
    return 0;
}
