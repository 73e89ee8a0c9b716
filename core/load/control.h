// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/connection_test.h"
#include "core/load/run_progress.h"

namespace sg::load {

/// The program's own gateway, as a URL to load.
struct OwnGateway
{
    QString baseUrl; ///< also of one that is off
    std::vector<std::string> chains;
    workspace::KeyRef token{};
    bool serves = false;
    bool operator==(const OwnGateway&) const = default;
};

/// The handle by which the screen runs a load test. GUI thread; every call returns at once: commands are handed over,
/// pictures are the newest that is there. Knows one run at a time.
class LoadControl
{
public:
    virtual ~LoadControl() = default;

    /// Names in the order of the workspace; they change only with the workspace.
    virtual std::vector<std::string> chains() const = 0;
    virtual std::vector<std::string> endpoints() const = 0;

    virtual std::optional<OwnGateway> gateway() const { return std::nullopt; } ///< nothing: the program has none
    /// How the key that the reference names stands: empty, or why it cannot be used, a sentence with the way on. Asks
    /// the keychain where it must; until that has answered it says so.
    virtual QString keyProblem(const workspace::KeyRef&) const { return {}; }
    /// Asks the address for its models, which costs nothing. `done` once, unless the control goes before.
    virtual void test(const UrlTarget&, std::function<void(const engine::ConnectionResult&)>) {}

    /// Empty when the run was accepted; otherwise a sentence with the remedy, and nothing has been sent. What goes
    /// wrong later is in progress(): RunState::Failed with its error.
    virtual QString start(const LoadPlan& plan) = 0;
    /// First call: no new requests, those in flight may finish. Second call: they are cancelled. Without a run:
    /// nothing.
    virtual void stop() = 0;

    /// While an open load runs: another rate from now to the end of its schedule, in requests a second, from 0 to
    /// 100,000. Otherwise nothing.
    virtual void setRate(double perSecond) = 0;
    /// While a closed load runs: so many users from now on, from 1 to 10,000; those too many leave after their answer.
    virtual void setUsers(int users) = 0;

    /// The newest picture, also of the last ended run; null before the first. The same pointer as before when nothing
    /// has changed, so that a screen can tell by it.
    virtual RunProgressPtr progress() const = 0;

    /// What `plan` may cost. Needs no valid plan: what it cannot tell is empty.
    virtual CostEstimate estimate(const LoadPlan& plan) const = 0;
};

} // namespace sg::load
