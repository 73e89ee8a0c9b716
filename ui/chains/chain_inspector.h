// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/chains/chain_editor.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QCheckBox;
class QMenu;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace sg::ui {

class CacheForm;
class CannedRulesEditor;
class ChainForm;
class InspectorHead;
class LimiterForm;
class RouterForm;
class TierForm;

/// The form of what is selected in the chain: a tier, the canned reply, limiter, cache, router, or the chain itself.
class ChainInspector : public QWidget
{
    Q_OBJECT
public:
    ChainInspector(ThemeContext& context, ChainEditor& editor, QWidget* parent = nullptr);

    void setSnapshot(const observe::SnapshotPtr& snapshot);
    QWidget* page() const { return shown_; } ///< the form in view

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void build();
    void buildHead(QVBoxLayout* column);
    void buildPages();
    void connectPages();
    void fillMenu();
    void refresh();
    QWidget* pageFor(const ChainNode& node) const;
    void refreshPage(const workspace::Chain& chain);
    void refreshHead();
    void headOfTier(const chain::TierSpec& tier);
    const observe::EndpointView* live(const std::string& endpoint) const;

    ThemeContext& context_;
    ChainEditor& editor_;
    observe::SnapshotPtr snapshot_;
    InspectorHead* head_ = nullptr;
    QCheckBox* on_ = nullptr;
    QToolButton* more_ = nullptr;
    QMenu* menu_ = nullptr;
    QScrollArea* scroll_ = nullptr;
    QWidget* empty_ = nullptr;
    TierForm* tier_ = nullptr;
    CannedRulesEditor* canned_ = nullptr;
    LimiterForm* limiter_ = nullptr;
    CacheForm* cache_ = nullptr;
    RouterForm* router_ = nullptr;
    ChainForm* chain_ = nullptr;
    QWidget* shown_ = nullptr;
    ChainNode node_;
};

} // namespace sg::ui
