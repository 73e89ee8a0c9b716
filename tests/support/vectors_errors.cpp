// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/vectors_errors.h"

#include "core/provider/answer_reader.h"
#include "core/provider/error.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <map>

namespace sg::test {

namespace {
using namespace provider;
using policy::CallOutcome;

constexpr std::int64_t kNowUnixMs = 1796000000000;

std::string str(const QJsonValue& value)
{
    return value.toString().toStdString();
}

policy::HeaderList headersOf(const QJsonObject& vector)
{
    policy::HeaderList headers;
    const QJsonArray pairs = vector[QLatin1String("headers")].toArray();
    for (const QJsonValue& pair : pairs)
        headers.emplace_back(str(pair[0]), str(pair[1]));
    return headers;
}

Disposition runBody(const QJsonObject& vector)
{
    return classifyAnswer(str(vector[QLatin1String("provider")]), vector[QLatin1String("status")].toInt(),
                          headersOf(vector), str(vector[QLatin1String("body")]), kNowUnixMs)
        .disposition;
}

QByteArray wireOf(const QJsonValue& event)
{
    QByteArray wire;
    const auto line = [&wire](const char* field, const QJsonValue& value) {
        if (!value.toString().isEmpty())
            wire += QByteArray(field) + value.toString().toUtf8() + '\n';
    };
    line(": ", event[QLatin1String("comment")]);
    line("event: ", event[QLatin1String("event")]);
    line("event: ", event[QLatin1String("exception")]);
    line("data: ", event[QLatin1String("data")]);
    return wire + '\n';
}

Disposition runStream(const QJsonArray& events, const QString& ended, const AnswerContext& context)
{
    StreamReader reader({}, context);
    for (const QJsonValue& event : events)
        reader.feed(wireOf(event));
    if (ended == QLatin1String("reset") && !reader.terminalSeen())
        return classifyTransport(TransportError::Reset, reader.committed(), {}).disposition;
    const auto result = reader.finish();
    return result ? Disposition{} : result.error().disposition;
}

Disposition runEvents(const QJsonObject& vector)
{
    AnswerContext context{str(vector[QLatin1String("provider")]), headersOf(vector), kNowUnixMs};
    context.dialect = dialectFromString(context.provider).value_or(Dialect::OpenAi);
    return runStream(vector[QLatin1String("events")].toArray(), vector[QLatin1String("ended")].toString(), context);
}

std::optional<Disposition> runTransport(const QJsonObject& vector)
{
    using enum TransportError;
    static const std::map<std::string, TransportError> names{
        {"dns", Dns},
        {"refused", Refused},
        {"reset", Reset},
        {"tls_handshake", TlsHandshake},
        {"cert_untrusted", CertificateUntrusted},
        {"hostname_mismatch", HostnameMismatch},
        {"bad_scheme", BadScheme},
        {"redirect_loop", Redirect},
        {"connect_timeout", ConnectTimeout},
        {"read_timeout", FirstByteTimeout},
        {"idle_timeout", IdleTimeout},
        {"total_timeout", TotalTimeout},
    };
    const auto it = names.find(str(vector[QLatin1String("transport")]));
    if (it == names.end())
        return std::nullopt;
    const bool committed = vector[QLatin1String("phase")] == QLatin1String("after_first_delta");
    return classifyTransport(it->second, committed, {}).disposition;
}

std::optional<Disposition> runLocal(const QJsonObject& vector)
{
    using enum LocalEvent;
    static const std::map<std::string, LocalEvent> names{
        {"user_cancel", UserCancelled},      {"deadline_past", DeadlinePast}, {"breaker_open", BreakerOpen},
        {"limiter_refused", LimiterRefused}, {"bulkhead_full", BulkheadFull}, {"hint_over_cap", HintOverCap},
    };
    const auto it = names.find(str(vector[QLatin1String("local")]));
    if (it == names.end())
        return std::nullopt;
    return classifyLocal(it->second).disposition;
}

std::optional<Disposition> run(const QJsonObject& vector)
{
    if (vector.contains(QLatin1String("transport")))
        return runTransport(vector);
    if (vector.contains(QLatin1String("local")))
        return runLocal(vector);
    if (vector.contains(QLatin1String("events")))
        return runEvents(vector);
    if (vector.contains(QLatin1String("status")))
        return runBody(vector);
    return std::nullopt;
}

std::string line(std::string_view error, std::string_view retry, std::string_view breaker, std::string_view fallback)
{
    std::string text;
    for (const std::string_view part : {error, retry, breaker, fallback})
        text += (text.empty() ? "" : " / ") + std::string(part);
    return text;
}
} // namespace

std::optional<std::string> runErrorsCase(const QJsonObject& vector)
{
    const auto got = run(vector);
    if (!got)
        return "the case names nothing this runner knows";
    const QJsonObject expect = vector[QLatin1String("expect")].toObject();
    const QJsonValue error = expect[QLatin1String("class")];
    const std::string wanted = line(error.isNull() ? "none" : str(error), str(expect[QLatin1String("retry")]),
                                    str(expect[QLatin1String("breaker")]), str(expect[QLatin1String("fallback")]));
    const std::string is =
        line(toString(got->error), toString(got->retry), policy::toString(got->breaker), toString(got->fallback));
    if (is == wanted)
        return std::nullopt;
    return "expected " + wanted + ", got " + is;
}

} // namespace sg::test
