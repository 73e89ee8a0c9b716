// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/edit/draft.h"
#include "ui/edit/serving.h"
#include "ui/theme/theme.h"

#include <QPointer>
#include <QTimer>

namespace sg::ui {

class Banner;

/// The way of a draft into service and back: a draft with errors stays out, production asks first and may go back by
/// itself, what came of it stands in the banner with the way back. One per page. GUI thread.
class ApplyFlow : public QObject
{
    Q_OBJECT
public:
    /// All outlive it; the banner's actions are its own.
    ApplyFlow(ThemeContext& context, Draft& draft, ServingControl& serving, Banner& banner);

    bool hasChanges() const { return *draft_.pointer() != *serving_.serving(); }
    bool isBusy() const { return isBusy_; }
    /// The version that one click goes back to; 0: there is none.
    int versionBefore() const;
    /// For the words of the question in production; null: not known.
    void setSnapshot(const observe::SnapshotPtr& snapshot) { snapshot_ = snapshot; }

    void apply(const QString& note = {});
    void rollBack() { rollBackTo(versionBefore()); }
    /// The draft becomes that version, which can be undone, and serves at once.
    void rollBackTo(int version);

Q_SIGNALS:
    void changed(); ///< busy or not
    void applied(const sg::workspace::VersionInfo& version);

private:
    void ask(const QString& note);
    void send(const QString& note, std::optional<std::chrono::minutes> backAfter);
    void onDone(const tl::expected<workspace::VersionInfo, QString>& result,
                std::optional<std::chrono::minutes> backAfter);
    void sayApplied(const workspace::VersionInfo& version);
    void sayErrors(const workspace::Findings& errors);

    ThemeContext& context_;
    Draft& draft_;
    ServingControl& serving_;
    Banner& banner_;
    observe::SnapshotPtr snapshot_;
    QTimer back_; ///< production goes back unless it is kept
    int backFrom_ = 0;
    bool isBusy_ = false;
};

/// "v14", or "the file as it was opened" for number 0.
QString versionWords(const workspace::VersionInfo& version);
QString changesWords(int count); ///< "3 changes"

} // namespace sg::ui
