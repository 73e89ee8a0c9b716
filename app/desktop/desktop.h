// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/session/session.h"
#include "core/gateway/gateway_control.h"
#include "ui/main_window/palette_command.h"

#include <QObject>

class QWidget;

namespace sg::ui {
class CannotOpenWindow;
class ChainsPage;
class MainWindow;
class OverviewPage;
class Preferences;
} // namespace sg::ui

namespace sg::app {

class Desk;
class Retirement;

struct DesktopOptions
{
    SessionOptions session;
    bool practiceTraffic = false;
    bool isNew = false;        ///< the file is to be made first
    bool showsProblems = true; ///< a window says why a workspace cannot be opened; else open() only answers
    std::optional<QString> shotsDirectory;
    double shotsAfterSeconds = 20;
    ui::Preferences* preferences = nullptr; ///< outlives the desktop; null: nothing is remembered
    QString dataFolder{};                   ///< of versions and drafts; empty: the program's own
    /// Tests put their own; empty: the real one.
    std::function<std::unique_ptr<gateway::Control>(Session&)> makeGateway{};
    bool measureStart = false; ///< say when the first paint was complete, and exit
};

/// The program's windows: the desk of an opened workspace, or the window that says why there is none. GUI thread.
class Desktop : public QObject
{
    Q_OBJECT
public:
    explicit Desktop(DesktopOptions options);
    ~Desktop() override;

    /// Opens what the options name, in the place of what is open. On failure what was open stays, and says why in a
    /// banner; with nothing open the window of problems is shown, if wanted. The error is lines for people.
    tl::expected<void, QStringList> open();
    void openFile(const QString& file);
    void openPractice();

    const DesktopOptions& options() const { return options_; }
    Session* session() const;                    ///< null while nothing is open
    ui::MainWindow* window() const;              ///< null while nothing is open
    ui::OverviewPage* overview() const;          ///< null while nothing is open
    ui::CannotOpenWindow* problemWindow() const; ///< null unless it is shown

    QStringList warnings() const; ///< of the open workspace, lines for people

    /// An empty workspace in a new file; the error is a line for people.
    static tl::expected<void, QString> createFile(const QString& file);
    Desk* desk() const { return desk_.get(); } ///< null while nothing is open, as the next
    ui::ChainsPage* chains() const;

    std::vector<ui::PaletteCommand> commands(); ///< of the command palette, whatever page is in front

    /// Ask for a workspace file, and for a new one; empty = none. Tests put their own.
    std::function<QString(QWidget*)> askFile;
    std::function<QString(QWidget*, const QString& title)> askNewFile;

private:
    void showDesk(std::unique_ptr<Session> session);
    void showProblems(const QStringList& lines);
    void askForFile();
    void askForNew();
    void askSaveAs();
    void askEnvironment(const QString& environment);
    void leave(const std::function<void()>& then); ///< asks before something of the open desk is lost
    void openEnvironment(const QString& environment);
    void tryOptions(DesktopOptions options);
    QWidget* front() const;

    DesktopOptions options_;
    std::shared_ptr<Retirement> retirement_; ///< before the desk: it takes what the desk leaves
    std::unique_ptr<Desk> desk_;
    std::unique_ptr<ui::CannotOpenWindow> problems_;
};

/// Opens the desktop and runs until it is closed. Exit codes as switchgear-cli's.
int runDesktop(const DesktopOptions& options);

} // namespace sg::app
