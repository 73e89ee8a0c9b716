// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/simulator.h"
#include "tests/soak/soak_client.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

using namespace sg;
using namespace sg::soak;

namespace {

constexpr int kClients = 24;
constexpr std::int64_t kApplyEveryUs = 5'000'000;

/// a fails in every way there is, b now and then, c never: a request that meets c is answered.
const QByteArray kScript = R"({"version":1,"seed":7,"endpoints":[
    {"name":"a","text":"echo","chunk_tokens":1,"latency":{"kind":"lognormal","median_ms":30,"sigma":0.6},
     "tool_call":{"name":"look","arguments":{"at":"the sky"}},
     "faults":[{"kind":"status","share":0.05,"status":500},{"kind":"garbage","share":0.02},
               {"kind":"status","share":0.03,"status":429,"headers":{"retry-after-ms":150}},
               {"kind":"drop_before_headers","share":0.03},{"kind":"drop_after_headers","share":0.02},
               {"kind":"drop_mid_stream","share":0.04,"after_tokens":3},
               {"kind":"error_event","share":0.02,"after_tokens":2},{"kind":"stall","share":0.01,"after_tokens":2},
               {"kind":"stall","share":0.01},{"kind":"slow","share":0.02,"factor":10}]},
    {"name":"b","text":"echo","chunk_tokens":2,"latency":{"kind":"lognormal","median_ms":40,"sigma":0.4},
     "tool_call":{"name":"look","arguments":{"at":"the sky"}},
     "faults":[{"kind":"status","share":0.02,"status":503},{"kind":"drop_mid_stream","share":0.01,"after_tokens":5}]},
    {"name":"c","text":"echo","chunk_tokens":1,"latency":{"kind":"constant","ms":50},
     "tool_call":{"name":"look","arguments":{"at":"the sky"}}}]})";

/// Other orders of tiers, other breakers, other limits, a chain that only this variant has.
QByteArray workspaceOf(const simulator::Simulator& simulator, int variant)
{
    const QString name = QStringLiteral("name"), tiers = QStringLiteral("tiers");
    const auto object = [](const char* text) { return QJsonDocument::fromJson(text).object(); };
    const auto tier = [](const QString& endpoint, int attempts) {
        return QJsonObject{{QStringLiteral("endpoint"), endpoint},
                           {QStringLiteral("max_attempts"), attempts},
                           {QStringLiteral("attempt_timeout_ms"), 3000}};
    };
    QJsonArray endpoints;
    for (const simulator::EndpointScript& script : simulator.script().endpoints) {
        QJsonObject endpoint = object(R"({"timeouts":{"first_byte_ms":1500,"idle_ms":1000}})");
        endpoint[name] = script.name;
        endpoint[QStringLiteral("model")] = QStringLiteral("model-") + script.name;
        endpoint[QStringLiteral("base_url")] = simulator.baseUrl(script.name).toString();
        endpoint[QStringLiteral("breaker")] =
            object(variant % 2 ? R"({"consecutive_failures":4,"open_ms":500})"
                               : R"({"failure_rate":0.5,"minimum_calls":20,"open_ms":1000})");
        endpoints.append(endpoint);
    }
    const QString a = QStringLiteral("a"), b = QStringLiteral("b"), c = QStringLiteral("c");
    QJsonArray main{tier(a, 1 + variant % 2), tier(b, 1), tier(c, 2)};
    if (variant % 4 == 2)
        main = {tier(b, 2), tier(a, 1), tier(c, 1)};
    if (variant % 4 == 3)
        main = {tier(a, 2)};
    const QJsonArray chains{
        QJsonObject{{name, QStringLiteral("main")}, {tiers, main}, {QStringLiteral("deadline_ms"), 15000}},
        QJsonObject{{name, QStringLiteral("cached")},
                    {tiers, QJsonArray{tier(b, 1), tier(c, 1)}},
                    {QStringLiteral("cache"), object(R"({"max_entries":20,"ttl_ms":2000})")}},
        QJsonObject{{name, QStringLiteral("variant-%1").arg(variant)}, {tiers, QJsonArray{tier(c, 1)}}}};
    return QJsonDocument(QJsonObject{{QStringLiteral("version"), 2},
                                     {name, QStringLiteral("Soak")},
                                     {QStringLiteral("endpoints"), endpoints},
                                     {QStringLiteral("chains"), chains}})
        .toJson();
}

void replaceFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path + QStringLiteral(".new"));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("the workspace cannot be written");
    file.close();
    ::rename(QFile::encodeName(file.fileName()).constData(), QFile::encodeName(path).constData());
}

struct Sample
{
    std::int64_t rssKib = 0;
    int descriptors = 0;
};

Sample sampleOf(qint64 pid)
{
    const QString folder = QStringLiteral("/proc/%1/").arg(pid);
    QFile statm(folder + QStringLiteral("statm"));
    Sample sample;
    if (statm.open(QIODevice::ReadOnly))
        sample.rssKib = statm.readAll().split(' ').value(1).toLongLong() * ::sysconf(_SC_PAGESIZE) / 1024;
    sample.descriptors = int(
        QDir(folder + QStringLiteral("fd")).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size());
    return sample;
}

template <typename Field>
std::int64_t medianOf(const std::vector<Sample>& samples, double from, double to, Field field)
{
    std::vector<std::int64_t> values;
    for (auto i = std::size_t(from * double(samples.size())); i < std::size_t(to * double(samples.size())); ++i)
        values.push_back(field(samples[i]));
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

/// One answer to a GET, or nothing.
QByteArray get(std::uint16_t port, const char* path)
{
    const int fd = test::connectTo(port);
    const std::string request = test::requestBytes("GET", path, "Connection: close\r\n", "");
    test::AnswerWire wire;
    const std::int64_t until = test::steadyUs() + 5'000'000;
    bool open = fd >= 0 && ::write(fd, request.data(), request.size()) == ssize_t(request.size());
    while (open && test::steadyUs() < until) {
        std::array<char, 65536> buffer;
        pollfd readable{fd, POLLIN, 0};
        if (::poll(&readable, 1, int((until - test::steadyUs()) / 1000 + 1)) <= 0)
            break;
        const auto count = ::read(fd, buffer.data(), buffer.size());
        if (count > 0)
            wire.feed({buffer.data(), std::size_t(count)});
        else if (count == 0 || errno != EAGAIN)
            open = false;
    }
    if (fd >= 0)
        ::close(fd);
    return wire.status() == 200 ? QByteArray::fromStdString(wire.body()) : QByteArray();
}

/// Of figures that another process or thread changes without telling: they are looked at again and again.
bool waitFor(std::int64_t us, const std::function<bool()>& isSo)
{
    const std::int64_t until = test::steadyUs() + us;
    while (!isSo()) {
        if (test::steadyUs() > until)
            return false;
        ::usleep(20'000);
    }
    return true;
}

std::int64_t sumOf(const simulator::Simulator& simulator, const char* figure)
{
    std::int64_t sum = 0;
    const QJsonObject endpoints = simulator.stats()[QStringLiteral("endpoints")].toObject();
    for (const QJsonValue& endpoint : endpoints)
        sum += endpoint[QLatin1String(figure)].toInteger();
    return sum;
}

class Soak
{
public:
    explicit Soak(double seconds)
        : seconds_(seconds)
        , simulator_(*simulator::parseScript(kScript))
        , file_(folder_.filePath(QStringLiteral("workspace.json")))
    {
    }

    int run(const QString& cli)
    {
        if (!simulator_.start() || !serve(cli)) {
            std::fprintf(stderr, "it did not start: %s\n", gateway_.readAllStandardError().constData());
            return 2;
        }
        const unsigned seed = qEnvironmentVariableIntValue("SWITCHGEAR_SOAK_SEED");
        traffic(seed);
        settle();
        stop();
        return report();
    }

private:
    bool serve(const QString& cli)
    {
        replaceFile(file_, workspaceOf(simulator_, 0));
        gateway_.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); });
        gateway_.setStandardErrorFile(folder_.filePath(QStringLiteral("errors")));
        gateway_.start(
            cli,
            {QStringLiteral("serve"), file_, QStringLiteral("--port"), QStringLiteral("0"), QStringLiteral("--json")},
            QIODevice::ReadOnly);
        QByteArray said;
        return waitFor(20'000'000, [&] {
            gateway_.waitForReadyRead(50);
            said += gateway_.readAllStandardOutput();
            port_ = std::uint16_t(QJsonDocument::fromJson(said).object()[QStringLiteral("port")].toInt());
            return port_ != 0;
        });
    }

    void traffic(unsigned seed)
    {
        idle_ = sampleOf(gateway_.processId());
        std::atomic<bool> stop = false;
        std::vector<std::thread> threads;
        for (int i = 0; i < kClients; ++i)
            threads.emplace_back([&, i] { Client(port_, i, seed, ledger_, stop).run(); });
        const std::int64_t begin = test::steadyUs(), end = begin + std::int64_t(seconds_ * 1e6);
        std::int64_t nextApply = begin + kApplyEveryUs, nextSample = begin;
        for (std::int64_t now = begin; now < end && gateway_.state() == QProcess::Running; now = test::steadyUs()) {
            if (now >= nextApply) {
                apply();
                nextApply += kApplyEveryUs;
            }
            if (now >= nextSample) {
                samples_.push_back(sampleOf(gateway_.processId()));
                nextSample += 500'000;
            }
            gateway_.waitForReadyRead(50); // what it says must not fill its pipe
            gateway_.readAllStandardOutput();
        }
        if (gateway_.state() != QProcess::Running)
            ledger_.violation("the gateway is gone");
        stop = true;
        for (std::thread& thread : threads)
            thread.join();
    }

    void apply()
    {
        ++applied_;
        replaceFile(file_, workspaceOf(simulator_, applied_));
        ::kill(pid_t(gateway_.processId()), SIGHUP);
        const QByteArray chain = "\"variant-" + QByteArray::number(applied_) + '"';
        if (!waitFor(3'000'000, [&] { return get(port_, "/v1/models").contains(chain); }))
            ledger_.violation("the chain of variant " + std::to_string(applied_) + " does not serve");
    }

    /// With all clients gone nothing may be left under way.
    void settle()
    {
        if (!waitFor(5'000'000, [&] { return sumOf(simulator_, "in_flight") == 0; }))
            ledger_.violation("requests to providers go on though no client is there: " +
                              std::to_string(sumOf(simulator_, "in_flight")));
        const auto inFlight = [&] {
            for (const QByteArray& line : get(port_, "/metrics").split('\n'))
                if (line.startsWith("switchgear_requests_in_flight") && !line.endsWith(" 0"))
                    return false;
            return true;
        };
        if (!waitFor(5'000'000, inFlight))
            ledger_.violation("the gateway still counts requests in flight");
        after_ = sampleOf(gateway_.processId());
    }

    void stop()
    {
        gateway_.terminate();
        if (!gateway_.waitForFinished(35000)) {
            ledger_.violation("it did not stop");
            gateway_.kill();
            gateway_.waitForFinished(5000);
        } else if (gateway_.exitStatus() != QProcess::NormalExit || gateway_.exitCode() != 0) {
            ledger_.violation("it ended with code " + std::to_string(gateway_.exitCode()));
        }
    }

    int report()
    {
        const Ledger::Counts sum = ledger_.total();
        const std::int64_t complete = sumOf(simulator_, "complete"), upstream = sumOf(simulator_, "requests");
        const auto distinct = std::int64_t(ledger_.distinctAnswers());
        if (sum.asked != sum.answered + sum.left + sum.refused + sum.brokenStreams && ledger_.violationCount() == 0)
            ledger_.violation("a request has no end");
        if (distinct > complete)
            ledger_.violation("clients have answers that the provider never completed");
        if (complete - distinct > sum.left)
            ledger_.violation("answers were lost: the provider completed " + std::to_string(complete) +
                              ", clients have " + std::to_string(distinct) + ", and only " + std::to_string(sum.left) +
                              " left");
        if (sum.answered < sum.asked / 2)
            ledger_.violation("most requests were not answered");
        const auto rss = [](const Sample& sample) { return sample.rssKib; };
        const auto descriptors = [](const Sample& sample) { return std::int64_t(sample.descriptors); };
        // The first fifth fills caches, rings and pools.
        const std::int64_t rssFirst = medianOf(samples_, 0.2, 0.4, rss), rssLast = medianOf(samples_, 0.8, 1, rss);
        const std::int64_t fdFirst = medianOf(samples_, 0.2, 0.4, descriptors),
                           fdLast = medianOf(samples_, 0.8, 1, descriptors);
        if (rssLast > rssFirst + rssFirst / 10 + 2048)
            ledger_.violation("memory grows");
        if (fdLast > fdFirst + 16)
            ledger_.violation("descriptors grow");

        std::printf("%.0f s, %d clients, %d chains applied under way\n", seconds_, kClients, applied_);
        std::printf(
            "%lld requests: %lld answered (%lld of them from the cache), %lld refused, %lld streams ended with an "
            "error event, %lld clients left\n",
            (long long)sum.asked, (long long)sum.answered, (long long)sum.fromCache, (long long)sum.refused,
            (long long)sum.brokenStreams, (long long)sum.left);
        for (const auto& [status, count] : ledger_.refusedByStatus())
            std::printf("  refused with %d: %lld\n", status, (long long)count);
        std::printf("provider: %lld calls, %lld completed; %lld of those answers are with exactly one client, %lld "
                    "belong to clients that left\n",
                    (long long)upstream, (long long)complete, (long long)distinct, (long long)(complete - distinct));
        std::printf("memory: median of the 2nd fifth %lld KiB, of the last %lld KiB; idle before %lld, after %lld\n",
                    (long long)rssFirst, (long long)rssLast, (long long)idle_.rssKib, (long long)after_.rssKib);
        std::printf("descriptors: %lld, %lld; idle before %d, after %d\n", (long long)fdFirst, (long long)fdLast,
                    idle_.descriptors, after_.descriptors);
        for (const std::string& words : ledger_.violations())
            std::printf("VIOLATION %s\n", words.c_str());
        std::printf("%lld violations\n", (long long)ledger_.violationCount());
        return ledger_.violationCount() == 0 ? 0 : 1;
    }

    double seconds_;
    simulator::Simulator simulator_;
    QTemporaryDir folder_;
    QString file_;
    QProcess gateway_;
    std::uint16_t port_ = 0;
    Ledger ledger_;
    int applied_ = 0;
    std::vector<Sample> samples_;
    Sample idle_, after_;
};

} // namespace

/// Usage: soak_gateway [SECONDS], or the environment's SWITCHGEAR_SOAK_SECONDS. Exit code 1 when a promise was broken.
int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    bool ok = false;
    const double fromEnvironment = qEnvironmentVariable("SWITCHGEAR_SOAK_SECONDS").toDouble(&ok);
    const double seconds = ok ? fromEnvironment : argc > 1 ? QString::fromLocal8Bit(argv[1]).toDouble() : 25;
    return Soak(std::clamp(seconds, 5.0, 7200.0)).run(QStringLiteral(SWITCHGEAR_CLI));
}
