// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/http_wire.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace sg::test {

namespace {

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return result;
}

template <typename Number>
bool parse(std::string_view text, Number& number, int base)
{
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

} // namespace

void AnswerWire::restart()
{
    state_ = State::Head;
    status_ = 0;
    inChunk_ = lastChunk_ = false;
    left_ = 0;
    head_.clear();
    body_.clear();
}

AnswerWire::State AnswerWire::fail(std::string problem)
{
    problem_ = std::move(problem);
    return state_ = State::Broken;
}

AnswerWire::State AnswerWire::feed(std::string_view bytes)
{
    if (state_ == State::Broken)
        return state_;
    pending_ += bytes;
    if (state_ == State::Head)
        readHead();
    if (state_ == State::Body)
        readBody();
    if (state_ == State::Done && !pending_.empty())
        return fail("bytes after the answer's end: " + pending_.substr(0, 80));
    return state_;
}

AnswerWire::State AnswerWire::feedEnd()
{
    if (state_ == State::Done || state_ == State::Broken)
        return state_;
    if (state_ == State::Body && framing_ == Framing::UntilClose)
        return state_ = State::Done;
    return fail(state_ == State::Head ? "closed before an answer" : "closed within the answer");
}

void AnswerWire::readHead()
{
    const auto end = pending_.find("\r\n\r\n");
    if (end == std::string::npos)
        return;
    head_ = pending_.substr(0, end + 2);
    pending_.erase(0, end + 4);
    if (head_.compare(0, 7, "HTTP/1.") != 0 || !parse(std::string_view(head_).substr(9, 3), status_, 10)) {
        fail("no status line: " + head_.substr(0, 60));
        return;
    }
    if (status_ < 200) { // an interim answer
        head_.clear();
        readHead();
        return;
    }
    keepsAlive_ = lower(header("connection")) != "close" && head_[7] == '1';
    const std::string length = header("content-length");
    state_ = State::Body;
    if (lower(header("transfer-encoding")) == "chunked") {
        framing_ = Framing::Chunked;
    } else if (length.empty()) {
        framing_ = Framing::UntilClose;
    } else {
        framing_ = Framing::Length;
        if (!parse(std::string_view(length), left_, 10))
            fail("a Content-Length that is no number");
    }
}

void AnswerWire::readBody()
{
    if (framing_ == Framing::Chunked) {
        while (state_ == State::Body && readChunk()) {
        }
        return;
    }
    const auto take = framing_ == Framing::Length ? std::min<std::uint64_t>(left_, pending_.size()) : pending_.size();
    body_.append(pending_, 0, take);
    pending_.erase(0, take);
    left_ -= framing_ == Framing::Length ? take : 0;
    if (framing_ == Framing::Length && left_ == 0)
        state_ = State::Done;
}

/// False when more bytes are needed.
bool AnswerWire::readChunk()
{
    if (inChunk_ && left_ > 0) {
        const auto take = std::min<std::uint64_t>(left_, pending_.size());
        body_.append(pending_, 0, take);
        pending_.erase(0, take);
        left_ -= take;
        return take > 0;
    }
    const auto end = pending_.find("\r\n");
    if (end == std::string::npos)
        return false;
    if (inChunk_) { // the blank line behind it
        if (end != 0)
            fail("a chunk longer than it said");
        inChunk_ = false;
    } else if (lastChunk_) { // trailers, then a blank line
        if (end == 0)
            state_ = State::Done;
    } else if (!parse(std::string_view(pending_).substr(0, end), left_, 16)) {
        fail("no chunk size: " + pending_.substr(0, 40));
    } else {
        inChunk_ = left_ > 0;
        lastChunk_ = left_ == 0;
    }
    pending_.erase(0, end + 2);
    return true;
}

std::string AnswerWire::header(std::string_view lowerName) const
{
    for (std::size_t from = head_.find("\r\n"); from != std::string::npos && from + 2 < head_.size();) {
        from += 2;
        const auto end = head_.find("\r\n", from);
        const std::string_view line = std::string_view(head_).substr(from, end - from);
        const auto colon = line.find(':');
        if (colon != std::string_view::npos && lower(line.substr(0, colon)) == lowerName) {
            const auto start = line.find_first_not_of(' ', colon + 1);
            return start == std::string_view::npos ? std::string() : std::string(line.substr(start));
        }
        from = end;
    }
    return {};
}

int connectTo(std::uint16_t port)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        if (fd >= 0)
            ::close(fd);
        return -1;
    }
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    return fd;
}

std::string requestBytes(std::string_view method, std::string_view path, std::string_view headers,
                         std::string_view body)
{
    std::string bytes(method);
    bytes.append(" ").append(path).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\n").append(headers);
    if (!body.empty())
        bytes.append("Content-Type: application/json\r\nContent-Length: ")
            .append(std::to_string(body.size()))
            .append("\r\n");
    return bytes.append("\r\n").append(body);
}

std::int64_t steadyUs()
{
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace sg::test
