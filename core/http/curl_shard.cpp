// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/curl_shard.h"

#include "core/http/transport.h"

#include <sys/epoll.h>

namespace sg::http {

CurlShard::CurlShard(int epoll, quint32 id, long mostConnections)
    : epoll_(epoll)
    , id_(id)
    , multi_(curl_multi_init())
{
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &CurlShard::onSocketWanted);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &CurlShard::onTimerWanted);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, mostConnections); // idle ones included
}

CurlShard::~CurlShard()
{
    curl_multi_cleanup(multi_);
}

void CurlShard::add(CURL* easy)
{
    curl_multi_add_handle(multi_, easy);
    ++busy_;
}

void CurlShard::remove(CURL* easy)
{
    curl_multi_remove_handle(multi_, easy);
    --busy_;
}

void CurlShard::onTimer()
{
    due_.reset();
    isStirred_ = true;
    int running = 0;
    curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
}

void CurlShard::onSocket(curl_socket_t socket, unsigned events)
{
    if (const auto kept = kept_.find(socket); kept != kept_.end() && !kept->second.isWanted) {
        // An idle connection that its server closed; libcurl looks before it uses one again.
        kept->second.watched = 0;
        ::epoll_ctl(epoll_, EPOLL_CTL_DEL, socket, nullptr);
        return;
    }
    int what = 0;
    if (events & EPOLLIN)
        what |= CURL_CSELECT_IN;
    if (events & EPOLLOUT)
        what |= CURL_CSELECT_OUT;
    if (events & (EPOLLERR | EPOLLHUP))
        what |= CURL_CSELECT_ERR;
    isStirred_ = true;
    int running = 0;
    curl_multi_socket_action(multi_, socket, what, &running);
}

void CurlShard::eachEnded(const std::function<void(CURL*, CURLcode)>& ended)
{
    if (!std::exchange(isStirred_, false))
        return;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
        if (message->msg == CURLMSG_DONE)
            ended(message->easy_handle, message->data.result);
    }
}

int CurlShard::onSocketWanted(CURL*, curl_socket_t socket, int what, void* self, void* known)
{
    auto& shard = *static_cast<CurlShard*>(self);
    const auto kept = shard.kept_.find(socket);
    const bool isKept = kept != shard.kept_.end();
    if (isKept)
        kept->second.isWanted = what != CURL_POLL_REMOVE;
    if (what == CURL_POLL_REMOVE) {
        if (!isKept)
            ::epoll_ctl(shard.epoll_, EPOLL_CTL_DEL, socket, nullptr);
        return 0;
    }
    unsigned events = 0;
    if (what & CURL_POLL_IN)
        events |= EPOLLIN;
    if (what & CURL_POLL_OUT)
        events |= EPOLLOUT;
    if (!isKept || kept->second.watched != events)
        shard.watch(socket, events, isKept ? kept->second.watched != 0 : known != nullptr);
    if (isKept)
        kept->second.watched = events;
    if (!known)
        curl_multi_assign(shard.multi_, socket, self);
    return 0;
}

void CurlShard::watch(curl_socket_t socket, unsigned events, bool isKnown)
{
    epoll_event event{};
    event.events = events;
    event.data.u64 = (static_cast<quint64>(id_) << 32) | static_cast<quint32>(socket);
    if (::epoll_ctl(epoll_, isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event) != 0)
        ::epoll_ctl(epoll_, isKnown ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
}

int CurlShard::onTimerWanted(CURLM*, long ms, void* self)
{
    auto& shard = *static_cast<CurlShard*>(self);
    if (ms < 0)
        shard.due_.reset();
    else
        shard.due_ = steadyNow() + Millis(ms);
    return 0;
}

} // namespace sg::http
