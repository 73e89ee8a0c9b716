// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/hide_key.h"

#include "core/provider/mask.h"

#include <algorithm>
#include <array>

namespace sg::engine {

namespace {

constexpr qsizetype kShortestKey = 8; ///< and the shortest part of one that is hidden
constexpr const char* kHidden = "***";

constexpr std::array<QByteArrayView, 7> kSecretHeaders{
    "authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie", "set-cookie"};

bool isSecret(const QByteArray& name)
{
    return std::ranges::any_of(kSecretHeaders,
                               [&](QByteArrayView secret) { return name.compare(secret, Qt::CaseInsensitive) == 0; });
}

template <typename Text>
Text hidden(Text text, const Text& key, const Text& mark)
{
    if (key.size() < kShortestKey)
        return text;
    const Text start = key.first(kShortestKey);
    for (qsizetype at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + mark.size())) {
        const auto [inText, inKey] = std::mismatch(text.cbegin() + at, text.cend(), key.cbegin(), key.cend());
        text.replace(at, inText - (text.cbegin() + at), mark);
    }
    return text;
}

/// "Bearer ***" says which scheme was used and no more.
QByteArray hiddenValue(const QByteArray& name, const QByteArray& value)
{
    const qsizetype blank = value.indexOf(' ');
    const bool hasScheme = blank > 0 && name.toLower().endsWith("authorization");
    return hasScheme ? value.first(blank + 1) + kHidden : QByteArray(kHidden);
}

QByteArray maskedValue(const QByteArray& name, const QByteArray& value, const QByteArray& key)
{
    // With its name before it: what a value is shows there.
    const QByteArray prefix = name + ": ";
    const QByteArray line = maskedBytes(prefix + value, key);
    return line.startsWith(prefix) ? line.mid(prefix.size()) : QByteArray(kHidden);
}

} // namespace

bool mentionsKey(QByteArrayView text, qsizetype from, QByteArrayView key)
{
    if (key.size() < kShortestKey)
        return false;
    const qsizetype start = std::clamp(from - kShortestKey + 1, qsizetype(0), text.size());
    return text.sliced(start).indexOf(key.first(kShortestKey)) >= 0;
}

QByteArray hideKey(const QByteArray& text, const QByteArray& key)
{
    return hidden<QByteArray>(text, key, kHidden);
}

QString hideKey(const QString& text, const QByteArray& key)
{
    return hidden<QString>(text, QString::fromUtf8(key), QString::fromLatin1(kHidden));
}

std::string hideKey(const std::string& text, const QByteArray& key)
{
    return hideKey(QByteArray::fromStdString(text), key).toStdString();
}

QByteArray maskedBytes(const QByteArray& bytes, const QByteArray& key)
{
    // Latin-1 there and back changes no byte, and what is looked for is ASCII.
    return provider::maskSecrets(QString::fromLatin1(hideKey(bytes, key))).toLatin1();
}

policy::HeaderList maskedHeaders(const http::Headers& headers, const QByteArray& key, const QString& keyHeader)
{
    const QByteArray own = keyHeader.toUtf8();
    policy::HeaderList masked;
    masked.reserve(headers.size());
    for (const auto& [name, value] : headers)
        masked.emplace_back(name.toStdString(), (isSecret(name) || name.compare(own, Qt::CaseInsensitive) == 0
                                                     ? hiddenValue(name, value)
                                                     : maskedValue(name, value, key))
                                                    .toStdString());
    return masked;
}

std::string maskedUrl(const QUrl& url, const QByteArray& key)
{
    QUrl shown(url);
    shown.setUserInfo(QString());
    const QByteArray plain = hideKey(shown.toEncoded(), key);
    return maskedBytes(plain, key.toPercentEncoding()).toStdString();
}

} // namespace sg::engine
