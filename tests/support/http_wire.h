// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

/// HTTP/1.1 for clients that load and check the gateway: owes nothing to the code under test.
namespace sg::test {

/// Reads one answer after the other from a connection, strict about where each ends.
class AnswerWire
{
public:
    enum class State { Head, Body, Done, Broken };

    /// For the next answer; bytes that are left over from the last one stay an error.
    void restart();
    /// Takes what came. Body bytes are appended to body(), which the caller may clear at any time.
    State feed(std::string_view bytes);
    /// The connection ended: Done where that ends the answer, otherwise Broken.
    State feedEnd();

    State state() const { return state_; }
    bool hasHead() const { return state_ == State::Body || state_ == State::Done; }
    int status() const { return status_; }
    bool keepsAlive() const { return keepsAlive_; }
    std::string& body() { return body_; }
    const std::string& body() const { return body_; }
    const std::string& head() const { return head_; }
    std::string header(std::string_view lowerName) const;
    const std::string& problem() const { return problem_; } ///< why it is Broken

private:
    enum class Framing { Length, Chunked, UntilClose };
    void readHead();
    void readBody();
    bool readChunk();
    State fail(std::string problem);

    State state_ = State::Head;
    Framing framing_ = Framing::Length;
    int status_ = 0;
    bool keepsAlive_ = true, inChunk_ = false, lastChunk_ = false;
    std::uint64_t left_ = 0;
    std::string head_, body_, pending_, problem_;
};

/// A connected non-blocking loopback socket, or -1.
int connectTo(std::uint16_t port);
std::string requestBytes(std::string_view method, std::string_view path, std::string_view headers,
                         std::string_view body);
std::int64_t steadyUs(); ///< CLOCK_MONOTONIC, the same in all processes

} // namespace sg::test
