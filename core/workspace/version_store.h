// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"
#include "core/workspace/model.h"

#include <QByteArray>
#include <QDateTime>
#include <QStringList>

#include <optional>
#include <tl/expected.hpp>
#include <vector>

namespace sg::workspace {

/// One applied version of a workspace.
struct VersionInfo
{
    int number = 0;    ///< from 1, never given twice
    QDateTime applied; ///< UTC
    QString environment;
    QString note; ///< "Rolled back to v12"
    bool operator==(const VersionInfo&) const = default;
};

/// A draft that was not applied.
struct KeptDraft
{
    QByteArray json;
    bool isFileOther = false; ///< the file is not the one it began with
};

/// What was applied, the newest 50 versions, and the draft that was not applied yet, one for each environment; for each
/// workspace file a folder below `root`, which is made when it is needed. Files hold no keys and can be read by their
/// owner only. Errors are sentences with a full stop. GUI or any one thread; blocks.
class VersionStore
{
public:
    VersionStore(QString root, const QString& workspaceFile);

    std::vector<VersionInfo> versions() const; ///< newest first; empty: nothing was applied yet
    /// Entries that versions() leaves out because they cannot be read, a sentence each; empty: all are fine.
    QStringList problems() const;
    /// With the time of now. A text that holds a key, or that is no JSON object, is refused.
    tl::expected<VersionInfo, QString> add(const QByteArray& json, const QString& environment, const QString& note);
    tl::expected<QByteArray, QString> read(int number) const; ///< the workspace's JSON, environment laid over

    /// The environment's draft beside them: saved with the bytes of the file it began with, so that a file changed
    /// since is noticed.
    tl::expected<void, QString> saveDraft(const QByteArray& json, const QString& environment,
                                          const QByteArray& fileBytes);
    std::optional<KeptDraft> draftOf(const QString& environment, const QByteArray& fileBytes) const;
    void dropDraft(const QString& environment);
    /// In the place of what is kept there. Without one of `from` nothing happens.
    void moveDraft(const QString& from, const QString& to);

    const QString& folder() const { return folder_; }

private:
    QString folder_;
};

} // namespace sg::workspace
