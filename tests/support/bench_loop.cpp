// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/bench_loop.h"

#include "core/http/server.h"
#include "tests/support/sample_streams.h"

#include <QCoreApplication>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QSocketNotifier>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <sys/resource.h>
#include <unistd.h>

namespace sg::test {

namespace {

constexpr int kPieces = 20;
constexpr auto kPieceEvery = std::chrono::milliseconds(2);
constexpr auto kTokenEvery = std::chrono::milliseconds(5);

double micros(int who)
{
    rusage usage{};
    getrusage(who, &usage);
    const auto of = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
    };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

QByteArray wholeAnswer()
{
    const QByteArray head =
        R"({"id":"chatcmpl-bench","object":"chat.completion","created":1700000000,"model":"bench-1",)"
        R"("choices":[{"index":0,"message":{"role":"assistant","content":")";
    const QByteArray tail = R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":45,"completion_tokens":60,)"
                            R"("total_tokens":105}})";
    QByteArray text;
    while (head.size() + text.size() + tail.size() < 512)
        text += text.size() % 6 == 5 ? ' ' : 'x';
    return head + text + tail;
}

QList<QByteArray> streamPieces()
{
    const auto chunk = [](const QByteArray& delta, const QByteArray& reason) {
        return QByteArray(R"(data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,)"
                          R"("model":"bench-1","choices":[{"index":0,"delta":)" +
                          delta + R"(,"finish_reason":)" + reason + "}]}\n\n");
    };
    QList<QByteArray> pieces;
    pieces += chunk(R"({"role":"assistant","content":""})", "null");
    while (pieces.size() < kPieces - 2)
        pieces += chunk(R"({"content":" word"})", "null");
    pieces += chunk("{}", R"("stop")");
    pieces += R"(data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench-1",)"
              R"("choices":[],"usage":{"prompt_tokens":45,"completion_tokens":17,"total_tokens":62}})"
              "\n\ndata: [DONE]\n\n";
    return pieces;
}

QList<QByteArray> tokenPieces()
{
    QList<QByteArray> pieces;
    const QByteArray stream = tokenStream(provider::Dialect::OpenAi, kBenchTokens);
    for (qsizetype at = 0; at < stream.size();) {
        const qsizetype end = stream.indexOf("\n\n", at) + 2;
        pieces += stream.mid(at, end - at);
        at = end;
    }
    return pieces;
}

const http::Headers kEvents = {{"Content-Type", "text/event-stream"}};

/// One answer that is sent piece by piece; lives as long as its timer.
void stream(const QList<QByteArray>& pieces, std::chrono::milliseconds every,
            std::shared_ptr<http::Responder> responder)
{
    responder->begin(200, kEvents);
    auto* timer = new QTimer(qApp);
    timer->setTimerType(Qt::PreciseTimer);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, pieces, responder, next = 0]() mutable {
        responder->write(pieces[next++]);
        if (next < pieces.size())
            return;
        responder->end();
        timer->stop();
        timer->deleteLater();
    });
    timer->start(every);
}

void sendAtOnce(const QList<QByteArray>& pieces, const std::shared_ptr<http::Responder>& responder)
{
    responder->begin(200, kEvents);
    for (const QByteArray& piece : pieces)
        responder->write(piece);
    responder->end();
}

int serve()
{
    const QByteArray whole = wholeAnswer();
    const QList<QByteArray> pieces = streamPieces();
    const QList<QByteArray> tokens = tokenPieces();
    const http::Headers json = {{"Content-Type", "application/json"}};
    http::Server server([&](const http::ServerRequest& request, const std::shared_ptr<http::Responder>& responder) {
        if (request.path.startsWith("/stream/"))
            return stream(pieces, kPieceEvery, responder);
        if (request.path.startsWith("/tokens/"))
            return stream(tokens, kTokenEvery, responder);
        if (request.path.startsWith("/rush/"))
            return sendAtOnce(tokens, responder);
        if (request.path.startsWith("/busy/"))
            return responder->send(503, json, R"({"error":{"message":"overloaded","type":"server_error"}})");
        if (request.path.startsWith("/burst/"))
            return sendAtOnce(pieces, responder);
        responder->send(200, json, whole);
    });
    const auto port = server.listen();
    if (!port)
        return 1;
    QTextStream(stdout) << *port << Qt::endl;
    QSocketNotifier parent(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&parent, &QSocketNotifier::activated, qApp, &QCoreApplication::quit); // its end of file
    const int result = QCoreApplication::exec();
    QTextStream(stdout) << processCpuMicros() / static_cast<double>(std::max<quint64>(server.requestCount(), 1))
                        << Qt::endl;
    return result;
}

void sortByCpu(std::vector<BenchCost>& costs)
{
    std::ranges::sort(costs, {}, &BenchCost::cpu);
}

} // namespace

double processCpuMicros()
{
    return micros(RUSAGE_SELF);
}

double threadCpuMicros()
{
    return micros(RUSAGE_THREAD);
}

bool serveIfAsked(int argc, char** argv, int& result)
{
    if (argc < 2 || QByteArrayView(argv[1]) != "--server")
        return false;
    result = serve();
    return true;
}

BenchServer::BenchServer()
{
    process_.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--server")});
    if (!process_.waitForReadyRead(10000))
        qFatal("the server process did not start");
    port_ = process_.readLine().trimmed().toInt();
}

QUrl BenchServer::url(const QString& path) const
{
    return QUrl(QStringLiteral("http://127.0.0.1:%1/%2").arg(port_).arg(path));
}

double BenchServer::stop()
{
    if (process_.state() == QProcess::NotRunning)
        return cpu_;
    process_.closeWriteChannel();
    process_.waitForFinished(5000);
    cpu_ = process_.readAll().trimmed().toDouble();
    return cpu_;
}

void BenchLoop::run(int count, int concurrency)
{
    left_ = toStart_ = count;
    for (int i = 0; i < std::min(concurrency, count); ++i)
        next();
    loop_.exec();
}

void BenchLoop::done()
{
    if (--left_ == 0)
        loop_.quit();
    else
        next();
}

void BenchLoop::next()
{
    if (toStart_ <= 0)
        return;
    --toStart_;
    startOne();
}

BareLoop::BareLoop(QUrl url, QByteArray body, int managers)
    : url_(std::move(url))
    , body_(std::move(body))
{
    for (int i = 0; i < managers; ++i) {
        managers_.push_back(std::make_unique<QNetworkAccessManager>());
        managers_.back()->setProxy(QNetworkProxy::NoProxy);
    }
}

void BareLoop::startOne()
{
    QNetworkRequest request(url_);
    request.setRawHeader("Content-Type", "application/json");
    request.setRawHeader("Authorization", "Bearer key");
    QNetworkReply* reply = managers_[turn_++ % managers_.size()]->post(request, body_);
    // As a program would that shows an answer while it comes.
    QObject::connect(reply, &QNetworkReply::readyRead, reply, [this, reply] { bytes_ += reply->readAll().size(); });
    QObject::connect(reply, &QNetworkReply::finished, reply, [this, reply] {
        bytes_ += reply->readAll().size();
        reply->deleteLater();
        done();
    });
}

BenchCost measure(BenchLoop& loop, int count, int warmUp)
{
    loop.run(warmUp); // connections and threads are there
    const double before = processCpuMicros();
    const Instant from = http::steadyNow();
    loop.run(count);
    return {(processCpuMicros() - before) / count, toMs(http::steadyNow() - from) * 1000 / count};
}

BenchCost best(std::vector<BenchCost> costs)
{
    sortByCpu(costs);
    return costs.front();
}

BenchCost median(std::vector<BenchCost> costs)
{
    sortByCpu(costs);
    return costs[costs.size() / 2];
}

double percentile(std::vector<double> values, double percent)
{
    std::ranges::sort(values);
    const double rank = std::ceil(percent / 100 * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::clamp(rank, 1.0, static_cast<double>(values.size()))) - 1];
}

} // namespace sg::test
