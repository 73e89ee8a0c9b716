// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/event_streams.h"

#include "core/gateway/api_reply.h"

#include <QJsonDocument>

#include <algorithm>

namespace sg::gateway {

namespace {

constexpr Millis kPollEvery{100};
/// A line may still be rewritten for so long: an attempt and the transition that it made are told one after the other.
constexpr std::int64_t kSettledMs = 60;
constexpr qint64 kMostBuffered = 64 * 1024;
constexpr std::chrono::seconds kHurried{5};

const char* typeOf(observe::EventKind kind)
{
    switch (kind) {
    case observe::EventKind::BreakerChanged:
        return "breaker";
    case observe::EventKind::AttemptFailed:
        return "attempt";
    case observe::EventKind::RequestFailed:
        return "request";
    case observe::EventKind::CannedReply:
        return "canned_reply";
    case observe::EventKind::CredentialOut:
        return "credential";
    case observe::EventKind::Manual:
        return "manual";
    case observe::EventKind::Workspace:
        break;
    }
    return "workspace";
}

const char* wordOf(observe::Severity severity)
{
    switch (severity) {
    case observe::Severity::Good:
        return "good";
    case observe::Severity::Warning:
        return "warning";
    case observe::Severity::Bad:
        return "bad";
    case observe::Severity::Info:
        break;
    }
    return "info";
}

QByteArray eventBytes(const QByteArray& type, const QJsonObject& data)
{
    return "event: " + type + "\ndata: " + QJsonDocument(data).toJson(QJsonDocument::Compact) + "\n\n";
}

QByteArray bytesOf(const observe::Event& event, const QByteArray& run)
{
    QJsonObject data{{QStringLiteral("id"), qint64(event.sequence)},
                     {QStringLiteral("at"), isoTime(event.unixMs)},
                     {QStringLiteral("at_unix_ms"), qint64(event.unixMs)},
                     {QStringLiteral("type"), QLatin1String(typeOf(event.kind))},
                     {QStringLiteral("severity"), QLatin1String(wordOf(event.severity))},
                     {QStringLiteral("subject"), text(event.subject)},
                     {QStringLiteral("text"), text(event.text)},
                     {QStringLiteral("repeats"), qint64(event.repeats)}};
    if (event.kind == observe::EventKind::BreakerChanged || event.kind == observe::EventKind::Manual)
        data.insert(QStringLiteral("state"), text(policy::toString(event.state)));
    return "id: " + run + '-' + QByteArray::number(qulonglong(event.sequence)) + '\n' +
           eventBytes(typeOf(event.kind), data);
}

QByteArray droppedBytes(std::uint64_t count)
{
    return eventBytes("dropped", {{QStringLiteral("count"), qint64(count)}});
}

Failure tooManyReaders()
{
    return unavailable("too_many_readers", QStringLiteral("As many read the events as may."), kHurried);
}

/// Sequences begin anew with every start of the engine; with this before them they are of one run.
QByteArray runOf(const engine::EngineCore& core)
{
    return QByteArray::number(qint64(core.anchor().unixMs), 36);
}

struct LastId
{
    std::uint64_t sequence = 0;
    QByteArray run{}; ///< empty: it was not said, as by people who type it
};

std::optional<LastId> lastIdOf(const http::ServerRequest& request)
{
    QByteArray sent = http::headerValue(request.headers, "Last-Event-ID").trimmed();
    if (sent.isEmpty())
        sent = queryValue(request, QStringLiteral("last_event_id")).toLatin1();
    bool isNumber = false;
    const qsizetype dash = sent.indexOf('-');
    const qulonglong sequence = sent.mid(dash + 1).toULongLong(&isNumber);
    return isNumber ? std::optional(LastId{sequence, sent.left(std::max<qsizetype>(dash, 0))}) : std::nullopt;
}

} // namespace

EventStreams::EventStreams(engine::EngineCore& core, const Options& options)
    : core_(core)
    , options_(options)
{
    timer_.setInterval(kPollEvery);
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { poll(); });
}

EventStreams::~EventStreams()
{
    for (Reader& reader : std::exchange(readers_, {}))
        reader.exchange.responder->drop(false);
}

void EventStreams::add(Exchange exchange, bool isHead, std::function<void(bool)> over)
{
    http::Headers headers = replyHeaders(exchange, "text/event-stream; charset=utf-8");
    headers.emplace_back("X-Accel-Buffering", "no"); // nginx would gather them
    const auto refuse = [&](const Failure& failure) {
        exchange.refuse(failure);
        over(false);
    };
    if (isHead) {
        exchange.responder->begin(200, headers);
        exchange.responder->end();
        return over(false);
    }
    if (draining_)
        return refuse(stopping());
    if (readers_.size() >= kMostReaders)
        return refuse(tooManyReaders());

    Reader reader;
    reader.number = ++next_;
    reader.over = std::move(over);
    reader.lastSaid = http::steadyNow();
    const std::uint64_t newest = core_.recorder().lastEvent();
    const auto asked = lastIdOf(exchange.request);
    // To one of an earlier run all of this one is news.
    const bool isOfAnotherRun =
        asked && (asked->sequence > newest || (!asked->run.isEmpty() && asked->run != runOf(core_)));
    reader.sent = isOfAnotherRun ? 0 : asked ? asked->sequence : newest;
    reader.exchange = std::move(exchange);
    http::Responder& responder = *reader.exchange.responder;
    responder.begin(200, headers);
    responder.write("retry: 3000\n\n");
    if (isOfAnotherRun)
        responder.write(eventBytes("restarted", {{QStringLiteral("last_event_id"), qint64(asked->sequence)}}));
    const quint64 number = reader.number;
    const auto kept = reader.exchange.responder;
    readers_.push_back(std::move(reader));
    kept->onClientGone([this, number] { left(number); });
    if (kept->clientGone())
        return left(number);
    if (!timer_.isActive())
        timer_.start();
}

std::list<EventStreams::Reader>::iterator EventStreams::find(quint64 number)
{
    return std::find_if(readers_.begin(), readers_.end(), [number](const Reader& one) { return one.number == number; });
}

void EventStreams::left(quint64 number)
{
    const auto reader = find(number);
    if (reader == readers_.end())
        return;
    const auto over = std::move(reader->over);
    readers_.erase(reader);
    if (readers_.empty())
        timer_.stop();
    over(true);
}

void EventStreams::poll()
{
    const Instant now = http::steadyNow();
    // Those that do not take what they have are not looked for either: the place of the last of them would be dear.
    std::vector<quint64> ready;
    std::uint64_t oldest = UINT64_MAX;
    for (const Reader& reader : readers_) {
        if (reader.exchange.responder->bytesBuffered() > kMostBuffered)
            continue;
        ready.push_back(reader.number);
        oldest = std::min(oldest, reader.sent);
    }
    if (ready.empty())
        return;
    const std::int64_t settled = core_.anchor().toUnixMs(now) - kSettledMs;
    std::vector<Line> lines;
    for (const observe::Event& event : core_.recorder().eventsAfter(oldest, now)) {
        if (event.unixMs > settled)
            break;
        lines.push_back({event.sequence, bytesOf(event, runOf(core_))});
    }
    const std::uint64_t newest = lines.empty() ? oldest : lines.back().sequence;
    // A write may find that its reader has left, which takes it out of the list.
    for (const quint64 number : ready)
        if (const auto reader = find(number); reader != readers_.end())
            tell(*reader, lines, newest, now);
}

void EventStreams::tell(Reader& reader, const std::vector<Line>& lines, std::uint64_t newest, Instant now)
{
    const auto responder = reader.exchange.responder;
    QByteArray bytes;
    for (const Line& line : lines) {
        if (line.sequence <= reader.sent)
            continue;
        if (line.sequence > reader.sent + 1)
            bytes += droppedBytes(line.sequence - reader.sent - 1);
        reader.sent = line.sequence;
        bytes += line.bytes;
        if (bytes.size() > kMostBuffered)
            break; // the rest when these are taken
    }
    if (bytes.isEmpty() && reader.sent >= newest && now - reader.lastSaid >= options_.settings.keepAlive)
        bytes = ": keep-alive\n\n";
    if (bytes.isEmpty())
        return;
    reader.lastSaid = now;
    responder->write(bytes);
}

void EventStreams::drain()
{
    draining_ = true;
    timer_.stop();
    for (Reader& reader : std::exchange(readers_, {})) {
        reader.exchange.responder->onClientGone({});
        reader.exchange.responder->write(eventBytes("end", {{QStringLiteral("reason"), QStringLiteral("stopping")}}));
        reader.exchange.responder->end();
        reader.over(false);
    }
}

} // namespace sg::gateway
