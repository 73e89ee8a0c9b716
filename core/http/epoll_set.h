// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSocketNotifier>

#include <cstdint>
#include <functional>
#include <memory>

namespace sg::http {

/// Descriptors that are waited at together, in the thread's event loop, by a number of the caller's: for what Qt's own
/// notifiers do not tell, or for more of them than it should poll each time it turns. Level-triggered: what is not
/// taken out is told again.
class EpollSet
{
public:
    using Ready = std::function<void(quint64 id)>;
    explicit EpollSet(Ready ready);
    ~EpollSet();
    EpollSet(const EpollSet&) = delete;
    EpollSet& operator=(const EpollSet&) = delete;

    bool usable() const { return epoll_ >= 0; } ///< false: there was no descriptor left for it
    /// `events` of epoll_ctl(2); false: it could not be done.
    bool add(quint64 id, int descriptor, std::uint32_t events);
    void remove(int descriptor); ///< also done by the kernel with the last copy of a descriptor

private:
    void onReady();

    Ready ready_;
    int epoll_;
    std::unique_ptr<QSocketNotifier> notifier_;
};

} // namespace sg::http
