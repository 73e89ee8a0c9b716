// SPDX-License-Identifier: GPL-3.0-or-later
// Milliseconds that the linter takes for 500 tiers over 100 endpoints, and how it grows: the editor asks for it while
// somebody types. The price book is the one that ships.
#include "app/session/prices.h"
#include "tests/support/lint_cases.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace sg;

int main()
{
    constexpr int kRounds = 15;
    const cost::PriceBook prices = app::knownPrices().book;
    for (const int tiers : {125, 500, 2000}) {
        workspace::Workspace workspace = test::largeWorkspace(tiers, 100);
        for (workspace::Endpoint& endpoint : workspace.endpoints)
            endpoint.price.reset(); // every one is looked up in the book
        std::vector<double> times;
        std::size_t found = 0;
        for (int round = 0; round < kRounds; ++round) {
            const auto start = std::chrono::steady_clock::now();
            found = workspace::lint(workspace, {&prices, {}}).size();
            times.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        }
        std::sort(times.begin(), times.end());
        std::printf("%4d tiers, 100 endpoints: median %.2f ms, slowest %.2f ms, %zu findings\n", tiers,
                    times[times.size() / 2], times.back(), found);
    }
}
