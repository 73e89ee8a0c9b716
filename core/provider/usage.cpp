// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/usage.h"

#include <QJsonArray>

#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace sg::provider {

namespace {

using Count = std::optional<std::int64_t>;
using Names = std::span<const QLatin1String>;

constexpr double kMostTokens = 9e15;        // whole numbers beyond are not exact in JSON
constexpr double kTicksPerUsd = 1e10;       // xAI
constexpr std::int64_t kRoundingErrors = 2; // of fractional counts that are summed

// Where each count is found, the usual place first. OpenAI, Azure and most others: prompt_tokens and
// completion_tokens; the Responses API, Anthropic: input_tokens and output_tokens; Realtime: …_token_details; Cohere:
// billed_units (tokens beside it count a preamble that is not billed); Ollama: …eval_count; llama.cpp: timings.
constexpr std::array kInput{QLatin1String("prompt_tokens"),
                            QLatin1String("input_tokens"),
                            QLatin1String("billed_units.input_tokens"),
                            QLatin1String("tokens.input_tokens"),
                            QLatin1String("prompt_eval_count"),
                            QLatin1String("timings.prompt_n")};
constexpr std::array kOutput{
    QLatin1String("completion_tokens"),    QLatin1String("output_tokens"), QLatin1String("billed_units.output_tokens"),
    QLatin1String("tokens.output_tokens"), QLatin1String("eval_count"),    QLatin1String("timings.predicted_n")};
constexpr std::array kTotal{QLatin1String("total_tokens")};
// prompt_cache_hit_tokens: DeepSeek; cached_tokens: Moonshot, Cohere; num_cached_tokens: Mistral.
constexpr std::array kCached{QLatin1String("prompt_tokens_details.cached_tokens"),
                             QLatin1String("input_tokens_details.cached_tokens"),
                             QLatin1String("input_token_details.cached_tokens"),
                             QLatin1String("prompt_cache_hit_tokens"),
                             QLatin1String("cached_tokens"),
                             QLatin1String("num_cached_tokens"),
                             QLatin1String("cache_read_input_tokens"),
                             QLatin1String("timings.cache_n")};
// cache_write_tokens: OpenRouter; the others in the details: LiteLLM, new-api, Model Studio.
constexpr std::array kWritten{QLatin1String("prompt_tokens_details.cache_write_tokens"),
                              QLatin1String("prompt_tokens_details.cache_creation_tokens"),
                              QLatin1String("prompt_tokens_details.cached_creation_tokens"),
                              QLatin1String("prompt_tokens_details.cache_creation_input_tokens"),
                              QLatin1String("input_tokens_details.cache_write_tokens"),
                              QLatin1String("cache_creation_input_tokens")};
constexpr std::array kWrittenShort{QLatin1String("cache_creation.ephemeral_5m_input_tokens")};
constexpr std::array kWrittenHour{QLatin1String("cache_creation.ephemeral_1h_input_tokens")};
constexpr std::array kReasoning{QLatin1String("completion_tokens_details.reasoning_tokens"),
                                QLatin1String("output_tokens_details.reasoning_tokens"),
                                QLatin1String("output_tokens_details.thinking_tokens"),
                                QLatin1String("reasoning_tokens")};
constexpr std::array kAudioIn{QLatin1String("prompt_tokens_details.audio_tokens"),
                              QLatin1String("input_tokens_details.audio_tokens"),
                              QLatin1String("input_token_details.audio_tokens")};
constexpr std::array kAudioOut{QLatin1String("completion_tokens_details.audio_tokens"),
                               QLatin1String("output_tokens_details.audio_tokens"),
                               QLatin1String("output_token_details.audio_tokens")};
constexpr std::array kCacheMiss{QLatin1String("prompt_cache_miss_tokens")};
// OpenRouter says a number, Perplexity an object; DeepInfra bills what it calls an estimate.
constexpr std::array kCost{QLatin1String("cost"), QLatin1String("cost.total_cost"), QLatin1String("estimated_cost")};

/// The fields of one usage and those of the objects in it, looked through once: some sixty places are asked for, and a
/// look into a QJsonObject is dear.
class Fields
{
public:
    explicit Fields(const QJsonObject& sent)
    {
        for (auto field = sent.constBegin(); field != sent.constEnd(); ++field) {
            const QJsonValue value = field.value();
            fields_.push_back({QString(), field.key(), value});
            if (!value.isObject())
                continue;
            const QJsonObject inner = value.toObject();
            for (auto part = inner.constBegin(); part != inner.constEnd(); ++part)
                fields_.push_back({field.key(), part.key(), part.value()});
        }
    }

    /// "name", or "object.name". Undefined: there is none.
    QJsonValue at(QLatin1String path) const
    {
        const auto dot = std::string_view(path.data(), static_cast<std::size_t>(path.size())).find('.');
        const auto cut = dot == std::string_view::npos ? 0 : static_cast<qsizetype>(dot);
        const QLatin1String object = path.first(cut), name = path.sliced(cut > 0 ? cut + 1 : 0);
        for (const Field& field : fields_)
            if (field.name == name && field.object == object)
                return field.value;
        return QJsonValue(QJsonValue::Undefined);
    }

private:
    struct Field
    {
        QString object, name;
        QJsonValue value;
    };
    std::vector<Field> fields_;
};

bool isMissing(const QJsonValue& value)
{
    return value.isUndefined() || value.isNull();
}

/// What is a number, or a number in a string.
std::optional<double> readNumber(const QJsonValue& value)
{
    bool ok = value.isDouble();
    const double number = value.isString() ? value.toString().toDouble(&ok) : value.toDouble();
    return ok && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// Counts as one provider sends them, before anybody asks which of them contain which.
struct Sent
{
    Count input, output, total, cached, written, writtenHour, reasoning, audioIn, audioOut;
    bool cacheIsApart = false;     ///< by the names: input does not contain what the cache gave and took
    bool totalMayArbitrate = true; ///< whether a total can show that the names mislead
    bool reasoningIsApart = false; ///< by the names
    bool hasGarbage = false, hasFractions = false;
    bool inputIsGarbage = false, outputIsGarbage = false;
};

class CountReader
{
public:
    CountReader(const Fields& sent, Sent& into)
        : sent_(sent)
        , into_(into)
    {
    }

    /// The first count above 0 counts, since relays leave what they do not fill at 0.
    Count first(Names names, bool* isGarbage = nullptr)
    {
        Count zero;
        for (const QLatin1String name : names) {
            const QJsonValue value = sent_.at(name);
            if (isMissing(value))
                continue;
            const Count count = read(value);
            if (count.value_or(0) > 0)
                return count;
            if (count)
                zero = count;
            else if (isGarbage)
                *isGarbage = true;
        }
        return zero;
    }

    /// Booleans, negative markers like -1 and words are no counts; fractions are rounded.
    Count read(const QJsonValue& value)
    {
        const auto number = readNumber(value);
        if (!number || *number < 0 || *number > kMostTokens) {
            into_.hasGarbage = true;
            return std::nullopt;
        }
        into_.hasFractions = into_.hasFractions || *number != std::floor(*number);
        return std::llround(*number);
    }

    bool has(QLatin1String name) const { return !isMissing(sent_.at(name)); }

private:
    const Fields& sent_;
    Sent& into_;
};

void addTo(Count& sum, Count part)
{
    if (part)
        sum = sum.value_or(0) + *part;
}

Sent readOpenAiShape(Dialect dialect, const Fields& fields)
{
    Sent sent;
    CountReader reader(fields, sent);
    sent.input = reader.first(kInput, &sent.inputIsGarbage);
    sent.output = reader.first(kOutput, &sent.outputIsGarbage);
    sent.total = reader.first(kTotal);
    sent.cached = reader.first(kCached);
    sent.reasoning = reader.first(kReasoning);
    sent.audioIn = reader.first(kAudioIn);
    sent.audioOut = reader.first(kAudioOut);

    sent.written = reader.first(kWritten);
    sent.writtenHour = reader.first(kWrittenHour);
    Count split = reader.first(kWrittenShort);
    addTo(split, sent.writtenHour);
    if (split && *split > sent.written.value_or(0))
        sent.written = split;

    if (const Count missed = reader.first(kCacheMiss); missed && !sent.input && !sent.inputIsGarbage) {
        sent.input = missed;
        addTo(sent.input, sent.cached);
    }
    const bool anthropicNames =
        !reader.has(QLatin1String("prompt_tokens")) &&
        (reader.has(QLatin1String("cache_read_input_tokens")) ||
         reader.has(QLatin1String("cache_creation_input_tokens")) || reader.has(QLatin1String("cache_creation")));
    const bool llamaNames = reader.has(QLatin1String("timings")) && !reader.has(QLatin1String("prompt_tokens"));
    sent.cacheIsApart = anthropicNames || llamaNames;
    // Anthropic itself sends no total; what adds one adds up what it does not understand.
    sent.totalMayArbitrate = dialect != Dialect::Anthropic;
    return sent;
}

Count audioOf(CountReader& reader, const QJsonValue& details)
{
    Count sum;
    const QJsonArray modalities = details.toArray();
    for (const QJsonValue& entry : modalities) {
        const QJsonValue count = entry[QLatin1String("tokenCount")];
        if (entry[QLatin1String("modality")].toString() == QLatin1String("AUDIO") && !isMissing(count))
            addTo(sum, reader.read(count));
    }
    return sum;
}

/// Gemini leaves out what is 0.
Sent readGeminiShape(const Fields& fields)
{
    Sent sent;
    CountReader reader(fields, sent);
    const auto count = [&reader](const char* name, bool* isGarbage = nullptr) {
        const QLatin1String text(name);
        return reader.first(Names(&text, 1), isGarbage);
    };
    sent.input = count("promptTokenCount", &sent.inputIsGarbage);
    if (sent.input)
        addTo(sent.input, count("toolUsePromptTokenCount"));
    sent.output = count("candidatesTokenCount", &sent.outputIsGarbage);
    sent.reasoning = count("thoughtsTokenCount");
    sent.reasoningIsApart = true;
    if (!sent.output && !sent.outputIsGarbage && sent.reasoning)
        sent.output = 0;
    sent.total = count("totalTokenCount");
    sent.cached = count("cachedContentTokenCount");
    sent.audioIn = audioOf(reader, fields.at(QLatin1String("promptTokensDetails")));
    addTo(sent.audioIn, audioOf(reader, fields.at(QLatin1String("toolUsePromptTokensDetails"))));
    sent.audioOut = audioOf(reader, fields.at(QLatin1String("candidatesTokensDetails")));
    return sent;
}

/// Settles what contains what: the names say it, a total shows it, and a part above its whole gives it away.
class Settlement
{
public:
    explicit Settlement(const Sent& sent)
        : sent_(sent)
        , input_(sent.input)
        , output_(sent.output)
        , odd_(sent.hasGarbage)
    {
    }

    Usage settle()
    {
        fillFromTotal();
        settleCache();
        settleReasoning();
        settleTotal();
        Usage usage;
        usage.inputTokens = input_;
        usage.outputTokens = output_;
        usage.cachedInputTokens = sent_.cached;
        usage.reasoningTokens = sent_.reasoning;
        usage.cacheWriteTokens = sent_.written;
        usage.cacheWriteHourTokens = sent_.writtenHour;
        usage.audioInputTokens = sent_.audioIn;
        usage.audioOutputTokens = sent_.audioOut;
        const bool audioFits =
            (!input_ || sent_.audioIn.value_or(0) <= *input_) && (!output_ || sent_.audioOut.value_or(0) <= *output_);
        usage.inconsistent = odd_ || !audioFits;
        return usage;
    }

private:
    bool totalIs(std::int64_t sum) const
    {
        return sent_.total && std::abs(*sent_.total - sum) <= (sent_.hasFractions ? kRoundingErrors : 0);
    }

    void settleCache()
    {
        const std::int64_t cached = sent_.cached.value_or(0);
        const std::int64_t parts = cached + sent_.written.value_or(0);
        if (!input_ || parts == 0)
            return;
        const std::int64_t plain = *input_ + output_.value_or(0);
        const bool totalSaysIn = output_ && sent_.totalMayArbitrate && totalIs(plain) && parts <= *input_;
        // Gemini's total and xAI's have the reasoning beyond the plain sum, which may happen to be as much.
        const bool totalSaysApart = output_ && totalIs(plain + parts) && !totalIs(plain + sent_.reasoning.value_or(0));
        if (sent_.cacheIsApart) {
            if (!totalSaysIn)
                input_ = *input_ + parts;
        } else if (totalSaysApart || cached > *input_) {
            odd_ = odd_ || !totalSaysApart;
            input_ = *input_ + parts;
        } else if (parts > *input_) { // only what was written can be apart
            odd_ = true;
            input_ = *input_ + parts - cached;
        }
    }

    /// Embeddings name no output, and Gemini leaves out what is 0.
    void fillFromTotal()
    {
        if (!sent_.total)
            return;
        if (input_ && !output_ && !sent_.outputIsGarbage && *sent_.total >= *input_)
            output_ = *sent_.total - *input_;
        else if (output_ && !input_ && !sent_.inputIsGarbage && *sent_.total >= *output_)
            input_ = *sent_.total - *output_;
    }

    void settleReasoning()
    {
        const std::int64_t reasoning = sent_.reasoning.value_or(0);
        if (!output_ || reasoning == 0)
            return;
        const bool totalSaysIn = input_ && totalIs(*input_ + *output_) && reasoning <= *output_;
        const bool totalSaysApart = input_ && totalIs(*input_ + *output_ + reasoning); // xAI
        const bool fits = reasoning <= *output_;
        if (sent_.reasoningIsApart ? totalSaysIn : (fits && !totalSaysApart))
            return;
        odd_ = odd_ || !(sent_.reasoningIsApart || totalSaysApart);
        output_ = *output_ + reasoning;
    }

    /// What a total has beyond its parts was most likely thought, which is billed as output.
    void settleTotal()
    {
        if (!sent_.total || !input_ || !output_)
            return;
        const std::int64_t sum = *input_ + *output_;
        const bool sumOfApart =
            sent_.cacheIsApart && sent_.input && sent_.output && totalIs(*sent_.input + *sent_.output);
        if (totalIs(sum) || sumOfApart)
            return;
        odd_ = true;
        if (*sent_.total > sum)
            output_ = *output_ + (*sent_.total - sum);
    }

    const Sent& sent_;
    Count input_, output_;
    bool odd_;
};

std::optional<double> readUsd(const QJsonValue& value)
{
    const auto usd = readNumber(value);
    return usd && *usd >= 0 ? usd : std::nullopt; // OpenRouter marks "varies" with -1
}

std::optional<double> reportedUsd(const Fields& sent)
{
    const auto upstream = readUsd(sent.at(QLatin1String("cost_details.upstream_inference_cost")));
    for (const QLatin1String name : kCost) {
        const auto usd = readUsd(sent.at(name));
        if (!usd)
            continue;
        // With one's own key OpenRouter's cost is its fee, and the provider behind it bills the rest.
        return sent.at(QLatin1String("is_byok")).toBool() ? *usd + upstream.value_or(0) : *usd;
    }
    if (const auto ticks = readUsd(sent.at(QLatin1String("cost_in_usd_ticks"))))
        return *ticks / kTicksPerUsd;
    if (upstream)
        return upstream;
    const auto prompt = readUsd(sent.at(QLatin1String("cost_details.upstream_inference_prompt_cost")));
    const auto completion = readUsd(sent.at(QLatin1String("cost_details.upstream_inference_completions_cost")));
    return prompt && completion ? std::optional(*prompt + *completion) : std::nullopt;
}

bool isGeminiShape(const QJsonObject& sent)
{
    return sent.contains(QLatin1String("promptTokenCount")) || sent.contains(QLatin1String("candidatesTokenCount")) ||
           sent.contains(QLatin1String("totalTokenCount"));
}

} // namespace

Usage readUsage(Dialect dialect, const QJsonObject& sent)
{
    if (sent.isEmpty())
        return {};
    const Fields fields(sent);
    const Sent counts = isGeminiShape(sent) ? readGeminiShape(fields) : readOpenAiShape(dialect, fields);
    Usage usage = Settlement(counts).settle();
    usage.estimated = fields.at(QLatin1String("estimated")).toBool(); // a relay of ours marks what it did not read
    if (const auto usd = reportedUsd(fields))
        usage.reportedCost = cost::NanoDollars::fromUsd(*usd);
    return usage;
}

Usage withEstimate(Usage usage, std::int64_t estimatedInputTokens, const Answer& soFar)
{
    std::int64_t characters = soFar.text.size() + soFar.reasoning.size();
    for (const QJsonValue& call : soFar.toolCalls) {
        const QJsonValue function = call[QLatin1String("function")];
        characters +=
            function[QLatin1String("name")].toString().size() + function[QLatin1String("arguments")].toString().size();
    }
    if (characters == 0 && !usage.inputTokens && !usage.outputTokens)
        return usage;
    if (!usage.inputTokens) {
        usage.inputTokens = estimatedInputTokens;
        usage.estimated = true;
    }
    const std::int64_t output = (characters + 3) / 4;
    if (!usage.outputTokens || *usage.outputTokens * 2 < output) {
        usage.outputTokens = output;
        usage.estimated = true;
    }
    return usage;
}

QJsonObject toJson(const Usage& usage)
{
    const auto count = [](const std::optional<std::int64_t>& n) {
        return n ? QJsonValue(static_cast<qint64>(*n)) : QJsonValue();
    };
    return {
        {QStringLiteral("input_tokens"), count(usage.inputTokens)},
        {QStringLiteral("output_tokens"), count(usage.outputTokens)},
        {QStringLiteral("cached_input_tokens"), count(usage.cachedInputTokens)},
        {QStringLiteral("cache_write_tokens"), count(usage.cacheWriteTokens)},
        {QStringLiteral("reasoning_tokens"), count(usage.reasoningTokens)},
        {QStringLiteral("audio_input_tokens"), count(usage.audioInputTokens)},
        {QStringLiteral("audio_output_tokens"), count(usage.audioOutputTokens)},
        {QStringLiteral("reported_cost_nano_usd"),
         usage.reportedCost ? QJsonValue(static_cast<qint64>(usage.reportedCost->count())) : QJsonValue()},
        {QStringLiteral("estimated"), usage.estimated},
        {QStringLiteral("inconsistent"), usage.inconsistent},
    };
}

} // namespace sg::provider
