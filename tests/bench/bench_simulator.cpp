// SPDX-License-Identifier: GPL-3.0-or-later
// How exactly the simulator keeps a constant latency, and what streams in flight cost: bench_simulator [STREAMS] [MS]
#include "core/simulator/simulator.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QTcpSocket>

#include <cstdio>

#include <sys/resource.h>

namespace {

double cpuMs()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto ms = [](const timeval& t) { return double(t.tv_sec) * 1e3 + double(t.tv_usec) / 1e3; };
    return ms(usage.ru_utime) + ms(usage.ru_stime);
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const int streams = argc > 1 ? atoi(argv[1]) : 1000;
    const int ms = argc > 2 ? atoi(argv[2]) : 500;
    const auto script = sg::simulator::parseScript(
        QByteArray(R"({"version":1,"endpoints":[{"name":"a","output_tokens":{"kind":"constant","tokens":120},
            "chunk_tokens":8,"latency":{"kind":"constant","ms":)") +
        QByteArray::number(ms) + "}}]}");
    sg::simulator::Simulator simulator(*script);
    const auto port = simulator.start();
    if (!port) {
        std::fprintf(stderr, "%s\n", qPrintable(port.error()));
        return 1;
    }
    const QByteArray body = R"({"model":"a","stream":true,"messages":[{"role":"user","content":"hi"}]})";
    std::vector<std::unique_ptr<QTcpSocket>> sockets;
    for (int i = 0; i < streams; ++i) {
        sockets.push_back(std::make_unique<QTcpSocket>());
        sockets.back()->connectToHost(QHostAddress(QHostAddress::LocalHost), *port);
        if (!sockets.back()->waitForConnected(5000))
            return 1;
    }
    const double before = cpuMs();
    int open = streams;
    for (auto& socket : sockets) {
        QObject::connect(socket.get(), &QTcpSocket::readyRead, socket.get(), [&socket] { socket->readAll(); });
        QObject::connect(socket.get(), &QTcpSocket::disconnected, &app, [&] {
            if (--open == 0)
                app.quit();
        });
        socket->write("POST /a/v1/chat/completions HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " +
                      QByteArray::number(body.size()) + "\r\n\r\n" + body);
    }
    app.exec();
    const double cpu = cpuMs() - before;
    std::printf("%d streams of 15 pieces in %d ms; cpu of both sides %.0f ms, %.0f us a stream\n%s", streams, ms, cpu,
                cpu * 1000 / streams, QJsonDocument(simulator.stats()).toJson().constData());
    return 0;
}
