// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"
#include "core/workspace/model.h"

#include <tl/expected.hpp>

namespace sg::workspace {

struct Loaded
{
    Workspace workspace;
    std::vector<Finding> warnings; ///< unknown fields and the like
};

/// All errors at once, not only the first.
using LoadResult = tl::expected<Loaded, std::vector<Finding>>;
/// In the environment that the file names.
LoadResult loadWorkspace(const QString& path);
LoadResult parseWorkspace(const QByteArray& json);

/// What can be understood of a file, right or not: drafts are unfinished. What has a wrong type or a value out of
/// bounds has its default instead.
struct ReadResult
{
    Workspace workspace;
    Findings findings;       ///< errors and warnings, in the order of the file
    bool isWorkspace = true; ///< false: no JSON or another version; then the workspace is empty
};
ReadResult readWorkspace(const QByteArray& json);

/// Of one environment, as it is laid over: a file with several is written by saveDocument().
QByteArray toJson(const Workspace& workspace);
QJsonObject toJsonObject(const Workspace& workspace);
/// JSON Schema of the file (draft 2020-12), for editors of text.
QByteArray workspaceSchema();

/// Atomically; on failure the old file stays as it was and the error says why ("no space left on device") and what to
/// do.
tl::expected<void, QString> saveWorkspace(const Workspace& workspace, const QString& path);
/// The same with bytes that are a workspace's.
tl::expected<void, QString> saveBytes(const QByteArray& json, const QString& path);

} // namespace sg::workspace
