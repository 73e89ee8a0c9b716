// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/failure.h"
#include "core/gateway/route.h"

namespace sg::gateway {

/// What is wrong with the form in which the body of such a request comes, by its head alone: 415 for one that is
/// compressed, and for one that says it is no JSON where only JSON is taken. Actions take whatever `curl -d` says, and
/// who says nothing is believed. Pure; any thread.
std::optional<Failure> bodyRefusal(Route route, const http::Headers& headers);

} // namespace sg::gateway
