// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/plan.h"

#include <QByteArray>
#include <QStringList>

#include <tl/expected.hpp>

/// A plan as another load generator runs it, for loads that need many machines. Pure; never holds a key.
namespace sg::load {

/// The server that is asked, in OpenAI's form: a gateway, so that the chain is in the way.
struct ExportTarget
{
    QString baseUrl;                                        ///< with its "/v1": "http://127.0.0.1:8787/v1"
    QString model;                                          ///< a chain's name, where the server is a gateway
    QString keyVariable = QStringLiteral("OPENAI_API_KEY"); ///< environment variable that the script reads the key from
};

struct ExportedPlan
{
    QByteArray text;
    QStringList lost; ///< the manifest: what the other generator does otherwise or not at all, a sentence each
};
/// The error is a sentence with its remedy: this load has no counterpart there.
using Exported = tl::expected<ExportedPlan, QString>;

Exported k6Of(const LoadPlan& plan, const ExportTarget& target);            ///< a script with its options
Exported locustOf(const LoadPlan& plan, const ExportTarget& target);        ///< a locustfile.py
Exported inferencePerfOf(const LoadPlan& plan, const ExportTarget& target); ///< a config.yml

} // namespace sg::load
