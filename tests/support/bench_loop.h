// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QProcess>
#include <QUrl>

#include <functional>
#include <memory>
#include <vector>

/// What the benchmarks of the way outwards share: a server in a process of its own, so that getrusage counts the client
/// alone, and a closed loop with the bare QNetworkAccessManager in it as the measure.
namespace sg::test {

constexpr int kBenchConcurrency = 50;
constexpr int kBenchTokens = 500; ///< of a long stream

double processCpuMicros(); ///< user and system, all threads
double threadCpuMicros();  ///< of the calling thread

/// This program again with --server: answers /whole/… with a chat completion of 512 bytes, /burst/… with the same as a
/// stream of 20 pieces in one go, /stream/… with a stream of 20 pieces 2 ms apart, /tokens/… with a stream of
/// kBenchTokens tokens 5 ms apart, /rush/… with the same in one go, /busy/… with 503.
class BenchServer
{
public:
    BenchServer();
    ~BenchServer() { stop(); }
    QUrl url(const QString& path) const;
    double stop(); ///< the server's own µs of CPU for each request

private:
    QProcess process_;
    int port_ = 0;
    double cpu_ = 0;
};
/// True when this process is to be the server; then `result` is main's.
bool serveIfAsked(int argc, char** argv, int& result);

/// Keeps `concurrency` requests running until `count` are done.
class BenchLoop
{
public:
    virtual ~BenchLoop() = default;
    virtual void startOne() = 0;
    void run(int count, int concurrency = kBenchConcurrency);
    void done();

private:
    void next();
    QEventLoop loop_;
    int left_ = 0;
    int toStart_ = 0;
};

class BareLoop final : public BenchLoop
{
public:
    BareLoop(QUrl url, QByteArray body, int managers);
    void startOne() override;

private:
    QUrl url_;
    QByteArray body_;
    std::vector<std::unique_ptr<QNetworkAccessManager>> managers_;
    std::size_t turn_ = 0;
    qint64 bytes_ = 0;
};

/// Microseconds a request.
struct BenchCost
{
    double cpu = 0;
    double wall = 0;
};
BenchCost measure(BenchLoop& loop, int count, int warmUp = 500);
BenchCost best(std::vector<BenchCost> costs);   ///< by CPU
BenchCost median(std::vector<BenchCost> costs); ///< by CPU
/// Nearest rank; `percent` from 0 to 100.
double percentile(std::vector<double> values, double percent);

} // namespace sg::test
