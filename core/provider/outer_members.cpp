// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/outer_members.h"

#include "core/policy/text_scan.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace sg::provider {

namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kDeepest = 1024; // as Qt's own reader
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr std::array<bool, 256> structural()
{
    std::array<bool, 256> is{};
    for (const char c : {'"', '[', ']', '{', '}'})
        is[static_cast<unsigned char>(c)] = true;
    return is;
}
constexpr std::array<bool, 256> kStructural = structural();

constexpr bool isOfWord(char c)
{
    return policy::isDigit(c) || policy::isLetter(c) || c == '-' || c == '+' || c == '.';
}

} // namespace

OuterMembers::OuterMembers(std::vector<std::string_view> wanted)
{
    for (const std::string_view name : wanted)
        members_.push_back({name});
}

const OuterMembers::Member& OuterMembers::operator[](std::string_view name) const
{
    static const Member none{};
    const auto found = std::ranges::find(members_, name, &Member::name);
    return found != members_.end() ? *found : none;
}

void OuterMembers::feed(std::string_view piece)
{
    std::size_t at = 0;
    while (at < piece.size() && state_ != State::Broken)
        at = step(piece, at);
    seen_ += static_cast<std::int64_t>(piece.size());
}

std::size_t OuterMembers::step(std::string_view piece, std::size_t at)
{
    switch (state_) {
    case State::InName:
        return readName(piece, at);
    case State::InString:
        at = skipString(piece, at);
        if (state_ == State::AfterValue)
            endValue(seen_ + static_cast<std::int64_t>(at));
        return at;
    case State::InWord:
        return skipWord(piece, at);
    case State::Nested:
        return skipNested(piece, at);
    default:
        outside(piece[at], seen_ + static_cast<std::int64_t>(at));
        return at + 1;
    }
}

/// What stands between the members.
void OuterMembers::outside(char c, std::int64_t at)
{
    if (policy::isBlank(c))
        return;
    const bool isMark = state_ == State::Start && at < 3 && c == kByteOrderMark[static_cast<std::size_t>(at)];
    if (isMark)
        return;
    if (state_ == State::Start && c == '{')
        state_ = State::FirstName;
    else if ((state_ == State::FirstName || state_ == State::AfterValue) && c == '}')
        state_ = State::End;
    else if ((state_ == State::FirstName || state_ == State::Name) && c == '"')
        state_ = State::InName;
    else if (state_ == State::Colon && c == ':')
        state_ = State::Value;
    else if (state_ == State::AfterValue && c == ',')
        state_ = State::Name;
    else if (state_ == State::Value)
        beginValue(c, at);
    else
        state_ = State::Broken;
}

std::size_t OuterMembers::readName(std::string_view piece, std::size_t at)
{
    while (at < piece.size()) {
        const char c = piece[at++];
        if (!isEscaped_ && c == '"') {
            const auto found = std::ranges::find(members_, std::string_view(name_), &Member::name);
            current_ = found != members_.end() ? &*found : nullptr;
            name_.clear();
            state_ = State::Colon;
            break;
        }
        isEscaped_ = !isEscaped_ && c == '\\';
        if (name_.size() <= kLongestName)
            name_ += c;
    }
    return at;
}

void OuterMembers::beginValue(char c, std::int64_t at)
{
    if (current_ != nullptr) {
        current_->from = at;
        current_->to = -1;
        current_->first = c;
    }
    if (c == '"') {
        state_ = State::InString;
    } else if (c == '[' || c == '{') {
        open(c);
        state_ = State::Nested;
    } else {
        state_ = isOfWord(c) ? State::InWord : State::Broken;
    }
}

void OuterMembers::endValue(std::int64_t at)
{
    if (current_ != nullptr)
        current_->to = at;
    state_ = State::AfterValue;
}

void OuterMembers::open(char c)
{
    closers_ += c == '[' ? ']' : '}';
}

bool OuterMembers::close(char c)
{
    if (closers_.empty() || closers_.back() != c)
        return false;
    closers_.pop_back();
    return true;
}

/// Behind the quote that ends it, or at the piece's end. Nearly all of a large answer is here or in skipNested().
std::size_t OuterMembers::skipString(std::string_view piece, std::size_t at)
{
    const auto find = [&](char c, std::size_t from, std::size_t to) {
        const void* found = from < to ? std::memchr(piece.data() + from, c, to - from) : nullptr;
        return found ? static_cast<std::size_t>(static_cast<const char*>(found) - piece.data()) : to;
    };
    std::size_t quote = 0; // the next one, looked for once
    while (at < piece.size()) {
        if (std::exchange(isEscaped_, false)) {
            ++at;
            continue;
        }
        if (quote < at || quote == 0)
            quote = find('"', at, piece.size());
        const std::size_t slash = find('\\', at, quote);
        if (slash < quote) {
            isEscaped_ = true;
            at = slash + 1;
        } else if (quote < piece.size()) {
            inNestedString_ = false;
            if (state_ == State::InString)
                state_ = State::AfterValue;
            return quote + 1;
        } else {
            return piece.size();
        }
    }
    return at;
}

std::size_t OuterMembers::skipNested(std::string_view piece, std::size_t at)
{
    while (at < piece.size()) {
        if (inNestedString_) {
            at = skipString(piece, at);
            continue;
        }
        while (at < piece.size() && !kStructural[static_cast<unsigned char>(piece[at])])
            ++at;
        if (at == piece.size())
            break;
        const char c = piece[at++];
        if (c == '"') {
            inNestedString_ = true;
        } else if (c == '[' || c == '{') {
            open(c);
            if (closers_.size() > kDeepest) {
                state_ = State::Broken;
                break;
            }
        } else if (!close(c)) {
            state_ = State::Broken;
            break;
        } else if (closers_.empty()) {
            endValue(seen_ + static_cast<std::int64_t>(at));
            break;
        }
    }
    return at;
}

std::size_t OuterMembers::skipWord(std::string_view piece, std::size_t at)
{
    while (at < piece.size() && isOfWord(piece[at]))
        ++at;
    if (at < piece.size())
        endValue(seen_ + static_cast<std::int64_t>(at));
    return at;
}

} // namespace sg::provider
