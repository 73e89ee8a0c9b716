// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/edit/draft.h"
#include "ui/edit/serving.h"
#include "ui/theme/theme.h"
#include "ui/widgets/banner.h"

#include <QPointer>
#include <QTimer>

namespace sg::ui {

/// The way of a draft into service and back: a draft with errors stays out, production asks first and may go back by
/// itself, what came of it stands in the banners with the way back. One for all pages. GUI thread.
class ApplyFlow : public QObject
{
    Q_OBJECT
public:
    /// All outlive it; the banner's actions are its own.
    ApplyFlow(ThemeContext& context, Draft& draft, ServingControl& serving, Banner& banner);

    ThemeContext& context() const { return context_; }
    Draft& draft() const { return draft_; }
    ServingControl& serving() const { return serving_; }
    void addBanner(Banner& banner) { banners_.push_back(&banner); } ///< of another page

    bool hasChanges() const { return *draft_.pointer() != *serving_.serving(); }
    bool isBusy() const { return isBusy_; }
    /// When what serves goes back by itself, as a clock shows it; empty: it does not.
    QString goesBackAt() const;
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
    bool needsQuestion(const QStringList& alsoChanged) const;
    void ask(const QString& note, const QStringList& alsoChanged);
    void send(workspace::WorkspacePtr what, const QString& note, std::optional<std::chrono::minutes> backAfter);
    void onDone(const tl::expected<ServingControl::Applied, QString>& result,
                std::optional<std::chrono::minutes> backAfter);
    void goBackByItself();
    void follow(); ///< another workspace serves
    void sayApplied(const ServingControl::Applied& applied);
    void say(const QString& words, const std::vector<Banner::Way>& ways = {}, Banner::Tone tone = Banner::Tone::Alarm);

    ThemeContext& context_;
    Draft& draft_;
    ServingControl& serving_;
    std::vector<QPointer<Banner>> banners_;
    observe::SnapshotPtr snapshot_;
    QTimer back_; ///< production goes back unless it is kept
    workspace::WorkspacePtr backFrom_;
    bool isBusy_ = false;
};

/// The errors that keep a workspace out of service, the first few, a line each; empty: there are none.
QString errorsIn(const workspace::Workspace& workspace, const workspace::LintFacts& facts);
/// "v14"; for number 0 "the file as it was opened", or when it was applied.
QString versionWords(const workspace::VersionInfo& version);
QString changesWords(int count); ///< "3 changes"

} // namespace sg::ui
