// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/gateway.h"

#include "core/gateway/api_service.h"
#include "core/gateway/body_form.h"
#include "core/gateway/chat_service.h"
#include "core/gateway/guard.h"

#include <QHostAddress>
#include <QRandomGenerator>

#include <algorithm>

namespace sg::gateway {

namespace {

/// Enough that a connection is never idle while its client reads, little enough that thousands who do not read cost
/// nothing to speak of.
constexpr qint64 kMostWriteBuffer = 128 * 1024;
/// Measured (bench_long_bodies), of 30 MiB while their provider is asked: 3.0 to 3.2, one long text or a million
/// messages, and a part in reserve for those that are just being read.
constexpr int kBodyWeight = 4;
constexpr qsizetype kLongestId = 128;
/// For what is said to those who are cut off.
constexpr Nanos kLastWords{std::chrono::seconds(1)};

AdmissionLimits admissionOf(const workspace::GatewaySettings& settings)
{
    return {settings.maxInFlight, settings.maxQueued, settings.maxQueueWait};
}

http::ServerLimits serverLimits(http::ServerLimits limits)
{
    limits.maxWriteBuffer = std::min(limits.maxWriteBuffer, kMostWriteBuffer);
    limits.bodyWeight = kBodyWeight;
    return limits;
}

bool isSane(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
           c == '.' || c == ':';
}

/// The client's own, so that both sides' records can be laid beside each other; it goes into headers and records, so
/// one that is no plain word is replaced.
QByteArray requestIdOf(const http::ServerRequest& request)
{
    const QByteArray sent = http::headerValue(request.headers, "x-request-id");
    if (!sent.isEmpty() && sent.size() <= kLongestId && std::all_of(sent.begin(), sent.end(), isSane))
        return sent;
    const auto number = QRandomGenerator::global()->generate64();
    return "sg-" + QByteArray::number(static_cast<qulonglong>(number), 16).rightJustified(16, '0');
}

/// What the server refuses by itself.
Failure serverRefusal(int status, const QString& words, const char* code)
{
    Failure failure = badRequest(words);
    if (status >= 500)
        failure.type = QStringLiteral("api_error");
    if (status == 503)
        failure.retryAfter = Millis(1000);
    failure.status = status;
    failure.code = QLatin1String(code);
    return failure;
}

/// Tells it too.
http::OwnAnswer ownAnswer(const Failure& failure, const http::ServerRequest& head, const Options& options,
                          const OnEnded& onEnded)
{
    const Exchange exchange{head, {}, requestIdOf(head), {}, {}, &onEnded};
    exchange.tell(endedOf(exchange, failure));
    http::Headers headers{{"x-request-id", exchange.requestId}, {"Content-Type", "application/json"}};
    for (const http::Headers& more : {corsHeaders(head, options), adviceOf(failure)})
        headers.insert(headers.end(), more.begin(), more.end());
    return {failure.status, headers, errorBody(failure)};
}

} // namespace

struct Gateway::Impl
{
    Impl(engine::EngineCore& c, Options o)
        : timers(c.timers())
        , options(std::move(o))
        , entrance(c.timers(), admissionOf(options.settings))
        , chat(c, entrance, options)
        , api(
              c, options, [this] { return figures(); }, &entrance)
        , server(
              [this](http::ServerRequest request, std::shared_ptr<http::Responder> responder) {
                  handle(std::move(request), std::move(responder));
              },
              options.limits)
    {
        server.setRefusalText(
            [this](int status, const QString& words, const char* code, const http::ServerRequest& head) {
                const bool goes = status == 503 && isStopping;
                ++answeredByServer;
                return ownAnswer(goes ? stopping() : serverRefusal(status, words, code), head, options, onEnded);
            });
        server.setHeadCheck([this](const http::ServerRequest& head) { return judgeHead(head); });
    }

    ~Impl()
    {
        if (cutOffDue)
            timers.cancel(*cutOffDue);
        entrance.close(); // or the end of one request would begin the next
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    /// What would be refused is not sent in full first; what has come whole is judged by handle() alone.
    std::optional<http::OwnAnswer> judgeHead(const http::ServerRequest& head)
    {
        const auto no = refusalOf(head, routeOf(head.method, head.path));
        if (!no)
            return std::nullopt;
        ++answeredByHead;
        return ownAnswer(*no, head, options, onEnded);
    }

    /// Who may not ask is not told what there is.
    std::optional<Failure> refusalOf(const http::ServerRequest& request,
                                     const tl::expected<Routed, Failure>& routed) const
    {
        if (auto no = refusal(request, options, routed && routed->route == Route::Action))
            return no;
        return routed ? bodyRefusal(routed->route, request.headers) : std::optional(routed.error());
    }

    void handle(http::ServerRequest request, std::shared_ptr<http::Responder> responder)
    {
        Exchange exchange{std::move(request), std::move(responder), {}, {}};
        exchange.onEnded = &onEnded;
        exchange.requestId = requestIdOf(exchange.request);
        const auto routed = routeOf(exchange.request.method, exchange.request.path);
        exchange.cors = corsHeaders(exchange.request, options);
        if (const auto no = refusalOf(exchange.request, routed))
            return exchange.refuse(*no);
        if (routed->route == Route::ChatCompletions)
            return chat.handle(std::move(exchange));
        const bool isAnswered = routed->route != Route::Events; // those only end by their readers leaving
        api.handle(*routed, std::move(exchange),
                   [this, isAnswered](bool clientLeft) { passedLeft += clientLeft && isAnswered ? 1 : 0; });
    }

    Figures figures() const
    {
        const Admission& admission = entrance.admission();
        Figures now;
        now.connections = server.connectionCount();
        now.inFlight = admission.inFlight();
        now.queued = admission.queued();
        now.streams = chat.streams();
        now.requests = static_cast<qint64>(server.requestCount()) + answeredByServer + answeredByHead;
        now.refused = refused;
        now.turnedAway = static_cast<qint64>(server.refusedCount()) - answeredByServer;
        now.cutOff = chat.cutOffTotal() + api.cutOffTotal();
        now.unsentBytes = server.unsentBytes();
        now.unreadDrops = static_cast<qint64>(server.unreadDrops());
        now.clientsLeft = chat.clientsLeft() + passedLeft + entrance.leftWhileWaiting();
        return now;
    }

    void cutOffAfter(Nanos wait)
    {
        isStopping = true;
        if (cutOffDue)
            timers.cancel(*cutOffDue);
        cutOffDue = timers.at(later(http::steadyNow(), wait), [this] {
            cutOffDue.reset();
            cutOff();
        });
    }

    void cutOff()
    {
        isStopping = true;
        entrance.stop(); // first: places that come back would let others in
        chat.cutOff();
        api.cutOff();
    }

    engine::TimerQueue& timers;
    std::optional<engine::TimerQueue::Id> cutOffDue; ///< while it drains
    bool isStopping = false;
    Options options;
    qint64 refused = 0, passedLeft = 0;
    qint64 answeredByServer = 0; ///< of Server::refusedCount(); the others were closed without a word
    qint64 answeredByHead = 0;   ///< before the body had come, so that it is no request of the server's count
    /// Counts where it is told, so that figures and logs cannot differ.
    const OnEnded onEnded = [this](const Ended& ended) {
        refused += isRefused(ended) ? 1 : 0;
        if (options.onEnded)
            options.onEnded(ended);
    };
    Entrance entrance;
    ChatService chat;
    ApiService api;
    http::Server server; ///< ends first: its connections tell nobody
};

Gateway::Gateway(engine::EngineCore& core, Options options, QObject* parent)
    : QObject(parent)
{
    options.limits = serverLimits(options.limits);
    impl_ = std::make_unique<Impl>(core, std::move(options));
}

Gateway::~Gateway()
{
    impl_->cutOff();
}

tl::expected<quint16, QString> Gateway::listen()
{
    const workspace::GatewaySettings& settings = impl_->options.settings;
    if (const QString problem = listenProblem(impl_->options); !problem.isEmpty())
        return tl::unexpected(problem);
    const bool isName = settings.address.compare(QLatin1String("localhost"), Qt::CaseInsensitive) == 0;
    const QHostAddress address = isName ? QHostAddress(QHostAddress::LocalHost) : QHostAddress(settings.address);
    if (address.isNull())
        return tl::unexpected(QStringLiteral("\"%1\" is no address to listen on; 127.0.0.1 is this machine alone.")
                                  .arg(settings.address));
    return impl_->server.listen(address, settings.port);
}

QString Gateway::reconfigure(Options options)
{
    const qint64 errands = std::exchange(options.limits, impl_->options.limits).errands;
    options.limits.errands = errands;
    options.settings.address = impl_->options.settings.address;
    options.settings.port = impl_->options.settings.port;
    if (const QString problem = listenProblem(options); !problem.isEmpty())
        return problem;
    impl_->options = std::move(options);
    impl_->entrance.setLimits(admissionOf(impl_->options.settings));
    impl_->server.setErrands(errands);
    return {};
}

void Gateway::drain(std::function<void()> done)
{
    impl_->api.drain();
    impl_->cutOffAfter(impl_->options.settings.drain);
    impl_->server.drain(impl_->options.settings.drain + kLastWords, std::move(done));
}

void Gateway::cutOff(Nanos limit, std::function<void()> done)
{
    impl_->cutOff();
    impl_->server.drain(limit, std::move(done));
}

quint16 Gateway::port() const
{
    return impl_->server.port();
}

Figures Gateway::figures() const
{
    return impl_->figures();
}

} // namespace sg::gateway
