// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/transport.h"

namespace sg::http {

Instant steadyNow()
{
    return Instant(std::chrono::duration_cast<Nanos>(std::chrono::steady_clock::now().time_since_epoch()));
}

} // namespace sg::http
