// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QDebug>

#include <memory>

namespace sg::secrets {

/// A key that never prints itself. Copies share one buffer, which is overwritten when the last one goes.
class Secret
{
public:
    Secret() = default;
    explicit Secret(const QByteArray& value);
    bool isEmpty() const { return !buffer_ || buffer_->bytes.isEmpty(); }
    /// The key itself: for the header of a request and the keychain, nothing else.
    QByteArray reveal() const { return buffer_ ? buffer_->bytes : QByteArray(); }
    bool operator==(const Secret& other) const;

private:
    struct Buffer
    {
        QByteArray bytes;
        ~Buffer();
    };
    std::shared_ptr<const Buffer> buffer_;
};

QDebug operator<<(QDebug debug, const Secret& secret); ///< "Secret(***)" or "Secret(empty)"

} // namespace sg::secrets
