// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

#include <functional>
#include <optional>

class QWidget;

namespace sg::app {

/// Since the kernel made this process, to its clock tick (10 ms as a rule); empty where there is no /proc.
std::optional<double> millisecondsSinceStart();

/// Calls `done` once, after the window's first paint has reached its backing store.
class FirstPaint final : public QObject
{
    Q_OBJECT
public:
    FirstPaint(QWidget& window, std::function<void()> done);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::function<void()> done_;
};

} // namespace sg::app
