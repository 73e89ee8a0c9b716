// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/gateway/contestants.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSysInfo>
#include <QThread>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <sys/resource.h>
#include <utility>

using namespace sg;
using namespace sg::bench;

namespace {

/// Answers of 64 tokens, about 630 bytes; the waits make 200 requests a second of 1, 50 and 200 connections.
const QByteArray kScript = R"({"version":1,"endpoints":[
    {"name":"now","latency":{"kind":"constant","ms":0}},
    {"name":"ms5","latency":{"kind":"constant","ms":5}},
    {"name":"ms250","latency":{"kind":"constant","ms":250}},
    {"name":"ms1000","latency":{"kind":"constant","ms":1000}},
    {"name":"stream","text":"time","chunk_tokens":1,"tokens_per_second":50,"ttft":{"kind":"constant","ms":200},
     "output_tokens":{"kind":"constant","tokens":400}}]})";
const QByteArrayList kEndpoints{"now", "ms5", "ms250", "ms1000", "stream"};

QByteArray bodyOf(bool stream)
{
    return QByteArray(R"({"model":"gpt-4.1","messages":[{"role":"system","content":")") +
           QByteArray("You answer questions of customers in a few plain sentences. ").repeated(6) +
           R"("},{"role":"user","content":"Why does the switch open when the load rises?"}],"temperature":0.2,)" +
           R"("max_tokens":512,"stream":)" + (stream ? "true}" : "false}");
}

struct Measured
{
    Loaded load;
    double cpuUs = 0, simulatorCpuUs = 0; ///< of the program asked; of the simulator
    double rssMib = 0;
    std::vector<double> p50, p99; ///< of each round
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

QString number(double value, int digits)
{
    return QString::number(value, 'f', digits);
}

/// Until the program has closed what its clients left: the next row's CPU is not to pay for this one's.
void settle(qint64 pid)
{
    constexpr int kLooksAtMost = 40;
    int before = 0, now = usageOf(pid).descriptors;
    for (int looks = 0; now != before && looks < kLooksAtMost; ++looks) {
        QThread::msleep(50);
        before = std::exchange(now, usageOf(pid).descriptors);
    }
}

class Bench
{
public:
    Bench(std::vector<std::unique_ptr<Contestant>> contestants, double seconds)
        : contestants_(std::move(contestants))
        , seconds_(seconds)
    {
    }

    /// Rounds in which each is asked in turn, the order turned by one each time.
    std::map<QString, Measured> rounds(int count, const QByteArray& endpoint, const Load& load)
    {
        std::map<QString, Measured> all;
        const QByteArray body = bodyOf(load.readsTimes);
        for (int round = 0; round < count; ++round)
            for (std::size_t i = 0; i < contestants_.size(); ++i) {
                const Contestant& asked = *contestants_[(i + std::size_t(round)) % contestants_.size()];
                Measured& measured = all[asked.name()];
                const Usage before = usageOf(asked.pid()), simulator = usageOf(contestants_[0]->pid());
                Loaded loaded = run(asked.ask(endpoint, body), load);
                const Usage after = usageOf(asked.pid());
                measured.cpuUs += after.cpuUs - before.cpuUs;
                measured.simulatorCpuUs += usageOf(contestants_[0]->pid()).cpuUs - simulator.cpuUs;
                measured.rssMib = std::max(measured.rssMib, after.rssMib);
                measured.p50.push_back(percentile(loaded.latencyUs, 0.5));
                measured.p99.push_back(percentile(loaded.latencyUs, 0.99));
                measured.load.add(loaded);
                std::fprintf(stderr, "%-20s %-7s %4d connections: %6lld answers, %lld failed, p50 %.0f us %s\n",
                             qPrintable(asked.name()), endpoint.constData(), load.connections,
                             static_cast<long long>(loaded.complete), static_cast<long long>(loaded.failed),
                             measured.p50.back(), loaded.problem.c_str());
                settle(asked.pid());
            }
        return all;
    }

    void latency()
    {
        head({QStringLiteral("Connections"), QStringLiteral("Through"), QStringLiteral("requests/s"),
              QStringLiteral("p50 ms"), QStringLiteral("p99 ms"), QStringLiteral("added p50 ms"),
              QStringLiteral("added p99 ms"), QStringLiteral("CPU µs a request"), QStringLiteral("failed")});
        const std::array<std::pair<int, int>, 3> levels{{{1, 5}, {50, 250}, {200, 1000}}};
        for (const auto& [connections, ms] : levels) {
            Load load;
            load.connections = connections;
            load.warmUpUs = ms * 1000LL + 200'000;
            load.spreadUs = ms * 1000LL;
            load.forUs = std::int64_t(seconds_ * 1e6 / kLatencyRounds);
            auto all = rounds(kLatencyRounds, "ms" + QByteArray::number(ms), load);
            const Measured direct = all[contestants_[0]->name()];
            for (const auto& contestant : contestants_) {
                Measured& measured = all[contestant->name()];
                std::vector<double> added50, added99;
                for (std::size_t i = 0; i < measured.p50.size(); ++i) {
                    added50.push_back((measured.p50[i] - direct.p50[i]) / 1000);
                    added99.push_back((measured.p99[i] - direct.p99[i]) / 1000);
                }
                const bool isDirect = contestant == contestants_[0];
                row(QStringLiteral("latency"),
                    {{QStringLiteral("connections"), connections},
                     {QStringLiteral("through"), contestant->name()},
                     {QStringLiteral("requests_per_s"), perSecond(measured.load)},
                     {QStringLiteral("p50_ms"), percentile(measured.load.latencyUs, 0.5) / 1000},
                     {QStringLiteral("p99_ms"), percentile(measured.load.latencyUs, 0.99) / 1000},
                     {QStringLiteral("added_p50_ms"), isDirect ? QJsonValue() : QJsonValue(median(added50))},
                     {QStringLiteral("added_p99_ms"), isDirect ? QJsonValue() : QJsonValue(median(added99))},
                     {QStringLiteral("cpu_us_per_request"), isDirect ? QJsonValue() : perRequest(measured)},
                     {QStringLiteral("failed"), qint64(measured.load.failed)}},
                    {0, -1, 0, 2, 2, 3, 3, 0, 0});
            }
        }
    }

    void saturation()
    {
        head({QStringLiteral("Connections"), QStringLiteral("Through"), QStringLiteral("requests/s"),
              QStringLiteral("p50 ms"), QStringLiteral("p99 ms"), QStringLiteral("CPU µs a request"),
              QStringLiteral("RSS MiB"), QStringLiteral("this client's CPU"), QStringLiteral("failed")});
        for (const int connections : {50, 200}) {
            Load load;
            load.connections = connections;
            load.warmUpUs = 300'000;
            load.forUs = std::int64_t(seconds_ * 1e6 / kSaturationRounds);
            auto all = rounds(kSaturationRounds, "now", load);
            for (const auto& contestant : contestants_) {
                Measured& measured = all[contestant->name()];
                row(QStringLiteral("saturation"),
                    {{QStringLiteral("connections"), connections},
                     {QStringLiteral("through"), contestant->name()},
                     {QStringLiteral("requests_per_s"), perSecond(measured.load)},
                     {QStringLiteral("p50_ms"), percentile(measured.load.latencyUs, 0.5) / 1000},
                     {QStringLiteral("p99_ms"), percentile(measured.load.latencyUs, 0.99) / 1000},
                     {QStringLiteral("cpu_us_per_request"), perRequest(measured)},
                     {QStringLiteral("rss_mib"), measured.rssMib},
                     {QStringLiteral("client_cpu_share"), double(measured.load.cpuUs) / double(measured.load.tookUs)},
                     {QStringLiteral("failed"), qint64(measured.load.failed)}},
                    {0, -1, 0, 2, 2, 0, 0, 2, 0});
            }
        }
    }

    void streams()
    {
        head({QStringLiteral("Streams"), QStringLiteral("Through"), QStringLiteral("tokens/s"),
              QStringLiteral("delay p50 ms"), QStringLiteral("delay p99 ms"), QStringLiteral("CPU µs a token"),
              QStringLiteral("RSS MiB"), QStringLiteral("this client's CPU"), QStringLiteral("failed")});
        for (const int streams : {100, 1000}) {
            Load load;
            load.connections = streams;
            load.spreadUs = 1'000'000;
            load.forUs = 1'100'000; // each asks once: 8.2 s
            load.readsTimes = true;
            auto all = rounds(1, "stream", load);
            for (const auto& contestant : contestants_) {
                Measured& measured = all[contestant->name()];
                const auto tokens = double(std::max<std::size_t>(1, measured.load.tokenUs.size()));
                row(QStringLiteral("streams"),
                    {{QStringLiteral("streams"), streams},
                     {QStringLiteral("through"), contestant->name()},
                     {QStringLiteral("tokens_per_s"), tokens * 1e6 / double(measured.load.tookUs)},
                     {QStringLiteral("delay_p50_ms"), percentile(measured.load.tokenUs, 0.5) / 1000},
                     {QStringLiteral("delay_p99_ms"), percentile(measured.load.tokenUs, 0.99) / 1000},
                     {QStringLiteral("cpu_us_per_token"), measured.cpuUs / tokens},
                     {QStringLiteral("rss_mib"), measured.rssMib},
                     {QStringLiteral("client_cpu_share"), double(measured.load.cpuUs) / double(measured.load.tookUs)},
                     {QStringLiteral("failed"), qint64(measured.load.failed)}},
                    {0, -1, 0, 2, 2, 1, 0, 2, 0});
            }
        }
    }

    QByteArray markdown() const { return markdown_; }
    QJsonObject json() const { return rows_; }

private:
    static constexpr int kLatencyRounds = 4, kSaturationRounds = 4;

    static double perSecond(const Loaded& load)
    {
        return load.tookUs > 0 ? double(load.complete) * 1e6 / double(load.tookUs) : 0;
    }
    /// Of all requests, those of the warm-up too, as the CPU is.
    QJsonValue perRequest(const Measured& measured) const
    {
        return measured.load.asked > 0 ? measured.cpuUs / double(measured.load.asked) : QJsonValue();
    }

    void head(const QStringList& titles)
    {
        markdown_ += (markdown_.isEmpty() ? "| " : "\n| ") + titles.join(QStringLiteral(" | ")).toUtf8() + " |\n|" +
                     QByteArray(" --- |").repeated(titles.size()) + '\n';
    }
    void row(const QString& part, const std::vector<std::pair<QString, QJsonValue>>& cells,
             const std::vector<int>& digits)
    {
        QStringList texts;
        QJsonObject object;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const QJsonValue& value = cells[i].second;
            object.insert(cells[i].first, value);
            texts << (value.isDouble() ? number(value.toDouble(), digits[i])
                      : value.isNull() ? QStringLiteral("–")
                                       : value.toString());
        }
        QJsonArray rows = rows_.value(part).toArray();
        rows.append(object);
        rows_.insert(part, rows);
        markdown_ += "| " + texts.join(QStringLiteral(" | ")).toUtf8() + " |\n";
    }

    std::vector<std::unique_ptr<Contestant>> contestants_;
    double seconds_;
    QByteArray markdown_;
    QJsonObject rows_;
};

void raiseDescriptorLimit()
{
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!path.isEmpty() && (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()))
        giveUp(QStringLiteral("%1 cannot be written").arg(path));
}

} // namespace

/// The gateway beside the simulator asked directly and another gateway. tests/bench/gateway/run calls it.
int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    const QString seconds = QStringLiteral("seconds"), parts = QStringLiteral("parts"), cli = QStringLiteral("cli"),
                  portkey = QStringLiteral("portkey"), json = QStringLiteral("json"),
                  markdown = QStringLiteral("markdown"), without = QStringLiteral("without-ours"),
                  transport = QStringLiteral("transport");
    parser.addHelpOption();
    parser.addOptions(
        {{seconds, QStringLiteral("For each program in each row."), QStringLiteral("N"), QStringLiteral("8")},
         {parts, QStringLiteral("Of latency, saturation, streams."), QStringLiteral("LIST"),
          QStringLiteral("latency,saturation,streams")},
         {cli, QStringLiteral("The switchgear-cli to start."), QStringLiteral("PROGRAM")},
         {portkey, QStringLiteral("node_modules with @portkey-ai/gateway."), QStringLiteral("FOLDER")},
         {without, QStringLiteral("Leaves our own gateway out.")},
         {transport, QStringLiteral("Ours once with each of these transports."), QStringLiteral("LIST"),
          QStringLiteral("qt,curl")},
         {json, QStringLiteral("Write the figures there."), QStringLiteral("FILE")},
         {markdown, QStringLiteral("Write the table there."), QStringLiteral("FILE")}});
    parser.process(application);
    raiseDescriptorLimit();
    const QString program =
        parser.isSet(cli) ? parser.value(cli) : application.applicationDirPath() + QStringLiteral("/switchgear-cli");

    auto direct = std::make_unique<Direct>(program, kScript);
    const quint16 simulator = direct->port();
    std::vector<std::unique_ptr<Contestant>> contestants;
    QJsonObject programs;
    contestants.push_back(std::move(direct));
    const QStringList transports =
        parser.isSet(without) ? QStringList() : parser.value(transport).split(QLatin1Char(','));
    for (const QString& kind : transports)
        contestants.push_back(std::make_unique<Ours>(program, simulator, kEndpoints, kind));
    if (parser.isSet(portkey)) {
        contestants.push_back(std::make_unique<Portkey>(parser.value(portkey), simulator));
        programs.insert(contestants.back()->name(), contestants.back()->version);
    }
    Bench bench(std::move(contestants), std::clamp(parser.value(seconds).toDouble(), 1.0, 600.0));
    const QStringList wanted = parser.value(parts).split(QLatin1Char(','));
    double load[1] = {0};
    ::getloadavg(load, 1);
    if (wanted.contains(QStringLiteral("latency")))
        bench.latency();
    if (wanted.contains(QStringLiteral("saturation")))
        bench.saturation();
    if (wanted.contains(QStringLiteral("streams")))
        bench.streams();

    QJsonObject result = bench.json();
    result.insert(QStringLiteral("at"), QDateTime::currentDateTimeUtc().toString(Qt::ISODate));
    result.insert(QStringLiteral("cores"), QThread::idealThreadCount());
    result.insert(QStringLiteral("system"), QSysInfo::prettyProductName());
    result.insert(QStringLiteral("load_before"), load[0]);
    result.insert(QStringLiteral("versions"), programs);
    writeFile(parser.value(json), QJsonDocument(result).toJson());
    writeFile(parser.value(markdown), bench.markdown());
    std::printf("%s", bench.markdown().constData());
    return 0;
}
