// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/gateway/gateway_feed.h"
#include "ui/main_window/page.h"
#include "ui/main_window/snapshot_source.h"
#include "ui/main_window/top_bar.h"
#include "ui/theme/theme.h"

#include <QMainWindow>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

class QStackedWidget;

namespace sg::ui {

class Banner;
class GatewayPanel;
class Preferences;
class Rail;
class RailButton;
class StatusStrip;

/// The desk: rail, top bar, the page in front, status line. Asks its source for a picture 15 times a second and hands
/// it to the page in front; paused, the page keeps the picture it had.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    struct Options
    {
        std::function<std::int64_t()> nowUnixMs; ///< empty: the wall clock
        QString version;
        bool isTicking = true;              ///< false: only tick() moves the window (tests, screenshots)
        Preferences* preferences = nullptr; ///< outlives the window; null: nothing is remembered
    };

    MainWindow(SnapshotSource& source, Options options);
    ~MainWindow() override;

    ThemeContext& theme() { return theme_; }
    /// Pages stand in the rail in the order they were added; `isFoot` puts one at its lower end.
    void addPage(std::unique_ptr<Page> page, bool isFoot = false);
    /// The settings page; last of all. `more`: as SettingsPage.
    void addSettings(QWidget* more = nullptr);
    const std::vector<std::unique_ptr<Page>>& pages() const { return pages_; }
    void showPage(const QString& id);
    QString currentPage() const;
    /// Outlives the window, or ends by itself; null: none.
    void setGateway(gateway::Control* control) { gateway_.setControl(control); }
    GatewayFeed& gateway() { return gateway_; }
    GatewayPanel& gatewayPanel() { return *gatewayPanel_; } ///< hidden until it is opened
    void openGateway();
    void setPaused(bool paused);
    bool isPaused() const { return pausedAt_.has_value(); }
    TopBar& topBar() { return *topBar_; }
    Banner& banner() { return *banner_; } ///< below the top bar; hidden while it says nothing
    /// One beat of the repaint timer.
    void tick();
    void openPalette();
    /// Lines for the command palette beside those of the pages.
    void setCommands(std::function<std::vector<PaletteCommand>()> commands) { commands_ = std::move(commands); }
    /// The focused chart's data as a table; does nothing elsewhere.
    void openData();
    /// Says what the focused figure or control means.
    void explainFocus();

Q_SIGNALS:
    /// From the gateway's panel: the field that is to be mended; empty: none in particular.
    void gatewaySettingsRequested(const QString& field);
    void transportChosen(http::TransportKind kind); ///< on the settings page

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeShortcuts();
    void recall();
    void remember();
    void applyTheme();
    void showIndex(int index);
    void showSnapshot();
    void countFrame(std::int64_t now);
    void nextRegion();
    void addGatewayCommands(std::vector<PaletteCommand>& all);
    std::vector<PaletteCommand> paletteCommands();
    std::int64_t now() const { return options_.nowUnixMs(); }

    SnapshotSource& source_;
    Options options_;
    ThemeContext theme_;
    GatewayFeed gateway_;
    TopBar* topBar_;
    Banner* banner_;
    Rail* rail_;
    QStackedWidget* stack_;
    StatusStrip* status_;
    GatewayPanel* gatewayPanel_ = nullptr;
    std::vector<std::unique_ptr<Page>> pages_;
    std::vector<RailButton*> buttons_;
    observe::SnapshotPtr snapshot_; ///< the one on screen
    std::optional<std::int64_t> pausedAt_;
    std::uint64_t eventsAtPause_ = 0;
    std::function<std::vector<PaletteCommand>()> commands_;
    QTimer timer_;
    std::int64_t framesSince_ = 0;
    int frames_ = 0;
    bool isNarrow_ = false;
};

} // namespace sg::ui
