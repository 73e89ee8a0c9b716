// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>

#include <arpa/inet.h>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace sg::testing {

inline constexpr qint64 kMiB = 1024 * 1024;
/// What a sanitizer holds is more than what is measured.
inline constexpr bool kIsSanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#else
    false;
#endif

/// A client that reads only what the test tells it to, and whose kernel takes next to nothing in its stead.
class DeafClient
{
public:
    explicit DeafClient(quint16 port, const QByteArray& request)
    {
        const int small = 4096;
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port);
        isUp_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        send(request);
    }
    ~DeafClient() { leave(); }
    DeafClient(const DeafClient&) = delete;
    DeafClient& operator=(const DeafClient&) = delete;

    bool isUp() const { return isUp_; }
    void send(const QByteArray& bytes)
    {
        const auto size = static_cast<std::size_t>(bytes.size());
        isUp_ = isUp_ && ::send(fd_, bytes.data(), size, MSG_NOSIGNAL) == bytes.size();
    }
    void leave()
    {
        if (fd_ >= 0)
            ::close(std::exchange(fd_, -1));
    }
    /// Takes what is there, so many bytes at most.
    void read(qsizetype most = 64 * 1024 * 1024)
    {
        QByteArray bytes(64 * 1024, Qt::Uninitialized);
        for (qsizetype count = 1; count > 0 && most > 0; most -= count) {
            count = ::recv(fd_, bytes.data(), static_cast<std::size_t>(std::min(most, bytes.size())), MSG_DONTWAIT);
            isReset_ = isReset_ || (count < 0 && errno == ECONNRESET);
            isEnded_ = isEnded_ || count == 0;
            got.append(bytes.constData(), std::max<qsizetype>(count, 0));
        }
    }
    /// Without reading on.
    bool isReset()
    {
        int error = 0;
        socklen_t size = sizeof error;
        ::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &size);
        return isReset_ = isReset_ || error == ECONNRESET;
    }
    bool isEnded() const { return isEnded_; }

    QByteArray got;

private:
    int fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool isUp_ = false, isReset_ = false, isEnded_ = false;
};

} // namespace sg::testing
