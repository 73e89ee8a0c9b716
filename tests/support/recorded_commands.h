// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/commands.h"
#include "core/observe/snapshot.h"

#include <string>
#include <vector>

namespace sg::test {

/// Remembers what it was told.
class RecordedCommands : public observe::Commands
{
public:
    struct Call
    {
        std::string endpoint;
        observe::BreakerCommand command;
        std::string reason;
        bool operator==(const Call&) const = default;
    };
    void breaker(const std::string& endpoint, observe::BreakerCommand command, const std::string& reason) override
    {
        calls.push_back({endpoint, command, reason});
    }
    std::vector<Call> calls;
};

inline observe::SnapshotPtr shared(observe::Snapshot snapshot)
{
    return std::make_shared<const observe::Snapshot>(std::move(snapshot));
}

} // namespace sg::test
