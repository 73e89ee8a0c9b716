// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/answer_reader.h"
#include "core/simulator/simulator.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpSocket>

/// A simulator and a client that asks it.
namespace sg::test {

using simulator::Simulator;

constexpr int kPatience = 20000;

struct Received
{
    int status = 0;
    QByteArray head, body;
    bool complete = false; ///< the body's own end was seen
    double tookMs = 0;
    QByteArray header(const QByteArray& name) const
    {
        for (const QByteArray& line : head.split('\n'))
            if (line.toLower().startsWith(name.toLower() + ':'))
                return line.mid(name.size() + 1).trimmed();
        return {};
    }
    QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
};

/// Takes the chunks apart; false when the last one is missing.
inline bool dechunk(QByteArray raw, QByteArray& body)
{
    while (!raw.isEmpty()) {
        const auto end = raw.indexOf("\r\n");
        if (end < 0)
            return false;
        const auto size = raw.left(end).toInt(nullptr, 16);
        if (size == 0)
            return true;
        body += raw.mid(end + 2, size);
        raw = raw.mid(end + 2 + size + 2);
    }
    return false;
}

/// A client as plain as can be: what it reports owes nothing to the code under test.
class Client
{
public:
    explicit Client(quint16 port)
    {
        socket_.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
        socket_.waitForConnected(kPatience);
    }
    void send(const QByteArray& method, const QByteArray& path, const QByteArray& body = {})
    {
        clock_.start();
        socket_.write(method + ' ' + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: " +
                      QByteArray::number(body.size()) + "\r\n\r\n" + body);
        socket_.flush();
    }
    bool waitForBytes(int most = kPatience)
    {
        const bool some = socket_.bytesAvailable() > 0 || socket_.waitForReadyRead(most);
        raw_ += socket_.readAll();
        return some;
    }
    QByteArray soFar() const { return raw_; }
    Received finish()
    {
        while (socket_.state() == QAbstractSocket::ConnectedState && socket_.waitForReadyRead(kPatience))
            raw_ += socket_.readAll();
        raw_ += socket_.readAll();
        Received received;
        received.tookMs = double(clock_.nsecsElapsed()) / 1e6;
        const auto split = raw_.indexOf("\r\n\r\n");
        if (split < 0)
            return received;
        received.head = raw_.left(split);
        received.status = received.head.mid(9, 3).toInt();
        const QByteArray rest = raw_.mid(split + 4);
        if (received.header("Transfer-Encoding").toLower() == "chunked") {
            received.complete = dechunk(rest, received.body);
        } else {
            received.body = rest;
            received.complete = rest.size() == received.header("Content-Length").toLongLong();
        }
        return received;
    }
    void leave() { socket_.abort(); }
    void disconnectGently() { socket_.disconnectFromHost(); }

private:
    QTcpSocket socket_;
    QByteArray raw_;
    QElapsedTimer clock_;
};

inline QByteArray chatBody(bool stream, const QByteArray& more = {})
{
    return QByteArray(R"({"model":"m","messages":[{"role":"user","content":"12345678"}],"stream":)") +
           (stream ? "true" : "false") + more + '}';
}

inline Received call(const Simulator& simulator, const QByteArray& method, const QByteArray& path,
                     const QByteArray& body = {})
{
    Client client(simulator.port());
    client.send(method, path, body);
    return client.finish();
}

inline Received chat(const Simulator& simulator, bool stream = false, const QByteArray& more = {})
{
    return call(simulator, "POST", "/a/v1/chat/completions", chatBody(stream, more));
}

inline simulator::Script scriptOf(const QByteArray& fields, const QByteArray& top = {})
{
    const auto script =
        simulator::parseScript(R"({"version":1,)" + top + R"("endpoints":[{"name":"a",)" + fields + "}]}");
    if (!script)
        qFatal("%s", qPrintable(script.error()[0].toText(QStringLiteral("script"))));
    return *script;
}

inline const QByteArray kChatPath = "/a/v1/chat/completions";
inline const QByteArray kQuick = R"("latency":{"kind":"constant","ms":1})";
inline const QByteArray kFiveTokens = R"(,"output_tokens":{"kind":"constant","tokens":5},"chunk_tokens":2)";

inline QJsonObject truthOf(const Simulator& simulator)
{
    return simulator.stats().value(QStringLiteral("endpoints")).toObject().value(QStringLiteral("a")).toObject();
}

inline std::unique_ptr<provider::StreamReader> read(const QByteArray& body)
{
    auto reader = std::make_unique<provider::StreamReader>([](const provider::Delta&) {});
    reader->feed(body);
    return reader;
}

} // namespace sg::test
