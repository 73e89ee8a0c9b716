// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/mailbox.h"

#include <QThreadPool>

#include <unordered_map>

namespace sg::gateway {

/// Reads bodies that are long beside the engine thread, in which everybody's tokens wait meanwhile: 32 MiB of JSON take
/// 0.2 s to become a tree. Lives in the engine thread.
class LongBodies
{
public:
    LongBodies();
    ~LongBodies(); ///< waits for what is just being read; `then` is not called any more
    LongBodies(const LongBodies&) = delete;
    LongBodies& operator=(const LongBodies&) = delete;

    /// `work` reads a body of so many bytes and uses nothing else; short ones right here, and long ones too where a few
    /// wait already, so that they are taken no faster than they are read. `then` is called here with what it made,
    /// perhaps before this returns.
    template <typename Result>
    void read(qsizetype size, std::function<Result()> work, std::function<void(Result)> then)
    {
        if (!isAside(size))
            return then(work());
        const auto made = std::make_shared<std::optional<Result>>();
        start([made, work = std::move(work)] { made->emplace(work()); },
              [made, then = std::move(then)] { then(std::move(**made)); });
    }

private:
    bool isAside(qsizetype size) const;
    void start(std::function<void()> work, std::function<void()> then);

    // What is done afterwards holds clients, which belong to this thread: it never leaves it.
    std::unordered_map<quint64, std::function<void()>> waiting_;
    quint64 next_ = 0;
    http::Mailbox mailbox_;
    std::shared_ptr<http::MailSlot> slot_;
    QThreadPool pool_;
};

} // namespace sg::gateway
