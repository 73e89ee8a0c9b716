// SPDX-License-Identifier: GPL-3.0-or-later
// Dates, times and durations as headers and bodies spell them. Input: the text.
#include "core/policy/exact_span.h"
#include "core/policy/http_date.h"
#include "core/policy/wait_hint_body.h"
#include "tests/fuzz/fuzz.h"

using namespace sg;
using namespace sg::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static constexpr std::int64_t kNow = 1'767'225'600;
    static constexpr std::int64_t kBeforeYear0 = -62'200'000'000, kAfterYear9999 = 253'402'400'000;
    const std::string_view text = Input(data, size).text();

    const auto date = policy::parseHttpDate(text, kNow);
    require(!date || (*date > kBeforeYear0 && *date < kAfterYear9999), "a date has a year of four digits");
    if (const auto time = policy::parseRfc3339(text))
        require(time->plus(policy::ExactSpan::ofNanos(0)).ceilMs() == time->ceilMs(), "a time plus nothing is itself");
    if (const auto duration = policy::parseDuration(text)) {
        require(duration->isZero() || duration->isPositive(), "a duration is not negative");
        require(duration->ceilMs() >= 0, "nor are its milliseconds");
        require(duration->minus(*duration).isZero() || !duration->isZero(), "a span minus itself is nothing");
    }
    if (const auto number = policy::ExactSpan::fromNumber(text, policy::kNanosPerSecond))
        require(number->ceilMs() >= 0, "a number is not negative");
    policy::readRemaining(text);
    return 0;
}
