// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/commands.h"

#include <QHash>
#include <QTimer>

#include <chrono>
#include <functional>
#include <memory>

namespace sg::ui {

/// Takes locks off by themselves after the time the operator chose. They count while the program runs; any later
/// manual command on the endpoint ends its timer.
class LockTimers
{
public:
    using Release = std::function<void(const QString& endpoint, std::chrono::minutes after)>;

    explicit LockTimers(Release release)
        : release_(std::move(release))
    {
    }
    void start(const QString& endpoint, std::chrono::minutes after);
    void cancel(const QString& endpoint) { timers_.remove(endpoint); }
    bool isRunning(const QString& endpoint) const { return timers_.contains(endpoint); }

private:
    Release release_;
    QHash<QString, std::shared_ptr<QTimer>> timers_;
};

} // namespace sg::ui
