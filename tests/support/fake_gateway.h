// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/gateway_control.h"

namespace sg::test {

/// A gateway without a socket: its phase and figures as a test sets them. Start and stop go where the real one would.
class FakeGateway : public gateway::Control
{
public:
    explicit FakeGateway(gateway::Phase phase = gateway::Phase::Off)
    {
        now.phase = phase;
        now.url = QStringLiteral("http://127.0.0.1:8787/v1");
        now.models = {QStringLiteral("support"), QStringLiteral("batch"), QStringLiteral("gpt-4.1"),
                      QStringLiteral("claude-sonnet-4.5")};
    }

    gateway::Status now;
    int starts = 0, stops = 0;

    void set(gateway::Phase phase, const QString& words = {})
    {
        now.phase = phase;
        now.words = words;
        Q_EMIT changed();
    }
    gateway::Status status() const override { return now; }
    void start() override
    {
        ++starts;
        set(gateway::Phase::Starting);
    }
    void stop() override
    {
        ++stops;
        const bool isLast = now.phase == gateway::Phase::Draining || now.figures.inFlight + now.figures.queued == 0;
        if (isLast)
            now.figures.inFlight = now.figures.queued = now.figures.streams = 0;
        set(isLast ? gateway::Phase::Off : gateway::Phase::Draining);
    }
};

} // namespace sg::test
