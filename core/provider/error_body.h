// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/wait_hint.h"
#include "core/provider/error.h"

#include <QJsonObject>
#include <QString>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the body of an answer says about an error, whatever the dialect. Private to the room.
namespace sg::provider {

struct BodyFacts
{
    bool isJson = false; ///< an object, or a list of one
    bool isHtml = false;
    bool hasError = false; ///< the body names an error (matters in a 2xx only)
    QJsonObject root;
    /// Everything that may be a known code, the most telling first: details.error_code, code, type, status, reasons.
    std::vector<std::string> codes;
    QJsonValue code;   ///< the one to show, as sent: words before a repeated HTTP status; null when there is none
    int ownStatus = 0; ///< a HTTP status the body gives itself, 0 when none
    QString message;   ///< not masked, not cut
    bool dailyQuota = false;
    QByteArray inner;        ///< the upstream's own body, where a relay wraps it in its message
    bool moderation = false; ///< error.metadata.reasons: OpenRouter's moderation
};

/// An error object, a text in its place, or a type that says so; also in the first choice.
bool namesError(const QJsonObject& root);

BodyFacts readBody(const policy::HeaderList& headers, std::string_view body);
/// classifyAnswer for a body that was read already.
ErrorFacts classifyRead(const AnswerContext& context, int status, std::string_view body, const BodyFacts& read);

/// The first value of a header, ignoring case and blanks around it.
std::optional<std::string> headerValue(const policy::HeaderList& headers, std::string_view name);

} // namespace sg::provider
