// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/attempt_call.h"

#include <functional>

namespace sg::engine {

/// The models, or a sentence saying why they are not known; never holds a key.
using ModelsResult = tl::expected<std::vector<provider::ListedModel>, QString>;

/// What became of the question.
struct ModelsAnswer
{
    ModelsResult models;
    http::Outcome outcome;
    provider::ErrorClass refusedAs = provider::ErrorClass::None; ///< of an answer that is an error
};

/// The question, for a route whose `modelsUrl` is one and that can be used.
http::Request modelsRequest(const EndpointRoute& route);

/// What a provider has listed. No text of a model holds one of the route's keys, the error may. Any thread.
ModelsResult readModelList(const EndpointRoute& route, const QByteArray& body);

/// Asks an endpoint's provider which models it has: one GET that costs no tokens and counts for no limit and no
/// breaker. `done` is called once, in the transport's thread, perhaps before this returns; never where `beside`, which
/// reads a long list, ends before.
void listModels(http::Transport& transport, Beside& beside, std::shared_ptr<const EndpointRoute> route,
                observe::WallAnchor anchor, std::function<void(const ModelsResult&)> done);

/// The same for a route whose `modelsUrl` is one and that can be used; within `limit`. The handle ends it, which is
/// told as http::FailureKind::Cancelled.
std::shared_ptr<http::Exchange> askModels(http::Transport& transport, Beside& beside,
                                          std::shared_ptr<const EndpointRoute> route, observe::WallAnchor anchor,
                                          std::optional<Nanos> limit, std::function<void(const ModelsAnswer&)> done);

/// Whether a list names the model of an endpoint. Azure lists what could be deployed, not the deployments that requests
/// name: there every model counts as listed.
bool listsModel(provider::Dialect dialect, const std::vector<provider::ListedModel>& models, const QString& model);

} // namespace sg::engine
