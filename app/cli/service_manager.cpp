// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/service_manager.h"

#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace sg::app {

void tellServiceManager(const QByteArray& state)
{
    const QByteArray path = qgetenv("NOTIFY_SOCKET");
    sockaddr_un address{};
    const bool isKnownKind = path.startsWith('/') || path.startsWith('@');
    if (!isKnownKind || static_cast<std::size_t>(path.size()) >= sizeof address.sun_path)
        return;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
    if (path.startsWith('@'))
        address.sun_path[0] = '\0'; // Linux's abstract names
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + static_cast<std::size_t>(path.size()));
    (void)sendto(fd, state.constData(), static_cast<std::size_t>(state.size()), MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&address), length);
    close(fd);
}

} // namespace sg::app
