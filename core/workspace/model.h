// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"
#include "core/cost/price_book.h"
#include "core/policy/attempt_limits.h"
#include "core/provider/profile.h"
#include "core/workspace/gateway_settings.h"
#include "core/workspace/key_ref.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>

#include <map>
#include <memory>

/// What the operator configured, as the file says it (format: docs/workspace.md).
namespace sg::workspace {

constexpr int kWorkspaceVersion = 2;

/// What is spoken to an endpoint. Automatic: HTTP/2 over TLS where the server offers it, else HTTP/1.1. Http2: also
/// without TLS, and without asking.
enum class HttpVersion { Http1, Automatic, Http2 };

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
    QString proxy{};                  ///< "http://host:port", "socks5://host:port"; empty: none
    KeyRef proxyKey{};                ///< where "user:password" of the proxy is; None: it asks for none
    QString caFile{};                 ///< PEM file with private CAs, trusted beside the system's; empty: none
    std::string breakerPolicy{};      ///< the library's policy that the breaker is; empty: its own
    HttpVersion httpVersion{};
    bool operator==(const Endpoint&) const = default;
};

/// What is known of the programs that call a chain; only judged, never enforced.
struct Caller
{
    std::optional<Nanos> waits;              ///< its own timeout
    std::optional<int> retries;              ///< how often it asks again by itself, 2 for OpenAI's SDK
    std::optional<cost::NanoDollars> pays{}; ///< the most that one request may cost
    bool operator==(const Caller&) const = default;
};

struct Chain
{
    chain::ChainSpec spec;
    QJsonObject unknown;
    Caller caller{};
    bool operator==(const Chain&) const = default;
};

/// Policies by name, as chains and endpoints refer to them.
struct PolicyLibrary
{
    std::map<std::string, policy::BackoffPolicy> backoffs;
    std::map<std::string, policy::BreakerConfig> breakers;
    std::map<std::string, chain::LimiterSpec> limiters;
    bool operator==(const PolicyLibrary&) const = default;
    /// resources/policies.json. Any thread.
    static const PolicyLibrary& builtIn();
};

struct Workspace
{
    QString name;
    QString environment = QStringLiteral("development");
    std::vector<Endpoint> endpoints;
    std::vector<Chain> chains;
    QJsonObject simulator; ///< script for "sim:" endpoints, empty when none
    QJsonArray providers;  ///< its own, as the file has them (form: docs/providers.md)
    provider::Catalogue catalogue = provider::Catalogue::builtIn(); ///< the known ones and its own
    QJsonObject unknown;
    PolicyLibrary policies{}; ///< its own; they stand before the built-in ones
    GatewaySettings gateway{};

    const Endpoint* endpoint(const std::string& name) const; ///< null when there is none
    const Chain* chain(const std::string& name) const;       ///< null when there is none
    Endpoint* endpoint(const std::string& name);
    Chain* chain(const std::string& name);
    /// The policy of that name, its own before the built-in one; null when there is none.
    const policy::BackoffPolicy* findBackoff(const std::string& name) const;
    const policy::BreakerConfig* findBreaker(const std::string& name) const;
    const chain::LimiterSpec* findLimiter(const std::string& name) const;
    /// What is known of the endpoint's provider; one that nobody knows is taken for OpenAI-compatible.
    provider::ProviderProfile profileOf(const Endpoint& endpoint) const;
    bool operator==(const Workspace& other) const; ///< as a file would say it
};
/// Real traffic goes there, by its name: "prod", "production", "production-eu".
bool isProduction(const QString& environment);

/// Immutable: drafts, undo and what serves hold the same one.
using WorkspacePtr = std::shared_ptr<const Workspace>;

/// The endpoint's own price, else that of its model in the book, else that of "PROVIDER/MODEL" as LiteLLM's table names
/// it; empty = not known.
std::optional<cost::Price> priceOf(const Endpoint& endpoint, const cost::PriceBook& prices);

} // namespace sg::workspace
