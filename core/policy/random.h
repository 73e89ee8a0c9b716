// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

namespace sg::policy {

/// Where randomness comes from. Policies draw from what they are given, never from a source of their own.
class RandomSource
{
public:
    virtual ~RandomSource() = default;
    /// Uniform in [0, 1).
    virtual double uniform() = 0;
};

/// SplitMix64: the same seed gives the same draws on every machine. Not thread-safe.
class SeededRandom final : public RandomSource
{
public:
    explicit SeededRandom(std::uint64_t seed)
        : state_(seed)
    {
    }
    std::uint64_t next()
    {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    double uniform() override { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

private:
    std::uint64_t state_;
};

} // namespace sg::policy
