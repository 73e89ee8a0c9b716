// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/first_paint.h"

#include <QEvent>
#include <QFile>
#include <QWidget>

#include <ctime>
#include <unistd.h>

namespace sg::app {

namespace {

constexpr int kStartTimeAfterName = 20; ///< field 22 of proc(5)'s stat, counted from 1; the name is the second

} // namespace

std::optional<double> millisecondsSinceStart()
{
    QFile file(QStringLiteral("/proc/self/stat"));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray stat = file.readAll();
    // The name stands in brackets and may hold blanks and brackets itself.
    const QByteArray ticks = stat.mid(stat.lastIndexOf(')') + 1).simplified().split(' ').value(kStartTimeAfterName - 1);
    timespec now{};
    if (ticks.isEmpty() || clock_gettime(CLOCK_BOOTTIME, &now) != 0)
        return std::nullopt;
    const double started = ticks.toDouble() * 1000 / static_cast<double>(sysconf(_SC_CLK_TCK));
    return static_cast<double>(now.tv_sec) * 1000 + static_cast<double>(now.tv_nsec) / 1e6 - started;
}

FirstPaint::FirstPaint(QWidget& window, std::function<void()> done)
    : QObject(&window)
    , done_(std::move(done))
{
    window.installEventFilter(this);
}

bool FirstPaint::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::Paint)
        return false;
    watched->removeEventFilter(this);
    // The children paint and the picture is handed over before the event loop comes round again.
    QMetaObject::invokeMethod(
        this,
        [this] {
            done_();
            deleteLater();
        },
        Qt::QueuedConnection);
    return false;
}

} // namespace sg::app
