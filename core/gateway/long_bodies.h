// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/service.h"
#include "core/http/mailbox.h"
#include "core/http/workers.h"

#include <QTimer>

#include <map>

namespace sg::gateway {

/// Reads bodies that are long beside the engine thread, in which everybody's tokens wait meanwhile: 32 MiB of JSON take
/// up to a second to become a tree. Lives in the engine thread.
class LongBodies
{
public:
    static constexpr qsizetype kShort = 256 * 1024; ///< 1.3 ms; up to here they are read in place
    static constexpr qsizetype kMostWaiting = 128 * 1024 * 1024;

    /// Of bodies that wait to be read so many bytes may be there; beyond that there is 503 "queue_full".
    explicit LongBodies(qsizetype mostWaiting = kMostWaiting);
    /// What is just being read goes on in a thread of its own and is thrown away; nobody is told any more.
    ~LongBodies();
    LongBodies(const LongBodies&) = delete;
    LongBodies& operator=(const LongBodies&) = delete;

    /// Takes the body off the exchange. `work` reads it and uses nothing else; long ones one after the other in the
    /// order in which they came. Then exactly one of these is called in this thread, perhaps before this returns:
    /// `then` with what it made; `over` when the client has left meanwhile, was cut off or refused, which has been told
    /// and counted.
    template <typename Result>
    void read(Exchange exchange, Result (*work)(const QByteArray&), std::function<void(Result, Exchange)> then,
              std::function<void(bool clientLeft)> over = {})
    {
        QByteArray body = std::exchange(exchange.request.body, {});
        exchange.isLong = body.size() > kShort;
        if (!exchange.isLong)
            return then(work(body), std::move(exchange));
        const auto made = std::make_shared<std::optional<Result>>();
        Job job{std::move(exchange), body.size(), made};
        job.work = [made, work, body] { made->emplace(work(body)); };
        job.then = [raw = made.get(), then = std::move(then)](Exchange read) {
            then(std::move(**raw), std::move(read));
        };
        job.over = std::move(over);
        body.clear(); // only the work has it now
        add(std::move(job));
    }

    /// Frees it beside the engine thread: a million short messages take 0.1 s.
    template <typename T>
    void discard(T value)
    {
        discard(std::shared_ptr<void>(std::make_shared<T>(std::move(value))));
    }

    /// Tells those who wait, and whose bodies are read just now, that the gateway is stopping.
    void cutOff();

    qint64 clientsLeft() const { return clientsLeft_; }
    qint64 cutOffTotal() const { return cutOffs_; }

private:
    struct Job
    {
        Exchange exchange;
        qsizetype bytes = 0;
        std::shared_ptr<void> made{};
        std::function<void()> work{};         ///< with the body; gone once it is being read
        std::function<void(Exchange)> then{}; ///< never leaves this thread: it holds clients, which belong to it
        std::function<void(bool clientLeft)> over{};
    };

    void add(Job job);
    void readNext();
    void done(quint64 number);
    std::optional<Job> take(quint64 number);
    void end(Job job, bool clientLeft);
    void discard(std::shared_ptr<void> value);

    const qsizetype mostWaiting_;
    std::map<quint64, Job> jobs_; ///< by their order; those that are read just now come first
    quint64 next_ = 0, lastRead_ = 0;
    qsizetype waiting_ = 0; ///< bytes
    int reading_ = 0;
    qint64 clientsLeft_ = 0, cutOffs_ = 0;
    http::Mailbox mailbox_;
    std::shared_ptr<http::MailSlot> slot_;
    http::Workers workers_;
    QTimer giveBack_; ///< to the system what was freed
};

} // namespace sg::gateway
