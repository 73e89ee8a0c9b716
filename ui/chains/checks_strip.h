// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"
#include "ui/chains/chain_editor.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace sg::ui {

class CountsButton;
class StripText;

/// At the foot of the chain: what is wrong with the draft, one finding at a time, and the slowest way through the
/// chain.
class ChecksStrip : public QWidget
{
    Q_OBJECT
public:
    ChecksStrip(ThemeContext& context, ChainEditor& editor, QWidget* parent = nullptr);

    const workspace::Finding* current() const; ///< the one in view; null: none
    const StripText& finding() const { return *finding_; }
    const StripText& worst() const { return *worst_; }
    void next();
    void previous();
    void showAll();  ///< the full list
    void showPath(); ///< the slowest way, tier after tier
    QSize sizeHint() const override { return {1100, 86}; }

Q_SIGNALS:
    /// "Show" of a finding about an endpoint that no tier of the chain uses.
    void endpointWanted(const QString& name);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void build();
    QWidget* buildFinding();
    QWidget* buildWorst();
    void refreshFindings();
    void refreshFinding();
    void refreshWorst();
    void go(const workspace::Finding& finding);
    bool concernsShown(const workspace::Finding& finding) const;

    ThemeContext& context_;
    ChainEditor& editor_;
    workspace::Findings order_; ///< errors first, and those of the chain in front before others of a level
    std::size_t at_ = 0;
    CountsButton* counts_ = nullptr;
    StripText *finding_ = nullptr, *worst_ = nullptr;
    QPushButton *fix_ = nullptr, *show_ = nullptr, *path_ = nullptr;
    QToolButton *previous_ = nullptr, *next_ = nullptr;
    QLabel* place_ = nullptr;
};

} // namespace sg::ui
