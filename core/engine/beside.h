// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/mailbox.h"
#include "core/http/workers.h"

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace sg::engine {

/// What would take the engine thread so long that everybody's tokens wait (a body of 30 MiB: up to a second) is done
/// beside it. Lives in the engine thread; its threads begin with the first work.
class Beside
{
public:
    /// Up to here bytes are read and written in place: about a millisecond.
    static constexpr qsizetype kShort = 256 * 1024;

    Beside();
    /// Waits for nothing: what is being done goes on in a thread of its own and is thrown away, what has not begun is
    /// dropped; nobody is told any more.
    ~Beside();
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;

    /// `work` is done and freed in another thread, perhaps after this has gone: it owns what it uses, which nobody
    /// changes meanwhile. Then `then` gets what it made, in this thread, later. `then` never leaves this thread.
    template <typename Work, typename Then>
    void run(Work work, Then then)
    {
        using Made = decltype(work());
        const auto made = std::make_shared<std::optional<Made>>();
        start([made, work = std::move(work)]() mutable { made->emplace(work()); },
              [made, then = std::move(then)]() mutable { then(std::move(**made)); });
    }

private:
    void start(std::function<void()> work, std::function<void()> then);
    void done(quint64 number);

    std::unordered_map<quint64, std::function<void()>> waiting_;
    quint64 next_ = 0;
    http::Mailbox mailbox_;
    std::shared_ptr<http::MailSlot> slot_;
    http::Workers workers_;
};

} // namespace sg::engine
