// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/hide_key.h"

#include "core/engine/written_forms.h"
#include "core/provider/mask.h"

#include <algorithm>
#include <array>

namespace sg::engine {

namespace {

constexpr qsizetype kShortestKey = 8; ///< and the shortest part of one that is hidden
constexpr qsizetype kHeldFrom = 4;    ///< of a text in pieces: less of it is no sign of a key
constexpr const char* kHidden = "***";

constexpr std::array<QByteArrayView, 7> kSecretHeaders{
    "authorization", "proxy-authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie", "set-cookie"};

bool isSecret(const QByteArray& name)
{
    return std::ranges::any_of(kSecretHeaders,
                               [&](QByteArrayView secret) { return name.compare(secret, Qt::CaseInsensitive) == 0; });
}

struct Mention
{
    qsizetype length = 0; ///< of what is the key, or enough of its beginning; 0: it is not
    bool isOpen = false;  ///< the text ends before that is decided
};

/// What every mention begins with: most of a text is passed over by this alone.
template <typename Text, typename Key>
bool mayBeginAt(const Text& text, qsizetype at, const Key& key)
{
    const unsigned c = unit(text[at]);
    return c == unit(key[0]) || beginsForm(c);
}

template <typename Text, typename Key>
Mention mentionAt(const Text& text, qsizetype at, const Key& key)
{
    if (!mayBeginAt(text, at, key))
        return {};
    const Walk walk = walkAlong(text, at, key);
    return {walk.found >= kShortestKey ? walk.end - at : 0, walk.isOpen};
}

template <typename Text>
Text hidden(const Text& text, const Text& key, const Text& mark)
{
    if (key.size() < kShortestKey)
        return text;
    Text shown;
    qsizetype done = 0;
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype length = mentionAt(text, at, key).length;
        if (length > 0) {
            shown += text.mid(done, at - done) + mark;
            done = at + length;
        }
        at += std::max<qsizetype>(length, 1);
    }
    return done == 0 ? text : shown + text.mid(done);
}

/// How much of `text` at `at` is a key's end; of the longest one that is there.
template <typename Text>
qsizetype restAt(const Text& text, qsizetype at, const Text& key)
{
    for (qsizetype first = 1; first + kHeldFrom <= key.size(); ++first)
        if (const Walk walk = walkAlong(text, at, key, first); walk.found == key.size() - first)
            return walk.end - at;
    return 0;
}

/// A mask that knows keys by their form alone may end within this one: its rest then stands behind the mark.
template <typename Text>
Text withoutRest(Text text, const Text& key, const Text& mark)
{
    if (key.size() < kShortestKey)
        return text;
    for (qsizetype at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.size())) {
        const qsizetype from = at + mark.size();
        text.remove(from, restAt(text, from, key));
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
    // Earlier than that begins none that ends behind it and was not seen before.
    for (qsizetype at = std::max<qsizetype>(from - kShortestKey * kLongestForm, 0); at < text.size(); ++at)
        if (const qsizetype length = mentionAt(text, at, key).length; length > 0 && at + length > from)
            return true;
    return false;
}

QByteArray hideKey(const QByteArray& text, const QByteArray& key)
{
    return withoutRest<QByteArray>(hidden<QByteArray>(text, key, kHidden), key, kHidden);
}

QString hideKey(const QString& text, const QByteArray& key)
{
    const QString secret = QString::fromUtf8(key), mark = QString::fromLatin1(kHidden);
    return withoutRest(hidden(text, secret, mark), secret, mark);
}

std::string hideKey(const std::string& text, const QByteArray& key)
{
    return hideKey(QByteArray::fromStdString(text), key).toStdString();
}

bool KeyHider::isIdle() const
{
    return key_.size() < kShortestKey;
}

QString KeyHider::take(const QString& piece)
{
    if (isIdle())
        return piece;
    return put(held_.isEmpty() ? piece : std::exchange(held_, {}) + piece, false);
}

QString KeyHider::rest()
{
    return put(std::exchange(held_, {}), true);
}

QString KeyHider::put(const QString& text, bool isOver)
{
    QString out;
    qsizetype from = shown_, at = 0; // the next to be shown, and to be looked at
    while (at < text.size()) {
        const Mention mention = mentionAt(text, at, key_);
        if (mention.isOpen && !isOver)
            break;
        if (mention.length > 0) {
            hasHidden_ = true;
            if (at > from)
                out += QStringView(text).sliced(from, at - from);
            out += QLatin1String(kHidden);
            from = at + mention.length;
        }
        at += std::max<qsizetype>(mention.length, 1);
    }
    const qsizetype end = text.size() - at < kHeldFrom ? text.size() : std::max(at, from);
    held_ = text.sliced(at);
    shown_ = end - at;
    if (from == 0 && end == text.size() && out.isEmpty())
        return text;
    if (end > from)
        out += QStringView(text).sliced(from, end - from);
    return out;
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
    return maskedBytes(shown.toEncoded(), key).toStdString();
}

} // namespace sg::engine
