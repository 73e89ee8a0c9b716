// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/curl_shard.h"
#include "core/http/curl_transfer.h"
#include "core/http/lag_ticks.h"
#include "core/http/mailbox.h"

#include <thread>
#include <unordered_map>
#include <unordered_set>

namespace sg::http {

/// The thread in which libcurl's multi interface runs, with one epoll set for all its sockets. What is asked of it and
/// what it tells go over in batches.
class CurlLoop final : private CurlHost
{
public:
    /// `onEvents` is called in the owner's thread when there are events to take. The thread begins here; without
    /// descriptors for it usable() is false.
    explicit CurlLoop(std::function<void()> onEvents);
    ~CurlLoop() override; ///< ends what runs without a word, and the thread

    bool usable() const { return epoll_ >= 0 && wake_ >= 0 && thread_.joinable(); }

    // The owner's thread.
    using TransferPtr = std::shared_ptr<CurlTransfer>;
    void start(TransferPtr transfer);
    void cancel(TransferPtr transfer);                   ///< Done comes for it, too
    void resume(TransferPtr transfer);                   ///< a pause is over, or there is room again
    void forget(std::shared_ptr<const CurlRoute> route); ///< closes its connections; none of its transfers runs
    std::vector<CurlEvent> takeEvents();
    void measureLag(bool on);
    std::optional<stats::Histogram> readLag() const;
    qint64 connectionsOpened() const { return opened_.load(std::memory_order_relaxed); }

private:
    enum class Order { Start, Cancel, Resume, Forget };
    struct Command
    {
        Order order;
        TransferPtr transfer;
        std::shared_ptr<const CurlRoute> route{};
    };
    /// Easy handles and connections of one route.
    struct Pool
    {
        std::vector<std::unique_ptr<CurlShard>> shards;
        std::vector<CurlHandle> handles; ///< that wait for their next transfer
    };

    void send(Command command);
    void wake();
    void run();
    void wait();
    int waitMs() const;
    bool obey();
    void begin(const TransferPtr& transfer);
    CurlShard& shardFor(Pool& pool);
    void turn();
    void finish(CurlTransfer& transfer, Verdict verdict, bool isAbrupt, Instant at);
    void forgetPool(const CurlRoute* route);
    void flush();
    void closeAll();

    void tell(CurlEvent event) override { outgoing_.push_back(std::move(event)); }
    void connectionBegun() override { opened_.fetch_add(1, std::memory_order_relaxed); }
    void limitReached(CurlTransfer& transfer, Verdict verdict, Instant at) override;

    const std::function<void()> onEvents_;
    Mailbox mailbox_; ///< the owner's
    int epoll_ = -1;
    int wake_ = -1;

    mutable std::mutex lagMutex_;
    LagTicks lag_;

    std::mutex mutex_; ///< over these
    std::vector<Command> commands_;
    std::vector<CurlEvent> events_;
    bool isOver_ = false;

    // The loop's.
    std::vector<Command> orders_;
    std::vector<CurlEvent> outgoing_;
    std::unordered_map<const CurlRoute*, Pool> pools_;
    std::unordered_map<quint32, CurlShard*> shards_;
    std::unordered_map<CurlTransfer*, TransferPtr> running_;
    quint32 lastShard_ = 0;
    std::atomic<qint64> opened_{0};
    std::thread thread_;
};

} // namespace sg::http
