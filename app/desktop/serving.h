// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/session/session.h"
#include "core/workspace/version_store.h"
#include "ui/edit/serving.h"

#include <QFileSystemWatcher>
#include <QTemporaryDir>

namespace sg::app {

/// An open session as editors see it: what serves, how it is saved, the versions from before. GUI thread.
class DesktopServing final : public ui::ServingControl
{
    Q_OBJECT
public:
    /// `session` outlives it. Versions and drafts are kept below `dataFolder`; those of a workspace without a file only
    /// as long as this.
    DesktopServing(Session& session, const QString& dataFolder, QObject* parent = nullptr);

    /// Where the program keeps versions and drafts.
    static QString standardFolder();

    workspace::WorkspacePtr serving() const override { return session_.workspacePointer(); }
    workspace::VersionInfo version() const override { return version_; }
    std::vector<workspace::VersionInfo> versions() const override;
    tl::expected<workspace::WorkspacePtr, QString> read(int version) const override;
    void apply(workspace::WorkspacePtr draft, const QString& note, Done done) override;
    tl::expected<void, QString> saveDraft(const workspace::Workspace& draft) override;
    QString file() const override { return file_; }
    QString environment() const override;
    QStringList environments() const override;
    bool changesOnlyHere() const override { return onlyHere_; }
    void setChangesOnlyHere(bool onlyHere) override { onlyHere_ = onlyHere; }
    QStringList environmentsChangedBy(const workspace::Workspace& draft) const override;
    const cost::PriceBook& prices() const override { return session_.prices(); }
    workspace::LintFacts lintFacts() const override;

    /// A workspace in another file, with everything else that stands in this one.
    tl::expected<void, QString> saveAs(const workspace::Workspace& workspace, const QString& file) const;

    /// Whose keys lintFacts() tells; what serves unless set otherwise.
    std::function<workspace::WorkspacePtr()> judged;

    struct Kept
    {
        workspace::WorkspacePtr workspace;
        bool isFileOther = false; ///< the file was changed since
    };
    /// The draft that was left for this environment; nothing when there is none, or it cannot be read any more.
    std::optional<Kept> keptDraft() const;
    void dropDraft(); ///< the one that saveDraft() writes
    /// Out of the way of saveDraft(), for a draft that is still offered.
    void putDraftAside();
    std::optional<Kept> draftAside() const;
    void dropDraftAside();

    /// The file is not what was read or saved last; one that is gone counts.
    bool isOtherOnDisk() const;
    /// From now on the file as it is on disk is what changes are laid into. The error says why that cannot be.
    tl::expected<void, QString> keepMine();

Q_SIGNALS:
    void otherOnDisk();

private:
    workspace::Document::Scope scope() const;
    QString asideName() const;
    std::optional<Kept> draftOf(const QString& name) const;
    tl::expected<void, QStringList> save(const workspace::Workspace& workspace);
    void onServes(const workspace::WorkspacePtr& before, const QString& note, const Done& done);
    void watch();

    Session& session_;
    QString file_; ///< empty: a resource or a script, which nothing is saved into
    std::optional<workspace::Document> document_;
    std::unique_ptr<QTemporaryDir> ownFolder_;
    workspace::VersionStore store_;
    workspace::VersionInfo version_;
    bool onlyHere_ = false;
    QFileSystemWatcher watcher_;
};

} // namespace sg::app
