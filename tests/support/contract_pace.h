// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QEventLoop>
#include <QTimer>

namespace sg::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double marginMs = 250; // instrumented code is several times slower
inline constexpr bool instrumented = true;
#else
inline constexpr double marginMs = 50;
inline constexpr bool instrumented = false;
#endif

/// Lets the event loop run; for statements that nothing happens meanwhile.
inline void letPass(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

} // namespace sg::testing
