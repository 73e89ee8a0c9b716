// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/header_text.h"
#include "core/http/transport.h"

#include <QHostAddress>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpSocket>
#include <QTest>

#include <optional>

namespace sg::test {

/// One answer as it came over the wire; chunks are put together.
struct WireAnswer
{
    int status = 0;
    http::Headers headers;
    QByteArray body;
    bool isWhole = false; ///< its end has been read

    QByteArray header(QByteArrayView name) const { return http::headerValue(headers, name); }
    QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
    QJsonObject error() const { return json()[QLatin1String("error")].toObject(); }
};

/// Takes the first answer off `bytes` when it is whole; else shows what is there of it.
inline WireAnswer takeAnswer(QByteArray& bytes, bool isClosed = false)
{
    WireAnswer answer;
    const qsizetype end = bytes.indexOf("\r\n\r\n");
    if (end < 0)
        return answer;
    answer.status = bytes.mid(9, 3).toInt();
    const QList<QByteArray> lines = bytes.left(end).split('\n');
    for (const QByteArray& line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        answer.headers.emplace_back(line.left(colon), line.mid(colon + 1).trimmed());
    }
    qsizetype at = end + 4;
    if (answer.header("Transfer-Encoding") == "chunked") {
        for (;;) {
            const qsizetype lineEnd = bytes.indexOf("\r\n", at);
            bool ok = false;
            const qsizetype size = lineEnd < 0 ? -1 : bytes.mid(at, lineEnd - at).toLongLong(&ok, 16);
            if (!ok || bytes.size() < lineEnd + 2 + size + 2)
                return answer;
            at = lineEnd + 2 + size + 2;
            if (size == 0)
                break;
            answer.body += bytes.mid(lineEnd + 2, size);
        }
        answer.isWhole = true;
    } else if (const QByteArray length = answer.header("Content-Length"); !length.isEmpty()) {
        answer.body = bytes.mid(at, length.toLongLong());
        answer.isWhole = answer.body.size() == length.toLongLong();
        at += answer.body.size();
    } else {
        answer.body = bytes.mid(at);
        answer.isWhole = isClosed;
        at = bytes.size();
    }
    if (answer.isWhole)
        bytes.remove(0, at);
    return answer;
}

/// An application: sends requests over one connection and reads what comes back.
class GatewayClient
{
public:
    explicit GatewayClient(quint16 port)
        : port_(port)
    {
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    }

    void post(const QByteArray& body, const QByteArray& moreHeaders = {},
              const QByteArray& path = "/v1/chat/completions")
    {
        send("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(port_) +
             "\r\nContent-Type: application/json\r\n" + moreHeaders +
             "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
    }
    void get(const QByteArray& path, const QByteArray& method = "GET", const QByteArray& moreHeaders = {})
    {
        send(method + ' ' + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(port_) + "\r\n" + moreHeaders +
             "\r\n");
    }
    void send(const QByteArray& bytes)
    {
        socket.waitForConnected(5000);
        socket.write(bytes);
        socket.flush();
    }
    /// The next answer, once it is whole; what there is of it when it does not come.
    WireAnswer answer()
    {
        WireAnswer next;
        (void)QTest::qWaitFor(
            [&] {
                next = peek();
                return next.isWhole;
            },
            20'000);
        return next;
    }
    /// What is there by now; takes an answer that is whole.
    WireAnswer peek()
    {
        got += socket.readAll();
        return takeAnswer(got, socket.state() == QAbstractSocket::UnconnectedState);
    }
    /// Everything that has come and was not taken.
    const QByteArray& bytes()
    {
        got += socket.readAll();
        return got;
    }

    QTcpSocket socket;
    QByteArray got;

private:
    quint16 port_;
};

} // namespace sg::test
