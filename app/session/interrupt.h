// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QSocketNotifier>

#include <csignal>
#include <functional>
#include <memory>
#include <vector>

namespace sg::app {

/// Signals, by default SIGINT and SIGTERM, as calls in the event loop, one for each. One object at a time for a signal.
class Interrupt : public QObject
{
    Q_OBJECT
public:
    explicit Interrupt(std::function<void()> callback, QObject* parent = nullptr,
                       std::vector<int> signalNumbers = {SIGINT, SIGTERM});
    ~Interrupt() override;

private:
    std::function<void()> callback_;
    std::vector<int> signalNumbers_;
    int fd_;
    std::unique_ptr<QSocketNotifier> notifier_;
};

} // namespace sg::app
