// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QSocketNotifier>

#include <functional>
#include <memory>

namespace sg::app {

/// SIGINT and SIGTERM as calls in the event loop. One at a time in a process.
class Interrupt : public QObject
{
    Q_OBJECT
public:
    explicit Interrupt(std::function<void()> callback, QObject* parent = nullptr);
    ~Interrupt() override;

private:
    std::function<void()> callback_;
    std::unique_ptr<QSocketNotifier> notifier_;
    int fd_ = -1;
};

} // namespace sg::app
