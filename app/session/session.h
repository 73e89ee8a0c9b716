// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/session/keys.h"
#include "core/cost/price_book.h"
#include "core/engine/engine.h"
#include "core/http/mailbox.h"
#include "core/simulator/simulator.h"
#include "core/workspace/document.h"

#include <QObject>
#include <QStringList>

#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace sg::app {

struct SessionOptions
{
    std::optional<QString> workspaceFile; ///< not set: the practice workspace
    QString environment;                  ///< of the workspace file; empty: the one it names
    std::optional<QString> scriptFile;    ///< what the simulator does instead of the workspace's own script
    bool startSimulator = true;           ///< when an endpoint needs it
    engine::EngineOptions engine;
    bool isGateway = false; ///< as many requests are to be in flight at once as its gateway lets in
    std::optional<workspace::Workspace> given{}; ///< instead of any file
};

/// A key that cannot be used, known before the first request.
struct KeyProblem
{
    std::string endpoint;
    QString line; ///< "FILE: PLACE: PROBLEM. REMEDY."
};

/// What happens to a session, told in its thread.
class SessionEvents : public QObject
{
    Q_OBJECT
Q_SIGNALS:
    void served(); ///< requests go by another workspace, or with other keys, from now on
};

/// One opened workspace with everything that serves it: simulator, engine, prices. What both programs are built on.
class Session
{
public:
    /// The errors are lines for people: "FILE: PLACE: PROBLEM. REMEDY."
    static tl::expected<std::unique_ptr<Session>, QStringList> open(const SessionOptions& options);
    ~Session(); ///< waits for the threads of engine and simulator
    /// Lets go of what belongs to this thread, so that the session may be destroyed in another one, which can wait.
    void leaveThread();

    /// Reads the keys that are in the keychain and serves with them; `done` is called once, at once when there are
    /// none. Until then their endpoints answer that the key is still being read.
    void readKeychain(std::function<void()> done);
    /// Where keys are looked at, kept and removed; what changes there is served with at once. Until leaveThread().
    secrets::KeyControl& keys() { return *desk_; }
    /// Keys as they are at this moment, by reference, also those that no endpoint of the workspace names. This thread.
    engine::KeyLookup keyLookup();
    /// The keys that are served with at this moment. What it answers may be used in any thread.
    engine::KeyLookup servedKeys() const { return KeyRing::lookupIn(served_); }

    /// Serves another workspace in one swap; requests under way end on what they began with. A simulator is started
    /// when one is needed and the script is another one; the old one goes on for those who are still with it. Nothing
    /// changes when that fails, or when `beforeSwap` answers an error. `serves` is called in this thread once requests
    /// go the new way; keys that are not known yet come later.
    tl::expected<void, QStringList> applyWorkspace(workspace::WorkspacePtr next,
                                                   const std::function<tl::expected<void, QStringList>()>& beforeSwap,
                                                   std::function<void()> serves);

    const SessionEvents& events() const { return *events_; } ///< until leaveThread()

    engine::Engine& engine() { return *engine_; }
    simulator::Simulator* simulator() { return simulator_.get(); } ///< null when none is needed
    const workspace::Workspace& workspace() const { return *workspace_; }
    const workspace::WorkspacePtr& workspacePointer() const { return workspace_; }
    /// As it was read; null when the workspace did not come from a document.
    const workspace::Document* document() const { return document_ ? &*document_ : nullptr; }
    const cost::PriceBook& prices() const { return prices_; }
    const QStringList& warnings() const { return warnings_; }
    const QString& file() const { return file_; } ///< of the workspace or script; a resource for the practice workspace
    /// In the order of the endpoints. Keychain entries count as problems until readKeychain has answered.
    std::vector<KeyProblem> keyProblems() const;
    /// Keys that can be sent but look like another provider's; in the same order and with the same reservation.
    std::vector<KeyProblem> keyWarnings() const;

private:
    Session() = default;
    tl::expected<void, QStringList> loadWorkspace(const SessionOptions& options);
    void loadPrices();
    using SimulatorPtr = std::unique_ptr<simulator::Simulator>;
    tl::expected<SimulatorPtr, QStringList> startSimulator(workspace::Workspace& workspace) const;
    tl::expected<simulator::Script, QStringList> loadScript(const workspace::Workspace& workspace) const;
    bool keepsSimulator(const workspace::Workspace& next) const;
    QUrl simulatorBase() const;
    /// Applies workspace, prices and keys to the engine.
    void serve(std::function<void()> serves = {});
    void serveSoon();
    void serveWithNewKeys(); ///< when a key is another one now
    std::vector<KeyProblem> problemsOf(const std::vector<KeyRing::Remark>& remarks) const;

    SessionOptions options_;
    QString file_;
    std::optional<workspace::Document> document_;
    workspace::WorkspacePtr workspace_ = std::make_shared<const workspace::Workspace>();
    cost::PriceBook prices_;
    QStringList warnings_;
    std::unique_ptr<SessionEvents> events_ = std::make_unique<SessionEvents>();
    std::unique_ptr<secrets::KeyDesk> desk_;
    std::unique_ptr<KeyRing> keyRing_; ///< of workspace_
    KeyRing::Keys served_;             ///< the keys that the engine has
    bool serveDue_ = false;
    std::unique_ptr<http::Mailbox> here_ = std::make_unique<http::Mailbox>();
    std::shared_ptr<http::MailSlot> home_ = std::make_shared<http::MailSlot>(*here_); ///< closed by leaveThread()
    std::vector<SimulatorPtr> oldSimulators_; ///< requests may still be under way there
    SimulatorPtr simulator_;                  ///< outlives the engine that calls it
    std::unique_ptr<engine::Engine> engine_;
};

/// What "sim:NAME" addresses begin with.
QUrl rootOf(const simulator::Simulator& simulator);

/// The endpoints of a simulator script as a workspace, for runs that only need a script: one chain, "all", in the
/// script's order.
workspace::Workspace workspaceOf(const simulator::Script& script);

/// What the script of the built-in simulator lacks or has wrong, seen from the workspace: its own script, or the
/// practice script when it has none.
workspace::Findings simulatorFindings(const workspace::Workspace& workspace);

/// The lines of a list of findings for a file, errors first.
QStringList linesOf(const workspace::Findings& findings, const QString& file);

/// Has endpoints that ask the simulator and no script of its own for it.
bool usesPracticeScript(const workspace::Workspace& workspace);
QJsonObject practiceScript();

/// A file's bytes, or a line with what is wrong and what mends it.
tl::expected<QByteArray, QString> readFile(const QString& path);

} // namespace sg::app
