// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/dialect.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <string_view>
#include <utility>
#include <vector>

/// What is known of a provider, as data: a new OpenAI-compatible one is an entry of a file, not code.
namespace sg::provider {

/// Where a compatible provider differs from OpenAI in what it accepts.
struct Quirks
{
    QString maxTokensField = QStringLiteral("max_tokens"); ///< or "max_completion_tokens"
    bool streamUsage = true; ///< knows stream_options.include_usage; without it usage is asked for in no way
    bool jsonMode = true;    ///< knows response_format
    bool operator==(const Quirks&) const = default;
};

struct ProviderProfile
{
    QString id;    ///< as workspaces name it: "openai", "groq", "holysheep"
    QString title; ///< as people write it: "OpenAI"
    Dialect dialect = Dialect::OpenAi;
    QString baseUrl; ///< the usual one; empty: the operator must say it
    QString keyHeader = QStringLiteral("Authorization");
    QString keyScheme = QStringLiteral("Bearer "); ///< before the key, with its blank; may be empty
    QStringList keyPrefixes;                       ///< what keys begin with ("sk-", "hs_"); empty: nothing is known
    QString keyVariable;                           ///< the usual environment variable: "OPENAI_API_KEY"
    bool needsKey = true;
    std::vector<std::pair<QByteArray, QByteArray>> headers; ///< sent with every request: "anthropic-version"
    QString chatPath = QStringLiteral("chat/completions");
    QString modelsPath = QStringLiteral("models"); ///< empty: no listing
    QString apiVersion;                            ///< Azure: the usual api-version; empty elsewhere
    Quirks quirks;
    bool operator==(const ProviderProfile&) const = default;
};

/// All known providers. A value type; any thread.
class Catalogue
{
public:
    struct Loaded;
    /// {"format": "switchgear-providers/1", "providers": [{…}]}; fields as ProviderProfile's in snake_case, "extends"
    /// names an entry before it whose fields are taken over. Entries that cannot be used are left out and named.
    static Loaded load(const QByteArray& json);
    /// What ships with the product (resources/providers.json).
    static const Catalogue& builtIn();

    const ProviderProfile* find(std::string_view id) const; ///< null when unknown; valid until the catalogue changes
    void add(ProviderProfile profile);                      ///< replaces one with the same id
    const std::vector<ProviderProfile>& all() const { return profiles_; }

private:
    std::vector<ProviderProfile> profiles_;
};

struct Catalogue::Loaded
{
    Catalogue catalogue;
    QStringList findings; ///< sentences for people
};

} // namespace sg::provider
