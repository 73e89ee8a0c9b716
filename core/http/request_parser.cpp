// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/request_parser.h"

#include "core/http/framing.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

namespace sg::http {
namespace {

namespace beast = boost::beast;
using beast::error_code;
using beast::string_view;

QByteArray copyOf(string_view text)
{
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

/// Takes the parser's callbacks straight into the request, without Beast's own field container in between. Reads heads
/// only: what they say about the body is judged more strictly in framing.cpp.
class BeastHead final : public beast::http::basic_parser<true>
{
public:
    explicit BeastHead(ServerRequest& request)
        : request_(request)
    {
        skip(true);
        header_limit(std::numeric_limits<std::uint32_t>::max()); // the scanner has counted
    }
    int version = 11;

private:
    void on_request_impl(beast::http::verb, string_view method, string_view target, int httpVersion,
                         error_code& ec) override
    {
        ec = {};
        request_.method = copyOf(method);
        request_.target = copyOf(target);
        version = httpVersion;
    }
    void on_response_impl(int, string_view, int, error_code&) override {}
    void on_field_impl(beast::http::field, string_view name, string_view value, error_code& ec) override
    {
        ec = {};
        request_.headers.emplace_back(copyOf(name), copyOf(value));
    }
    void on_header_impl(error_code& ec) override { ec = {}; }
    void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code& ec) override { ec = {}; }
    std::size_t on_body_impl(string_view, error_code& ec) override
    {
        ec = {};
        return 0;
    }
    void on_chunk_header_impl(std::uint64_t, string_view, error_code& ec) override { ec = {}; }
    std::size_t on_chunk_body_impl(std::uint64_t, string_view, error_code& ec) override
    {
        ec = {};
        return 0;
    }
    void on_finish_impl(error_code& ec) override { ec = {}; }

    ServerRequest& request_;
};

HeadScanner::Limits scannerLimits(const ServerLimits& limits)
{
    return {limits.maxHeaderBytes, limits.maxTargetBytes, limits.maxHeaderFields};
}

} // namespace

RequestParser::RequestParser(const ServerLimits& limits)
    : limits_(limits)
    , scanner_(scannerLimits(limits), HeadScanner::Part::Head)
{
}

void RequestParser::restart()
{
    scanner_ = HeadScanner(scannerLimits(limits_), HeadScanner::Part::Head);
    chunks_.reset();
    request_ = {};
    headBytes_ = left_ = 0;
    returned_ = started_ = headersDone_ = complete_ = expectsContinue_ = keepAlive_ = http10_ = false;
}

qint64 RequestParser::feed(QByteArrayView bytes)
{
    qint64 taken = started_ ? 0 : skipEmptyLines(bytes);
    if (taken < bytes.size() && !headersDone_ && !refusal_)
        taken += feedHead(bytes.sliced(taken));
    if (headersDone_ && !complete_ && !refusal_)
        taken += feedBody(bytes.sliced(taken));
    return taken;
}

/// RFC 9112 2.2: a server ignores an empty line before a request.
qint64 RequestParser::skipEmptyLines(QByteArrayView bytes)
{
    qint64 skipped = 0;
    while (skipped < bytes.size() && (returned_ || bytes[skipped] == '\r')) {
        if (returned_ && bytes[skipped] != '\n') {
            refusal_ = {400, "A line does not end with CR LF."};
            return skipped;
        }
        returned_ = !returned_;
        ++skipped;
    }
    return skipped;
}

qint64 RequestParser::feedHead(QByteArrayView bytes)
{
    started_ = true;
    const qint64 taken = scanner_.feed(bytes);
    headBytes_ += taken;
    refusal_ = scanner_.refusal();
    if (refusal_)
        return taken;
    const QByteArrayView mine = bytes.first(taken);
    if (!scanner_.done()) {
        head_.append(mine);
        return taken;
    }
    if (head_.isEmpty()) {
        readHead(mine);
        return taken;
    }
    head_.append(mine);
    readHead(head_);
    head_ = {};
    return taken;
}

void RequestParser::readHead(QByteArrayView head)
{
    headersDone_ = true;
    request_.headers.reserve(12);
    BeastHead reader(request_);
    error_code ec;
    const auto used = reader.put(boost::asio::const_buffer(head.data(), static_cast<std::size_t>(head.size())), ec);
    if (ec || used != static_cast<std::size_t>(head.size()) || !reader.is_done()) {
        const bool length = ec == beast::http::error::bad_content_length; // it looks at it, too, and earlier
        refusal_ = {400, length ? "Content-Length is not a number." : "The headers cannot be read."};
        return;
    }
    http10_ = reader.version < 11;
    keepAlive_ = reader.keep_alive();
    refusal_ = settleTarget(request_, http10_);
    if (refusal_)
        return;
    const Framing framing = framingOf(request_.headers, http10_, limits_.maxBodyBytes);
    refusal_ = framing.refusal;
    expectsContinue_ = framing.expectsContinue;
    if (refusal_)
        return;
    if (framing.chunked) {
        chunks_.emplace(limits_.maxBodyBytes, scannerLimits(limits_));
        return;
    }
    left_ = framing.length;
    complete_ = left_ == 0;
    // A promise is not believed beyond this: memory is taken as bytes arrive.
    constexpr qint64 trustedPromise = 64 * 1024;
    request_.body.reserve(std::min(left_, trustedPromise));
}

qint64 RequestParser::feedBody(QByteArrayView bytes)
{
    if (chunks_) {
        const qint64 taken = chunks_->feed(bytes, request_.body);
        refusal_ = chunks_->refusal();
        complete_ = chunks_->done() && !refusal_;
        return taken;
    }
    const qint64 taken = std::min<qint64>(left_, bytes.size());
    request_.body.append(bytes.first(taken));
    left_ -= taken;
    complete_ = left_ == 0;
    return taken;
}

ServerRequest RequestParser::take()
{
    ServerRequest request = std::move(request_);
    restart();
    return request;
}

} // namespace sg::http
