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
    if (what == CURL_POLL_REMOVE) {
        ::epoll_ctl(shard.epoll_, EPOLL_CTL_DEL, socket, nullptr);
        return 0;
    }
    epoll_event event{};
    event.data.u64 = (static_cast<quint64>(shard.id_) << 32) | static_cast<quint32>(socket);
    if (what & CURL_POLL_IN)
        event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT)
        event.events |= EPOLLOUT;
    if (::epoll_ctl(shard.epoll_, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event) != 0)
        ::epoll_ctl(shard.epoll_, known ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
    if (!known)
        curl_multi_assign(shard.multi_, socket, self);
    return 0;
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
