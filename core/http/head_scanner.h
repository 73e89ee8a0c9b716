// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArrayView>

#include <array>

namespace sg::http {

/// Why bytes of a client are not accepted.
struct Refusal
{
    int status = 0;         ///< of HTTP; 0: nothing is wrong
    const char* words = ""; ///< a sentence
    const char* code = "";  ///< what it is about, where the status alone does not say it; snake_case
    explicit operator bool() const { return status != 0; }
};

/// Walks over a request's head (or the trailers after a chunked body) while it arrives, byte by byte, and says at the
/// first byte that is not allowed so: limits hold before the head is complete, and what is found does not depend on how
/// the bytes were cut. Stricter than Boost.Beast, which then reads the whole head: RFC 9112 lets a server refuse
/// obsolete line folding and asks for CRLF, and what two readers understand differently is how requests are smuggled.
class HeadScanner
{
public:
    struct Limits
    {
        qint64 bytes = 0;
        qint64 targetBytes = 0;
        int fields = 0;
    };
    enum class Part { Head, Trailers };

    HeadScanner(const Limits& limits, Part part);

    /// How many bytes belong to the part; less than given once it is done or refused.
    qint64 feed(QByteArrayView bytes);
    bool done() const { return at_ == At::Done; }
    const Refusal& refusal() const { return refusal_; }

private:
    enum class At { Method, Target, Version, LineStart, Name, Value, Return, LastReturn, Done };

    void step(char c);
    void inVersion(char c);
    void atLineStart(char c);
    void endVersion();
    void refuse(int status, const char* words) { refusal_ = {status, words}; }

    Limits limits_;
    At at_;
    Refusal refusal_;
    qint64 seen_ = 0;
    qint64 inPart_ = 0; ///< bytes of the method, target, version or field name so far
    int fields_ = 0;
    std::array<char, 12> version_{};
};

} // namespace sg::http
