// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/metric_cells.h"

#include <algorithm>

namespace sg::observe {

using provider::ErrorClass;

namespace {

/// The conventions' name where they have one for the provider.
std::string conventionalProvider(const std::string& provider)
{
    static const std::array<std::pair<std::string_view, std::string_view>, 5> names{{{"azure", "azure.ai.openai"},
                                                                                     {"gemini", "gcp.gemini"},
                                                                                     {"mistral", "mistral_ai"},
                                                                                     {"xai", "x_ai"},
                                                                                     {"bedrock", "aws.bedrock"}}};
    for (const auto& [ours, theirs] : names)
        if (provider == ours)
            return std::string(theirs);
    return provider;
}

std::string_view toString(Operation operation)
{
    switch (operation) {
    case Operation::Embeddings:
        return "embeddings";
    case Operation::ListModels: // the conventions have none for it
        return "list_models";
    case Operation::Chat:
        break;
    }
    return "chat";
}

std::string errorType(ErrorClass error)
{
    return error == ErrorClass::None ? std::string() : std::string(provider::toString(error));
}

std::size_t indexOf(ErrorClass error)
{
    return static_cast<std::size_t>(error);
}

constexpr std::array<std::string_view, 5> kTokenTypeNames{"input", "output", "input_cached", "input_cache_write",
                                                          "output_reasoning"};

} // namespace

EndpointCells::EndpointCells(MetricStore& store, const EndpointInfo& info)
    : store_(store)
    , name_(info.name)
{
    setInfo(info);
}

void EndpointCells::setInfo(const EndpointInfo& info)
{
    std::vector<std::string> labels{{},
                                    conventionalProvider(info.provider),
                                    info.model,
                                    info.serverAddress,
                                    info.serverPort > 0 ? std::to_string(info.serverPort) : std::string(),
                                    info.name};
    if (labels == labels_)
        return;
    labels_ = std::move(labels);
    genAi_ = {};
}

void EndpointCells::begin()
{
    attempts(ErrorClass::None);
}

CounterCell& EndpointCells::attempts(ErrorClass error)
{
    CounterCell*& cell = attempts_[indexOf(error)];
    if (cell == nullptr)
        cell = &store_.counter(Metric::Attempts, {name_, errorType(error)});
    return *cell;
}

HistogramCell& EndpointCells::genAi(HistogramCell*& cell, Metric metric, Operation operation, std::string_view last)
{
    if (cell == nullptr) {
        std::vector<std::string> labels = labels_;
        labels.front() = toString(operation);
        labels.emplace_back(last);
        cell = &store_.histogram(metric, labels);
    }
    return *cell;
}

void EndpointCells::count(const chain::AttemptRecord& attempt, Operation operation)
{
    attempts(attempt.error.disposition.error).add();
    countTimes(attempt, operation);
    countTokens(attempt, operation);
}

void EndpointCells::countTimes(const chain::AttemptRecord& attempt, Operation operation)
{
    GenAi& cells = genAi_[static_cast<std::size_t>(operation)];
    const ErrorClass error = attempt.error.disposition.error;
    const chain::AttemptTiming& t = attempt.timing;
    // What was never sent took no time worth a measurement.
    if (error != ErrorClass::LocalReject)
        genAi(cells.durations[indexOf(error)], Metric::OperationDuration, operation, errorType(error))
            .record(t.end - t.dispatched);
    if (!t.firstToken)
        return;
    genAi(cells.firstChunk, Metric::TimeToFirstChunk, operation).record(*t.firstToken - t.sent.value_or(t.dispatched));
    const std::int64_t tokens = attempt.usage.estimated ? 0 : attempt.usage.outputTokens.value_or(0);
    if (error == ErrorClass::None && t.lastToken && tokens >= 2)
        genAi(cells.perToken, Metric::TimePerOutputToken, operation)
            .record((*t.lastToken - *t.firstToken) / (tokens - 1));
}

void EndpointCells::countTokens(const chain::AttemptRecord& attempt, Operation operation)
{
    const provider::Usage& usage = attempt.usage;
    if (operation == Operation::ListModels)
        return; // takes none
    if (!usage.inputTokens && !usage.outputTokens) {
        if (attempt.error.disposition.error != ErrorClass::None)
            return;
        if (withoutUsage_ == nullptr)
            withoutUsage_ = &store_.counter(Metric::AttemptsWithoutUsage, {name_});
        return withoutUsage_->add();
    }
    countTokens(Input, usage.inputTokens, usage.estimated);
    countTokens(Output, usage.outputTokens, usage.estimated);
    countTokens(InputCached, usage.cachedInputTokens, usage.estimated);
    countTokens(InputCacheWrite, usage.cacheWriteTokens, usage.estimated);
    countTokens(OutputReasoning, usage.reasoningTokens, usage.estimated);
    if (usage.estimated)
        return;
    GenAi& cells = genAi_[static_cast<std::size_t>(operation)];
    if (usage.inputTokens)
        genAi(cells.usage[0], Metric::TokenUsage, operation, "input").recordCount(*usage.inputTokens);
    if (usage.outputTokens)
        genAi(cells.usage[1], Metric::TokenUsage, operation, "output").recordCount(*usage.outputTokens);
}

void EndpointCells::countTokens(TokenType type, std::optional<std::int64_t> tokens, bool estimated)
{
    if (!tokens)
        return;
    CounterCell*& cell = tokens_[estimated ? 1 : 0][type];
    if (cell == nullptr)
        cell =
            &store_.counter(Metric::Tokens, {name_, std::string(kTokenTypeNames[type]), estimated ? "true" : "false"});
    cell->add(*tokens);
}

} // namespace sg::observe
