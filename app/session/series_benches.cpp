// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/series_benches.h"
#include "app/session/session.h"

namespace sg::app {

namespace {

struct Parts
{
    cost::PriceBook prices;
    engine::KeyLookup keys;
    std::optional<simulator::Script> script;
    engine::EngineOptions options;
};

tl::expected<load::SeriesBench, QString> makeBench(const Parts& parts, const load::SeriesVariant& variant)
{
    load::SeriesBench bench;
    QUrl base;
    if (parts.script) {
        simulator::Script script = *parts.script;
        script.seed = variant.plan.seed;
        const auto simulator = std::make_shared<simulator::Simulator>(std::move(script));
        if (const auto port = simulator->start(); !port)
            return tl::unexpected(port.error());
        base = rootOf(*simulator);
        bench.beside = simulator;
        bench.addFacts = [simulator = simulator.get()](QJsonObject& report) {
            report.insert(QStringLiteral("simulator"), simulator->stats());
        };
    }
    bench.engine = std::make_unique<engine::Engine>(load::engineFor(variant.plan, parts.options));
    bench.engine->run([&](engine::EngineCore& core) { core.apply(variant.workspace, parts.prices, base, parts.keys); });
    return bench;
}

} // namespace

load::MakeBench benchesOf(Session& session, const engine::EngineOptions& options)
{
    auto parts = std::make_shared<Parts>(Parts{session.prices(), session.servedKeys(), std::nullopt, options});
    if (const simulator::Simulator* simulator = session.simulator())
        parts->script = simulator->script();
    return [parts = std::shared_ptr<const Parts>(parts)](const load::SeriesVariant& variant) {
        return makeBench(*parts, variant);
    };
}

} // namespace sg::app
