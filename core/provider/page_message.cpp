// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/page_message.h"

#include "core/provider/error_body.h"

#include <QRegularExpression>

#include <algorithm>

namespace sg::provider {

namespace {
constexpr qsizetype kMostSearched = 16384;
constexpr qsizetype kMostWords = 120;
constexpr qsizetype kMostName = 32;

/// "api.example.com | 524: A timeout occurred", "502 Bad Gateway": what stands behind host and number.
QString wordsOf(QString title, int status)
{
    const qsizetype bar = title.lastIndexOf(QLatin1String(" | "));
    if (bar >= 0)
        title = title.sliced(bar + 3);
    const QString number = QString::number(status);
    if (title.startsWith(number)) {
        title = title.sliced(number.size());
        if (title.startsWith(QLatin1Char(':')))
            title = title.sliced(1);
    }
    title.replace(QLatin1String("&amp;"), QLatin1String("&")).replace(QLatin1String("&#39;"), QLatin1String("'"));
    return title.trimmed().left(kMostWords);
}

/// Networks that stand in front of what they serve; other servers are said to be servers.
bool isEdge(const QString& server)
{
    static const QStringList edges{QStringLiteral("cloudflare"), QStringLiteral("cloudfront"),
                                   QStringLiteral("akamai"),     QStringLiteral("fastly"),
                                   QStringLiteral("varnish"),    QStringLiteral("bunnycdn"),
                                   QStringLiteral("sucuri"),     QStringLiteral("imperva")};
    return std::ranges::any_of(edges, [&](const QString& edge) { return server.contains(edge, Qt::CaseInsensitive); });
}

QString serverOf(const policy::HeaderList& headers, std::string_view body)
{
    const auto said = headerValue(headers, "server");
    if (said && !said->empty())
        return QString::fromStdString(*said).simplified().left(kMostName);
    const bool isCloudflare = headerValue(headers, "cf-ray") || body.find("cloudflare") != std::string_view::npos;
    return isCloudflare ? QStringLiteral("cloudflare") : QString();
}
} // namespace

std::optional<QString> rayId(const policy::HeaderList& headers, std::string_view body)
{
    if (const auto ray = headerValue(headers, "cf-ray"); ray && !ray->empty())
        return QString::fromStdString(*ray).left(64);
    static const QRegularExpression inPage(
        QStringLiteral(R"(ray[_ ]id[":\s]*(?:<[^>]{0,200}>\s*){0,8}([0-9a-f]{12,32}))"),
        QRegularExpression::CaseInsensitiveOption);
    const std::string_view start = body.substr(0, kMostSearched);
    const auto match = inPage.match(QString::fromUtf8(start.data(), static_cast<qsizetype>(start.size())));
    return match.hasMatch() ? std::optional(match.captured(1)) : std::nullopt;
}

QString pageMessage(int status, const policy::HeaderList& headers, const QString& title, std::string_view body)
{
    const QString server = serverOf(headers, body.substr(0, kMostSearched));
    if (server.isEmpty())
        return title.left(200);
    const QString words = wordsOf(title.simplified(), status);
    QString message =
        QStringLiteral("HTTP %1 from %2 (%3)")
            .arg(QString::number(status), isEdge(server) ? QStringLiteral("edge") : QStringLiteral("server"), server);
    if (!words.isEmpty())
        message += QStringLiteral(": ") + words;
    if (const auto ray = rayId(headers, body))
        message += QStringLiteral(", ray ") + ray->section(QLatin1Char('-'), 0, 0).left(32);
    return message;
}

} // namespace sg::provider
