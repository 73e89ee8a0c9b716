// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::policy {

using HeaderList = std::vector<std::pair<std::string, std::string>>; ///< in order of arrival

enum class HintAction {
    Backoff,  ///< nothing usable was said: own backoff
    Wait,     ///< wait that long, then this endpoint may be tried again
    Failover, ///< do not sleep: park this endpoint that long and move on
    Stop,     ///< do not retry here
};
std::string_view toString(HintAction action); // "backoff", "wait", "failover", "stop"

struct WaitHint
{
    HintAction action = HintAction::Backoff;
    Nanos wait{0};      ///< Wait and Failover only; whole ms
    std::string source; ///< the header or body field that said it, as in "retry-after"; empty for Backoff

    /// How long the server asked to be left alone; empty when it did not.
    std::optional<Nanos> asked() const
    {
        const bool asks = (action == HintAction::Wait || action == HintAction::Failover) && wait > Nanos::zero();
        return asks ? std::optional(wait) : std::nullopt;
    }
};

struct HintInput
{
    std::int64_t nowUnixMs = 0; ///< the client's wall clock
    int status = 0;
    const HeaderList& headers;
    std::string_view body;
    std::optional<Nanos> ownBackoff;
    Nanos maxServerWait{Millis(60000)};
};

/// Which wait a server's answer asks for; rules in tests/data/vectors/README.md, section Wait hints.
WaitHint readWaitHint(const HintInput& input);

} // namespace sg::policy
