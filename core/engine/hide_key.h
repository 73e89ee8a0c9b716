// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"
#include "core/policy/wait_hint.h"

#include <QByteArray>
#include <QString>

#include <string>

/// What is shown of a request never holds the key it was sent with. Safe in any thread.
namespace sg::engine {

/// `text` with "***" for every mention of `key`, and of a beginning of it with 8 characters or more, which is what a
/// cut leaves; also where some of its characters are written as in addresses (%2F), in JSON (\/ and \u002f) or in HTML
/// (&amp; and &#x2f;). Keys below 8 characters are none: local servers are given words like "ollama".
QByteArray hideKey(const QByteArray& text, const QByteArray& key);
QString hideKey(const QString& text, const QByteArray& key);
std::string hideKey(const std::string& text, const QByteArray& key);

/// hideKey for a text that comes in pieces, whichever way it is cut. Holds back only what may become a mention and has
/// four characters by now, which ordinary text does not; up to three characters of a key that was cut there are shown.
/// One thread.
class KeyHider
{
public:
    explicit KeyHider(const QByteArray& key)
        : key_(QString::fromUtf8(key))
    {
    }
    QString take(const QString& piece); ///< what may be shown of all that came
    QString rest();                     ///< the text is over; what was held back
    bool isIdle() const;                ///< there is no key to hide
    bool isHolding() const { return held_.size() > shown_; }
    bool hasHidden() const { return hasHidden_; }

private:
    QString put(const QString& text, bool isOver);

    QString key_;
    QString held_;        ///< the end of the text, where it may be the beginning of a mention
    qsizetype shown_ = 0; ///< so much of that has been shown
    bool hasHidden_ = false;
};

/// Whether hideKey would change `text` at a place that ends behind `from`: for texts that come in pieces.
bool mentionsKey(QByteArrayView text, qsizetype from, QByteArrayView key);

/// Bytes for people: hideKey, and whatever else looks like a credential. Not UTF-8 comes out as it came.
QByteArray maskedBytes(const QByteArray& bytes, const QByteArray& key);

/// The values of headers that carry credentials by their name are hidden whole, of an Authorization all but its scheme.
/// `keyHeader`: the one that carries the endpoint's own key.
policy::HeaderList maskedHeaders(const http::Headers& headers, const QByteArray& key, const QString& keyHeader = {});

std::string maskedUrl(const QUrl& url, const QByteArray& key);

} // namespace sg::engine
