// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace sg::observe {

enum class BreakerCommand { ForceOpen, ForceClosed, ProbeNow, Reset, Release };

/// The one way against the stream of data: from the screen to the engine. Calls return at once; the effect shows in a
/// later snapshot. Any thread.
class Commands
{
public:
    virtual ~Commands() = default;
    virtual void breaker(const std::string& endpoint, BreakerCommand command, const std::string& reason) = 0;
};

} // namespace sg::observe
