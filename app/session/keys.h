// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/model.h"

#include <tl/expected.hpp>

namespace sg::app {

/// The key of an endpoint from where its workspace says it is; the error is a sentence with the way on. Checked before
/// the first request, so that a pasted newline is not reported as the provider's 401.
tl::expected<QByteArray, QString> lookUpKey(const workspace::Endpoint& endpoint);

} // namespace sg::app
