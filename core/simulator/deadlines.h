// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <QObject>
#include <QSocketNotifier>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sg::simulator {

/// Something that has to happen at a moment.
class Due
{
public:
    virtual ~Due() = default;
    virtual void onDue() = 0;
};

/// All deadlines of one thread in one heap behind one kernel timer: Qt's timers round to whole milliseconds, and one
/// for each of thousands of streams would cost more than the streams. Lives in a thread with an event loop.
class Deadlines : public QObject
{
    Q_OBJECT
public:
    explicit Deadlines(QObject* parent = nullptr);
    ~Deadlines() override;
    bool isUsable() const { return fd_ >= 0; } ///< false when the system has no timer left to give

    /// Keeps `due` until then. Moments of the past come with the next turn of the event loop; equal ones in order.
    void at(Instant when, std::shared_ptr<Due> due);
    void clear();
    std::size_t size() const { return heap_.size(); }

private:
    struct Entry
    {
        Instant when;
        std::uint64_t order = 0;
        std::shared_ptr<Due> due;
    };
    static bool later(const Entry& a, const Entry& b);
    void fire();
    void arm();

    int fd_ = -1;
    std::unique_ptr<QSocketNotifier> notifier_;
    std::vector<Entry> heap_;
    std::uint64_t order_ = 0;
    std::optional<Instant> armed_;
};

} // namespace sg::simulator
