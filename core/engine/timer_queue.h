// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <map>

namespace sg::engine {

/// Many deadlines behind one QTimer. Fires never early, and late by what the event loop is late. One thread.
class TimerQueue : public QObject
{
    Q_OBJECT
public:
    using Id = std::pair<Instant, std::uint64_t>;
    explicit TimerQueue(QObject* parent = nullptr);

    Id at(Instant due, std::function<void()> callback);
    void cancel(const Id& id); ///< no-op when it has fired
    std::size_t size() const { return entries_.size(); }

private:
    void arm();
    void fire();
    QTimer timer_;
    std::map<Id, std::function<void()>> entries_;
    std::uint64_t next_ = 0;
};

} // namespace sg::engine
