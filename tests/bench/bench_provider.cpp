// SPDX-License-Identifier: GPL-3.0-or-later
// CPU of reading the streams of each dialect and of writing them again in OpenAI's form, beside a plain QJsonDocument
// parse of the same JSON; then the cost of one token event on its whole way: socket, chain, recorder, and a snapshot 15
// times a second.
//   bench_provider [tokens a round] [rounds]
//   bench_provider profile parse|write|json DIALECT     one of them for 10 seconds, for a profiler
//   bench_provider engine [streams] [rounds]            the whole way only
#include "core/provider/answer_reader.h"
#include "core/provider/openai_writer.h"
#include "tests/support/bench_chain.h"
#include "tests/support/sample_streams.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <cstdlib>

using namespace sg;
using provider::Dialect;

namespace {

constexpr int kTokensOfAStream = 2000;
constexpr qsizetype kRead = 16 * 1024; ///< what a busy socket gives at once
constexpr auto kProfileFor = std::chrono::seconds(10);

struct Sample
{
    Dialect dialect;
    QByteArray stream;
    std::vector<QByteArray> data; ///< of each event
};

Sample sampleOf(Dialect dialect)
{
    Sample sample{dialect, test::tokenStream(dialect, kTokensOfAStream), {}};
    provider::SseParser parser(
        [&sample](const provider::SseEvent& event) { sample.data.push_back(event.data.toByteArray()); });
    parser.feed(sample.stream);
    return sample;
}

std::size_t parseJson(const Sample& sample)
{
    std::size_t objects = 0;
    for (const QByteArray& data : sample.data)
        objects += QJsonDocument::fromJson(data).isObject() ? 1 : 0;
    return objects;
}

std::size_t readStream(const Sample& sample, const provider::StreamReader::OnDelta& onDelta, const char* what)
{
    provider::AnswerContext context;
    context.dialect = sample.dialect;
    provider::StreamReader reader(onDelta, context);
    for (qsizetype at = 0; at < sample.stream.size(); at += kRead)
        reader.feed(QByteArrayView(sample.stream).sliced(at, std::min(kRead, sample.stream.size() - at)));
    const auto answer = reader.finish();
    if (!answer || answer->text.size() < kTokensOfAStream)
        qFatal("%s: no answer", what);
    return static_cast<std::size_t>(answer->text.size());
}

std::size_t parse(const Sample& sample)
{
    std::size_t characters = 0;
    return readStream(
        sample, [&characters](const provider::Delta& d) { characters += static_cast<std::size_t>(d.text.size()); },
        "parse");
}

std::size_t write(const Sample& sample)
{
    provider::openai::StreamWriter writer("chatcmpl-1", "m-1", 1'700'000'000);
    std::size_t bytes = 0;
    const std::size_t read = readStream(
        sample, [&](const provider::Delta& delta) { bytes += static_cast<std::size_t>(writer.write(delta).size()); },
        "write");
    return bytes + read;
}

using Work = std::size_t (*)(const Sample&);

/// µs of CPU an event.
double costOf(Work work, const Sample& sample, int streams)
{
    const double before = test::threadCpuMicros();
    for (int i = 0; i < streams; ++i)
        if (work(sample) == 0)
            qFatal("nothing was read");
    return (test::threadCpuMicros() - before) /
           (static_cast<double>(streams) * static_cast<double>(sample.data.size()));
}

double median(std::vector<double> values)
{
    return test::percentile(std::move(values), 50);
}

void compare(Dialect dialect, int streams, int rounds, QTextStream& out)
{
    const Sample sample = sampleOf(dialect);
    std::vector<double> json, parsed, written;
    for (int round = 0; round < rounds; ++round) {
        json.push_back(costOf(parseJson, sample, streams));
        parsed.push_back(costOf(parse, sample, streams));
        written.push_back(costOf(write, sample, streams));
    }
    const double bytes = static_cast<double>(sample.stream.size()) / static_cast<double>(sample.data.size());
    const double plain = median(json);
    const auto line = [&](const char* what, double micros) {
        out << QString::asprintf("  %-28s %6.2f us  %9.0f events/s  %7.1f MB/s  ratio to QJsonDocument %.2f\n", what,
                                 micros, 1e6 / micros, bytes / micros, micros / plain);
    };
    const std::string_view name = provider::toString(dialect);
    out << name.data() << QString::asprintf(", %.0f bytes an event\n", bytes);
    line("QJsonDocument alone", plain);
    line("parse", median(parsed));
    line("parse and write again", median(written));
    out.flush();
}

int profile(const QByteArray& what, const QByteArray& dialect)
{
    const Work work = what == "json" ? parseJson : what == "write" ? write : parse;
    const auto known = provider::dialectFromString(dialect.toStdString());
    const Sample sample = sampleOf(known.value_or(Dialect::OpenAi));
    std::size_t sum = 0;
    for (const Instant from = http::steadyNow(); http::steadyNow() - from < kProfileFor;)
        sum += work(sample);
    return sum == 0;
}

/// µs of CPU a token, everything counted.
double tokenCost(test::BenchLoop& loop, int streams)
{
    return measure(loop, streams, test::kBenchConcurrency).cpu / test::kBenchTokens;
}

void wholeWay(const char* path, const char* what, int streams, int rounds, QTextStream& out)
{
    test::BenchServer server;
    const QUrl base = server.url(QLatin1String(path));
    const QUrl url = server.url(QLatin1String(path) + QStringLiteral("/v1/chat/completions"));
    std::vector<double> bare, ours;
    for (int round = 0; round < rounds; ++round) {
        test::BareLoop plain(url, "{}", (test::kBenchConcurrency + 5) / 6);
        bare.push_back(tokenCost(plain, streams));
        test::ChainLoop chain(base, true);
        QTimer beat;
        std::size_t seen = 0;
        QObject::connect(&beat, &QTimer::timeout, &beat, [&chain, &seen] {
            seen += chain.core().recorder().snapshot(std::chrono::minutes(5), http::steadyNow()) ? 1 : 0;
        });
        beat.start(std::chrono::milliseconds(1000 / 15));
        ours.push_back(tokenCost(chain, streams));
        if (seen == 0)
            qFatal("no snapshot was taken");
    }
    const double a = median(bare), b = median(ours);
    out << what << "\n"
        << QString::asprintf("  bare QNetworkAccessManager   %6.2f us CPU a token\n", a)
        << QString::asprintf("  socket to snapshot           %6.2f us CPU a token, ratio %.2f\n", b, b / a);
    out.flush();
}

void wholeWays(int streams, int rounds, QTextStream& out)
{
    out << streams << " streams of " << test::kBenchTokens << " tokens, " << test::kBenchConcurrency
        << " at a time, snapshots 15 times a second, median of " << rounds << " rounds\n";
    wholeWay("tokens", "a token every 5 ms", streams, rounds, out);
    wholeWay("rush", "all tokens at once", streams, rounds, out);
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    int result = 0;
    if (test::serveIfAsked(argc, argv, result))
        return result;
    const auto number = [&](int at, int otherwise) {
        return argc > at ? std::max(1, QByteArray(argv[at]).toInt()) : otherwise;
    };
    QTextStream out(stdout);
    std::array<double, 3> load{};
    if (getloadavg(load.data(), 3) > 0)
        out << QString::asprintf("load of the machine %.1f\n", load[0]);
    if (argc > 3 && QByteArrayView(argv[1]) == "profile")
        return profile(argv[2], argv[3]);
    if (argc > 1 && QByteArrayView(argv[1]) == "engine") {
        wholeWays(number(2, 300), number(3, 3), out);
        return 0;
    }
    const int streams = std::max(1, number(1, 200'000) / kTokensOfAStream), rounds = number(2, 9);
    out << "median of " << rounds << " rounds of " << streams * kTokensOfAStream << " tokens, one thread\n";
    for (const Dialect dialect : {Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini})
        compare(dialect, streams, rounds, out);
    wholeWays(300, 3, out);
    return 0;
}
