// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/exact_span.h"

#include <QJsonObject>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sg::policy {

/// A wait and who said it.
struct FoundWait
{
    ExactSpan wait;
    std::string source;
};

/// What an X-RateLimit-Reset value means, from now on; nothing when it is no number.
using ReadReset = std::function<std::optional<ExactSpan>(std::string_view value)>;

/// A server's answer, read for what it says about waiting.
class HintBody
{
public:
    explicit HintBody(std::string_view body);
    /// The field whose code says that no retry can help, or nothing.
    std::optional<std::string> stopCode() const;
    bool namesDailyQuota() const;
    /// The first wait above zero.
    std::optional<FoundWait> wait(const ReadReset& readReset) const;

private:
    std::optional<FoundWait> fromDetails(bool retryInfo) const;
    std::optional<FoundWait> fromMetadata(const ReadReset& readReset) const;
    std::optional<FoundWait> fromWords() const;

    std::string_view text_;
    bool json_ = false;
    QJsonObject error_;
    QJsonObject coded_; ///< where code and type stand
};

/// An amount left: nothing when the text is no number. Negative amounts mean unknown.
enum class Remaining { Unreadable, Unknown, None, Some };
Remaining readRemaining(std::string_view text);

} // namespace sg::policy
