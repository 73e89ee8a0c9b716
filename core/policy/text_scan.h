// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace sg::policy {

// ASCII only and without a locale: header grammars know no other digits or letters.
constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

constexpr bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

constexpr char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

constexpr bool equalsIgnoringCase(std::string_view a, std::string_view b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (lower(a[i]) != lower(b[i]))
            return false;
    }
    return true;
}

/// Reads a text from the left. What a call does not find stays unread.
class TextScan
{
public:
    explicit constexpr TextScan(std::string_view text)
        : rest_(text)
    {
    }
    constexpr bool atEnd() const { return rest_.empty(); }
    constexpr std::string_view rest() const { return rest_; }
    constexpr char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

    constexpr bool skip(std::string_view literal)
    {
        if (!rest_.starts_with(literal))
            return false;
        rest_.remove_prefix(literal.size());
        return true;
    }
    /// All digits that follow, maybe none.
    constexpr std::string_view digits()
    {
        std::size_t n = 0;
        while (n < rest_.size() && isDigit(rest_[n]))
            ++n;
        return take(n);
    }
    /// A number of exactly so many digits.
    constexpr std::optional<int> number(std::size_t width)
    {
        int value = 0;
        for (std::size_t i = 0; i < width; ++i) {
            if (i >= rest_.size() || !isDigit(rest_[i]))
                return {};
            value = value * 10 + (rest_[i] - '0');
        }
        rest_.remove_prefix(width);
        return value;
    }
    /// Which of the names follows.
    constexpr std::optional<int> oneOf(std::span<const std::string_view> names)
    {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (skip(names[i]))
                return static_cast<int>(i);
        }
        return {};
    }
    constexpr std::size_t skipBlanks()
    {
        std::size_t n = 0;
        while (n < rest_.size() && isBlank(rest_[n]))
            ++n;
        rest_.remove_prefix(n);
        return n;
    }
    constexpr std::string_view take(std::size_t n)
    {
        const std::string_view taken = rest_.substr(0, n);
        rest_.remove_prefix(taken.size());
        return taken;
    }

private:
    std::string_view rest_;
};

} // namespace sg::policy
