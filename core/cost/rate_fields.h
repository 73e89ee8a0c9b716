// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/cost.h"

#include <QLatin1String>

/// The rates and what files call them.
namespace sg::cost {

struct RateField
{
    QLatin1String name;
    std::optional<NanoDollars> Rates::*member;
};

inline constexpr std::array<RateField, 8> kRateFields{{
    {QLatin1String("input"), &Rates::input},
    {QLatin1String("output"), &Rates::output},
    {QLatin1String("cached_input"), &Rates::cachedInput},
    {QLatin1String("cache_write"), &Rates::cacheWrite},
    {QLatin1String("cache_write_1h"), &Rates::cacheWriteHour},
    {QLatin1String("reasoning"), &Rates::reasoning},
    {QLatin1String("audio_input"), &Rates::audioInput},
    {QLatin1String("audio_output"), &Rates::audioOutput},
}};

} // namespace sg::cost
