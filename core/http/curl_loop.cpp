// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/curl_loop.h"

#include <algorithm>
#include <csignal>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace sg::http {

namespace {

constexpr int kEventsAtOnce = 256;
// What events of the set that are no socket's tell themselves by; no shard has that id.
constexpr quint64 kWake = 0, kTick = 1;
/// Past that libcurl's search among them costs more than another multi handle does.
constexpr int kMostPerShard = 256;

bool beginLibcurl()
{
    static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
    return code == CURLE_OK;
}

/// Signals are for the program's own threads; a write to a socket that is closed is an error that libcurl sees.
void blockSignals()
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

} // namespace

CurlLoop::CurlLoop(std::function<void()> onEvents)
    : onEvents_(std::move(onEvents))
    , epoll_(::epoll_create1(EPOLL_CLOEXEC))
    , wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = kWake;
    if (!beginLibcurl() || epoll_ < 0 || wake_ < 0 || ::epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) != 0)
        return;
    event.data.u64 = kTick;
    if (lag_.descriptor() >= 0)
        ::epoll_ctl(epoll_, EPOLL_CTL_ADD, lag_.descriptor(), &event);
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) { // the process has as many as it may; usable() tells
    }
}

CurlLoop::~CurlLoop()
{
    {
        const std::lock_guard lock(mutex_);
        isOver_ = true;
    }
    if (thread_.joinable()) {
        wake();
        thread_.join();
    }
    for (const int descriptor : {epoll_, wake_}) {
        if (descriptor >= 0)
            ::close(descriptor);
    }
}

void CurlLoop::start(TransferPtr transfer)
{
    send({Order::Start, std::move(transfer)});
}

void CurlLoop::cancel(TransferPtr transfer)
{
    send({Order::Cancel, std::move(transfer)});
}

void CurlLoop::resume(TransferPtr transfer)
{
    send({Order::Resume, std::move(transfer)});
}

void CurlLoop::forget(std::shared_ptr<const CurlRoute> route)
{
    send({Order::Forget, {}, std::move(route)});
}

std::vector<CurlEvent> CurlLoop::takeEvents()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
}

void CurlLoop::measureLag(bool on)
{
    const std::lock_guard lock(lagMutex_);
    on ? lag_.start() : lag_.stop();
}

std::optional<stats::Histogram> CurlLoop::readLag() const
{
    const std::lock_guard lock(lagMutex_);
    return lag_.descriptor() < 0 ? std::nullopt : std::optional(lag_.lateness());
}

/// The thread empties the list when it wakes: only the first of a batch has to wake it.
void CurlLoop::send(Command command)
{
    bool isFirst = false;
    {
        const std::lock_guard lock(mutex_);
        isFirst = commands_.empty();
        commands_.push_back(std::move(command));
    }
    if (isFirst)
        wake();
}

void CurlLoop::wake()
{
    const quint64 one = 1;
    [[maybe_unused]] const auto written = ::write(wake_, &one, sizeof one);
}

void CurlLoop::run()
{
    blockSignals();
    ::pthread_setname_np(::pthread_self(), "curl");
    while (obey()) {
        turn();
        flush();
        wait();
    }
    closeAll();
}

/// False: it is over.
bool CurlLoop::obey()
{
    {
        const std::lock_guard lock(mutex_);
        if (isOver_)
            return false;
        orders_.swap(commands_);
    }
    for (const auto& [order, transfer, route] : orders_) {
        if (order == Order::Start)
            begin(transfer);
        else if (order == Order::Forget)
            forgetPool(route.get());
        else if (!transfer->isRunning())
            continue; // it ended meanwhile
        else if (order == Order::Cancel)
            finish(*transfer, {FailureKind::Cancelled, {}}, true, steadyNow());
        else if (const CURLcode code = transfer->resume(); code != CURLE_OK)
            finish(*transfer, transfer->judgeEnd(code), false, steadyNow());
    }
    orders_.clear();
    return true;
}

void CurlLoop::begin(const TransferPtr& transfer)
{
    Pool& pool = pools_[transfer->route().get()];
    CurlHandle handle;
    if (pool.handles.empty()) {
        handle = CurlTransfer::makeHandle(*transfer->route());
    } else {
        handle = std::move(pool.handles.back());
        pool.handles.pop_back();
    }
    if (!handle.easy)
        return tell({transfer->exchange(), steadyNow(), CurlEvent::Done{withoutDescriptors(), false}});
    CurlShard& shard = shardFor(pool);
    running_.emplace(transfer.get(), transfer);
    transfer->begin(std::move(handle), *this, shard);
    shard.add(transfer->easy());
}

/// The first with room, so that those at the end fall idle, and connections of the first are used again.
CurlShard& CurlLoop::shardFor(Pool& pool)
{
    for (const auto& shard : pool.shards) {
        if (shard->busy() < kMostPerShard)
            return *shard;
    }
    const quint32 id = ++lastShard_;
    pool.shards.push_back(std::make_unique<CurlShard>(epoll_, id, kMostPerShard));
    shards_.emplace(id, pool.shards.back().get());
    return *pool.shards.back();
}

void CurlLoop::turn()
{
    const Instant now = steadyNow();
    const auto onEnded = [this](CURL* easy, CURLcode code) {
        CurlTransfer* transfer = nullptr;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
        finish(*transfer, transfer->judgeEnd(code), false, steadyNow());
    };
    for (const auto& [id, shard] : shards_) {
        if (shard->due() && *shard->due() <= now)
            shard->onTimer();
        shard->eachEnded(onEnded);
    }
    deadlines.fire(steadyNow());
}

void CurlLoop::limitReached(CurlTransfer& transfer, Verdict verdict, Instant at)
{
    finish(transfer, std::move(verdict), true, at);
}

void CurlLoop::finish(CurlTransfer& transfer, Verdict verdict, bool isAbrupt, Instant at)
{
    const auto entry = running_.find(&transfer);
    const TransferPtr kept = std::move(entry->second);
    running_.erase(entry);
    transfer.shard()->remove(transfer.easy());
    pools_[transfer.route().get()].handles.push_back(transfer.end());
    tell({transfer.exchange(), at, CurlEvent::Done{std::move(verdict), isAbrupt}});
}

void CurlLoop::forgetPool(const CurlRoute* route)
{
    const auto entry = pools_.find(route);
    if (entry == pools_.end())
        return;
    for (const auto& shard : entry->second.shards)
        shards_.erase(shard->id());
    pools_.erase(entry);
}

void CurlLoop::flush()
{
    if (outgoing_.empty())
        return;
    bool isFirst = false;
    {
        const std::lock_guard lock(mutex_);
        isFirst = events_.empty();
        if (isFirst)
            events_.swap(outgoing_);
        else
            std::ranges::move(outgoing_, std::back_inserter(events_));
    }
    outgoing_.clear();
    if (isFirst)
        mailbox_.post([this] { onEvents_(); });
}

int CurlLoop::waitMs() const
{
    std::optional<Instant> next = deadlines.next();
    for (const auto& [id, shard] : shards_) {
        if (shard->due() && (!next || *shard->due() < *next))
            next = shard->due();
    }
    if (!next)
        return -1;
    constexpr Millis longest{3600 * 1000};
    const Millis left = std::chrono::ceil<Millis>(*next - steadyNow());
    return static_cast<int>(std::clamp(left, Millis(0), longest).count());
}

void CurlLoop::wait()
{
    std::array<epoll_event, kEventsAtOnce> ready;
    const int count = ::epoll_wait(epoll_, ready.data(), kEventsAtOnce, waitMs());
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = ready[static_cast<std::size_t>(i)];
        const auto id = static_cast<quint32>(event.data.u64 >> 32);
        if (event.data.u64 == kTick) {
            const std::lock_guard lock(lagMutex_);
            lag_.take();
            continue;
        }
        if (id == 0) {
            quint64 nothing = 0;
            [[maybe_unused]] const auto emptied = ::read(wake_, &nothing, sizeof nothing);
            continue;
        }
        if (const auto shard = shards_.find(id); shard != shards_.end())
            shard->second->onSocket(static_cast<curl_socket_t>(event.data.u64 & 0xffffffffu), event.events);
    }
}

void CurlLoop::closeAll()
{
    for (const auto& [raw, transfer] : std::exchange(running_, {})) {
        transfer->shard()->remove(transfer->easy());
        (void)transfer->end();
    }
    shards_.clear();
    pools_.clear();
    orders_.clear();
    const std::lock_guard lock(mutex_);
    commands_.clear();
    events_.clear();
}

} // namespace sg::http
