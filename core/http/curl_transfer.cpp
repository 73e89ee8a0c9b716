// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/curl_transfer.h"

#include "core/http/curl_shard.h"
#include "core/http/curl_verdict.h"
#include "core/http/descriptors.h"
#include "core/http/header_text.h"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace sg::http {

namespace {

constexpr qint64 kReadAhead = 256 * 1024;
constexpr qint64 kStreamReadAhead = 48 * 1024; // and 16 KiB that libcurl holds
constexpr qsizetype kMostHeadBytes = 256 * 1024;

CurlTransfer* asTransfer(void* self)
{
    return static_cast<CurlTransfer*>(self);
}

void setProxy(CURL* easy, const Proxy& proxy)
{
    const bool isHttp = proxy.kind == Proxy::Kind::Http;
    const QByteArray host = proxy.host.toUtf8();
    const QByteArray address = (isHttp ? QByteArray("http://") : QByteArray("socks5h://")) +
                               (host.contains(':') ? '[' + host + ']' : host) + ':' + QByteArray::number(proxy.port);
    curl_easy_setopt(easy, CURLOPT_PROXY, address.constData());
    curl_easy_setopt(easy, CURLOPT_HTTPPROXYTUNNEL, 1L); // see Proxy
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "");         // whatever the environment says
    if (proxy.credentials.isEmpty())
        return;
    const qsizetype colon = proxy.credentials.indexOf(':');
    const QByteArray user = colon < 0 ? proxy.credentials : proxy.credentials.first(colon);
    const QByteArray password = colon < 0 ? QByteArray() : proxy.credentials.mid(colon + 1);
    curl_easy_setopt(easy, CURLOPT_PROXYUSERNAME, user.constData());
    curl_easy_setopt(easy, CURLOPT_PROXYPASSWORD, password.constData());
    // With one way only libcurl sends them before it is asked.
    curl_easy_setopt(easy, CURLOPT_PROXYAUTH, static_cast<long>(CURLAUTH_BASIC | CURLAUTH_DIGEST));
    curl_easy_setopt(easy, CURLOPT_SOCKS5_AUTH, static_cast<long>(CURLAUTH_BASIC));
}

long versionOf(HttpVersion version)
{
    switch (version) {
    case HttpVersion::Http2:
        return CURL_HTTP_VERSION_2TLS;
    case HttpVersion::Http2Only:
        return CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
    case HttpVersion::Http1:
        break;
    }
    return CURL_HTTP_VERSION_1_1;
}

/// What libcurl says where its resolver, or it, found no descriptor for something other than a connection.
bool isWithoutSocket(CURLcode code)
{
    return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_OUT_OF_MEMORY ||
           code == CURLE_FAILED_INIT;
}

/// 7.88 begins HTTP/2 anew on a connection that speaks it already, and fails.
bool reusesClearHttp2()
{
    return curl_version_info(CURLVERSION_NOW)->version_num >= 0x080000;
}

} // namespace

CurlTransfer::CurlTransfer(CurlRequest request, std::shared_ptr<const CurlRoute> route, CurlExchange* exchange,
                           Instant started)
    : flow(request.isStream ? kStreamReadAhead : kReadAhead)
    , request_(std::move(request))
    , route_(std::move(route))
    , exchange_(exchange)
    , started_(started)
{
}

CurlHandle CurlTransfer::makeHandle(const CurlRoute& route)
{
    CurlHandle handle;
    CURL* const easy = curl_easy_init();
    handle.easy.reset(easy);
    if (!easy)
        return handle;
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L); // a name that is still looked up must not hold those who leave
    curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, versionOf(route.version));
    if (route.version == HttpVersion::Http2Only && !route.trust && !reusesClearHttp2()) {
        curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
        curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    } else if (route.version != HttpVersion::Http1) {
        curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L); // for a connection that may carry many, not each its own
    }
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, &CurlTransfer::onProgress);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &CurlTransfer::onHeaderLine);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &CurlTransfer::onBody);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, &CurlTransfer::onConnected);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &CurlTransfer::onOpenSocket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, &CurlTransfer::onCloseSocket);
    if (route.proxy)
        setProxy(easy, *route.proxy);
    else
        curl_easy_setopt(easy, CURLOPT_PROXY, "");
    if (route.trust) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, nullptr); // the route's own instead
        curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
        curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, &CurlTransfer::onTlsContext);
    }
    return handle;
}

void CurlTransfer::begin(CurlHandle handle, CurlHost& host, CurlShard& shard)
{
    handle_ = std::move(handle);
    CURL* const easy = handle_.easy.get();
    host_ = &host;
    shard_ = &shard;
    dispatched_ = steadyNow();
    for (const CURLoption data : {CURLOPT_PRIVATE, CURLOPT_XFERINFODATA, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA,
                                  CURLOPT_PREREQDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_SSL_CTX_DATA})
        curl_easy_setopt(easy, data, this);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, &shard);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_.data());
    curl_easy_setopt(easy, CURLOPT_URL, request_.url.constData());
    setMethodAndBody();
    setHeaders();
    armNext();
}

CurlHandle CurlTransfer::end()
{
    host_->deadlines.disarm(*this);
    curl_easy_setopt(easy(), CURLOPT_ERRORBUFFER, nullptr);
    curl_easy_setopt(easy(), CURLOPT_POSTFIELDS, nullptr);
    request_.body = QByteArray(); // not clear(): that is code of Qt, in which ThreadSanitizer sees no count
    shard_ = nullptr;
    return std::move(handle_);
}

/// The handle may have served another method before.
void CurlTransfer::setMethodAndBody()
{
    const bool isHead = request_.method == "HEAD";
    const bool hasBody = !request_.body.isEmpty() || request_.method == "POST" || request_.method == "PUT";
    curl_easy_setopt(easy(), CURLOPT_NOBODY, isHead ? 1L : 0L);
    if (hasBody) {
        curl_easy_setopt(easy(), CURLOPT_POST, 1L);
        curl_easy_setopt(easy(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
        curl_easy_setopt(easy(), CURLOPT_POSTFIELDS, request_.body.constData());
    } else if (!isHead) {
        curl_easy_setopt(easy(), CURLOPT_HTTPGET, 1L);
    }
    const char* const usual = isHead ? "HEAD" : hasBody ? "POST" : "GET";
    curl_easy_setopt(easy(), CURLOPT_CUSTOMREQUEST, request_.method == usual ? nullptr : request_.method.constData());
}

void CurlTransfer::setHeaders()
{
    const bool hasBody = !request_.body.isEmpty();
    if (handle_.lines && handle_.hasBody == hasBody && handle_.headers == request_.headers)
        return;
    curl_easy_setopt(easy(), CURLOPT_HTTPHEADER, nullptr);
    handle_.lines.reset();
    makeLines();
    handle_.hasBody = hasBody;
    handle_.headers = request_.headers;
    curl_easy_setopt(easy(), CURLOPT_HTTPHEADER, handle_.lines.get());
}

void CurlTransfer::makeLines()
{
    const auto add = [this](const QByteArray& line) {
        if (curl_slist* const longer = curl_slist_append(handle_.lines.get(), line.constData())) {
            (void)handle_.lines.release();
            handle_.lines.reset(longer);
        }
    };
    const auto has = [this](QByteArrayView name) {
        return std::ranges::any_of(request_.headers, [&](const auto& one) { return sameName(one.first, name); });
    };
    for (const auto& [name, value] : request_.headers) {
        if (sameName(name, "Content-Length") || sameName(name, "Transfer-Encoding"))
            continue;
        add(value.trimmed().isEmpty() ? name + ';' : name + ": " + value); // libcurl's form of an empty one
    }
    // Left alone libcurl adds some of its own, and waits for an answer to Expect before it sends a long body.
    for (const char* name : {"Accept", "Expect"}) {
        if (!has(name))
            add(QByteArray(name) + ':');
    }
    if (!has("Accept-Encoding"))
        add("Accept-Encoding: identity");
    if (!has("User-Agent"))
        add("User-Agent: Switchgear");
    if (!has("Content-Type"))
        add(request_.body.isEmpty() ? "Content-Type:" : "Content-Type: application/octet-stream");
}

curl_socket_t CurlTransfer::onOpenSocket(void* self, curlsocktype, curl_sockaddr* address)
{
    CurlTransfer& transfer = *asTransfer(self);
    if (!transfer.connecting.get()) {
        transfer.connecting.set(steadyNow());
        transfer.host_->connectionBegun();
    }
    const int descriptor = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (descriptor >= 0) {
        transfer.shard_->opened(descriptor);
        return descriptor;
    }
    transfer.outOfDescriptors_ = errno == EMFILE || errno == ENFILE;
    return CURL_SOCKET_BAD;
}

/// May come when the transfer that opened it is long over: `shard` lives as long as its connections.
int CurlTransfer::onCloseSocket(void* shard, curl_socket_t socket)
{
    static_cast<CurlShard*>(shard)->closing(socket);
    return ::close(socket);
}

CURLcode CurlTransfer::onTlsContext(CURL*, void* context, void* self)
{
    CurlTransfer& transfer = *asTransfer(self);
    transfer.route_->trust->apply(static_cast<ssl_ctx_st*>(context), transfer.certificate_);
    return CURLE_OK;
}

/// There is a connection, and the request comes next. libcurl comes here again where a connection that was used before
/// broke: it would send the request a second time, whatever its method.
int CurlTransfer::onConnected(void* self, char*, char*, int, int)
{
    CurlTransfer& transfer = *asTransfer(self);
    const long size = transfer.requestSize();
    if (transfer.connected_ && size > transfer.sizeBefore_)
        return CURL_PREREQFUNC_ABORT;
    transfer.sizeBefore_ = size;
    transfer.connected_ = true;
    transfer.phase_ = Phase::Sending;
    transfer.lastUpload_ = steadyNow();
    if (!transfer.begun.get())
        transfer.begun.set(transfer.connecting.get() ? transfer.dispatched_ : transfer.lastUpload_);
    transfer.armNext();
    return CURL_PREREQFUNC_OK;
}

/// libcurl calls it after each of its steps.
int CurlTransfer::onProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t uploaded)
{
    CurlTransfer& transfer = *asTransfer(self);
    if (uploaded > transfer.uploaded_) {
        transfer.uploaded_ = uploaded;
        transfer.lastUpload_ = steadyNow();
    }
    if (!transfer.connected_ || transfer.phase_ == Phase::Waiting || uploaded < transfer.request_.body.size() ||
        transfer.sent.get() || transfer.requestSize() <= transfer.sizeBefore_)
        return 0;
    const Instant at = steadyNow();
    transfer.sent.set(at);
    if (transfer.phase_ != Phase::Sending)
        return 0; // answered early
    transfer.phase_ = Phase::Waiting;
    transfer.armNext();
    return 0;
}

long CurlTransfer::requestSize() const
{
    long size = 0;
    curl_easy_getinfo(easy(), CURLINFO_REQUEST_SIZE, &size);
    return size;
}

std::size_t CurlTransfer::onHeaderLine(char* bytes, std::size_t size, std::size_t count, void* self)
{
    const std::size_t length = size * count;
    const bool goesOn = asTransfer(self)->readLine(QByteArrayView(bytes, static_cast<qsizetype>(length)));
    return goesOn ? length : length + 1; // anything else than its length ends the transfer
}

bool CurlTransfer::readLine(QByteArrayView line)
{
    if (headDone_)
        return true; // a trailer
    headBytes_ += line.size();
    if (headBytes_ > kMostHeadBytes) {
        headTooLong_ = true;
        return false;
    }
    while (line.endsWith('\n') || line.endsWith('\r'))
        line.chop(1);
    if (line.isEmpty())
        return status_ / 100 == 1 || headersComplete();
    if (line.startsWith("HTTP/")) {
        const qsizetype space = line.indexOf(' ');
        status_ = space < 0 ? 0 : line.sliced(space + 1).toByteArray().left(3).toInt();
        answer_.clear();
        return true;
    }
    const bool isContinued = line.startsWith(' ') || line.startsWith('\t');
    const qsizetype colon = line.indexOf(':');
    if (isContinued && !answer_.empty())
        answer_.back().second += ' ' + line.trimmed().toByteArray();
    else if (colon > 0)
        answer_.emplace_back(line.first(colon).trimmed().toByteArray(), line.sliced(colon + 1).trimmed().toByteArray());
    return true;
}

bool CurlTransfer::headersComplete()
{
    headDone_ = true;
    phase_ = Phase::Receiving;
    lastPiece_ = headersAt_ = steadyNow();
    const bool isChunked =
        std::ranges::any_of(answer_, [](const auto& header) { return sameName(header.first, "Transfer-Encoding"); });
    if (!isChunked && request_.method != "HEAD" && status_ != 204 && status_ != 304) {
        for (const auto& [name, value] : answer_) {
            if (!sameName(name, "Content-Length"))
                continue;
            const auto length = contentLength(value);
            badLength_ = badLength_ || !length || (expectedBytes_ >= 0 && expectedBytes_ != *length);
            expectedBytes_ = length.value_or(-1);
        }
    }
    armNext();
    host_->tell({exchange_, lastPiece_, CurlEvent::Head{status_, std::move(answer_), shownCertificate()}});
    answer_.clear();
    return !badLength_ && expectedBytes_ <= request_.limits.maxBodyBytes;
}

QString CurlTransfer::shownCertificate() const
{
    curl_tlssessioninfo* session = nullptr;
    if (!request_.tellCertificate || !route_->trust ||
        curl_easy_getinfo(easy(), CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session || !session->internals ||
        session->backend != CURLSSLBACKEND_OPENSSL)
        return {};
    return certificateOf(static_cast<const ssl_st*>(session->internals));
}

std::size_t CurlTransfer::onBody(char* bytes, std::size_t size, std::size_t count, void* self)
{
    return asTransfer(self)->take(QByteArrayView(bytes, static_cast<qsizetype>(size * count)));
}

std::size_t CurlTransfer::take(QByteArrayView piece)
{
    if (piece.isEmpty())
        return 0;
    const Instant at = steadyNow();
    const qint64 taken = std::min<qint64>(piece.size(), request_.limits.maxBodyBytes - bodyBytes_);
    if (!flow.admit(taken)) {
        isStalled_ = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    lastPiece_ = at;
    bodyBytes_ += taken;
    if (taken > 0)
        host_->tell({exchange_, at, CurlEvent::Piece{piece.first(taken).toByteArray()}});
    tooLong_ = taken < piece.size();
    return static_cast<std::size_t>(taken); // fewer than there were end the transfer
}

CURLcode CurlTransfer::resume()
{
    if (phase_ == Phase::Receiving) {
        lastPiece_ = steadyNow(); // the pause was ours, not the server's
        armNext();
    }
    return std::exchange(isStalled_, false) ? curl_easy_pause(easy(), CURLPAUSE_CONT) : CURLE_OK;
}

Verdict CurlTransfer::judgeEnd(CURLcode code) const
{
    if (tooLong_)
        return tooLarge(request_.limits.maxBodyBytes);
    if (badLength_)
        return badFraming();
    if (headDone_ && expectedBytes_ > request_.limits.maxBodyBytes)
        return tooLargeAnnounced(expectedBytes_, request_.limits.maxBodyBytes);
    long connectStatus = 0, systemError = 0, proxyError = 0;
    curl_easy_getinfo(easy(), CURLINFO_HTTP_CONNECTCODE, &connectStatus);
    curl_easy_getinfo(easy(), CURLINFO_OS_ERRNO, &systemError);
    curl_easy_getinfo(easy(), CURLINFO_PROXY_ERROR, &proxyError);
    CurlFacts facts;
    facts.code = code;
    facts.status = headDone_ ? status_ : 0;
    facts.connected = connected_;
    facts.touched = connected_ && requestSize() > sizeBefore_;
    facts.headBegun = status_ > 0;
    facts.headTooLong = headTooLong_;
    facts.proxied = route_->proxy.has_value();
    facts.outOfDescriptors = outOfDescriptors_ || (isWithoutSocket(code) && !hasDescriptors(2));
    facts.badChunks = QByteArrayView(error_.data()).contains("chunk");
    facts.connectStatus = static_cast<int>(connectStatus);
    facts.proxyError = static_cast<CURLproxycode>(proxyError);
    facts.systemError = static_cast<int>(systemError);
    facts.expectedBytes = expectedBytes_;
    facts.bodyBytes = bodyBytes_;
    facts.certificate = certificate_.kind;
    facts.certificateWords = certificate_.words;
    return judge(facts);
}

std::optional<DueLimit> CurlTransfer::nextDue() const
{
    LimitMoments from{started_};
    if (phase_ == Phase::Connecting)
        from.connecting = dispatched_;
    else if (phase_ == Phase::Sending)
        from.waiting = lastUpload_; // who takes nothing of a long body will not answer it either
    else if (phase_ == Phase::Waiting)
        from.waiting = sent.get();
    else if (phase_ == Phase::Receiving && !isStalled_ && !flow.isPaused())
        from.receiving = lastPiece_;
    if (phase_ == Phase::Receiving && !isSuccess(status_))
        from.refused = headersAt_;
    return nextLimit(request_.limits, from);
}

QString CurlTransfer::wordsOf(const DueLimit& due) const
{
    const QString words = limitText(due.limit, due.length);
    const bool proxied = due.limit == FailureKind::ConnectTimeout && route_->proxy;
    return proxied ? words + QStringLiteral(" through the proxy") : words;
}

void CurlTransfer::armNext()
{
    if (const auto next = nextDue())
        host_->deadlines.arm(*this, next->at);
}

void CurlTransfer::onDeadline(Instant now)
{
    const auto next = nextDue();
    if (!next)
        return;
    if (next->at > now)
        host_->deadlines.arm(*this, next->at);
    else
        host_->limitReached(*this, {next->limit, wordsOf(*next)}, now);
}

} // namespace sg::http
