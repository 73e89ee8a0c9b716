// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpSocket>

namespace sg::test {

/// A client of a gateway that knows nothing but HTTP/1.1; one request a connection. Everything is bounded.
class ServeClient
{
public:
    explicit ServeClient(quint16 port, const QByteArray& token = {})
        : port_(port)
        , token_(token)
    {
    }

    bool connectOnly()
    {
        socket_.connectToHost(QStringLiteral("127.0.0.1"), port_);
        return socket_.waitForConnected(kMostMs);
    }
    /// Sends it and reads nothing.
    bool begin(const QByteArray& method, const QByteArray& path, const QByteArray& body = {})
    {
        if (socket_.state() != QAbstractSocket::ConnectedState && !connectOnly())
            return false;
        QByteArray head = method + ' ' + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";
        if (!token_.isEmpty())
            head += "Authorization: Bearer " + token_ + "\r\n";
        if (!body.isEmpty())
            head += "Content-Type: application/json\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n";
        socket_.write(head + "\r\n" + body);
        return socket_.waitForBytesWritten(kMostMs);
    }
    /// Reads until `text` has come.
    bool readUntil(const QByteArray& text)
    {
        const QElapsedTimer since = started();
        while (!all_.contains(text) && since.elapsed() < kMostMs)
            if (!readSome())
                break;
        return all_.contains(text);
    }
    /// Reads until the other side closes; false: it did not.
    bool readToEnd()
    {
        const QElapsedTimer since = started();
        while (socket_.state() != QAbstractSocket::UnconnectedState && since.elapsed() < kMostMs)
            readSome();
        all_ += socket_.readAll();
        return socket_.state() == QAbstractSocket::UnconnectedState;
    }
    void leave() { socket_.abort(); }

    const QByteArray& all() const { return all_; }
    int status() const { return all_.mid(9, 3).toInt(); }
    QByteArray header(const QByteArray& name) const
    {
        const QByteArray head = all_.left(all_.indexOf("\r\n\r\n"));
        for (const QByteArray& line : head.split('\n'))
            if (line.left(name.size() + 1).compare(name + ':', Qt::CaseInsensitive) == 0)
                return line.mid(name.size() + 1).trimmed();
        return {};
    }
    QJsonObject json() const { return QJsonDocument::fromJson(all_.mid(all_.indexOf("\r\n\r\n") + 4)).object(); }

private:
    static constexpr int kMostMs = 20000;
    static QElapsedTimer started()
    {
        QElapsedTimer timer;
        timer.start();
        return timer;
    }
    bool readSome()
    {
        if (!socket_.bytesAvailable() && !socket_.waitForReadyRead(1000) &&
            socket_.state() == QAbstractSocket::UnconnectedState)
            return false;
        all_ += socket_.readAll();
        return true;
    }

    quint16 port_;
    QByteArray token_, all_;
    QTcpSocket socket_;
};

inline QByteArray chatBody(const QByteArray& model, bool stream = false)
{
    return R"({"model":")" + model + R"(","stream":)" + (stream ? "true" : "false") +
           R"(,"messages":[{"role":"user","content":"Hello"}]})";
}

} // namespace sg::test
