// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/model.h"

/// Values as differences say them. Internal to the comparison.
namespace sg::workspace::words {

QString number(double value);
QString percent(double share);
QString span(Nanos span); ///< "500 ms", "1.5 s", "45 s", "15 min", "24 h"
QString bytes(std::size_t bytes);
QString flag(bool on); ///< "on", "off"
QString text(const QString& text);
QString text(const std::string& text);
QString key(const KeyRef& key); ///< where it is, never the key
QString price(const cost::Price& price);
QString backoff(const policy::BackoffPolicy& backoff);
QString taskTimeout(const policy::TaskTimeout& timeout);
QString rateFloor(const policy::RateFloor& floor);
QString window(const policy::BreakerConfig& breaker);
QString countsAs(policy::RateLimitedCountsAs counts);
QString rules(const std::vector<chain::CannedRule>& rules);
QString routeClass(const chain::RouteClass& route);

template <typename T, typename Say>
QString optional(const std::optional<T>& value, Say say, const QString& none = QStringLiteral("none"))
{
    return value ? say(*value) : none;
}

} // namespace sg::workspace::words
