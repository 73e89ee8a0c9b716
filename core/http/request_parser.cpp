// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/request_parser.h"

#include "core/http/header_text.h"

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

/// Takes the parser's callbacks straight into the request, without Beast's own field container in between.
class BeastParser final : public beast::http::basic_parser<true>
{
public:
    ServerRequest request;
    int version = 11;
    bool headersDone = false;
    bool expectsContinue = false;
    qint64 maxHeaderBytes = 0;
    qint64 headerBytes = 0;

private:
    void on_request_impl(beast::http::verb, string_view method, string_view target, int httpVersion,
                         error_code& ec) override
    {
        request.method = copyOf(method);
        request.target = copyOf(target);
        const auto query = request.target.indexOf('?');
        request.path = query < 0 ? request.target : request.target.left(query);
        version = httpVersion;
        headerBytes = static_cast<qint64>(method.size() + target.size()) + 12;
        ec = {};
    }
    void on_response_impl(int, string_view, int, error_code&) override {}
    void on_field_impl(beast::http::field, string_view name, string_view value, error_code& ec) override
    {
        ec = {};
        // Beast's own limit covers what it is shown at once, not headers that come in many pieces.
        headerBytes += static_cast<qint64>(name.size() + value.size()) + 4;
        if (headerBytes > maxHeaderBytes)
            ec = beast::http::error::header_limit;
        else if (!headersDone) // trailers of a chunked body are dropped: they must not pass for headers
            request.headers.emplace_back(copyOf(name), copyOf(value));
    }
    void on_header_impl(error_code& ec) override
    {
        ec = {};
        headersDone = true;
        expectsContinue =
            version >= 11 && headerValue(request.headers, "Expect").compare("100-continue", Qt::CaseInsensitive) == 0;
    }
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code& ec) override
    {
        ec = {};
        // A promise is not believed beyond this: memory is taken as bytes arrive.
        constexpr std::uint64_t trustedPromise = 1024 * 1024;
        if (length)
            request.body.reserve(static_cast<qsizetype>(std::min(*length, trustedPromise)));
    }
    std::size_t on_body_impl(string_view piece, error_code& ec) override
    {
        ec = {};
        request.body.append(piece.data(), static_cast<qsizetype>(piece.size()));
        return piece.size();
    }
    void on_chunk_header_impl(std::uint64_t, string_view, error_code& ec) override { ec = {}; }
    std::size_t on_chunk_body_impl(std::uint64_t, string_view piece, error_code& ec) override
    {
        return on_body_impl(piece, ec);
    }
    void on_finish_impl(error_code& ec) override { ec = {}; }
};

int statusFor(const error_code& ec)
{
    using beast::http::error;
    if (ec == error::header_limit)
        return 431;
    if (ec == error::body_limit)
        return 413;
    return 400;
}

} // namespace

struct RequestParser::Impl
{
    Impl(qint64 header, qint64 body)
        : maxHeader(header)
        , maxBody(body)
    {
        restart();
    }

    void restart()
    {
        parser.emplace();
        parser->eager(true);
        parser->maxHeaderBytes = maxHeader;
        parser->header_limit(static_cast<std::uint32_t>(std::clamp<qint64>(maxHeader, 64, 1 << 30)));
        parser->body_limit(static_cast<std::uint64_t>(std::max<qint64>(maxBody, 0)));
    }

    /// What Beast lets pass and RFC 9112 does not.
    int refusal() const
    {
        const Headers& headers = parser->request.headers;
        if (!headerValue(headers, "Transfer-Encoding").isEmpty() && !parser->chunked())
            return 501;
        if (parser->version < 11)
            return 0;
        const auto hosts = std::count_if(headers.begin(), headers.end(), [](const auto& header) {
            return sameName(header.first, "Host");
        });
        return hosts == 1 ? 0 : 400;
    }

    qint64 maxHeader;
    qint64 maxBody;
    std::optional<BeastParser> parser;
    int status = 0;
};

RequestParser::RequestParser(qint64 maxHeaderBytes, qint64 maxBodyBytes)
    : impl_(std::make_unique<Impl>(maxHeaderBytes, maxBodyBytes))
{
}

RequestParser::~RequestParser() = default;

qint64 RequestParser::feed(QByteArrayView bytes)
{
    qint64 taken = 0;
    // Beast stops after each part even when it could go on, so it is asked until it wants more.
    while (impl_->status == 0 && !complete() && taken < bytes.size()) {
        const bool hadHeaders = headersDone();
        error_code ec;
        const auto used = impl_->parser->put(
            boost::asio::const_buffer(bytes.data() + taken, static_cast<std::size_t>(bytes.size() - taken)), ec);
        taken += static_cast<qint64>(used);
        if (ec && ec != beast::http::error::need_more)
            impl_->status = statusFor(ec);
        else if (!hadHeaders && headersDone())
            impl_->status = impl_->refusal();
        if (ec || used == 0)
            break;
    }
    // Chunk headers have no limit of their own in Beast.
    if (impl_->status == 0 && !complete() && bytes.size() - taken > impl_->maxHeader)
        impl_->status = 431;
    return taken;
}

bool RequestParser::started() const
{
    return impl_->parser->got_some();
}
bool RequestParser::headersDone() const
{
    return impl_->parser->headersDone;
}
bool RequestParser::complete() const
{
    return impl_->parser->is_done();
}
int RequestParser::errorStatus() const
{
    return impl_->status;
}
bool RequestParser::expectsContinue() const
{
    return impl_->parser->expectsContinue;
}
bool RequestParser::keepAlive() const
{
    return impl_->parser->keep_alive();
}
bool RequestParser::isHttp10() const
{
    return impl_->parser->version < 11;
}

ServerRequest RequestParser::take()
{
    ServerRequest request = std::move(impl_->parser->request);
    impl_->restart();
    return request;
}

} // namespace sg::http
