// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/epoll_set.h"
#include "core/policy/time.h"

#include <functional>
#include <unordered_map>

namespace sg::http {

/// Connections that wait for a request, as bare descriptors behind one epoll set. Qt's event loop polls every socket it
/// knows each time it turns: 5,000 idle ones made each request cost ten times its CPU, and each held 17 KiB. Here they
/// cost nothing while nothing comes.
class Parking
{
public:
    /// Something came, or the client left: the descriptor is the callee's.
    using Wake = std::function<void(quint64 id, int descriptor)>;
    explicit Parking(Wake wake);
    ~Parking(); ///< closes what is parked
    Parking(const Parking&) = delete;
    Parking& operator=(const Parking&) = delete;

    bool usable() const { return set_.usable(); }
    /// Takes the descriptor, also when it fails: then it is closed.
    void park(quint64 id, int descriptor, Instant idleSince);
    void closeIdleSince(Instant before); ///< those that were idle already then
    void closeAll();
    int size() const { return static_cast<int>(parked_.size()); }

private:
    struct Place
    {
        int descriptor;
        Instant since;
    };
    void onReady(quint64 id);

    Wake wake_;
    EpollSet set_;
    std::unordered_map<quint64, Place> parked_;
};

} // namespace sg::http
