// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/connection_test.h"

#include <map>

namespace sg::test {

/// Answers connection tests at once with what a test put in, or when it says so.
class FakeTester : public engine::ConnectionTester
{
public:
    using Done = std::function<void(const engine::ConnectionResult&)>;

    std::map<std::string, engine::ConnectionResult> results; ///< one that is not there works in 120 ms
    bool answersLate = false;                                ///< until finishAll()
    std::vector<std::string> asked;

    static engine::ConnectionResult working(const QStringList& models = {})
    {
        engine::ConnectionResult result;
        result.kind = engine::ConnectionResult::Kind::Works;
        result.words = QStringLiteral("The provider answers and takes the key.");
        result.tookMs = 120;
        result.models = models;
        return result;
    }
    void test(const workspace::WorkspacePtr&, const std::string& endpoint, Done done) override
    {
        asked.push_back(endpoint);
        const auto found = results.find(endpoint);
        waiting_.push_back(
            [result = found == results.end() ? working() : found->second, done = std::move(done)] { done(result); });
        if (!answersLate)
            finishAll();
    }
    void finishAll()
    {
        for (const auto& run : std::exchange(waiting_, {}))
            run();
    }

private:
    std::vector<std::function<void()>> waiting_;
};

} // namespace sg::test
