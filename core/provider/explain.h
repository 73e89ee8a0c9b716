// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"
#include "core/provider/answer_reader.h"
#include "core/provider/recorded_answer.h"

#include <QJsonObject>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// How the product understands an answer, said in full: what `switchgear-cli explain` prints and the Playground shows.
/// Pure: no clock, no sockets; any thread.
namespace sg::provider {

/// In which pieces a stream is fed to its reader. The explanation is the same whatever they are.
struct Cuts
{
    enum class Kind { Whole, EveryByte, Random };
    Kind kind = Kind::Whole;
    std::uint32_t seed = 0; ///< of Random
};

struct ExplainOptions
{
    std::optional<Dialect> dialect; ///< empty: found out
    std::string provider;           ///< "groq", "openrouter"; empty: found out
    /// The moment from which absolute times count, Unix ms. A Date header of the answer goes before it.
    std::int64_t nowUnixMs = 0;
    std::optional<Nanos> ownBackoff{}; ///< the product's own wait, which x-amz-retry-after is held to
    Nanos maxServerWait{Millis(60000)};
    Cuts cuts{};
    const cost::PriceBook* prices = nullptr; ///< must outlive the call; null: no prices are known
    std::string model{};                     ///< priced instead of the model that the answer names
};

/// A name for --dialect: a dialect ("anthropic") or a provider ("groq"). Sets both fields; false when it is neither.
bool setDialect(ExplainOptions& options, const QString& name);
/// The names that setDialect knows, in order.
QStringList dialectNames();

enum class AnswerStatus {
    Complete,
    Truncated, ///< begun well, but the end is missing
    Error,     ///< an error answer, or an error inside an answer, whatever HTTP says
    Empty,     ///< nothing was said
};
std::string_view toString(AnswerStatus status); // "complete", "truncated", "error", "empty"

/// An amount of bytes of the body, from its beginning, after which something was there. Empty: it never was.
struct StreamFacts
{
    std::optional<qint64> firstEvent; ///< the first event that was no comment
    std::optional<qint64> firstToken; ///< the first text or reasoning
    std::optional<qint64> commit;     ///< the first delta of any kind: what comes after it is never retried
    std::optional<qint64> lastToken;
    std::optional<qint64> terminal; ///< the word that ends the answer
    qint64 bytes = 0;
    qint64 events = 0, comments = 0;
    bool terminalSeen = false, doneSeen = false;
};

/// A category for which a content filter has spoken: Azure's "violence" with "medium", Gemini's ratings.
struct FilterVerdict
{
    QString category;
    QString severity; ///< in the provider's words; may be empty
    bool filtered = false;
    bool operator==(const FilterVerdict&) const = default;
};

/// Numbers that an error's words name.
struct NamedLimits
{
    std::optional<std::int64_t> limit, requested, affordable;
    bool operator==(const NamedLimits&) const = default;
};

/// What an error means for the endpoint and for those that share its quota.
struct QuotaMeaning
{
    QString scope;    ///< "none", "request", "credential", "quota", "target"
    QString endpoint; ///< a sentence
    QString group;    ///< a sentence
};

struct Charge
{
    std::optional<cost::NanoDollars> amount;
    QString basis;  ///< "provider", "price_book", "unknown"
    QString words;  ///< a sentence
    QString source; ///< of the price
};

struct Explanation
{
    AnswerStatus status = AnswerStatus::Complete;
    Dialect dialect = Dialect::OpenAi;
    QString dialectSource; ///< who said so: "given", "headers: anthropic-ratelimit-…", "body: candidates"
    std::string provider;
    std::optional<int> httpStatus;
    bool isStream = false;
    bool partial = false; ///< text, reasoning or tool calls are there, but not all of them
    Answer answer;        ///< with `partial` what came of it
    ErrorFacts error;     ///< ErrorClass::None for a complete answer; its hint is the wait
    /// What the error alone would be. After the first delta every error is StreamBroken, whatever it says.
    ErrorClass cause = ErrorClass::None;
    QJsonValue errorCode;                  ///< the provider's code or type as sent: a string, a number, null
    std::optional<std::string> retryAfter; ///< the header as sent
    QuotaMeaning quota;
    Charge charge;
    StreamFacts stream;
    std::optional<QString> requestId, rayId;
    std::vector<FilterVerdict> filters;
    NamedLimits limits;
    QStringList warnings;
    bool failed() const { return error.disposition.error != ErrorClass::None; }
};

Explanation explain(const RecordedAnswer& recorded, const ExplainOptions& options = {});

/// What a chain does after this answer, in one sentence without its full stop.
QString nextStep(const Explanation& explanation);

/// One document with all fields always present, null where nothing is known; docs/explain.md describes them. Secrets
/// are masked in every string.
QJsonObject toJson(const Explanation& explanation);

} // namespace sg::provider
