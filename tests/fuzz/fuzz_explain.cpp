// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded answers of any form: read as saved, explained the same in whatever cuts. Input: seed of the cuts, file.
#include "core/provider/explain.h"
#include "core/provider/recorded_answer.h"
#include "tests/fuzz/fuzz.h"

#include <QJsonDocument>

using namespace sg;
using namespace sg::fuzz;

namespace {
QByteArray explained(const provider::RecordedAnswer& recorded, provider::Cuts cuts)
{
    provider::ExplainOptions options;
    options.nowUnixMs = 1'767'225'600'000;
    options.cuts = cuts;
    const provider::Explanation explanation = provider::explain(recorded, options);
    checkPromises(explanation.error);
    return QJsonDocument(toJson(explanation)).toJson(QJsonDocument::Compact);
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using Kind = provider::Cuts::Kind;
    Input input(data, size);
    const std::uint32_t seed = input.choice();
    const provider::RecordedAnswer recorded = provider::readRecorded(input.rest());
    const QByteArray whole = explained(recorded, {});
    require(whole == explained(recorded, {seed == 0 ? Kind::EveryByte : Kind::Random, seed}), "cuts change nothing");
    return 0;
}
