// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// One thread, epoll, connections that are kept: what it costs is told beside what it measures.
namespace sg::bench {

struct Ask
{
    std::uint16_t port = 0;
    std::string request; ///< all bytes
};

struct Load
{
    int connections = 1;
    std::int64_t warmUpUs = 0;      ///< asks too, counts nothing
    std::int64_t forUs = 1'000'000; ///< no request begins later; those under way are waited for
    std::int64_t spreadUs = 0;      ///< the first requests begin one by one within this
    bool readsTimes = false;        ///< the answers are streams of steady times in µs
};

struct Loaded
{
    std::vector<std::uint32_t> latencyUs; ///< complete 200s: request written to last byte read
    std::vector<std::uint32_t> tokenUs;   ///< a piece's own time to its arrival here
    std::int64_t asked = 0;               ///< those of the warm-up too
    std::int64_t complete = 0, failed = 0;
    std::int64_t tookUs = 0, cpuUs = 0; ///< after the warm-up; CPU of this thread
    std::string problem;                ///< of the first failure
    void add(const Loaded& other);
};

/// Closed loop: each connection asks again when it has been answered.
Loaded run(const Ask& ask, const Load& load);

/// Nearest rank; sorts. 0 for none.
double percentile(std::vector<std::uint32_t>& values, double share);

} // namespace sg::bench
