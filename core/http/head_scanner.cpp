// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/head_scanner.h"

#include <string_view>

namespace sg::http {
namespace {

constexpr std::array<bool, 256> tableOf(bool (*allowed)(unsigned char))
{
    std::array<bool, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = allowed(static_cast<unsigned char>(i));
    return table;
}

// RFC 9110 5.6.2
constexpr std::array<bool, 256> tokens = tableOf([](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
});
constexpr std::array<bool, 256> values = tableOf([](unsigned char c) { return c == '\t' || (c >= 0x20 && c != 0x7f); });

bool isIn(const std::array<bool, 256>& table, char c)
{
    return table[static_cast<unsigned char>(c)];
}

} // namespace

HeadScanner::HeadScanner(const Limits& limits, Part part)
    : limits_(limits)
    , at_(part == Part::Head ? At::Method : At::LineStart)
{
}

qint64 HeadScanner::feed(QByteArrayView bytes)
{
    const char* p = bytes.begin();
    while (p != bytes.end() && at_ != At::Done && !refusal_) {
        if (at_ == At::Value) { // most bytes of a head: without a step for each
            const char* last = p + std::min<qint64>(bytes.end() - p, limits_.bytes - seen_);
            const char* begin = p;
            while (p != last && isIn(values, *p))
                ++p;
            seen_ += p - begin;
            if (p == bytes.end())
                break;
        }
        if (seen_ >= limits_.bytes) {
            if (at_ == At::Target)
                refuse(414, "The address of the request is too long.");
            else
                refuse(431, "The headers are too long.");
            break;
        }
        ++seen_;
        step(*p++);
    }
    return p - bytes.begin();
}

void HeadScanner::step(char c)
{
    switch (at_) {
    case At::Method:
        if (c == ' ' && inPart_ > 0)
            at_ = At::Target, inPart_ = 0;
        else if (isIn(tokens, c))
            ++inPart_;
        else
            refuse(400, "The request does not begin with a method.");
        return;
    case At::Target:
        if (c == ' ' && inPart_ > 0)
            at_ = At::Version, inPart_ = 0;
        else if (c == ' ' || c == '\t' || !isIn(values, c))
            refuse(400, "The address of the request is missing or has a character that is not allowed.");
        else if (++inPart_ > limits_.targetBytes)
            refuse(414, "The address of the request is too long.");
        return;
    case At::Version:
        return inVersion(c);
    case At::LineStart:
        return atLineStart(c);
    case At::Name:
        if (c == ':')
            at_ = At::Value;
        else if (!isIn(tokens, c))
            refuse(400, "The name of a header has a character that is not allowed.");
        return;
    case At::Value:
        if (c == '\r')
            at_ = At::Return;
        else
            refuse(400, "A header has a character that is not allowed.");
        return;
    case At::Return:
    case At::LastReturn:
        if (c == '\n')
            at_ = at_ == At::Return ? At::LineStart : At::Done;
        else
            refuse(400, "A line does not end with CR LF.");
        return;
    case At::Done:
        return;
    }
}

void HeadScanner::inVersion(char c)
{
    if (c == '\r')
        return endVersion();
    if (inPart_ == static_cast<qint64>(version_.size()) || !isIn(values, c) || c == ' ')
        return refuse(400, "The first line does not end with a version of HTTP.");
    version_[static_cast<std::size_t>(inPart_++)] = c;
}

void HeadScanner::endVersion()
{
    std::string_view text(version_.data(), static_cast<std::size_t>(inPart_));
    if (text == "HTTP/1.1" || text == "HTTP/1.0") {
        at_ = At::Return;
        return;
    }
    constexpr std::string_view scheme = "HTTP/";
    const bool versioned = text.size() > scheme.size() && text.substr(0, scheme.size()) == scheme &&
                           text.substr(scheme.size()).find_first_not_of("0123456789.") == std::string_view::npos;
    if (versioned)
        refuse(505, "This server speaks the versions 1.1 and 1.0 of HTTP.");
    else
        refuse(400, "The first line does not end with a version of HTTP.");
}

void HeadScanner::atLineStart(char c)
{
    if (c == '\r')
        at_ = At::LastReturn;
    else if (c == ' ' || c == '\t')
        refuse(400, "A header is folded over several lines.");
    else if (!isIn(tokens, c))
        refuse(400, "The name of a header is missing or has a character that is not allowed.");
    else if (++fields_ > limits_.fields)
        refuse(431, "There are too many headers.");
    else
        at_ = At::Name;
}

} // namespace sg::http
