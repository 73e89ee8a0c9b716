// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"

#include <algorithm>
#include <vector>

namespace sg::test {

/// The middle of what several tries took: what the code takes, not what a busy machine now and then adds.
template <typename Once>
Nanos middleOf(int tries, Once once)
{
    std::vector<Nanos> took;
    for (int i = 0; i < tries; ++i)
        took.push_back(once());
    const auto middle = took.begin() + tries / 2;
    std::nth_element(took.begin(), middle, took.end());
    return *middle;
}

} // namespace sg::test
