// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/descriptors.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sg::http {

int raiseDescriptorLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
        limit.rlim_cur = before;
    return static_cast<int>(std::min<rlim_t>(limit.rlim_cur, std::numeric_limits<int>::max()));
}

int descriptorLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    return static_cast<int>(std::min<rlim_t>(limit.rlim_cur, std::numeric_limits<int>::max()));
}

bool hasDescriptors(int wanted)
{
    std::array<int, 16> taken{};
    const int most = std::min(wanted, static_cast<int>(taken.size()));
    int count = 0;
    while (count < most && (taken[static_cast<std::size_t>(count)] = ::eventfd(0, EFD_CLOEXEC)) >= 0)
        ++count;
    const bool enough = count == most || (errno != EMFILE && errno != ENFILE);
    while (count > 0)
        ::close(taken[static_cast<std::size_t>(--count)]);
    return enough;
}

int connectionsWithin(int descriptors, qint64 errands)
{
    constexpr int kOwn = 128, kLeast = 24;
    const int left = std::max(descriptors - kOwn, kLeast);
    const qint64 others = errands < 0 ? left / 2 : std::min<qint64>(errands, left * 2 / 3);
    return left - static_cast<int>(others);
}

SpareDescriptor::SpareDescriptor()
{
    reopen();
}

SpareDescriptor::~SpareDescriptor()
{
    if (spare_ >= 0)
        ::close(spare_);
}

void SpareDescriptor::reopen()
{
    spare_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

int SpareDescriptor::turnAway(int listening, const QByteArray& answer)
{
    constexpr int atOnce = 64;
    int count = 0;
    while (count < atOnce) {
        const int probe = ::fcntl(listening, F_DUPFD_CLOEXEC, 0);
        if (probe >= 0) {
            ::close(probe);
            break;
        }
        if (spare_ < 0)
            break;
        ::close(spare_);
        const int client = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client >= 0) {
            std::array<char, 16 * 1024> request{}; // closing with bytes unread would reset the connection too early
            [[maybe_unused]] const auto read = ::recv(client, request.data(), request.size(), 0);
            ::send(client, answer.constData(), static_cast<std::size_t>(answer.size()), MSG_NOSIGNAL);
            ::close(client);
            ++count;
        }
        reopen();
        if (client < 0)
            break;
    }
    return count;
}

} // namespace sg::http
