// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/error.h"
#include "core/provider/error_body.h"
#include "core/provider/error_rules.h"
#include "core/provider/mask.h"
#include "core/provider/native_forms.h"
#include "core/provider/page_message.h"

#include <QJsonArray>
#include <QUrl>

#include <algorithm>
#include <cctype>

namespace sg::provider {

namespace {
using policy::CallOutcome;
using enum ErrorClass;

QString fromUtf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

bool isSuccess(int status)
{
    return status >= 200 && status < 300;
}

/// Where it was to go, without path and query: they may hold a key.
QString redirectWords(int status, const policy::HeaderList& headers)
{
    const auto location = headerValue(headers, "location");
    const QUrl url(location ? QString::fromStdString(location->substr(0, 2048)) : QString());
    if (!location || location->empty() || !url.isValid())
        return QStringLiteral("HTTP %1 is no answer: the address in the base URL is not that of an API").arg(status);
    if (url.host().isEmpty())
        return QStringLiteral("HTTP %1 redirects to another path of the same server, which is not followed. Check the "
                              "base URL.")
            .arg(status);
    const QString port = url.port() < 0 ? QString() : QStringLiteral(":%1").arg(url.port());
    return QStringLiteral("HTTP %1 redirects to %2%3%4, which is not followed: the key would go with it. If that is "
                          "the provider's, write it in the base URL.")
        .arg(QString::number(status),
             url.scheme().isEmpty() ? QStringLiteral("//") : url.scheme().left(10) + QStringLiteral("://"),
             url.host().left(100), port);
}

/// A page that wants a browser to prove itself: no key and no wait helps a program.
bool isChallenge(int status, const policy::HeaderList& headers, const BodyFacts& facts, std::string_view body)
{
    if (const auto mitigated = headerValue(headers, "cf-mitigated"); mitigated && *mitigated == "challenge")
        return true;
    if (!facts.isHtml || (status != 403 && status != 429 && status != 503))
        return false;
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"challenge-form", "challenge-platform", "_cf_chl", "Just a moment..."},
        [body](std::string_view mark) { return body.find(mark) != std::string_view::npos; });
}

/// The answer came, but a filter has taken it back. The service is healthy.
std::optional<Disposition> filteredAnswer(const QJsonObject& root)
{
    Disposition filtered = dispositionOf(ContentFiltered);
    filtered.breaker = CallOutcome::Success;
    const QJsonValue choice = root[QLatin1String("choices")][0];
    if (choice[QLatin1String("finish_reason")].toString() == QLatin1String("content_filter"))
        return filtered;
    // Azure: the filter itself failed, so the text is there, unfiltered. Whether that is good enough the caller
    // decides.
    if (choice[QLatin1String("content_filter_results")][QLatin1String("error")].isObject())
        return Disposition{ContentFiltered, RetryAdvice::No, CallOutcome::Neutral, FallbackKind::None};
    if (root[QLatin1String("stop_reason")].toString() == QLatin1String("refusal"))
        return filtered;
    if (!root[QLatin1String("promptFeedback")][QLatin1String("blockReason")].toString().isEmpty())
        return filtered;
    static const QStringList blocked{QStringLiteral("SAFETY"), QStringLiteral("RECITATION"),
                                     QStringLiteral("PROHIBITED_CONTENT"), QStringLiteral("BLOCKLIST"),
                                     QStringLiteral("SPII")};
    if (blocked.contains(root[QLatin1String("candidates")][0][QLatin1String("finishReason")].toString()))
        return filtered;
    return std::nullopt;
}

/// OpenAI, Gemini, Anthropic: something is there to be read as an answer.
bool hasAnswer(const QJsonObject& root)
{
    return openai::isNativeAnswer(root) || root[QLatin1String("choices")][0].isObject() ||
           root[QLatin1String("candidates")][0].isObject() ||
           (root[QLatin1String("content")].isArray() && root.contains(QLatin1String("stop_reason")));
}

Disposition classifyErrorBody(std::string_view provider, int status, const BodyFacts& facts)
{
    if (facts.moderation)
        return dispositionOf(ContentFiltered);
    if (facts.dailyQuota)
        return dispositionOf(QuotaExhausted);
    for (const std::string& code : facts.codes) {
        if (const auto known = byCode(provider, code))
            return *known;
    }
    if (isSuccess(status)) {
        status = facts.ownStatus;
        for (auto it = facts.codes.begin(); status == 0 && it != facts.codes.end(); ++it)
            status = statusOfCode(*it);
        if (status == 0)
            status = statusOfWords(facts.message);
        if (status == 0)
            return dispositionOf(BadResponse);
    }
    return byText(status, facts.message).value_or(byStatus(status));
}

Disposition classifyBody(std::string_view provider, int status, const BodyFacts& facts)
{
    if (!isSuccess(status) || facts.hasError)
        return classifyErrorBody(provider, status, facts);
    if (const auto filtered = filteredAnswer(facts.root))
        return *filtered;
    return dispositionOf(hasAnswer(facts.root) ? None : BadResponse);
}

void obeyShouldRetry(Disposition& disposition, const policy::HeaderList& headers)
{
    const auto said = headerValue(headers, "x-should-retry");
    if (said == "true")
        disposition.retry = RetryAdvice::Yes;
    else if (said == "false")
        disposition.retry = RetryAdvice::No;
}

ErrorFacts makeFacts(Disposition disposition, std::string detail)
{
    ErrorFacts facts;
    facts.disposition = disposition;
    facts.message = shortMessage(fromUtf8(detail));
    return facts;
}

/// The detail of a local or transport error: the given words, else those of its class.
std::string detailOr(std::string detail, ErrorClass error)
{
    return detail.empty() ? std::string(inWords(error)) : std::move(detail);
}

Disposition brokenStream(bool committed)
{
    Disposition d = dispositionOf(StreamBroken);
    // What was delivered cannot be taken back: a retry would say it twice.
    if (committed) {
        d.retry = RetryAdvice::No;
        d.fallback = FallbackKind::None;
    }
    return d;
}

Disposition transportDisposition(TransportError error)
{
    switch (error) {
    case TransportError::Dns:
    case TransportError::Refused:
    case TransportError::Reset:
        return dispositionOf(Connection);
    case TransportError::OutcomeUnknown:
        return {Connection, RetryAdvice::Once, CallOutcome::Failure, FallbackKind::Next};
    case TransportError::TlsHandshake:
        return dispositionOf(Tls);
    case TransportError::CertificateUntrusted:
    case TransportError::HostnameMismatch: // someone may be listening: no other tier hides that
        return {Tls, RetryAdvice::No, CallOutcome::Neutral, FallbackKind::Stop};
    case TransportError::BadScheme:
    case TransportError::Redirect:
        return dispositionOf(BadRequest);
    case TransportError::ConnectTimeout:
    case TransportError::FirstByteTimeout:
    case TransportError::FirstTokenTimeout:
    case TransportError::TooSlow:
    case TransportError::IdleTimeout:
    case TransportError::TotalTimeout:
        return dispositionOf(Timeout);
    case TransportError::BodyTooLarge: // the same request would bring the same flood
        return {BadResponse, RetryAdvice::No, CallOutcome::Failure, FallbackKind::Next};
    case TransportError::NotHttp:
        return dispositionOf(BadResponse);
    case TransportError::NoDescriptors:
        return dispositionOf(LocalReject);
    case TransportError::Cancelled:
        break;
    }
    return dispositionOf(Cancelled);
}
} // namespace

ErrorFacts classifyRead(const AnswerContext& context, int status, std::string_view body, const BodyFacts& read)
{
    ErrorFacts facts;
    facts.status = status;
    facts.disposition = isChallenge(status, context.headers, read, body) ? dispositionOf(Permission)
                                                                         : classifyBody(context.provider, status, read);
    if (facts.disposition.error == None)
        return facts;
    if (!read.code.isNull())
        facts.code = shortMessage(read.code.toVariant().toString());
    if (status >= 300 && status < 400)
        facts.message = shortMessage(redirectWords(status, context.headers));
    else
        facts.message =
            shortMessage(read.isHtml ? pageMessage(status, context.headers, read.message, body) : read.message);
    if (facts.message.empty())
        facts.message = inWords(facts.disposition.error);
    obeyShouldRetry(facts.disposition, context.headers);
    if (context.nowUnixMs != 0) {
        const int meant = isSuccess(status) && read.ownStatus != 0 ? read.ownStatus : status;
        facts.hint = policy::readWaitHint(
            {context.nowUnixMs, meant, context.headers, body, context.ownBackoff, context.maxServerWait});
        if (facts.hint.action == policy::HintAction::Backoff && !read.inner.isEmpty())
            facts.hint = policy::readWaitHint({context.nowUnixMs, meant, context.headers,
                                               std::string_view(read.inner.constData(), read.inner.size()),
                                               context.ownBackoff, context.maxServerWait});
    }
    return facts;
}

ErrorFacts classifyAnswer(std::string_view provider, int status, const policy::HeaderList& headers,
                          std::string_view body, std::int64_t nowUnixMs, Nanos maxServerWait)
{
    return classifyRead({std::string(provider), headers, nowUnixMs, maxServerWait}, status, body,
                        readBody(headers, body));
}

ErrorFacts classifyTransport(TransportError error, bool committed, std::string detail)
{
    const bool broken = committed && error != TransportError::Cancelled;
    const Disposition disposition = broken ? brokenStream(true) : transportDisposition(error);
    ErrorFacts facts = makeFacts(disposition, detailOr(std::move(detail), disposition.error));
    if (error == TransportError::NoDescriptors)
        facts.code = kOutOfDescriptors;
    else if (error == TransportError::Dns && !broken)
        facts.code = kNameNotResolved;
    return facts;
}

ErrorFacts classifyLocal(LocalEvent event, std::string detail)
{
    Disposition disposition = dispositionOf(event == LocalEvent::UserCancelled ? Cancelled : LocalReject);
    if (event == LocalEvent::DeadlinePast) // no tier has more time than the request
        disposition.fallback = FallbackKind::None;
    return makeFacts(disposition, detailOr(std::move(detail), disposition.error));
}

ErrorFacts streamBroken(bool committed, std::string detail)
{
    return makeFacts(brokenStream(committed), detailOr(std::move(detail), StreamBroken));
}

ErrorFacts classifyStreamError(const AnswerContext& context, std::string_view name, std::string_view data,
                               bool committed)
{
    BodyFacts read = readBody(context.headers, data);
    read.hasError = true;
    // An exception event says its type in its name (Bedrock).
    if (name.ends_with("xception")) {
        read.codes.emplace(read.codes.begin(), name);
        read.code = fromUtf8(name);
    }
    ErrorFacts facts = classifyRead(context, 200, data, read);
    if (committed)
        facts.disposition = brokenStream(true);
    return facts;
}

} // namespace sg::provider
