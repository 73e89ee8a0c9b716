// SPDX-License-Identifier: GPL-3.0-or-later
// Requests of clients: whatever comes, in whatever cuts, the same requests are read and the same is refused. Input:
// seed of the cuts, bytes of a connection.
#include "core/http/request_parser.h"
#include "tests/fuzz/fuzz.h"

using namespace sg;
using namespace sg::fuzz;

namespace {

http::ServerLimits smallLimits()
{
    http::ServerLimits limits;
    limits.maxTargetBytes = 200;
    limits.maxHeaderBytes = 1000;
    limits.maxHeaderFields = 12;
    limits.maxBodyBytes = 4000;
    return limits;
}

class Reading
{
public:
    void feed(QByteArrayView piece)
    {
        while (!piece.isEmpty() && !parser_.refusal()) {
            const qint64 taken = parser_.feed(piece);
            require(taken >= 0 && taken <= piece.size(), "no more is taken than there is");
            require(taken > 0 || parser_.refusal(), "a reader goes on");
            require(parser_.heldBytes() <= limits_.maxHeaderBytes + limits_.maxBodyBytes, "what is held is bounded");
            piece = piece.sliced(taken);
            if (parser_.complete() && !parser_.refusal())
                note(parser_.keepAlive(), parser_.take());
        }
    }
    QByteArray text() const { return text_ + QByteArray::number(parser_.refusal().status) + parser_.refusal().words; }

private:
    void note(bool keepAlive, const http::ServerRequest& request)
    {
        require(request.path.startsWith('/') || request.path == "*", "a target is a path");
        require(request.body.size() <= limits_.maxBodyBytes, "a body keeps its limit");
        text_ += request.method + ' ' + request.target + ' ' + request.body + (keepAlive ? " stays|" : " closes|");
        for (const auto& [name, value] : request.headers) {
            require(!name.isEmpty() && !value.contains('\r') && !value.contains('\n') && !value.contains('\0'),
                    "a header is one line");
            text_ += name + ':' + value + '|';
        }
    }

    const http::ServerLimits limits_ = smallLimits();
    http::RequestParser parser_{limits_};
    QByteArray text_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const std::uint8_t cuts = input.choice();
    const QByteArrayView bytes = input.rest();
    Reading whole, pieces;
    whole.feed(bytes);
    inPieces(bytes, cuts, [&pieces](QByteArrayView piece) { pieces.feed(piece); });
    require(whole.text() == pieces.text(), "cuts change no request");
    return 0;
}
