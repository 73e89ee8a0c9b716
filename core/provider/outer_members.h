// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sg::provider {

/// Where the members of a JSON document's outermost object are, found while its bytes come in pieces and without a tree
/// of what is in them: each byte is looked at once, so that an answer of many megabytes holds its thread up by no more
/// than a piece at a time. Strings and brackets have to match; of nested values nothing else is looked at. Of a name
/// that occurs twice the last counts; names with escapes are none of those that are wanted.
class OuterMembers
{
public:
    struct Member
    {
        std::string_view name;
        std::int64_t from = -1, to = -1; ///< the value's bytes in the whole; -1: there is none
        char first = '\0';               ///< '{', '[', '"', or of a word or number
    };

    explicit OuterMembers(std::vector<std::string_view> wanted); ///< names that outlive it, at most 64 bytes each
    OuterMembers(const OuterMembers&) = delete;
    OuterMembers& operator=(const OuterMembers&) = delete;
    void feed(std::string_view piece);
    /// It was one object from the first byte to the last, and nothing but blanks around it.
    bool isWhole() const { return state_ == State::End; }
    const Member& operator[](std::string_view name) const; ///< one of those that are wanted

private:
    enum class State {
        Start,
        FirstName,
        Name,
        InName,
        Colon,
        Value,
        InString,
        InWord,
        Nested,
        AfterValue,
        End,
        Broken
    };

    std::size_t step(std::string_view piece, std::size_t at);
    std::size_t skipString(std::string_view piece, std::size_t at);
    std::size_t skipNested(std::string_view piece, std::size_t at);
    std::size_t skipWord(std::string_view piece, std::size_t at);
    std::size_t readName(std::string_view piece, std::size_t at);
    void beginValue(char c, std::int64_t at);
    void endValue(std::int64_t at);
    void open(char c);
    bool close(char c);
    void outside(char c, std::int64_t at);

    std::vector<Member> members_;
    State state_ = State::Start;
    std::int64_t seen_ = 0; ///< bytes of the pieces before
    Member* current_ = nullptr;
    std::string name_;
    std::string closers_; ///< of the brackets that are open in the value
    bool isEscaped_ = false, inNestedString_ = false;
};

} // namespace sg::provider
