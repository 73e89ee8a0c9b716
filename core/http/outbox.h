// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArrayView>

#include <initializer_list>
#include <memory>
#include <vector>

class QTcpSocket;

namespace sg::http {

/// What one client has not taken yet, and what its answers hold until they have left. The socket's thread; the socket
/// and the sum outlive it.
class Outbox
{
public:
    using Places = std::vector<std::shared_ptr<void>>;

    /// `all` is the sum of what all clients have not taken, in bytes.
    Outbox(QTcpSocket& socket, qint64& all)
        : socket_(socket)
        , all_(all)
    {
    }
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;

    /// To the kernel, and what that does not take to the socket's buffer. False: nobody is there any more.
    bool put(std::initializer_list<QByteArrayView> parts);
    void refresh(); ///< whenever the socket may have passed something on, or thrown it away
    qint64 unsent() const { return unsent_; }

    // Places are let go of by who is given them: what that lets in may come back here.
    void keep(std::shared_ptr<void> place) { place_ = std::move(place); } ///< of the answer that is under way
    void endAnswer();                                                     ///< its last byte has been put
    Places takeSent();                                                    ///< of answers that have left
    Places clear();                                                       ///< the client is gone

private:
    struct Leaving
    {
        qint64 end = 0; ///< of all that was ever buffered
        std::shared_ptr<void> place;
    };
    void buffer(QByteArrayView bytes);

    QTcpSocket& socket_;
    qint64& all_;
    qint64 buffered_ = 0; ///< ever
    qint64 unsent_ = 0;
    std::shared_ptr<void> place_;
    std::vector<Leaving> leaving_; ///< in their order
};

} // namespace sg::http
