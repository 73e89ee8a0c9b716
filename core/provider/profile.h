// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/dialect.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

/// What is known of a provider, as data: a new OpenAI-compatible one is an entry of a file, not code.
namespace sg::provider {

/// Where a compatible provider differs from OpenAI in what it accepts.
struct Quirks
{
    /// "max_tokens" or "max_completion_tokens": whichever of them a request says is sent under this name. Empty: as the
    /// request says it, max_tokens where it does not say.
    QString maxTokensField;
    bool streamUsage = true;    ///< knows stream_options.include_usage; without it usage is asked for in no way
    bool jsonMode = true;       ///< knows response_format {"type": "json_object"}
    bool developerRole = false; ///< knows the role "developer"; others are told the same as "system"
    bool shortCallIds = false;  ///< refuses ids of tool calls that are not nine letters and digits
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
    /// Below the base and its version; with a slash before it below the base as it is. "{model}" stands for the model,
    /// percent-encoded; may end in a query.
    QString chatPath = QStringLiteral("chat/completions");
    QString modelsPath = QStringLiteral("models"); ///< likewise; empty: no listing
    QString apiVersion;                            ///< Azure: the usual api-version; empty elsewhere
    Quirks quirks;
    bool operator==(const ProviderProfile&) const = default;
};

/// Something wrong with an entry. The two sentences end without a full stop.
struct ProfileFinding
{
    bool isFatal = true; ///< the entry cannot be used; otherwise the field is passed over
    QString field;       ///< as "quirks.stream_usage"
    QString problem, remedy;
};

/// All known providers. A value type; any thread.
class Catalogue
{
public:
    struct Loaded;
    /// {"format": "switchgear-providers/1", "providers": [{…}]}; fields as ProviderProfile's in snake_case (headers is
    /// an object of texts). "extends" names an entry before it whose fields are taken over; without it those of the
    /// entry are that is named as the "dialect". Entries that cannot be used are left out and named.
    static Loaded load(const QByteArray& json);
    /// One entry as load() reads it, over the entries that are here; nothing when a finding is fatal.
    std::optional<ProviderProfile> read(const QJsonObject& entry, std::vector<ProfileFinding>& findings) const;
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
