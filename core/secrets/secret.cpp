// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/secrets/secret.h"

#include <cstring>

namespace sg::secrets {

Secret::Secret(const QByteArray& value)
    // A buffer of its own: wiping must not reach, nor be undone by, a copy that somebody else holds.
    : buffer_(std::make_shared<const Buffer>(Buffer{QByteArray(value.constData(), value.size())}))
{
}

Secret::Buffer::~Buffer()
{
    if (bytes.isEmpty() || !bytes.isDetached())
        return; // revealed bytes are still in use somewhere; theirs to end
    explicit_bzero(bytes.data(), std::size_t(bytes.size()));
}

bool Secret::operator==(const Secret& other) const
{
    return reveal() == other.reveal();
}

QDebug operator<<(QDebug debug, const Secret& secret)
{
    const QDebugStateSaver saver(debug);
    debug.nospace() << (secret.isEmpty() ? "Secret(empty)" : "Secret(***)");
    return debug;
}

} // namespace sg::secrets
