// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/switchboard.h"
#include "core/gateway/failure.h"

#include <QJsonObject>

#include <tl/expected.hpp>

namespace sg::gateway {

enum class HealthStatus { Healthy, Degraded, Unhealthy }; ///< Unhealthy: of a chain that cannot answer, or none
const char* toString(HealthStatus status);                ///< "healthy", …

/// Whether requests can be answered at this moment, as far as is known without asking anybody.
struct Health
{
    HealthStatus status = HealthStatus::Healthy;
    QString reason{};                  ///< a sentence; empty when healthy
    bool canAnswer = false;            ///< a chain can, with whatever it has left
    std::optional<Nanos> retryAfter{}; ///< nobody can answer: when a tier may be asked again; empty: nobody knows
    QJsonObject json{};                ///< what GET /health answers
    QJsonObject publicJson() const;    ///< without names: for those who do not show the token
};

/// Of all chains, or of the one named: 404 when there is none of this name. Healthy while every breaker is closed, else
/// degraded, even when nobody can answer; unhealthy only without any chain. Where they come to one endpoint in all, its
/// figures stand on top as well. Reads the breakers, which may end an open wait.
tl::expected<Health, Failure> healthOf(const engine::Switchboard& switchboard, const QString& chain, Instant now);

/// May not be asked at this moment, whatever the reason.
bool isOut(const engine::ServingEndpoint& endpoint, Instant now);

} // namespace sg::gateway
