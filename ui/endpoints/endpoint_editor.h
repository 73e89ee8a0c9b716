// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/secrets/key_control.h"
#include "core/workspace/finding.h"
#include "ui/edit/draft.h"
#include "ui/edit/serving.h"

#include <QStringList>
#include <QTimer>

namespace sg::ui {

/// The endpoints of the draft being edited: which one is in front, what is wrong with them, what can be done. Table and
/// form work on this and listen to it; neither keeps a state of its own. GUI thread.
class EndpointEditor : public QObject
{
    Q_OBJECT
public:
    /// All outlive it.
    EndpointEditor(Draft& draft, ServingControl& serving, secrets::KeyControl& keys, QObject* parent = nullptr);

    Draft& draft() { return draft_; }
    ServingControl& serving() { return serving_; }
    secrets::KeyControl& keys() { return keys_; }
    const workspace::Workspace& workspace() const { return draft_.workspace(); }

    const std::string& selectedName() const { return selected_; }
    const workspace::Endpoint* selected() const; ///< null: there is none
    void select(const std::string& name);        ///< one that is not there changes nothing

    /// Of the endpoint in front. `field` names what is typed in: edits of one field in a row are one command.
    void edit(const QString& words, const QString& field, const std::function<void(workspace::Endpoint&)>& change);
    void closeMerge() { draft_.closeMerge(); } ///< the field was left
    /// Why the endpoint in front cannot be called so; empty when it can.
    QString nameProblem(const QString& name) const;
    void rename(const QString& name);

    /// Each is one command and selects what it made; answers the new name.
    std::string addOf(const QString& provider);
    std::string addSimulated();
    std::string duplicate();
    /// Removes the one in front; answers what that did, in a sentence.
    QString remove();
    /// "Also takes a tier out of prod-chat and batch." Empty: no chain uses it.
    QString removalEffect() const;

    /// Of the whole draft, made a moment after the last change.
    const workspace::Findings& findings() const { return findings_; }
    void setActive(bool active); ///< nobody looks: nothing is checked until somebody does
    void lintNow();
    void applyFix(const workspace::Finding& finding);

Q_SIGNALS:
    void changed(); ///< the draft, keys or prices
    void selectionChanged();
    void findingsChanged();

private:
    void onDraft();
    void followSelection();
    void lintSoon();
    std::string addAndSelect(const QString& words, workspace::Endpoint endpoint);
    workspace::KeyRef firstKeyOf(const provider::ProviderProfile& profile, const std::string& name) const;

    Draft& draft_;
    ServingControl& serving_;
    secrets::KeyControl& keys_;
    std::string selected_;
    std::size_t selectedAt_ = 0;
    std::vector<std::string> names_; ///< as of the last change, to see what came and went
    workspace::Findings findings_;
    QTimer lint_;
    bool isActive_ = false, needsLint_ = true;
};

} // namespace sg::ui
