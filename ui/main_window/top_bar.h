// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <optional>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace sg::ui {

class GatewayChip;
class GatewayFeed;
class Segments;

/// Whose traffic this is, where it goes, and how much of it one looks at.
class TopBar : public QWidget
{
    Q_OBJECT
public:
    explicit TopBar(ThemeContext& context, QWidget* parent = nullptr);

    void setSnapshot(const observe::Snapshot& snapshot);
    void setGateway(GatewayFeed& feed); ///< once
    /// `pausedAtUnixMs` empty: live.
    void setClock(std::int64_t nowUnixMs, std::optional<std::int64_t> pausedAtUnixMs, std::int64_t newEvents);
    /// What can be worked on; with more than one the label becomes a choice.
    void setEnvironments(QStringList environments, const QString& current);
    void setNarrow(bool isNarrow);
    Segments& ranges() { return *ranges_; }
    QPushButton& liveButton() { return *live_; }
    GatewayChip& gatewayChip() { return *gatewayChip_; } ///< hidden while there is no gateway
    static Nanos rangeAt(int index);                     ///< 5 min, 15 min, 1 h, 6 h, 24 h

Q_SIGNALS:
    void rangeSelected(int index);
    void liveToggled();
    void findRequested();
    void environmentSelected(const QString& environment); ///< another one than the current
    void gatewayPressed();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makePracticeChip();
    void dress();
    void fit();
    void showEnvironment(const QString& environment);

    ThemeContext& context_;
    QString workspaceName_;
    QLabel* workspace_;
    QLabel* environment_;
    Segments* choice_ = nullptr; ///< null: there is one environment only
    QHBoxLayout* row_ = nullptr;
    GatewayChip* gatewayChip_;
    QWidget* practiceChip_;
    QLabel* practiceIcon_;
    QLabel* practiceWords_;
    QPushButton* find_;
    Segments* ranges_;
    QPushButton* live_;
    bool isNarrow_ = false;
};

} // namespace sg::ui
