// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/explain_parts.h"

#include "core/provider/charge.h"
#include "core/provider/error_body.h"
#include "core/provider/usage.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace sg::provider {

namespace {

void addVerdict(std::vector<FilterVerdict>& out, FilterVerdict verdict)
{
    const auto known = std::ranges::find(out, verdict.category, &FilterVerdict::category);
    if (known == out.end())
        out.push_back(std::move(verdict));
    else if (verdict.filtered && !known->filtered)
        *known = std::move(verdict);
}

/// Azure: {"violence": {"filtered": true, "severity": "medium"}, "jailbreak": {"filtered": true, "detected": true}}.
void readAzure(const QJsonValue& results, std::vector<FilterVerdict>& out)
{
    const QJsonObject categories = results.toObject();
    for (auto category = categories.begin(); category != categories.end(); ++category) {
        const QJsonObject verdict = category->toObject();
        if (!verdict.contains(QLatin1String("filtered")))
            continue;
        QString severity = verdict[QLatin1String("severity")].toString();
        if (severity.isEmpty() && verdict[QLatin1String("detected")].toBool())
            severity = QStringLiteral("detected");
        addVerdict(out, {category.key(), severity, verdict[QLatin1String("filtered")].toBool()});
    }
}

/// Gemini: {"category": "HARM_CATEGORY_HARASSMENT", "probability": "HIGH", "blocked": true}.
void readRatings(const QJsonValue& ratings, bool blockedBySafety, std::vector<FilterVerdict>& out)
{
    const QJsonArray list = ratings.toArray();
    const bool anyBlocked =
        std::ranges::any_of(list, [](const QJsonValue& rating) { return rating[QLatin1String("blocked")].toBool(); });
    for (const QJsonValue& rating : list) {
        QString name = rating[QLatin1String("category")].toString().toLower();
        if (name.startsWith(QLatin1String("harm_category_")))
            name = name.sliced(14);
        const QString severity = rating[QLatin1String("probability")].toString().toLower();
        const bool isHigh = severity == QLatin1String("high") || severity == QLatin1String("medium");
        addVerdict(out, {name, severity,
                         rating[QLatin1String("blocked")].toBool() || (blockedBySafety && !anyBlocked && isHigh)});
    }
}

void readGemini(const QJsonObject& root, std::vector<FilterVerdict>& out)
{
    const QJsonValue feedback = root[QLatin1String("promptFeedback")];
    const QString reason = feedback[QLatin1String("blockReason")].toString();
    readRatings(feedback[QLatin1String("safetyRatings")], !reason.isEmpty(), out);
    const QJsonValue candidate = root[QLatin1String("candidates")][0];
    const QString finish = candidate[QLatin1String("finishReason")].toString();
    readRatings(candidate[QLatin1String("safetyRatings")], finish == QLatin1String("SAFETY"), out);
    const bool named = std::ranges::any_of(out, &FilterVerdict::filtered);
    static const QStringList taken{QStringLiteral("SAFETY"), QStringLiteral("RECITATION"),
                                   QStringLiteral("PROHIBITED_CONTENT"), QStringLiteral("BLOCKLIST"),
                                   QStringLiteral("SPII")};
    if (named)
        return;
    if (!reason.isEmpty())
        addVerdict(out, {reason.toLower(), QString(), true});
    else if (taken.contains(finish))
        addVerdict(out, {finish.toLower(), QString(), true});
}

void readFilterObject(const QJsonObject& root, std::vector<FilterVerdict>& out)
{
    const QJsonValue error = root[QLatin1String("error")];
    readAzure(error[QLatin1String("innererror")][QLatin1String("content_filter_result")], out);
    readAzure(error[QLatin1String("innererror")][QLatin1String("content_filter_results")], out);
    readAzure(error[QLatin1String("content_filter_result")], out);
    for (const auto* name : {"prompt_filter_results", "prompt_annotations"}) {
        const QJsonArray prompts = root[QLatin1String(name)].toArray();
        for (const QJsonValue& prompt : prompts)
            readAzure(prompt[QLatin1String("content_filter_results")], out);
    }
    const QJsonArray choices = root[QLatin1String("choices")].toArray();
    for (const QJsonValue& choice : choices)
        readAzure(choice[QLatin1String("content_filter_results")], out);
    const QJsonArray flagged = error[QLatin1String("metadata")][QLatin1String("reasons")].toArray(); // OpenRouter
    for (const QJsonValue& reason : flagged)
        addVerdict(out, {reason.toString(), QString(), true});
    readGemini(root, out);
}

std::optional<std::int64_t> numberIn(const QString& text, const char* pattern)
{
    const QRegularExpression expression(QLatin1String(pattern), QRegularExpression::CaseInsensitiveOption);
    QString digits = expression.match(text).captured(1);
    digits.remove(QLatin1Char(','));
    bool ok = false;
    const qlonglong value = digits.toLongLong(&ok);
    return ok ? std::optional<std::int64_t>(value) : std::nullopt;
}

std::optional<std::int64_t> firstNumber(const QString& text, std::initializer_list<const char*> patterns)
{
    for (const char* pattern : patterns) {
        if (const auto number = numberIn(text, pattern))
            return number;
    }
    return std::nullopt;
}

QString forSpan(const policy::WaitHint& hint)
{
    const auto asked = hint.asked();
    if (!asked)
        return {};
    return QStringLiteral(" for %1 s").arg(QString::number(toMs(*asked) / 1000.0, 'g', 8));
}

} // namespace

std::vector<FilterVerdict> readFilters(const QJsonArray& objects)
{
    std::vector<FilterVerdict> out;
    for (const QJsonValue& object : objects)
        readFilterObject(object.toObject(), out);
    return out;
}

NamedLimits readLimits(const QString& message)
{
    // Numbers in errors are below this; a page of megabytes is no message.
    const QString text = message.left(2000);
    NamedLimits out;
    out.limit = firstNumber(text, {R"(\blimit:? ?'?([\d,]+))", R"(maximum context length (?:is|of) ([\d,]+))",
                                   R"(([\d,]+) maximum context length)", R"(> ([\d,]+) maximum)", R"(> ([\d,]+)\s*$)",
                                   R"(tokens allowed \(([\d,]+)\))", R"(maximum model length of ([\d,]+))",
                                   R"(context size \(([\d,]+))", R"(rate limit of ([\d,]+))",
                                   R"(cannot exceed ([\d,]+))", R"(limited to ([\d,]+))"});
    out.requested = firstNumber(text, {R"(\brequested:? (?:about |up to )?([\d,]+))",
                                       R"(messages resulted in ([\d,]+))", R"(prompt is too long: ([\d,]+))",
                                       R"(token count \(([\d,]+)\))", R"(prompt contains ([\d,]+))",
                                       R"(prompt \(length ([\d,]+)\))", R"(request \(([\d,]+) tokens\))"});
    out.affordable = firstNumber(text, {R"(can only afford ([\d,]+))"});
    return out;
}

QuotaMeaning quotaMeaning(const ErrorFacts& error)
{
    const ErrorClass c = error.disposition.error;
    const QString span = forSpan(error.hint);
    const QString untouched = QStringLiteral("Nothing changes for it");
    if (c == ErrorClass::None)
        return {QStringLiteral("none"), untouched, untouched};
    if (refusesKey(error))
        return {QStringLiteral("credential"), QStringLiteral("Its key is taken out until the operator says otherwise"),
                untouched};
    if (c == ErrorClass::RateLimited || c == ErrorClass::QuotaExhausted || error.status == 429) {
        const QString group = span.isEmpty()
                                  ? QStringLiteral("The server names no wait: each request keeps its own backoff")
                                  : QStringLiteral("Every endpoint of the group rests") + span;
        const QString endpoint = c == ErrorClass::QuotaExhausted
                                     ? QStringLiteral("Not tried again by this request: the quota is used up")
                                     : QStringLiteral("Rests with its quota group");
        return {QStringLiteral("quota"), endpoint, group};
    }
    switch (error.disposition.breaker) {
    case policy::CallOutcome::Failure:
        return {QStringLiteral("target"),
                QStringLiteral("Counts as a failure for its breaker") +
                    (span.isEmpty() ? QString() : QStringLiteral("; it rests") + span),
                untouched};
    case policy::CallOutcome::RateLimited:
        return {QStringLiteral("quota"), QStringLiteral("Counts as a rate limit for its breaker"), untouched};
    case policy::CallOutcome::Success:
    case policy::CallOutcome::Neutral:
        break;
    }
    return {QStringLiteral("request"), QStringLiteral("The request is at fault, not the endpoint"), untouched};
}

namespace {
/// The family of a dated name: "gpt-4.1" for "gpt-4.1-2025-04-14", "claude-3-5-sonnet" for "…-20241022".
QString withoutDate(const QString& model)
{
    static const QRegularExpression date(QStringLiteral("[-@]20\\d\\d-?[01]\\d-?[0-3]\\d$"));
    return QString(model).remove(date);
}
} // namespace

Charge chargeFor(const Answer& answer, bool isCut, const ExplainOptions& options)
{
    const QString unknown = QStringLiteral("unknown");
    if (answer.usage.reportedCost)
        return {answer.usage.reportedCost, QStringLiteral("provider"), QStringLiteral("Reported by the provider"), {}};
    // The prompt is not in a recording: only what was said can be estimated.
    const Usage usage = isCut && answer.usage.inputTokens
                            ? withEstimate(answer.usage, *answer.usage.inputTokens, answer)
                            : answer.usage;
    if (!usage.inputTokens || !usage.outputTokens)
        return {{}, unknown, QStringLiteral("The answer does not say how many tokens were used"), {}};
    if (!options.prices)
        return {{}, unknown, QStringLiteral("No prices were given"), {}};
    const std::string& model = options.model.empty() ? answer.model : options.model;
    const QString shown = QString::fromStdString(model);
    const cost::PriceEntry* const entry = options.prices->find(model);
    if (!entry)
        return {{},
                unknown,
                model.empty() ? QStringLiteral("The answer names no model: say it with --model")
                              : QStringLiteral("The price book has no entry for \"%1\": add one, or a pattern as "
                                               "\"%2*\", or name another with --model")
                                    .arg(shown, withoutDate(shown)),
                {}};
    const UsageCharge charge = chargeOf(usage, entry->price);
    const std::string_view basis = toString(charge.basis);
    const QString date = entry->date.isValid() ? QStringLiteral(", ") + entry->date.toString(Qt::ISODate) : QString();
    return {charge.total, QString::fromLatin1(basis.data(), static_cast<qsizetype>(basis.size())),
            QStringLiteral("Entry \"%1\" (%2%3): %4").arg(entry->model, entry->source, date, inWords(charge)),
            entry->source};
}

std::optional<QString> requestIdOf(const policy::HeaderList& headers, const QJsonObject& root)
{
    for (const char* name :
         {"request-id", "x-request-id", "apim-request-id", "x-ms-request-id", "x-amzn-requestid",
          "mistral-correlation-id", "x-ds-trace-id", "x-debug-trace-id", "x-generation-id", "x-goog-request-id"}) {
        if (const auto id = headerValue(headers, name); id && !id->empty())
            return QString::fromStdString(*id).left(200);
    }
    const QString id = root[QLatin1String("request_id")].toString();
    const QString groq = root[QLatin1String("x_groq")][QLatin1String("id")].toString();
    return !id.isEmpty() ? std::optional(id.left(200)) : !groq.isEmpty() ? std::optional(groq.left(200)) : std::nullopt;
}

} // namespace sg::provider
