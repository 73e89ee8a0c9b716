// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"
#include "core/workspace/edits.h"
#include "core/workspace/finding.h"
#include "ui/edit/draft.h"
#include "ui/edit/serving.h"

#include <QTimer>

#include <optional>

namespace sg::ui {

/// A node of the chain in front.
struct ChainNode
{
    enum class Kind { None, Limiter, Cache, Router, Tier };
    Kind kind = Kind::None;
    int tier = -1; ///< index in the chain, Kind::Tier only
    bool operator==(const ChainNode&) const = default;
    static ChainNode of(Kind kind) { return {kind, -1}; }
    static ChainNode ofTier(int tier) { return {Kind::Tier, tier}; }
};

/// One chain of the draft being edited: which one, what is selected, what can be done. Canvas, tree, palette and
/// inspector all work on this and listen to it; none of them keeps a state of its own. GUI thread.
class ChainEditor : public QObject
{
    Q_OBJECT
public:
    ChainEditor(Draft& draft, ServingControl& serving, QObject* parent = nullptr); ///< both outlive it

    Draft& draft() { return draft_; }
    ServingControl& serving() { return serving_; }

    const std::string& chainName() const { return chain_; }
    const workspace::Chain* chain() const; ///< null: the workspace has none
    void showChain(const std::string& name);

    ChainNode selected() const { return selected_; }
    void select(ChainNode node);
    std::vector<ChainNode> nodes() const;         ///< in the order of the way: limiter, cache, router, tiers
    const chain::TierSpec* tier(int index) const; ///< null: out of range
    const workspace::Endpoint* endpointOf(int tier) const;

    // What canvas, tree, palette and keys do; each is one undo command and selects what it made or moved.
    void insertEndpoint(const std::string& endpoint, int at);
    void insertCannedReply(int at);
    void moveTier(int from, int to); ///< merges while dragging: call Draft::closeMerge() at its end
    void addLimiter();
    void addCache();
    void addRouter();
    void splitWith(int tier, const std::string& endpoint); ///< a second endpoint beside it, half of the traffic each
    void remove(ChainNode node);
    void duplicate(ChainNode node);
    void setEnabled(int tier, bool enabled);

    // Forms. `field` names what is typed in: edits of one field in a row are one command.
    void editChain(const QString& words, const QString& field, const std::function<void(workspace::Chain&)>& change);
    void editTier(int tier, const QString& words, const QString& field,
                  const std::function<void(chain::TierSpec&)>& change);
    void editEndpoint(const std::string& name, const QString& words, const QString& field,
                      const std::function<void(workspace::Endpoint&)>& change);

    /// Of the whole draft, made a moment after the last change; empty until then.
    const workspace::Findings& findings() const { return findings_; }
    void lintNow();
    void applyFix(const workspace::Finding& finding);

Q_SIGNALS:
    void chainChanged(); ///< the draft, or which chain is in front
    void selectionChanged();
    void findingsChanged();

private:
    void insert(const QString& words, const chain::TierSpec& tier, int at);
    void onDraft();
    void keepSelection();

    Draft& draft_;
    ServingControl& serving_;
    std::string chain_;
    ChainNode selected_;
    workspace::Findings findings_;
    QTimer lint_;
};

} // namespace sg::ui
