// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"
#include "core/workspace/finding.h"
#include "core/workspace/model.h"

#include <tl/expected.hpp>

/// LiteLLM's proxy configuration (config.yaml), in and out. What the other side has no word for is a note, never left
/// out in silence. Field names: docs.litellm.ai, "Config Settings" and "Routing".
namespace sg::workspace {

struct LiteLlmImport
{
    Workspace workspace; ///< one endpoint for each deployment, one chain for each model name; a draft, not checked
    Findings notes;      ///< errors: left out; warnings: carried over as something else; notes: without a counterpart
};

struct LiteLlmOptions
{
    QString name; ///< of the workspace
    /// Values of environment variables, asked only for addresses ("api_base: os.environ/…"); empty: none are known.
    std::function<std::optional<QString>(const QString&)> variable{};
};

/// A finding when the text is no configuration of LiteLLM. Keys in the file are not read: their endpoints name a
/// keychain entry instead, and a note says so.
tl::expected<LiteLlmImport, Finding> importLiteLlm(const QByteArray& yaml, const LiteLlmOptions& options = {});

struct LiteLlmExport
{
    QByteArray yaml; ///< begins with the notes as comments
    Findings notes;
};

/// One chain as model_list and router_settings: its first step takes the chain's name, the others follow as fallbacks.
/// Nothing for a chain that is not there.
std::optional<LiteLlmExport> exportLiteLlm(const Workspace& workspace, const std::string& chain,
                                           const cost::PriceBook* prices = nullptr);

} // namespace sg::workspace
