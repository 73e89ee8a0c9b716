// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/workspace_file.h"

#include <QStringList>

/// Small workspace files, and what reading them says.
namespace sg::test {

// Slashes are escaped because moc takes two of them in a raw string for a comment.
inline const QByteArray kEndpoint = R"({"name":"a","base_url":"https:\/\/a.example/v1","model":"m"})";
inline const QByteArray kChain = R"({"name":"c","tiers":[{"endpoint":"a"}]})";

inline QByteArray file(const QByteArray& endpoints, const QByteArray& chains, const QByteArray& more = {})
{
    return R"({"version":2,"name":"w","endpoints":[)" + endpoints + R"(],"chains":[)" + chains + ']' + more + '}';
}

/// One endpoint "a" with further fields and the smallest chain.
inline QByteArray endpointWith(const QByteArray& fields)
{
    return file(kEndpoint.chopped(1) + ',' + fields + '}', kChain);
}

inline workspace::Findings allFindings(const workspace::LoadResult& result)
{
    return result ? result->warnings : result.error();
}

inline QString asText(const workspace::Findings& findings)
{
    QStringList lines;
    for (const workspace::Finding& finding : findings)
        lines << finding.toText(QStringLiteral("w.json"));
    return lines.join(QLatin1Char('\n'));
}

} // namespace sg::test
