// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/watch.h"
#include "ui/main_window/page.h"
#include "ui/playground/recorded_view.h"
#include "ui/playground/side_by_side.h"
#include "ui/playground/waterfall.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <memory>

class QAction;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace sg::ui {

class Banner;
class EmptyState;
class ExplanationView;
class HeadersView;
class Legend;
class Panel;
class PartsBand;
class Preferences;
class PromptForm;
class ResponseView;
class WaterfallView;

/// One request, watched: what is asked, what comes back and the way it took. Ctrl+Enter sends, Esc cancels. Asks for
/// the request's picture 15 times a second while it runs and the page is on screen.
class PlaygroundPage : public QWidget, public Page
{
    Q_OBJECT
public:
    /// `preferences` keep the draft between starts; null: it lasts as long as the page. Both outlive the page.
    PlaygroundPage(ThemeContext& context, engine::WatchControl& control, Preferences* preferences = nullptr,
                   QWidget* parent = nullptr);
    ~PlaygroundPage() override;

    QString id() const override { return QStringLiteral("playground"); }
    QString title() const override { return tr("Playground"); }
    QString icon() const override { return QStringLiteral("playground"); }
    QWidget* widget() override { return this; }
    /// A request has pictures of its own, which the page fetches itself.
    void setSnapshot(const observe::SnapshotPtr&, std::int64_t) override {}
    void setNarrow(bool narrow) override;
    std::vector<PaletteCommand> paletteCommands() override;

    void send();
    void sendAgain();
    void sendToAll();
    void cancel();
    bool isRunning() const;
    void reloadTargets(); ///< chains or endpoints have changed
    void poll();          ///< fetches the pictures now
    void openRecorded(const QString& path);
    /// What recorded answers are priced with; null: no prices are known. Files opened from now on.
    void setPrices(std::shared_ptr<const cost::PriceBook> prices) { prices_ = std::move(prices); }
    void closeRecorded();
    void setHeadersShown(bool shown);
    PromptForm* form() const { return form_; }
    engine::WatchViewPtr shownView() const { return shown_; }

    /// Ask for a file; empty = none. Tests put their own.
    std::function<QString(QWidget*)> askRecorded;
    std::function<QString(QWidget*, const QString&)> askSavePath;

Q_SIGNALS:
    void addEndpointRequested();
    void simulatorRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makePrompt();
    QWidget* makeResponse();
    QWidget* makeHeaders();
    QWidget* makeAttempts();
    QWidget* makeActions();
    QWidget* makeExplanation();
    void wire();
    QAction* shortcut(const QString& text, const QList<QKeySequence>& keys, void (PlaygroundPage::*what)());

    void start(const engine::CallTarget& target, const provider::ChatRequest& request);
    void forgetAll();
    void showRun(std::uint64_t id);
    void showShown();
    void showEmpty();
    void showButtons();
    void selectAttempt(int number);
    void askAndOpen();
    void takeRecorded(tl::expected<RecordedView, QString> read);
    void showRecorded();
    void copyCurl();
    void save();
    void saveExplanation();
    void keepDraft();
    int attempt() const; ///< the one looked at

    ThemeContext& context_;
    engine::WatchControl& control_;
    Preferences* preferences_;
    QTimer timer_{this}, draftTimer_{this};
    QByteArray draftKept_;
    std::uint64_t shownId_ = 0;
    engine::WatchViewPtr shown_;
    std::vector<SideBySide::Run> runs_; ///< one, or one for each endpoint
    bool isSideBySide_ = false;
    std::optional<std::pair<engine::CallTarget, provider::ChatRequest>> last_;
    waterfall::Surroundings surroundings_;
    std::optional<engine::WatchEstimate> other_; ///< what the answer would cost elsewhere
    engine::WatchViewPtr otherOf_;
    int chosenAttempt_ = 0;                         ///< 0: the main one
    std::shared_ptr<const cost::PriceBook> prices_; ///< shared with the thread that reads a file
    std::optional<RecordedView> recorded_;
    int reading_ = 0; ///< counts files, so that only the latest is shown
    bool headersWanted_ = true, isNarrow_ = false;

    static constexpr int kExplanationPage = 2; ///< of bottom_
    QStackedWidget *stack_ = nullptr, *bottom_ = nullptr, *attemptsStack_ = nullptr;
    Banner* banner_ = nullptr;
    EmptyState* nothing_ = nullptr;
    PromptForm* form_ = nullptr;
    ResponseView* response_ = nullptr;
    HeadersView* headers_ = nullptr;
    ExplanationView* explanation_ = nullptr;
    Panel *headersPanel_ = nullptr, *attemptsPanel_ = nullptr, *allPanel_ = nullptr, *explanationPanel_ = nullptr;
    WaterfallView* waterfall_ = nullptr;
    PartsBand* band_ = nullptr;
    Legend* legend_ = nullptr;
    SideBySide* all_ = nullptr;
    QLabel* noAttempts_ = nullptr;
    QPushButton *headersButton_ = nullptr, *curl_ = nullptr, *save_ = nullptr, *again_ = nullptr, *toAll_ = nullptr,
                *toTable_ = nullptr;
    QAction *cancelAction_ = nullptr, *closeAction_ = nullptr;
};

} // namespace sg::ui
