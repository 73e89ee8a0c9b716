// SPDX-License-Identifier: GPL-3.0-or-later
// What the server costs by itself: memory of an idle connection, CPU of a small request and of a streamed piece, both
// alone and beside idle connections. The clients are another process. bench_server [IDLE] [REQUESTS]
#include "core/http/server.h"

#include <QCoreApplication>
#include <QFile>
#include <QSocketNotifier>
#include <QTimer>

#include <arpa/inet.h>
#include <cstdio>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sg;

namespace {

constexpr int lanes = 50; ///< connections that ask, each one request at a time
constexpr int streams = 100;
constexpr int piecesOfStream = 500;

double cpuMicros()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto micros = [](const timeval& t) { return double(t.tv_sec) * 1e6 + double(t.tv_usec); };
    return micros(usage.ru_utime) + micros(usage.ru_stime);
}

qint64 residentKiB()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toLongLong() * (sysconf(_SC_PAGESIZE) / 1024);
}

int connectTo(quint16 port)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        std::perror("connect");
        std::exit(1);
    }
    return fd;
}

void tell(int fd, const std::string& text)
{
    if (::write(fd, text.data(), text.size()) != ssize_t(text.size()))
        std::exit(1);
}

std::string requestFor(const char* path)
{
    return std::string("POST ") + path +
           " HTTP/1.1\r\nHost: 127.0.0.1:8787\r\nUser-Agent: bench/1.0\r\nAccept: application/json\r\n"
           "Content-Type: application/json\r\nAuthorization: Bearer sk-test-0001\r\nAccept-Encoding: gzip, deflate\r\n"
           "Content-Length: 64\r\n\r\n" +
           std::string(64, 'b');
}

void readUntil(int fd, const char* end)
{
    std::string tail;
    char bytes[65536];
    for (;;) {
        const ssize_t count = ::read(fd, bytes, sizeof bytes);
        if (count <= 0)
            std::exit(1);
        tail.append(bytes, static_cast<std::size_t>(count));
        if (tail.find(end) != std::string::npos)
            return;
        if (tail.size() > 64)
            tail.erase(0, tail.size() - 64);
    }
}

void askMany(const std::vector<int>& fds, int requests)
{
    const std::string request = requestFor("/whole");
    for (int done = 0; done < requests; done += int(fds.size())) {
        for (const int fd : fds)
            tell(fd, request);
        for (const int fd : fds)
            readUntil(fd, "\n--end");
    }
}

/// Steps with the server: each line it writes to `out` begins a phase, each byte on `in` says that it was noted.
int client(quint16 port, int idle, int requests, int in, int out)
{
    const auto step = [&](const char* name) {
        tell(out, std::string(1, name[0]));
        char byte = 0;
        if (::read(in, &byte, 1) != 1)
            std::exit(1);
    };
    std::vector<int> asking, still;
    for (int i = 0; i < lanes; ++i)
        asking.push_back(connectTo(port));
    askMany(asking, 1000);
    step("a: warm");
    askMany(asking, requests);
    step("b: requests alone");
    for (int i = 0; i < idle; ++i) {
        still.push_back(connectTo(port));
        tell(still.back(), requestFor("/whole"));
        readUntil(still.back(), "\n--end");
    }
    step("c: idle connections");
    askMany(asking, requests);
    step("d: requests beside them");
    std::vector<int> open;
    for (int i = 0; i < streams; ++i) {
        open.push_back(connectTo(port));
        tell(open.back(), requestFor("/stream"));
    }
    for (const int fd : open)
        readUntil(fd, "\r\n0\r\n\r\n");
    step("e: streams beside them");
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const int idle = argc > 1 ? atoi(argv[1]) : 5000;
    const int requests = argc > 2 ? atoi(argv[2]) : 50000;
    rlimit descriptors{};
    getrlimit(RLIMIT_NOFILE, &descriptors);
    descriptors.rlim_cur = descriptors.rlim_max;
    setrlimit(RLIMIT_NOFILE, &descriptors);
    int toClient[2], toServer[2], portPipe[2];
    if (::pipe(toClient) != 0 || ::pipe(toServer) != 0 || ::pipe(portPipe) != 0)
        return 1;
    const pid_t child = ::fork();
    if (child == 0) {
        quint16 port = 0;
        if (::read(portPipe[0], &port, sizeof port) != sizeof port)
            return 1;
        return client(port, idle, requests, toClient[0], toServer[1]);
    }

    QCoreApplication app(argc, argv);
    std::vector<std::shared_ptr<http::Responder>> streaming;
    const QByteArray answer = QByteArray(400, 'a') + "\n--end";
    const QByteArray piece = "data: " + QByteArray(180, 'p') + "\n\n";
    int left = piecesOfStream;
    QTimer tokens; // every stream gets one piece a turn, as from upstreams that answer token by token
    QObject::connect(&tokens, &QTimer::timeout, &app, [&] {
        for (const auto& responder : streaming) {
            responder->write(piece);
            if (left == 1)
                responder->end();
        }
        if (--left == 0) {
            streaming.clear();
            tokens.stop();
        }
    });
    http::Server server([&](http::ServerRequest request, std::shared_ptr<http::Responder> responder) {
        if (request.path == "/whole")
            return responder->send(200, {{"Content-Type", "application/json"}}, answer);
        responder->begin(200, {{"Content-Type", "text/event-stream"}});
        streaming.push_back(std::move(responder));
        if (int(streaming.size()) == streams)
            tokens.start(2);
    });
    const auto port = server.listen();
    if (!port) {
        std::fprintf(stderr, "%s\n", qPrintable(port.error()));
        return 1;
    }
    if (::write(portPipe[1], &*port, sizeof *port) != sizeof *port)
        return 1;

    double cpu = cpuMicros();
    qint64 resident = 0;
    QSocketNotifier steps(toServer[0], QSocketNotifier::Read);
    QObject::connect(&steps, &QSocketNotifier::activated, &app, [&] {
        char phase = 0;
        if (::read(toServer[0], &phase, 1) != 1)
            return app.quit();
        const double used = cpuMicros() - cpu;
        if (phase == 'b' || phase == 'd')
            std::printf("%-38s %8.1f us of CPU a request\n",
                        phase == 'b' ? "whole answers" : "whole answers beside idle ones", used / requests);
        if (phase == 'c')
            std::printf("%-38s %8.2f KiB a connection (%d)\n", "idle keep-alive connections",
                        double(residentKiB() - resident) / idle, idle);
        if (phase == 'e')
            std::printf("%-38s %8.1f us of CPU a piece\n", "streams beside idle ones",
                        used / (streams * piecesOfStream));
        resident = residentKiB();
        cpu = cpuMicros();
        if (::write(toClient[1], "k", 1) != 1 || phase == 'e')
            app.quit();
    });
    app.exec();
    ::waitpid(child, nullptr, 0);
    return 0;
}
