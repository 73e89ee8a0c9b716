// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/curl_event.h"
#include "core/http/curl_route.h"
#include "core/http/curl_trust.h"
#include "core/http/deadline_queue.h"
#include "core/http/limit_moments.h"
#include "core/http/transfer_flow.h"

#include <array>
#include <curl/curl.h>

namespace sg::http {

class CurlShard;
class CurlTransfer;

/// What a transfer needs from the loop it runs in; the loop's thread.
class CurlHost
{
public:
    virtual ~CurlHost() = default;
    virtual void tell(CurlEvent event) = 0;
    virtual void connectionBegun() = 0;
    virtual void limitReached(CurlTransfer& transfer, Verdict verdict, Instant at) = 0;

    DeadlineQueue deadlines;
};

/// A request as it goes on the wire, without what other threads share by counts that Qt keeps.
struct CurlRequest
{
    QByteArray method;
    QByteArray url; ///< without user, password and fragment
    Headers headers;
    QByteArray body;
    Limits limits;
    bool isStream = false;
    bool tellCertificate = false;
};

/// An easy handle of libcurl with the header lines that it was given last: most requests of a route have the same.
struct CurlHandle
{
    struct Free
    {
        void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
        void operator()(curl_slist* lines) const { curl_slist_free_all(lines); }
    };
    Headers headers; ///< that `lines` were made of, and whether there was a body
    bool hasBody = false;
    std::unique_ptr<curl_slist, Free> lines; // before the handle, which looks at them until its end
    std::unique_ptr<CURL, Free> easy;        ///< null: there is no memory for it
};

/// One request on one easy handle of libcurl. Made by the transport's thread and from then on the loop's, but for what
/// says otherwise.
class CurlTransfer final : public DeadlineQueue::Client
{
public:
    CurlTransfer(CurlRequest request, std::shared_ptr<const CurlRoute> route, CurlExchange* exchange, Instant started);

    // Any thread.
    TransferFlow flow;
    SharedMoment connecting; ///< as in Timing
    SharedMoment sent;
    SharedMoment begun;
    const std::shared_ptr<const CurlRoute>& route() const { return route_; }
    CurlExchange* exchange() const { return exchange_; } ///< for the transport; not looked at here

    /// A handle as all transfers of the route need it.
    static CurlHandle makeHandle(const CurlRoute& route);
    /// Gives the handle this request; it is added to a multi handle next.
    void begin(CurlHandle handle, CurlHost& host, CurlShard& shard);
    /// It is over, and the handle was removed. Returns the handle.
    CurlHandle end();
    bool isRunning() const { return easy() != nullptr; }
    CURL* easy() const { return handle_.easy.get(); }
    CurlShard* shard() const { return shard_; }
    /// A pause is over, or there is room again; an error of libcurl ends the transfer.
    CURLcode resume();
    Verdict judgeEnd(CURLcode code) const;
    void onDeadline(Instant now) override;

private:
    enum class Phase { Connecting, Sending, Waiting, Receiving };

    static std::size_t onHeaderLine(char* bytes, std::size_t size, std::size_t count, void* self);
    static std::size_t onBody(char* bytes, std::size_t size, std::size_t count, void* self);
    static int onProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t uploaded);
    static int onConnected(void* self, char*, char*, int, int);
    static curl_socket_t onOpenSocket(void* self, curlsocktype, curl_sockaddr* address);
    static int onCloseSocket(void* shard, curl_socket_t socket);
    static CURLcode onTlsContext(CURL*, void* context, void* self);

    void setMethodAndBody();
    void setHeaders();
    void makeLines();
    bool readLine(QByteArrayView line);
    bool headersComplete();
    std::size_t take(QByteArrayView piece);
    long requestSize() const;
    QString shownCertificate() const;
    std::optional<DueLimit> nextDue() const;
    QString wordsOf(const DueLimit& due) const;
    void armNext();

    CurlRequest request_;
    const std::shared_ptr<const CurlRoute> route_;
    CurlExchange* const exchange_;
    const Instant started_;
    CurlHost* host_ = nullptr;
    CurlShard* shard_ = nullptr;
    CurlHandle handle_;
    std::array<char, CURL_ERROR_SIZE> error_{}; ///< libcurl's words: only looked at, never shown

    Phase phase_ = Phase::Connecting;
    Instant dispatched_;
    Instant headersAt_;
    Instant lastPiece_;
    Instant lastUpload_; ///< or when it began
    curl_off_t uploaded_ = 0;
    bool connected_ = false;
    bool isStalled_ = false; ///< libcurl was told to wait
    bool outOfDescriptors_ = false;
    bool tooLong_ = false; ///< the body
    bool headTooLong_ = false;
    bool badLength_ = false; ///< of the answer, as its headers tell it
    long sizeBefore_ = 0; ///< bytes sent before the request itself: to a proxy
    CertificateProblem certificate_;
    int status_ = 0;
    qsizetype headBytes_ = 0;
    bool headDone_ = false;
    Headers answer_;
    qint64 expectedBytes_ = -1;
    qint64 bodyBytes_ = 0;
};

} // namespace sg::http
