// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/series.h"

#include <algorithm>

namespace sg::load {

namespace {

constexpr std::size_t kMostRuns = 50;

template <typename T>
bool hasTwice(const std::vector<T>& values)
{
    for (auto it = values.begin(); it != values.end(); ++it)
        if (std::find(std::next(it), values.end(), *it) != values.end())
            return true;
    return false;
}

QString checkStrategies(const SeriesPlan& series, const workspace::Workspace& workspace)
{
    if (series.plan.targetKind != TargetKind::Chain)
        return QStringLiteral("Strategies are compared on a chain: an endpoint alone has one attempt. Choose a chain.");
    if (series.strategies.size() < 2 || hasTwice(series.strategies))
        return QStringLiteral("Choose at least two strategies, each once.");
    const workspace::Chain* chain = workspace.chain(series.plan.target);
    if (!chain)
        return QStringLiteral("There is no chain \"%1\" in this workspace. Choose another.")
            .arg(QString::fromStdString(series.plan.target));
    if (series.settings.retries && (*series.settings.retries < 1 || *series.settings.retries > 50))
        return QStringLiteral("Give from 1 to 50 retries.");
    if (!retries(withStrategy(chain->spec, Strategy::Immediate, series.settings)))
        return QStringLiteral(
                   "The chain \"%1\" never tries a tier twice, so that its strategies would not differ. Raise "
                   "max_attempts of a tier and the chain's attempt_budget, or say how many retries there "
                   "are to be.")
            .arg(QString::fromStdString(series.plan.target));
    return {};
}

QString checkEndpoints(const SeriesPlan& series, const workspace::Workspace& workspace)
{
    if (series.endpoints.size() < 2 || hasTwice(series.endpoints))
        return QStringLiteral("Choose at least two endpoints, each once.");
    if (series.endpoints.size() > kMostRuns)
        return QStringLiteral("Choose at most %1 endpoints.").arg(kMostRuns);
    for (const std::string& name : series.endpoints)
        if (!workspace.endpoint(name))
            return QStringLiteral("There is no endpoint \"%1\" in this workspace. Choose another.")
                .arg(QString::fromStdString(name));
    return {};
}

} // namespace

std::string_view toString(SeriesKind kind)
{
    return kind == SeriesKind::Strategies ? "strategies" : "endpoints";
}

QString checkSeries(const SeriesPlan& series, const workspace::Workspace& workspace)
{
    const bool isStrategies = series.kind == SeriesKind::Strategies;
    if (const QString problem = isStrategies ? checkStrategies(series, workspace) : checkEndpoints(series, workspace);
        !problem.isEmpty())
        return problem;
    LoadPlan plan = series.plan;
    if (!isStrategies) {
        plan.targetKind = TargetKind::Endpoint;
        plan.target = series.endpoints.front();
        plan.url.reset();
    }
    return checkPlan(plan);
}

std::vector<SeriesVariant> variantsOf(const SeriesPlan& series, const workspace::Workspace& workspace)
{
    std::vector<SeriesVariant> variants;
    if (series.kind == SeriesKind::Endpoints) {
        for (const std::string& name : series.endpoints) {
            const QString words = QString::fromStdString(name);
            SeriesVariant variant{words, words, workspace.endpoint(name)->model, series.plan, workspace};
            variant.plan.targetKind = TargetKind::Endpoint;
            variant.plan.target = name;
            variant.plan.url.reset();
            variants.push_back(std::move(variant));
        }
        return variants;
    }
    for (const Strategy strategy : series.strategies) {
        const std::string_view key = toString(strategy);
        SeriesVariant variant{QString::fromLatin1(key.data(), static_cast<qsizetype>(key.size())), inWords(strategy),
                              formulaOf(strategy), series.plan, workspace};
        chain::ChainSpec& spec = variant.workspace.chain(series.plan.target)->spec;
        spec = withStrategy(std::move(spec), strategy, series.settings);
        variants.push_back(std::move(variant));
    }
    return variants;
}

} // namespace sg::load
