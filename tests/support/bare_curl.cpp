// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/bare_curl.h"

#include "core/http/transport.h"

#include <curl/curl.h>
#include <sys/epoll.h>
#include <unistd.h>

namespace sg::test {

namespace {

std::size_t ignore(char*, std::size_t size, std::size_t count, void*)
{
    return size * count;
}

} // namespace

struct BareCurl::Handles
{
    CURLM* multi = curl_multi_init();
    int epoll = ::epoll_create1(EPOLL_CLOEXEC);
    long timeoutMs = -1;
    curl_slist* headers = nullptr;
    std::vector<CURL*> easies;

    static int onSocket(CURL*, curl_socket_t socket, int what, void* self, void* known)
    {
        auto& handles = *static_cast<Handles*>(self);
        epoll_event event{};
        event.data.fd = socket;
        event.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
        if (what == CURL_POLL_REMOVE)
            return ::epoll_ctl(handles.epoll, EPOLL_CTL_DEL, socket, nullptr), 0;
        ::epoll_ctl(handles.epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
        curl_multi_assign(handles.multi, socket, self);
        return 0;
    }
    static int onTimer(CURLM*, long ms, void* self)
    {
        static_cast<Handles*>(self)->timeoutMs = ms;
        return 0;
    }
};

BareCurl::BareCurl(const QUrl& url, QByteArray body, int concurrency)
    : handles_(std::make_unique<Handles>())
    , body_(std::move(body))
{
    curl_multi_setopt(handles_->multi, CURLMOPT_SOCKETFUNCTION, &Handles::onSocket);
    curl_multi_setopt(handles_->multi, CURLMOPT_SOCKETDATA, handles_.get());
    curl_multi_setopt(handles_->multi, CURLMOPT_TIMERFUNCTION, &Handles::onTimer);
    curl_multi_setopt(handles_->multi, CURLMOPT_TIMERDATA, handles_.get());
    for (const char* line : {"Content-Type: application/json", "Authorization: Bearer key", "Expect:"})
        handles_->headers = curl_slist_append(handles_->headers, line);
    for (int i = 0; i < concurrency; ++i) {
        CURL* const easy = curl_easy_init();
        curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(easy, CURLOPT_PROXY, "");
        curl_easy_setopt(easy, CURLOPT_URL, url.toEncoded().constData());
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, handles_->headers);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &ignore);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(body_.size()));
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body_.constData());
        handles_->easies.push_back(easy);
    }
}

BareCurl::~BareCurl()
{
    for (CURL* const easy : handles_->easies)
        curl_easy_cleanup(easy);
    curl_multi_cleanup(handles_->multi);
    curl_slist_free_all(handles_->headers);
    ::close(handles_->epoll);
}

void BareCurl::run(int count)
{
    Handles& handles = *handles_;
    int toStart = count, left = count, running = 0;
    for (CURL* const easy : handles.easies) {
        if (toStart-- > 0)
            curl_multi_add_handle(handles.multi, easy);
    }
    std::array<epoll_event, 64> ready;
    while (left > 0) {
        const int got = ::epoll_wait(handles.epoll, ready.data(), static_cast<int>(ready.size()),
                                     static_cast<int>(handles.timeoutMs));
        for (int i = 0; i < got; ++i) {
            const epoll_event& event = ready[static_cast<std::size_t>(i)];
            const int what = (event.events & EPOLLIN ? CURL_CSELECT_IN : 0) |
                             (event.events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                             (event.events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
            curl_multi_socket_action(handles.multi, event.data.fd, what, &running);
        }
        if (got == 0 || handles.timeoutMs == 0) // what was added begins at once
            curl_multi_socket_action(handles.multi, CURL_SOCKET_TIMEOUT, 0, &running);
        int queued = 0;
        while (const CURLMsg* message = curl_multi_info_read(handles.multi, &queued)) {
            if (message->data.result != CURLE_OK)
                qFatal("%s", curl_easy_strerror(message->data.result));
            CURL* const easy = message->easy_handle;
            curl_multi_remove_handle(handles.multi, easy);
            --left;
            if (toStart-- > 0)
                curl_multi_add_handle(handles.multi, easy);
        }
    }
}

BenchCost BareCurl::measure(int count, int warmUp)
{
    run(warmUp);
    const double before = processCpuMicros();
    const Instant from = http::steadyNow();
    run(count);
    return {(processCpuMicros() - before) / count, toMs(http::steadyNow() - from) * 1000 / count};
}

} // namespace sg::test
