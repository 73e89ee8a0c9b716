// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/switchboard.h"
#include "core/gateway/failure.h"

#include <QJsonObject>

#include <tl/expected.hpp>

/// POST /v1/embeddings: what is asked, and of whom. Engine thread.
namespace sg::gateway {

struct EmbeddingsAsk
{
    QString model;
    QJsonObject body;
    std::int64_t tokens = 0; ///< of all inputs; of texts estimated
};

/// "model" and "input" are checked, everything else is the provider's.
tl::expected<EmbeddingsAsk, Failure> readEmbeddings(const QJsonObject& body);

/// The first endpoint that serves this model, else the endpoint of this name, else the first of the chain of this name;
/// of each only one whose provider has embeddings in OpenAI's form. One that is out gives way to the next with the same
/// model, never to another model: vectors of two models cannot be compared. Where there is one that has none: 400 that
/// says so.
tl::expected<std::string, Failure> embeddingsEndpoint(const QString& model, const engine::Switchboard& switchboard,
                                                      Instant now);

} // namespace sg::gateway
