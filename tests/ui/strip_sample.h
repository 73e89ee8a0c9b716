// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/strip/strip_picture.h"

#include <cmath>

/// A run as the strip shows it: 9:42 of 15 minutes, with an outage of the first endpoint.
namespace sg::test::strips {

inline double wave(int i, int k)
{
    return 0.5 + 0.5 * std::sin(i * 0.7 + k) * std::sin(i * 0.31 + 2 * k);
}

inline ui::StripMoment moment(int i, bool isOutage)
{
    ui::StripMoment m;
    m.second = i * 3;
    m.width = 3;
    m.due = static_cast<float>(std::min(80.0, 16.0 + i * 0.45));
    m.sent = *m.due * static_cast<float>(0.97 + 0.03 * wave(i, 1));
    m.answered = m.sent * static_cast<float>(isOutage ? 0.82 : 0.995);
    m.p50Ms = static_cast<float>((isOutage ? 1700 : 650) * (0.95 + 0.1 * wave(i, 4)));
    m.p95Ms = static_cast<float>((isOutage ? 4800 : 2100) * (0.9 + 0.2 * wave(i, 5)));
    m.p99Ms = static_cast<float>((isOutage ? 9200 : 4300) * (0.85 + 0.3 * wave(i, 6)));
    m.inFlight = m.sent * static_cast<float>(isOutage ? 1.9 : 0.8);
    const auto all = static_cast<std::int64_t>(m.answered * 3);
    m.statuses = {all, all / 4, isOutage ? all / 30 : 0, isOutage ? all / 9 : i % 41 == 0 ? 1 : 0};
    m.tries = all + all / 4;
    m.causes = {isOutage      ? all / 7
                : i % 17 == 0 ? 2
                              : 0,
                isOutage      ? all / 40
                : i % 29 == 0 ? 1
                              : 0,
                isOutage ? all / 90 : 0};
    for (const std::int64_t cause : m.causes)
        m.triesFailed += cause;
    m.heat.assign(24, 0);
    for (int row = 0; row < 24; ++row) {
        const double middle = isOutage ? 15.5 : 12.0;
        m.heat[static_cast<std::size_t>(row)] =
            static_cast<std::uint32_t>(static_cast<double>(all) * 0.4 * std::exp(-std::pow((row - middle) / 1.6, 2)));
    }
    m.heat[3] = static_cast<std::uint32_t>(all / 5);
    return m;
}

inline ui::StripPicture running(int moments = 194)
{
    using policy::BreakerState;
    ui::StripPicture picture;
    picture.elapsed = moments * 3.0;
    picture.end = std::max(900.0, picture.elapsed);
    picture.isOn = true;
    picture.statuses = {{QStringLiteral("200"), ui::StripStatus::Look::Model},
                        {QStringLiteral("200 cached"), ui::StripStatus::Look::Cache},
                        {QStringLiteral("429"), ui::StripStatus::Look::Refused},
                        {QStringLiteral("503"), ui::StripStatus::Look::Failed}};
    picture.causes = {{QStringLiteral("503"), ui::StripCause::Look::Server},
                      {QStringLiteral("429"), ui::StripCause::Look::Refused},
                      {QStringLiteral("timeout"), ui::StripCause::Look::Timeout}};
    for (int row = 0; row <= 24; ++row)
        picture.heatEdgesMs.push_back(std::pow(10, 0.9 + row * 0.15));
    for (int i = 0; i < moments; ++i)
        picture.moments.push_back(moment(i, i > 120 && i < 162));
    picture.planned = {{0, 16}, {426, 80}, {780, 80}, {900, 0}};
    picture.breakers = {{QStringLiteral("gpt-4.1"),
                         {{BreakerState::Closed, 0, 380},
                          {BreakerState::Open, 380, 395},
                          {BreakerState::HalfOpen, 395, 402},
                          {BreakerState::Open, 402, 490},
                          {BreakerState::HalfOpen, 490, 504},
                          {BreakerState::Closed, 504, picture.elapsed}}},
                        {QStringLiteral("claude"), {{BreakerState::Closed, 0, picture.elapsed}}},
                        {QStringLiteral("gemini"), {{BreakerState::Closed, 0, picture.elapsed}}},
                        {QStringLiteral("deepseek"), {{BreakerState::ForcedOpen, 0, picture.elapsed}}}};
    picture.phases = {{QStringLiteral("warm-up"), 0, 45, true}, {QStringLiteral("scripted outage: gpt-4.1"), 363, 486}};
    picture.limits = {{QStringLiteral("p95 ≤ 4.00\u202Fs"), 4000}};
    return picture;
}

inline ui::StripPicturePtr shared(ui::StripPicture picture)
{
    return std::make_shared<const ui::StripPicture>(std::move(picture));
}

} // namespace sg::test::strips
