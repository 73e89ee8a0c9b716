// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/desktop/exchange.h"
#include "app/desktop/gateway_keeper.h"
#include "app/desktop/serving.h"
#include "core/engine/engine_tester.h"
#include "core/engine/watcher.h"
#include "core/history/run_store.h"
#include "core/load/series_session.h"
#include "core/load/session.h"
#include "ui/edit/draft.h"
#include "ui/main_window/main_window.h"

#include <QTimer>

#include <thread>

namespace sg::ui {
class ChainsPage;
class EndpointsPage;
class GatewayPage;
class LoadPage;
class OverviewPage;
class PlaygroundPage;
} // namespace sg::ui

namespace sg::app {

/// The engine's pictures as the window takes them.
class EngineSource final : public ui::SnapshotSource
{
public:
    explicit EngineSource(engine::Engine& engine)
        : engine_(engine)
    {
    }
    observe::SnapshotPtr latest() override { return engine_.latest(); }
    void setWindow(Nanos window) override { engine_.setWindow(window); }

private:
    engine::Engine& engine_;
};

/// Where sessions, and what has threads beside them, end: they may be in the middle of something, and the GUI thread
/// does not wait for them.
class Retirement
{
public:
    Retirement() = default;
    Retirement(const Retirement&) = delete;
    Retirement& operator=(const Retirement&) = delete;
    ~Retirement();
    void take(Session* session);
    void take(history::RunStore* runs);
    void take(load::SeriesSession* series);

private:
    void end(const std::function<void()>& ending);
    std::vector<std::thread> threads_;
};

/// What the Retirement takes when its owner goes.
template <typename T>
using Retiring = std::unique_ptr<T, std::function<void(T*)>>;

/// Everything of one open workspace: what serves it, its draft, its window. GUI thread.
class Desk : public QObject
{
    Q_OBJECT
public:
    using MakeGateway = std::function<std::unique_ptr<gateway::Control>(Session&)>;
    Desk(std::unique_ptr<Session> opened, const std::shared_ptr<Retirement>& retirement, const QString& dataFolder,
         ui::Preferences* preferences, const MakeGateway& makeGateway);
    ~Desk() override; ///< keeps the draft

    Session& session() { return *session_; }
    DesktopServing& serving() { return serving_; }
    ui::Draft& draft() { return draft_; }
    load::LoadSession& loads() { return loads_; }
    ui::MainWindow& window() { return window_; }
    ui::OverviewPage* overview() const { return overview_; }
    ui::PlaygroundPage* playground() const { return playground_; }
    ui::ChainsPage* chains() const { return chains_; }
    ui::EndpointsPage* endpoints() const { return endpoints_; }
    Exchange& exchange() { return exchange_; }
    GatewayKeeper& gateway() { return gateway_; }
    ui::GatewayPage* gatewayPage() const { return gatewayPage_; }

    bool hasUnappliedDraft() const { return !(*draft_.pointer() == *serving_.serving()); }
    /// Keeps the draft beside the file for the next start, or drops what was kept when nothing is left to apply. The
    /// error is a sentence.
    tl::expected<void, QString> keepDraft();
    /// What is lost when the workspace is left now, a sentence; empty: nothing.
    QString lossOnLeaving() const;
    /// Asks before something is lost; `then` at once when nothing is.
    void askToLeave(const std::function<void()>& then);
    void addEndpoint(); ///< on its page
    void keep(std::shared_ptr<void> traffic) { traffic_ = std::move(traffic); }

Q_SIGNALS:
    void simulatorRequested();
    void reloadRequested(); ///< the file is another one on disk and its version is wanted
    void environmentRequested(const QString& environment);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addPages(ui::Preferences* preferences);
    void wire();
    void wireGateway();
    void useTransport(http::TransportKind kind); ///< for requests that begin from now on
    void follow();                               ///< another workspace serves
    void describeGateway();
    void saveNow();
    void autosave();
    void sayNotKept(const QString& why);
    void tellProblems();
    void findDraft(); ///< to offer
    void offerDraft();
    void tellOtherOnDisk();
    QString problems() const;

    Retiring<Session> session_;
    EngineSource source_;
    engine::Watcher watcher_;
    load::LoadSession loads_;
    Retiring<load::SeriesSession> series_;
    engine::EngineOptions seriesEngine_;  ///< of the engines of a series
    Retiring<history::RunStore> history_; ///< of runs
    engine::EngineTester tester_;
    GatewayKeeper gateway_;
    DesktopServing serving_;
    ui::Draft draft_;
    std::optional<DesktopServing::Kept> offered_; ///< a draft from before that was neither taken up nor dropped
    QTimer autosave_;
    bool isOfferedAside_ = false; ///< where another draft does not write over it
    bool isNotKeptTold_ = false;
    bool mayClose_ = false; ///< what is lost by it was said
    ui::MainWindow window_;
    Exchange exchange_;
    ui::OverviewPage* overview_ = nullptr; ///< the window's, as the others
    ui::PlaygroundPage* playground_ = nullptr;
    ui::ChainsPage* chains_ = nullptr;
    ui::LoadPage* load_ = nullptr;
    ui::EndpointsPage* endpoints_ = nullptr;
    ui::GatewayPage* gatewayPage_ = nullptr;
    QString told_; ///< what the banner was given about keys and files
    std::shared_ptr<void> traffic_;
};

/// The first few lines for a banner.
QString bannerText(const QStringList& lines);

} // namespace sg::app
