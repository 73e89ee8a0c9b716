// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/connection_test.h"
#include "core/engine/model_list.h"

/// What a test of a connection says for people.
namespace sg::engine {

ConnectionResult inWords(const EndpointRoute& route, const ModelsAnswer& answer);
/// Of a provider without a list, where only the connection was tried.
ConnectionResult inWords(const EndpointRoute& route, const http::Outcome& outcome);
ConnectionResult unusable(const EndpointRoute& route);
ConnectionResult withoutSimulator();
ConnectionResult stopped(); ///< neither asked nor answered

} // namespace sg::engine
