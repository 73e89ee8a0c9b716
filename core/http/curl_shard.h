// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <QtGlobal>

#include <curl/curl.h>
#include <functional>
#include <optional>
#include <unordered_map>

namespace sg::http {

/// A multi handle of libcurl whose sockets are watched by an epoll set that it shares with others. libcurl looks for a
/// connection to use among all that it has, one after the other: many of them are kept in several shards. Lives in one
/// thread.
class CurlShard
{
public:
    /// `id` comes with each event of the set, in the upper half of its data; the lower half is the socket.
    CurlShard(int epoll, quint32 id, long mostConnections);
    ~CurlShard();
    CurlShard(const CurlShard&) = delete;
    CurlShard& operator=(const CurlShard&) = delete;

    quint32 id() const { return id_; }
    int busy() const { return busy_; }
    void add(CURL* easy);
    void remove(CURL* easy);
    std::optional<Instant> due() const { return due_; } ///< when onTimer() has to be called
    void onTimer();
    void onSocket(curl_socket_t socket, unsigned events); ///< as epoll tells them
    /// A connection's socket: it stays in the set while libcurl keeps it idle, which saves two system calls a request.
    void opened(curl_socket_t socket) { kept_[socket] = {}; }
    void closing(curl_socket_t socket) { kept_.erase(socket); } ///< the set forgets it with its last descriptor
    /// Those that ended by themselves since it was last called; `ended` may add and remove.
    void eachEnded(const std::function<void(CURL*, CURLcode)>& ended);

private:
    struct Kept
    {
        unsigned watched = 0; ///< events it is in the set with; 0: it is not
        bool isWanted = false;
    };
    void watch(curl_socket_t socket, unsigned events, bool isKnown);
    static int onSocketWanted(CURL*, curl_socket_t socket, int what, void* self, void* known);
    static int onTimerWanted(CURLM*, long ms, void* self);

    const int epoll_;
    const quint32 id_;
    CURLM* multi_;
    std::optional<Instant> due_;
    int busy_ = 0;
    bool isStirred_ = false; ///< something may have ended
    std::unordered_map<curl_socket_t, Kept> kept_;
};

} // namespace sg::http
