// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QSocketNotifier>

#include <functional>
#include <memory>

namespace sg::app {

/// SIGINT and SIGTERM as calls in the event loop, one for each signal. One object at a time in a process.
class Interrupt : public QObject
{
    Q_OBJECT
public:
    explicit Interrupt(std::function<void()> callback, QObject* parent = nullptr);
    ~Interrupt() override;

private:
    std::function<void()> callback_;
    int fd_;
    std::unique_ptr<QSocketNotifier> notifier_;
};

} // namespace sg::app
