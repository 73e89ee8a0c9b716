// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"
#include "core/workspace/lint.h"
#include "core/workspace/version_store.h"

#include <QObject>
#include <QStringList>

#include <functional>

namespace sg::ui {

/// What serves, as the editor sees it. GUI thread; nothing waits.
class ServingControl : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    struct Applied
    {
        workspace::VersionInfo version; ///< number 0: it serves, but is not kept as a version
        QString notKept{};              ///< why
    };
    using Done = std::function<void(const tl::expected<Applied, QString>&)>;

    virtual workspace::WorkspacePtr serving() const = 0;
    /// Number 0: as the file was opened or, with a time, applied then and not kept.
    virtual workspace::VersionInfo version() const = 0;
    virtual std::vector<workspace::VersionInfo> versions() const = 0; ///< this environment's, newest first
    virtual tl::expected<workspace::WorkspacePtr, QString> read(int version) const = 0;

    /// Saves and serves; one swap for all chains, requests under way end on the old ones. `done` once; an error says
    /// why nothing was changed. What serves is of this environment, whatever the draft says.
    virtual void apply(workspace::WorkspacePtr draft, const QString& note, Done done) = 0;
    virtual tl::expected<void, QString> saveDraft(const workspace::Workspace& draft) = 0;

    virtual QString file() const = 0; ///< where it is saved; empty: nowhere yet (practice)
    virtual QString environment() const = 0;
    virtual QStringList environments() const = 0; ///< the file's own first
    /// Where applied changes are kept in the file: in this environment's part alone, or each where its field stands
    /// now, which as a rule all environments share.
    virtual bool changesOnlyHere() const = 0;
    virtual void setChangesOnlyHere(bool onlyHere) = 0;
    /// The other environments of the file that become others too when `draft` is applied.
    virtual QStringList environmentsChangedBy(const workspace::Workspace& draft) const = 0;
    virtual const cost::PriceBook& prices() const = 0;
    virtual workspace::LintFacts lintFacts() const = 0; ///< prices and keys as known now

Q_SIGNALS:
    void servingChanged();
    void factsChanged(); ///< keys or prices: lint again
};

} // namespace sg::ui
