// SPDX-License-Identifier: GPL-3.0-or-later
// CPU of the transport for each request against a bare QNetworkAccessManager loop. The server is this program again, in
// a process of its own, so that getrusage counts the client alone.
#include "core/http/server.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QProcess>
#include <QSocketNotifier>
#include <QTextStream>

#include <algorithm>
#include <sys/resource.h>
#include <unistd.h>

using namespace sg;

namespace {

constexpr int concurrency = 50;

double cpuMicros()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto micros = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
    };
    return micros(usage.ru_utime) + micros(usage.ru_stime);
}

int serve()
{
    http::Server server([](auto, auto responder) {
        responder->send(200, {{"Content-Type", "application/json"}}, QByteArray(512, 'x'));
    });
    const auto port = server.listen();
    if (!port)
        return 1;
    QTextStream(stdout) << *port << Qt::endl;
    QSocketNotifier parent(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&parent, &QSocketNotifier::activated, qApp, &QCoreApplication::quit); // its end of file
    const int result = QCoreApplication::exec();
    QTextStream(stdout) << cpuMicros() / static_cast<double>(std::max<quint64>(server.requestCount(), 1)) << Qt::endl;
    return result;
}

/// Keeps `concurrency` requests running until `count` are done.
class Loop
{
public:
    virtual ~Loop() = default;
    virtual void startOne() = 0;
    void run(int count)
    {
        left_ = toStart_ = count;
        for (int i = 0; i < std::min(concurrency, count); ++i)
            next();
        loop_.exec();
    }
    void done()
    {
        if (--left_ == 0)
            loop_.quit();
        else
            next();
    }

private:
    void next()
    {
        if (toStart_ > 0) {
            --toStart_;
            startOne();
        }
    }
    QEventLoop loop_;
    int left_ = 0;
    int toStart_ = 0;
};

const QByteArray body(1024, 'p');

class Bare final : public Loop
{
public:
    Bare(QUrl url, int managers)
        : url_(std::move(url))
    {
        for (int i = 0; i < managers; ++i) {
            managers_.push_back(std::make_unique<QNetworkAccessManager>());
            managers_.back()->setProxy(QNetworkProxy::NoProxy);
        }
    }
    void startOne() override
    {
        QNetworkRequest request(url_);
        request.setRawHeader("Content-Type", "application/json");
        request.setRawHeader("Authorization", "Bearer key");
        QNetworkReply* reply = managers_[turn_++ % managers_.size()]->post(request, body);
        QObject::connect(reply, &QNetworkReply::finished, reply, [this, reply] {
            bytes_ += reply->readAll().size();
            reply->deleteLater();
            done();
        });
    }

private:
    QUrl url_;
    std::vector<std::unique_ptr<QNetworkAccessManager>> managers_;
    std::size_t turn_ = 0;
    qint64 bytes_ = 0;
};

class Ours final : public Loop
{
public:
    explicit Ours(QUrl url)
        : url_(std::move(url))
        , transport_(http::makeQnamTransport({concurrency}))
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

struct Cost
{
    double cpu;
    double wall;
};

Cost measure(Loop& loop, int count)
{
    loop.run(500); // connections and threads are there
    const double before = cpuMicros();
    const Instant from = http::steadyNow();
    loop.run(count);
    return {(cpuMicros() - before) / count, toMs(http::steadyNow() - from) * 1000 / count};
}

Cost best(std::vector<Cost> costs)
{
    return *std::min_element(costs.begin(), costs.end(), [](Cost a, Cost b) { return a.cpu < b.cpu; });
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    if (argc > 1 && QByteArrayView(argv[1]) == "--server")
        return serve();
    const int count = argc > 1 ? std::max(1, QByteArray(argv[1]).toInt()) : 5000;

    QProcess server;
    server.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--server")});
    if (!server.waitForReadyRead(10000))
        return 1;
    const QUrl url(QStringLiteral("http://127.0.0.1:%1/").arg(server.readLine().trimmed().toInt()));

    std::vector<Cost> one, many, ours;
    http::TransportFigures figures;
    for (int round = 0; round < 3; ++round) {
        {
            Bare loop(url, 1);
            one.push_back(measure(loop, count));
        }
        {
            Bare loop(url, (concurrency + 5) / 6);
            many.push_back(measure(loop, count));
        }
        {
            Ours loop(url);
            ours.push_back(measure(loop, count));
            figures = loop.figures();
        }
    }
    const Cost a = best(one), b = best(many), c = best(ours);
    QTextStream out(stdout);
    out << "requests " << count << ", concurrency " << concurrency << ", best of 3, per request:\n"
        << QString::asprintf("bare, 1 manager (6 connections)     %6.1f us CPU %6.1f us wall\n", a.cpu, a.wall)
        << QString::asprintf("bare, 9 managers (54 connections)   %6.1f us CPU %6.1f us wall\n", b.cpu, b.wall)
        << QString::asprintf("transport (%lld connections)          %6.1f us CPU %6.1f us wall\n",
                             static_cast<long long>(figures.connectionsOpened), c.cpu, c.wall)
        << QString::asprintf("ratio to 1 manager %.2f, to 9 managers %.2f\n", c.cpu / a.cpu, c.cpu / b.cpu);
    server.closeWriteChannel();
    server.waitForFinished(5000);
    out << "server " << server.readAll().trimmed().toDouble() << " us CPU a request\n";
    return 0;
}
