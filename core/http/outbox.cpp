// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/outbox.h"

#include <QTcpSocket>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>
#include <utility>

namespace sg::http {

namespace {

/// QRingBuffer frees a piece only when all of it has left: in one piece a long answer would be held to its last byte.
constexpr qsizetype kPiece = 128 * 1024;

/// How much the kernel took; negative: nobody is there.
ssize_t sendNow(int descriptor, std::initializer_list<QByteArrayView> parts)
{
    std::array<iovec, 3> pieces{};
    msghdr message{};
    message.msg_iov = pieces.data();
    for (const QByteArrayView part : parts)
        pieces[message.msg_iovlen++] = {const_cast<char*>(part.data()), static_cast<std::size_t>(part.size())};
    const ssize_t sent = ::sendmsg(descriptor, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    const bool isFull = sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    return isFull ? 0 : sent;
}

} // namespace

/// Straight to the kernel as long as nothing waits: QTcpSocket's own buffer costs a copy, and a notifier that is turned
/// on and off again with every write.
bool Outbox::put(std::initializer_list<QByteArrayView> parts)
{
    const int descriptor = static_cast<int>(socket_.socketDescriptor());
    const bool waits = socket_.bytesToWrite() > 0 || descriptor < 0;
    const ssize_t sent = waits ? 0 : sendNow(descriptor, parts);
    qsizetype skip = std::max<ssize_t>(sent, 0);
    for (const QByteArrayView part : parts) {
        const qsizetype here = std::min(skip, part.size());
        skip -= here;
        buffer(part.sliced(here));
    }
    refresh();
    return sent >= 0;
}

void Outbox::buffer(QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        const QByteArrayView piece = bytes.first(std::min(kPiece, bytes.size()));
        bytes = bytes.sliced(piece.size());
        buffered_ += std::max<qint64>(socket_.write(piece.data(), piece.size()), 0);
    }
}

void Outbox::refresh()
{
    const qint64 now = socket_.bytesToWrite();
    all_ += now - std::exchange(unsent_, now);
}

void Outbox::endAnswer()
{
    if (place_)
        leaving_.push_back({buffered_, std::exchange(place_, nullptr)});
}

Outbox::Places Outbox::takeSent()
{
    const qint64 sent = buffered_ - unsent_;
    const auto end = std::ranges::find_if(leaving_, [sent](const Leaving& each) { return each.end > sent; });
    Places places;
    for (auto each = leaving_.begin(); each != end; ++each)
        places.push_back(std::move(each->place));
    leaving_.erase(leaving_.begin(), end);
    return places;
}

Outbox::Places Outbox::clear()
{
    all_ -= std::exchange(unsent_, 0);
    endAnswer();
    Places places;
    for (Leaving& each : std::exchange(leaving_, {}))
        places.push_back(std::move(each.place));
    return places;
}

} // namespace sg::http
