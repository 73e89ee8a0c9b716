// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/mask.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>

namespace sg::provider {

namespace {
constexpr qsizetype kMaxMessage = 300;
// Enough that masking still leaves kMaxMessage characters, small enough that a page of megabytes costs nothing.
constexpr qsizetype kMaxRead = 8192;

QString cutAtCodePoint(const QString& text, qsizetype units)
{
    if (text.size() <= units)
        return text;
    return text.first(text.at(units - 1).isHighSurrogate() ? units - 1 : units);
}
} // namespace

QString maskSecrets(const QString& text)
{
    static const QRegularExpression schemes(QStringLiteral(R"(\b(Bearer|Basic)((?:\s|%20)+)[A-Za-z0-9._~+/=-]{4,})"),
                                            QRegularExpression::CaseInsensitiveOption);
    // In an address a name says it all, however short the value. Both come first: they know where a value ends.
    static const QRegularExpression userInfo(QStringLiteral(R"((://)[^/\s@"'<>]+@)"));
    static const QRegularExpression query(
        QStringLiteral(
            R"re(([?&;](?:api[-_]?key|(?:access|auth|refresh|x-amz-security)[-_]?token|token|key|sig|)re"
            R"re(signature|x-amz-signature|x-amz-credential|secret|client_secret|password)=)[^&;#\s"'<>\\]+)re"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression named(
        QStringLiteral(
            R"re(((?:x-)?(?:goog-)?api[-_]?key|access[-_]?token|auth[-_]?token|authorization|secret|password|\bkey|\btoken|\bsig)(\\*["']?\s*(?:[:=]|%3[AD])\s*(?:b(?=["']))?\\*["']?)(?!\*\*\*)(?:(?:Bearer|Basic)(?:\s|%20)+(?!\*\*\*))?[A-Za-z0-9._~+/%-]{8,}=*)re"),
        QRegularExpression::CaseInsensitiveOption);
    // What ends a word may be escaped, in an address or in a text within a text: its last letter is no part of the
    // word.
    static const QRegularExpression keys(QStringLiteral(
        R"((?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4}))(?:(?:sk|pk|rk|xai|pplx|nvapi|fw)-|(?:hs|gsk|hf|r8|sk|ak|ghp|csk)_|AIza|AKIA|eyJ[A-Za-z0-9_-]{8,}\.)[A-Za-z0-9*._-]{3,})"));
    QString masked = text;
    masked.replace(userInfo, QStringLiteral("\\1***@"));
    masked.replace(query, QStringLiteral("\\1***"));
    masked.replace(schemes, QStringLiteral("\\1\\2***"));
    masked.replace(named, QStringLiteral("\\1\\2***"));
    masked.replace(keys, QStringLiteral("***"));
    return masked;
}

QJsonValue masked(const QJsonValue& value)
{
    if (value.isString())
        return maskSecrets(value.toString());
    if (value.isArray()) {
        QJsonArray array;
        const QJsonArray old = value.toArray();
        for (const QJsonValue& entry : old)
            array.append(masked(entry));
        return array;
    }
    if (!value.isObject())
        return value;
    QJsonObject object;
    const QJsonObject old = value.toObject();
    for (auto it = old.begin(); it != old.end(); ++it)
        object.insert(maskSecrets(it.key()), masked(it.value()));
    return object;
}

bool looksLikeKey(const QString& text)
{
    constexpr qsizetype kShortestKey = 20;
    return text.size() >= kShortestKey && maskSecrets(text) != text;
}

std::string shortMessage(const QString& text)
{
    QString read = cutAtCodePoint(text, kMaxRead);
    read.remove(QChar(QChar::ByteOrderMark)); // says nothing, and whoever reads UTF-8 drops it at the start of a text
    return cutAtCodePoint(maskSecrets(read.simplified()), kMaxMessage).toStdString();
}

} // namespace sg::provider
