// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/letter_scale.h"

#include <QByteArray>

#include <algorithm>

namespace sg::ui {

namespace {
constexpr double kUsualDpi = 96, kLeast = 0.5, kMost = 4;
constexpr const char *kDpi = "QT_FONT_DPI", *kScale = "QT_SCALE_FACTOR";
} // namespace

void scaleWithLetters()
{
    bool isNumber = false;
    const double dpi = qgetenv(kDpi).toDouble(&isNumber);
    if (!isNumber || !(dpi > 0) || dpi == kUsualDpi)
        return;
    const double before = qgetenv(kScale).toDouble(&isNumber);
    const double letters = std::clamp(dpi / kUsualDpi, kLeast, kMost);
    qputenv(kScale, QByteArray::number(isNumber && before > 0 ? before * letters : letters));
    qputenv(kDpi, QByteArray::number(kUsualDpi));
}

} // namespace sg::ui
