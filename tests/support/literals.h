// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLatin1String>

namespace sg::test {

/// Keys of JSON objects in tests: report["attempts"_L1].
constexpr QLatin1String operator""_L1(const char* text, std::size_t size)
{
    return QLatin1String(text, static_cast<qsizetype>(size));
}

} // namespace sg::test
