// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/switchboard.h"
#include "core/gateway/failure.h"

#include <QJsonObject>

#include <tl/expected.hpp>

namespace sg::gateway {

enum class HealthStatus { Healthy, Degraded, Unhealthy };
const char* toString(HealthStatus status); ///< "healthy", …

/// Whether requests can be answered at this moment, as far as is known without asking anybody.
struct Health
{
    HealthStatus status = HealthStatus::Healthy;
    QString reason{};                  ///< a sentence; empty when healthy
    std::optional<Nanos> retryAfter{}; ///< Unhealthy: when a tier may be asked again; empty: nobody knows
    QJsonObject json{};                ///< what GET /health answers
    QJsonObject publicJson() const;    ///< without names: for those who do not show the token
};

/// Of all chains, or of the one named: 404 when there is none of this name. Unhealthy: no chain has a tier that may be
/// asked. Degraded: one of their endpoints is out or being probed, whatever the reason. Reads the breakers, which may
/// end an open wait.
tl::expected<Health, Failure> healthOf(const engine::Switchboard& switchboard, const QString& chain, Instant now);

} // namespace sg::gateway
