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
LoadResult loadWorkspace(const QString& path);
LoadResult parseWorkspace(const QByteArray& json);
QByteArray toJson(const Workspace& workspace);
/// Atomically; on failure the old file stays as it was and the error says why ("no space left on device") and what to
/// do.
tl::expected<void, QString> saveWorkspace(const Workspace& workspace, const QString& path);

} // namespace sg::workspace
