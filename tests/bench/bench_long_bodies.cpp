// SPDX-License-Identifier: GPL-3.0-or-later
// What long chats cost the gateway: how long its thread is held up at a time, how long the way takes, and memory a
// byte. Client and provider are threads of blocking sockets that keep nothing. bench_long_bodies [MIB] [RUNS]
#include "core/engine/engine_core.h"
#include "core/gateway/chat_request.h"
#include "core/gateway/gateway.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTimer>

#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <cstdio>
#include <malloc.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace sg;

namespace {

constexpr std::size_t kPiece = 256 * 1024;
constexpr std::size_t kMiB = 1024 * 1024;
constexpr int kUntilFreed =
    1500; ///< ticks of a millisecond: what was used to read goes back to the system a second later

sockaddr_in loopback(quint16 port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

void tell(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (written <= 0)
            return;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// Reads one message with a Content-Length and drops it; false when the other side has gone.
bool drain(int fd, std::string& head)
{
    static thread_local std::vector<char> piece(kPiece);
    head.clear();
    std::size_t end = std::string::npos;
    while ((end = head.find("\r\n\r\n")) == std::string::npos) {
        const ssize_t got = ::recv(fd, piece.data(), piece.size(), 0);
        if (got <= 0)
            return false;
        head.append(piece.data(), static_cast<std::size_t>(got));
    }
    const std::size_t at = head.find("Content-Length: ");
    std::size_t left = at == std::string::npos ? 0 : std::stoul(head.substr(at + 16));
    left -= std::min(left, head.size() - end - 4);
    head.resize(end);
    while (left > 0) {
        const ssize_t got = ::recv(fd, piece.data(), std::min(piece.size(), left), 0);
        if (got <= 0)
            return false;
        left -= static_cast<std::size_t>(got);
    }
    return true;
}

/// Answers every chat with the same words, after a while in which the gateway holds the request.
class Provider
{
public:
    Provider()
    {
        fd_ = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address = loopback(0);
        socklen_t size = sizeof address;
        if (::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd_, 16) != 0)
            std::exit(1);
        ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
        port = ntohs(address.sin_port);
        thread_ = std::thread([this] { run(); });
    }
    ~Provider()
    {
        ::shutdown(fd_, SHUT_RDWR);
        thread_.join();
        ::close(fd_);
    }
    Provider(const Provider&) = delete;
    Provider& operator=(const Provider&) = delete;

    quint16 port = 0;
    std::string answer;                 ///< set while nobody asks
    std::atomic<int> asked = 0;         ///< requests that have come whole
    std::atomic<bool> mayAnswer = true; ///< held back until then

private:
    void run()
    {
        for (;;) {
            const int client = ::accept(fd_, nullptr, nullptr);
            if (client < 0)
                return;
            std::string head;
            while (drain(client, head)) {
                ++asked;
                mayAnswer.wait(false);
                tell(client, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                                 std::to_string(answer.size()) + "\r\n\r\n");
                tell(client, answer);
            }
            ::close(client);
        }
    }

    int fd_ = -1;
    std::thread thread_;
};

qint64 memoryKiB(QByteArrayView field)
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith(field.toByteArray()))
            return line.simplified().split(' ').value(1).toLongLong();
    return 0;
}

void forgetPeak()
{
    ::malloc_trim(0);
    QFile file(QStringLiteral("/proc/self/clear_refs"));
    if (file.open(QIODevice::WriteOnly))
        file.write("5");
}

struct Seen
{
    qint64 wholeMs = 0, stallMs = 0, heldKiB = 0, peakKiB = 0;
};

class Bench
{
public:
    explicit Bench(bool hasCache)
        : core_({})
    {
        workspace::Workspace workspace;
        workspace::Endpoint endpoint;
        endpoint.provider = QStringLiteral("openai-compatible");
        endpoint.baseUrl = QStringLiteral("sim:first");
        endpoint.model = QStringLiteral("m");
        endpoint.spec.name = "first";
        workspace.endpoints = {endpoint};
        workspace::Chain chain;
        chain.spec.name = "chat";
        if (hasCache)
            chain.spec.cache.emplace();
        chain::TierSpec tier;
        tier.name = tier.endpoint = "first";
        chain.spec.tiers = {tier};
        workspace.chains = {chain};
        core_.apply(workspace, {}, QUrl(QStringLiteral("http://127.0.0.1:%1").arg(provider_.port)),
                    [](const workspace::KeyRef&) { return QByteArray(); });
        gateway::Options options;
        options.settings.port = 0;
        gateway_.emplace(core_, std::move(options));
        port_ = gateway_->listen().value_or(0);
    }

    Seen ask(const std::string& body, const std::string& answer)
    {
        provider_.answer = answer;
        provider_.mayAnswer = false;
        const int before = provider_.asked;
        forgetPeak();
        const qint64 rest = memoryKiB("VmRSS:");
        Seen seen;
        std::atomic<bool> isOver = false;
        std::thread client([&] {
            const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
            const sockaddr_in address = loopback(port_);
            if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
                tell(fd, "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                         "Content-Length: " +
                             std::to_string(body.size()) + "\r\n\r\n");
                tell(fd, body);
                std::string head;
                if (!drain(fd, head) || !head.starts_with("HTTP/1.1 200"))
                    std::printf("no answer: %s\n", head.c_str());
            }
            ::close(fd);
            isOver = true;
        });
        QElapsedTimer whole, gap, waited;
        whole.start();
        gap.start();
        QEventLoop loop;
        QTimer tick;
        int quiet = 0;
        qint64 waitedMs = 0;
        QObject::connect(&tick, &QTimer::timeout, &tick, [&] {
            seen.stallMs = std::max(seen.stallMs, gap.restart());
            if (provider_.asked > before && quiet == 0)
                waited.start();
            if (provider_.asked > before && !provider_.mayAnswer && ++quiet > kUntilFreed) {
                seen.heldKiB = memoryKiB("VmRSS:") - rest;
                waitedMs = waited.elapsed();
                provider_.mayAnswer = true;
                provider_.mayAnswer.notify_all();
                gap.restart();
            }
            if (isOver)
                loop.quit();
        });
        tick.start(1);
        loop.exec();
        client.join();
        seen.wholeMs = whole.elapsed() - waitedMs;
        seen.peakKiB = memoryKiB("VmHWM:") - rest;
        return seen;
    }

private:
    Provider provider_;
    engine::EngineCore core_;
    std::optional<gateway::Gateway> gateway_;
    quint16 port_ = 0;
};

std::string chatOf(std::size_t bytes, std::size_t each)
{
    std::string body = R"({"model":"chat","messages":[)";
    while (body.size() < bytes) {
        if (body.back() == '}')
            body += ',';
        body += R"({"role":"user","content":")" + std::string(each, 'x') + "\"}";
    }
    return body + "]}";
}

std::string answerOf(std::size_t bytes)
{
    return R"({"id":"1","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":")" +
           std::string(bytes, 'y') + "\"}}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}";
}

/// Of the JSON alone, in this thread.
qint64 readMs(const std::string& body)
{
    const QByteArray bytes = QByteArray::fromStdString(body);
    QElapsedTimer clock;
    clock.start();
    const auto ask = gateway::readChat(bytes);
    return ask ? clock.elapsed() : -1;
}

void measure(const char* what, bool hasCache, const std::string& body, const std::string& answer, int runs)
{
    const double mib = double(std::max(body.size(), answer.size())) / double(kMiB);
    std::vector<Seen> all;
    for (int i = 0; i < runs; ++i) {
        Bench bench(hasCache);
        all.push_back(bench.ask(body, answer));
    }
    std::ranges::sort(all, {}, &Seen::stallMs);
    const Seen& seen = all[all.size() / 2];
    std::printf("read alone in %lld ms; ", static_cast<long long>(readMs(body)));
    std::printf(
        "%-34s %6.1f MiB  longest stall %5lld ms  whole way %5lld ms (%.0f ms a MiB)  held %5.1f  peak %5.1f bytes a "
        "byte\n",
        what, mib, static_cast<long long>(seen.stallMs), static_cast<long long>(seen.wholeMs),
        double(seen.wholeMs) / mib, double(seen.heldKiB) / 1024 / mib, double(seen.peakKiB) / 1024 / mib);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const std::size_t bytes = std::size_t(argc > 1 ? std::atoi(argv[1]) : 30) * kMiB;
    const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 3;
    const std::string word = answerOf(5);
    measure("one text", false, chatOf(bytes, bytes), word, runs);
    measure("one text, a cache", true, chatOf(bytes, bytes), word, runs);
    measure("messages of 1,000 characters", false, chatOf(bytes, 1000), word, runs);
    measure("messages of 1 character", false, chatOf(bytes, 1), word, runs);
    measure("messages of 1 character, a cache", true, chatOf(bytes, 1), word, runs);
    measure("a short chat, a long answer", false, chatOf(60, 10), answerOf(7 * kMiB), runs);
    return 0;
}
