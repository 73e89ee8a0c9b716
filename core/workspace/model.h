// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"
#include "core/cost/price_book.h"
#include "core/policy/attempt_limits.h"
#include "core/provider/profile.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>

#include <map>

/// What the operator configured, as the file says it (format: docs/workspace.md).
namespace sg::workspace {

constexpr int kWorkspaceVersion = 1;

enum class KeySource { None, Environment, Keychain, Session };

struct KeyRef
{
    KeySource source = KeySource::None;
    QString name; ///< variable or keychain entry
    bool saysNone = false; ///< None on purpose: nothing is warned about
    bool operator==(const KeyRef&) const = default;
};

struct Timeouts
{
    Nanos connect{std::chrono::seconds(10)};
    std::optional<Nanos> firstByte;
    std::optional<Nanos> idle;
    Nanos total{std::chrono::seconds(60)};
    std::optional<policy::TaskTimeout> byTask; ///< beside total: the shorter counts
    policy::TokenLimits tokens;
    bool operator==(const Timeouts&) const = default;
};

struct Endpoint
{
    QString provider; ///< its profile's id: "openai", "openai-compatible", …
    QString baseUrl;  ///< "https://…", "sim:NAME" for the built-in simulator, or empty: the provider's usual one
    QString model;
    KeyRef key;
    Timeouts timeouts;
    chain::EndpointSpec spec;         ///< name, limits, breaker, capabilities
    std::optional<cost::Price> price; ///< own price, see priceOf
    QJsonObject unknown;              ///< fields this version does not know, kept on save
};

struct Chain
{
    chain::ChainSpec spec;
    QJsonObject unknown;
};

struct Workspace
{
    QString name;
    QString environment = QStringLiteral("development");
    std::vector<Endpoint> endpoints;
    std::vector<Chain> chains;
    QJsonObject simulator; ///< script for "sim:" endpoints, empty when none
    QJsonArray providers; ///< its own, as the file has them (form: docs/providers.md)
    provider::Catalogue catalogue = provider::Catalogue::builtIn(); ///< the known ones and its own
    QJsonObject unknown;

    const Endpoint* endpoint(const std::string& name) const; ///< null when there is none
    const Chain* chain(const std::string& name) const;       ///< null when there is none
    /// What is known of the endpoint's provider; one that nobody knows is taken for OpenAI-compatible.
    provider::ProviderProfile profileOf(const Endpoint& endpoint) const;
};

/// The endpoint's own price, else that of its model in the book; empty = not known.
std::optional<cost::Price> priceOf(const Endpoint& endpoint, const cost::PriceBook& prices);

} // namespace sg::workspace
