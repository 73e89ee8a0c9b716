// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArrayView>
#include <QChar>

#include <algorithm>
#include <array>
#include <optional>

/// The ways in which one character of a secret may be written where others repeat it: as it is, as in addresses (%2F),
/// as in JSON (\/ and \u002f), as in HTML (&amp; and &#x2f;). Text is QByteArray, QByteArrayView or QString.
namespace sg::engine {

constexpr qsizetype kLongestForm = 8; ///< one character written as &percnt; or &#x0025;

inline unsigned unit(char c)
{
    return static_cast<unsigned char>(c);
}

inline unsigned unit(QChar c)
{
    return c.unicode();
}

struct Entity
{
    QByteArrayView name; ///< with what ends it
    unsigned stands;
};
/// What HTML's escapers write, and what else has a name among the characters that keys are made of.
inline constexpr std::array<Entity, 10> kEntities{{{"amp;", '&'},
                                                   {"lt;", '<'},
                                                   {"gt;", '>'},
                                                   {"quot;", '"'},
                                                   {"apos;", '\''},
                                                   {"sol;", '/'},
                                                   {"bsol;", '\\'},
                                                   {"percnt;", '%'},
                                                   {"plus;", '+'},
                                                   {"equals;", '='}}};

inline std::optional<unsigned> digitOf(unsigned c, unsigned base)
{
    const unsigned letter = c | 0x20U;
    if (c >= '0' && c <= '9')
        return c - '0';
    return base == 16 && letter >= 'a' && letter <= 'f' ? std::optional(letter - 'a' + 10) : std::nullopt;
}

/// The number that `digits` digits at `at` stand for.
template <typename Text>
std::optional<unsigned> numberAt(const Text& text, qsizetype at, qsizetype digits, unsigned base = 16)
{
    if (at + digits > text.size())
        return std::nullopt;
    unsigned value = 0;
    for (qsizetype i = at; i < at + digits; ++i) {
        const auto digit = digitOf(unit(text[i]), base);
        if (!digit)
            return std::nullopt;
        value = value * base + *digit;
    }
    return value;
}

template <typename Text>
bool beginsWith(const Text& text, qsizetype at, QByteArrayView word)
{
    if (at + word.size() > text.size())
        return false;
    for (qsizetype i = 0; i < word.size(); ++i)
        if (unit(text[at + i]) != unit(word[i]))
            return false;
    return true;
}

/// Of "&#47;" and "&#x2f;": where the digits begin, and their base.
template <typename Text>
std::pair<qsizetype, unsigned> digitsOfEntity(const Text& text, qsizetype at)
{
    const bool isHex = at + 2 < text.size() && (unit(text[at + 2]) | 0x20U) == 'x';
    return isHex ? std::pair(at + 3, 16U) : std::pair(at + 2, 10U);
}

/// How long the entity at the ampersand `at` is, if it stands for `wanted`; else 0.
template <typename Text>
qsizetype entityAt(const Text& text, qsizetype at, unsigned wanted)
{
    for (const Entity& entity : kEntities)
        if (entity.stands == wanted && beginsWith(text, at + 1, entity.name))
            return 1 + entity.name.size();
    if (at + 1 >= text.size() || unit(text[at + 1]) != '#')
        return 0;
    const auto [first, base] = digitsOfEntity(text, at);
    for (qsizetype end = first + 1; end < std::min(text.size(), at + kLongestForm); ++end)
        if (unit(text[end]) == ';')
            return numberAt(text, first, end - first, base) == wanted ? end + 1 - at : 0;
    return 0;
}

/// How much of `text` at `at` stands for `wanted` written in another way than as it is; 0: nothing.
template <typename Text>
qsizetype escapedAt(const Text& text, qsizetype at, unsigned wanted)
{
    const unsigned here = unit(text[at]);
    if (here == '%')
        return numberAt(text, at + 1, 2) == wanted ? 3 : 0;
    if (here == '&')
        return entityAt(text, at, wanted);
    if (here != '\\' || at + 1 >= text.size())
        return 0;
    const unsigned next = unit(text[at + 1]);
    if (next == 'u')
        return numberAt(text, at + 2, 4) == wanted ? 6 : 0;
    return next == wanted && (next == '/' || next == '"' || next == '\\') ? 2 : 0;
}

/// Whether the text ends within an entity.
template <typename Text>
bool isCutEntity(const Text& text, qsizetype at)
{
    const qsizetype left = text.size() - at - 1; // behind the ampersand
    if (left + 1 >= kLongestForm)
        return false;
    const auto isCut = [&](const Entity& entity) {
        return left < entity.name.size() && beginsWith(text, at + 1, entity.name.first(left));
    };
    if (std::ranges::any_of(kEntities, isCut))
        return true;
    if (unit(text[at + 1]) != '#')
        return false;
    const auto [first, base] = digitsOfEntity(text, at);
    return first >= text.size() || numberAt(text, first, text.size() - first, base).has_value();
}

/// Whether the text ends within a character that is written in several.
template <typename Text>
bool isCutForm(const Text& text, qsizetype at)
{
    const qsizetype left = text.size() - at;
    switch (unit(text[at])) {
    case '%':
        return left < 3 && numberAt(text, at + 1, left - 1);
    case '&':
        return isCutEntity(text, at);
    case '\\':
        return left == 1 || (left < 6 && unit(text[at + 1]) == 'u' && numberAt(text, at + 2, left - 2));
    default:
        return false;
    }
}

/// What every form but the plain one begins with.
inline bool beginsForm(unsigned c)
{
    return c == '%' || c == '\\' || c == '&';
}

struct Walk
{
    qsizetype found = 0; ///< characters of the word
    qsizetype end = 0;   ///< of them in the text
    bool isOpen = false; ///< the text ends before it is decided how many there are
};

/// How far `text` from `at` on goes along `word` from `first` on, whichever form each character has. A word with signs
/// of escapes in it can be read in more than one way ("%25" as it is, or as the percent sign): all are followed.
template <typename Text, typename Word>
Walk walkAlong(const Text& text, qsizetype at, const Word& word, qsizetype first = 0)
{
    std::array<qsizetype, 16> places{at}, next{}; // ascending
    std::size_t count = 1;
    Walk walk{0, at};
    for (qsizetype i = first; i < word.size(); ++i) {
        const unsigned wanted = unit(word[i]);
        std::size_t more = 0;
        const auto add = [&](qsizetype place) {
            const auto end = next.begin() + static_cast<std::ptrdiff_t>(more);
            if (more < next.size() && std::find(next.begin(), end, place) == end)
                next[more++] = place;
        };
        for (std::size_t k = 0; k < count; ++k) {
            const qsizetype place = places[k];
            if (place == text.size()) {
                walk.isOpen = true;
                continue;
            }
            const unsigned here = unit(text[place]);
            if (here == wanted)
                add(place + 1);
            if (!beginsForm(here))
                continue;
            if (const qsizetype length = escapedAt(text, place, wanted); length > 0)
                add(place + length);
            walk.isOpen = walk.isOpen || isCutForm(text, place);
        }
        if (more == 0)
            return walk;
        std::swap(places, next);
        count = more;
        walk.found = i + 1 - first;
        walk.end = *std::max_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count));
    }
    walk.isOpen = false;
    return walk;
}

} // namespace sg::engine
