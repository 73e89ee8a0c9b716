// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/workspace_file.h"

#include <QJsonObject>
#include <QStringList>

namespace sg::workspace {

/// A workspace file as it is kept: what all environments share, and what is other in each ("environments": {"staging":
/// {…}}, laid over the shared part field by field; lists of named things by name). A value; any thread.
class Document
{
public:
    /// `environment` empty: the one the file names. One that the file does not have is an error.
    static tl::expected<Document, Findings> open(const QString& path, const QString& environment = {});
    static tl::expected<Document, Findings> parse(const QByteArray& json, const QString& environment = {});

    const QByteArray& bytes() const { return bytes_; }        ///< as read
    const Workspace& workspace() const { return workspace_; } ///< with the environment laid over
    const Findings& warnings() const { return warnings_; }
    const QString& environment() const { return environment_; }
    QStringList environments() const;                  ///< those the file knows; never empty
    int migratedFrom() const { return migratedFrom_; } ///< the file's version when it was older than ours, else 0

    enum class Scope {
        WhereSet, ///< each field where it stands now: in the environment's part if that has it, else in the shared one
        ThisEnvironment, ///< all changes in the environment's part
    };
    /// The file's text with the changes from workspace() to `now` in it and everything else as it was. Without a change
    /// these are bytes() themselves. Reading it again in this environment gives `now`, as far as a file can say it: of
    /// a field out of bounds its default, of an address no password. In a file with several environments
    /// `now.environment` is not looked at. What is renamed or removed in the shared part is so in all environments.
    QByteArray bytesFor(const Workspace& now, Scope scope = Scope::WhereSet) const;

private:
    QByteArray bytes_;
    QJsonObject file_;
    Workspace workspace_;
    Findings warnings_;
    QString environment_;
    int migratedFrom_ = 0;
};

/// The text of a file with nothing in it but three environments to fill.
QByteArray newWorkspaceFile(const QString& name);

/// Atomically, as saveWorkspace; a file of an older version is first copied to "NAME.v1.bak".
tl::expected<void, QString> saveDocument(const Document& document, const Workspace& now, const QString& path,
                                         Document::Scope scope = Document::Scope::WhereSet);

} // namespace sg::workspace
