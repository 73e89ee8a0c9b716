// SPDX-License-Identifier: GPL-3.0-or-later
// Headers of answers: what they say about waiting. Input: status, limit in minutes, header lines, blank line, body.
#include "core/policy/wait_hint.h"
#include "tests/fuzz/fuzz.h"

#include <array>

using namespace sg;
using namespace sg::fuzz;

namespace {
policy::HeaderList readLines(std::string_view text, std::string_view& body)
{
    policy::HeaderList headers;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (line.empty())
            break;
        const std::size_t colon = line.find(':');
        headers.emplace_back(line.substr(0, colon),
                             colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1));
    }
    body = text;
    return headers;
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static constexpr std::array kStatus{429, 503, 200, 500, 529, 401};
    static constexpr std::int64_t kNow = 1'767'225'600'000;
    Input input(data, size);
    const int status = kStatus[input.choice() % kStatus.size()];
    const Nanos longest = std::chrono::minutes(input.choice());
    std::string_view body;
    const policy::HeaderList headers = readLines(input.text(), body);

    const policy::WaitHint hint = policy::readWaitHint({kNow, status, headers, body, Millis(500), longest});
    if (hint.action == policy::HintAction::Wait)
        require(hint.wait > Nanos::zero() && hint.wait <= longest, "a wait is within its limit");
    if (hint.action == policy::HintAction::Failover)
        require(hint.wait > longest || hint.wait >= std::chrono::hours(1),
                "an endpoint is parked for a long wait only");
    checkPromises(provider::classifyAnswer("openai", status, headers, body, kNow, longest));
    return 0;
}
