// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies, as answers of every dialect and as errors of every status. Input: dialect, status, body.
#include "tests/fuzz/fuzz.h"

#include <array>

using namespace sg;
using namespace sg::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static constexpr std::array kStatus{200, 400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 499, 500, 503, 524, 529};
    Input input(data, size);
    provider::AnswerContext context;
    context.dialect = input.dialect();
    context.nowUnixMs = 1'767'225'600'000;
    const int status = kStatus[input.choice() % kStatus.size()];

    const auto first = provider::parseWhole(input.rest(), context);
    checkPromises(first);
    require(inOneText(first) == inOneText(provider::parseWhole(input.rest(), context)),
            "the same body, the same answer");

    const provider::ErrorFacts error =
        provider::classifyAnswer(toString(context.dialect), status, {}, input.text(), context.nowUnixMs);
    checkPromises(error);
    require(status < 400 || error.disposition.error != provider::ErrorClass::None, "an error status is an error");
    checkPromises(provider::classifyStreamError(context, "error", input.text(), status % 2 == 0));
    return 0;
}
