// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"
#include "core/stats/histogram.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <QUrl>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

/// Transport outwards: one small interface, several implementations behind it. Sends exactly one request on the wire
/// for each start(); never follows a redirect, never sends a body twice.
namespace sg::http {

/// The steady clock that stamps transport events; the only place besides the drivers that reads one.
Instant steadyNow();

using Headers = std::vector<std::pair<QByteArray, QByteArray>>; ///< in order; names as sent
/// Value of the first header of that name, ignoring case; empty when there is none.
QByteArray headerValue(const Headers& headers, QByteArrayView name);

/// Each limit runs from the moment named; not set = no limit. All fire within 50 ms of their time.
struct Limits
{
    std::optional<Nanos> connect;   ///< from dispatch to a connection (TLS included); reused connections pass at once
    std::optional<Nanos> firstByte; ///< from the last byte sent to the response's status line
    std::optional<Nanos> idle;      ///< between two pieces of the response
    std::optional<Nanos> total;     ///< from start()
    /// From the headers of a status that is no 2xx to the end of its body, which is there for its message only. Runs on
    /// while the exchange is paused.
    std::optional<Nanos> errorBody{};
    qint64 maxBodyBytes = 64 * 1024 * 1024;
};

class ConnectionProfile;

struct Request
{
    QByteArray method = "POST";
    QUrl url;
    Headers headers; ///< may hold secrets: never logged
    QByteArray body;
    Limits limits;
    std::shared_ptr<const ConnectionProfile> connection{}; ///< null: as the system has it
    bool tellCertificate = false;                          ///< see Outcome
    /// The answer may go on for long and come faster than it is taken: nothing is read ahead beyond the bound of
    /// setPaused from its first byte on. Costs a wake-up of Qt's network thread with each piece.
    bool isStream = false;
};

enum class FailureKind {
    None,
    BadUrl,       ///< scheme or host unusable
    HostNotFound, ///< DNS
    ConnectionRefused,
    ConnectionReset, ///< closed or reset before the answer was complete
    OutcomeUnknown,  ///< closed after the request was (partly) sent and before any answer: it may have been executed
    TlsFailed,       ///< handshake
    CertificateUntrusted, ///< chain not trusted, expired, self-signed
    HostnameMismatch,
    NoTls, ///< this build or machine has no TLS
    ConnectTimeout,
    FirstByteTimeout,
    IdleTimeout,
    TotalTimeout,
    ErrorBodyTimeout, ///< the status says it all; of the body it has what came in time
    BodyTooLarge,
    Protocol,      ///< not HTTP
    NoDescriptors, ///< this process may open no further socket; nothing was sent
    ProxyFailed,   ///< the proxy cannot be reached, asks for credentials, or opens no way to the server
    Cancelled,     ///< by cancel()
};
const char* toString(FailureKind kind); // snake_case: "connect_timeout"

/// Steady moments; those that did not happen are empty.
struct Timing
{
    Instant dispatched;                ///< start() was called
    std::optional<Instant> connecting; ///< a new connection was begun; empty: reused (or never got so far)
    std::optional<Instant> sent;       ///< last byte of the request handed to the socket
    std::optional<Instant> headers;    ///< status line and headers read
    std::optional<Instant> firstByte;  ///< first body byte
    std::optional<Instant> lastByte;
    Instant end;
    /// When this side set about it: it had a connection and began to write, or it began to look for a new one. What is
    /// before that is the client's own delay, what comes after it the network's. Empty: the transport does not tell.
    std::optional<Instant> begun{};
};

struct Outcome
{
    FailureKind failure = FailureKind::None; ///< None: a complete answer, whatever its status
    QString detail;                          ///< plain words, no secrets
    int status = 0;                          ///< 0 when no status line arrived
    qint64 bodyBytes = 0;
    Timing timing;
    QString certificate{}; ///< the server's, if asked for: "CN=…, issued by …, until 2027-01-02"; empty: none was shown
};

/// Receives one exchange's events, in the transport's thread, in the order headers? body* finished; finished exactly
/// once. After finished nothing follows. Calling cancel() from inside a callback is allowed.
class Listener
{
public:
    virtual ~Listener() = default;
    virtual void onHeaders(int status, const Headers& headers, Instant at) = 0;
    virtual void onBody(QByteArrayView piece, Instant at) = 0;
    virtual void onFinished(const Outcome& outcome) = 0;
};

/// Handle of one exchange; dropping it does not cancel.
class Exchange
{
public:
    virtual ~Exchange() = default;
    /// Ends the exchange with FailureKind::Cancelled (finished may be called before this returns). No-op when over.
    virtual void cancel() = 0;
    /// Back-pressure: while paused at most a bounded amount (256 KiB, of a stream 64 KiB) is read ahead and onBody is
    /// not called.
    virtual void setPaused(bool paused) = 0;
    /// The moments so far; of one that is over, all of them.
    virtual Timing timing() const = 0;
};

struct TransportFigures
{
    QString name;     ///< "qnam" or "curl"
    int inFlight = 0; ///< started on the wire
    int queued = 0;   ///< waiting in our own queue for a connection
    qint64 started = 0;
    qint64 connectionsOpened = 0;
    qint64 connectionsReused = 0; ///< requests that were sent on a connection that was there already
};

/// Lives in one thread with an event loop; every call and every callback happens there.
class Transport
{
public:
    virtual ~Transport() = default;
    /// `listener` is kept until finished was called.
    virtual std::shared_ptr<Exchange> start(Request request, std::shared_ptr<Listener> listener) = 0;
    virtual TransportFigures figures() const = 0;

    /// Whether the threads that read from sockets are to be asked every 10 ms how late they are; begins anew.
    virtual void measureLag(bool) {}
    /// How late they were since then; empty: this transport does not tell.
    virtual std::optional<stats::Histogram> readLag() const { return std::nullopt; }
};

struct TransportOptions
{
    int maxConnectionsPerOrigin =
        200; ///< requests beyond wait in the transport's own queue (their limits other than total do not run)
};
/// QNetworkAccessManager behind the interface (facts in docs/transport.md).
std::unique_ptr<Transport> makeQnamTransport(TransportOptions options = {});
/// libcurl's multi interface in a thread of its own.
std::unique_ptr<Transport> makeCurlTransport(TransportOptions options = {});

} // namespace sg::http
