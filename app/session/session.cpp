// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session.h"
#include "app/session/prices.h"
#include "core/workspace/json_reader.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QPointer>
#include <QTimer>

/// Resources of a static library are linked only when somebody asks for them; the macro wants no namespace around it.
static void initResources()
{
    Q_INIT_RESOURCE(core);
}

namespace sg::app {

namespace {

const QString kPracticeWorkspace = QStringLiteral(":/practice/workspace.json");
const QString kPracticeScript = QStringLiteral(":/practice/script.json");
constexpr std::chrono::milliseconds kServeAfter{20};
constexpr qint64 kLargestFile = 64 * 1024 * 1024;
const QString kSimulated = QStringLiteral("sim:");

workspace::Findings prefixed(workspace::Findings findings, const QString& prefix)
{
    for (workspace::Finding& finding : findings)
        finding.place = finding.place.isEmpty() ? prefix : prefix + QLatin1Char('.') + finding.place;
    return findings;
}

/// Endpoints that ask the simulator for something its script does not have: they would only ever answer 404.
workspace::Findings unscripted(const workspace::Workspace& workspace, const simulator::Script& script)
{
    QStringList names;
    for (const simulator::EndpointScript& endpoint : script.endpoints)
        names.append(endpoint.name);
    workspace::Findings findings;
    for (std::size_t i = 0; i < workspace.endpoints.size(); ++i) {
        const QString& url = workspace.endpoints[i].baseUrl;
        const QString wanted = url.mid(kSimulated.size());
        if (!url.startsWith(kSimulated) || names.contains(wanted))
            continue;
        const auto nearest = workspace::nearestName(wanted, names);
        findings.push_back({workspace::FindingLevel::Error, QStringLiteral("endpoints[%1].base_url").arg(i),
                            QStringLiteral("the simulator's script has no endpoint \"%1\"").arg(wanted),
                            nearest ? QStringLiteral("Did you mean \"sim:%1\"?").arg(*nearest)
                                    : QStringLiteral("Its endpoints are: %1. Name one of them, or add this one to the "
                                                     "script")
                                          .arg(names.join(QStringLiteral(", ")))});
    }
    return findings;
}

bool needsSimulator(const workspace::Workspace& workspace)
{
    return std::ranges::any_of(workspace.endpoints, [](const workspace::Endpoint& endpoint) {
        return endpoint.baseUrl.startsWith(kSimulated);
    });
}

} // namespace

workspace::Findings simulatorFindings(const workspace::Workspace& workspace)
{
    if (!workspace.simulator.isEmpty()) {
        const auto own = simulator::parseScript(workspace.simulator);
        return own ? unscripted(workspace, *own) : prefixed(own.error(), QStringLiteral("simulator"));
    }
    if (!needsSimulator(workspace))
        return {};
    const auto script = simulator::parseScript(practiceScript());
    return script ? unscripted(workspace, *script) : script.error();
}

tl::expected<QByteArray, QString> readFile(const QString& path)
{
    QFile file(path);
    if (!file.exists())
        return tl::unexpected(QStringLiteral("%1: the file does not exist. Check the path.").arg(path));
    if (QFileInfo(path).isDir())
        return tl::unexpected(QStringLiteral("%1: this is a folder. Name a file in it.").arg(path));
    if (!QFileInfo(path).isFile()) // a pipe may never say anything, and a device may never end
        return tl::unexpected(QStringLiteral("%1: this is not a file. Write it to one first.").arg(path));
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(
            QStringLiteral("%1: cannot be read: %2. Check its permissions.").arg(path, file.errorString()));
    // Some say that they are empty and are not, as those of /proc.
    const QByteArray bytes = file.read(kLargestFile + 1);
    if (bytes.size() > kLargestFile)
        return tl::unexpected(QStringLiteral("%1: larger than 64 MiB. Choose a smaller file.").arg(path));
    if (file.error() != QFileDevice::NoError)
        return tl::unexpected(QStringLiteral("%1: cannot be read: %2. Check it.").arg(path, file.errorString()));
    return bytes;
}

QStringList linesOf(const workspace::Findings& findings, const QString& file)
{
    QStringList errors, warnings;
    for (const workspace::Finding& finding : findings)
        (finding.level == workspace::FindingLevel::Error ? errors : warnings).append(finding.toText(file));
    return errors + warnings;
}

bool usesPracticeScript(const workspace::Workspace& workspace)
{
    return workspace.simulator.isEmpty() && needsSimulator(workspace);
}

QJsonObject practiceScript()
{
    initResources();
    QFile practice(kPracticeScript);
    return practice.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(practice.readAll()).object() : QJsonObject();
}

workspace::Workspace workspaceOf(const simulator::Script& script)
{
    workspace::Workspace workspace;
    workspace.name = QStringLiteral("Simulator script");
    workspace::Chain all;
    all.spec.name = "all";
    for (const simulator::EndpointScript& scripted : script.endpoints) {
        workspace::Endpoint endpoint;
        endpoint.provider = QStringLiteral("openai-compatible");
        endpoint.baseUrl = QStringLiteral("sim:") + scripted.name;
        endpoint.model = scripted.model.isEmpty() ? scripted.name : scripted.model;
        endpoint.spec.name = scripted.name.toStdString();
        endpoint.spec.breaker.consecutiveFailures = 5;
        chain::TierSpec tier;
        tier.name = tier.endpoint = endpoint.spec.name;
        all.spec.tiers.push_back(tier);
        workspace.endpoints.push_back(std::move(endpoint));
    }
    workspace.chains.push_back(std::move(all));
    return workspace;
}

tl::expected<std::unique_ptr<Session>, QStringList> Session::open(const SessionOptions& options)
{
    initResources();
    std::unique_ptr<Session> session(new Session);
    session->options_ = options;
    session->loadPrices();
    const auto ready = session->loadWorkspace(options);
    if (!ready)
        return tl::unexpected(ready.error());
    workspace::Workspace workspace = *session->workspace_;
    auto simulator = session->startSimulator(workspace);
    if (!simulator)
        return tl::unexpected(simulator.error());
    session->simulator_ = *std::move(simulator);
    session->workspace_ = std::make_shared<const workspace::Workspace>(std::move(workspace));
    engine::EngineOptions engineOptions = options.engine;
    if (options.isGateway)
        engineOptions.mostInFlight = session->workspace_->gateway.maxInFlight;
    session->engine_ = std::make_unique<engine::Engine>(engineOptions);
    session->desk_ = std::make_unique<secrets::KeyDesk>();
    session->keyRing_ = std::make_unique<KeyRing>(*session->desk_, *session->workspace_);
    session->serve();
    QObject::connect(session->desk_.get(), &secrets::KeyControl::changed, session->desk_.get(),
                     [self = session.get()] { self->serveSoon(); });
    return session;
}

void Session::serve(std::function<void()> serves)
{
    served_ = keyRing_->keys();
    engine_->post([this, workspace = workspace_, prices = prices_, base = simulatorBase(),
                   keys = KeyRing::lookupIn(served_), home = home_,
                   serves = std::move(serves)](engine::EngineCore& core) {
        core.apply(*workspace, prices, base, keys);
        home->post([this, serves] { // which is dropped once the session has left this thread
            if (serves)
                serves();
            Q_EMIT events_->served();
        });
    });
}

/// A keychain answers entry by entry, and each serving looks at the whole workspace.
void Session::serveSoon()
{
    if (std::exchange(serveDue_, true))
        return;
    QTimer::singleShot(kServeAfter, desk_.get(), [this] { serveWithNewKeys(); });
}

void Session::serveWithNewKeys()
{
    serveDue_ = false;
    if (keyRing_->keys() != served_)
        serve();
}

engine::KeyLookup Session::keyLookup()
{
    return [desk = QPointer(desk_.get())](const workspace::KeyRef& ref) -> KeyRing::Key {
        return desk ? KeyRing::keyIn(*desk, ref) : tl::unexpected(QStringLiteral("The workspace was closed."));
    };
}

bool Session::keepsSimulator(const workspace::Workspace& next) const
{
    if (!needsSimulator(next) || !options_.startSimulator)
        return true; // one that nobody asks costs nothing
    return simulator_ && (options_.scriptFile || next.simulator == workspace_->simulator);
}

tl::expected<void, QStringList>
Session::applyWorkspace(workspace::WorkspacePtr next,
                        const std::function<tl::expected<void, QStringList>()>& beforeSwap,
                        std::function<void()> serves)
{
    SimulatorPtr fresh;
    if (keepsSimulator(*next)) {
        const auto findings = simulator_ ? unscripted(*next, simulator_->script()) : workspace::Findings();
        if (!findings.empty())
            return tl::unexpected(linesOf(findings, file_));
    } else {
        workspace::Workspace wanted = *next;
        auto started = startSimulator(wanted);
        if (!started)
            return tl::unexpected(started.error());
        fresh = *std::move(started);
    }
    if (const auto ready = beforeSwap ? beforeSwap() : tl::expected<void, QStringList>(); !ready)
        return ready;
    if (fresh) {
        if (simulator_)
            oldSimulators_.push_back(std::move(simulator_));
        simulator_ = std::move(fresh);
    }
    workspace_ = std::move(next);
    keyRing_ = std::make_unique<KeyRing>(*desk_, *workspace_);
    serve(std::move(serves));
    readKeychain([] {});
    return {};
}

void Session::readKeychain(std::function<void()> done)
{
    if (!keyRing_->needsKeychain())
        return done();
    keyRing_->readKeychain([this, done = std::move(done)] {
        serveWithNewKeys();
        done();
    });
}

Session::~Session() = default;

void Session::leaveThread()
{
    home_->close();
    here_.reset();
    events_.reset();
    keyRing_.reset();
    desk_.reset(); // the keychain's jobs live where they were started
}

void Session::loadPrices()
{
    KnownPrices known = knownPrices();
    prices_ = std::move(known.book);
    warnings_ += known.warnings;
}

tl::expected<void, QStringList> Session::loadWorkspace(const SessionOptions& options)
{
    if (options.given) {
        file_ = options.given->name;
        workspace_ = std::make_shared<const workspace::Workspace>(*options.given);
        return {};
    }
    file_ = options.workspaceFile.value_or(options.scriptFile.value_or(kPracticeWorkspace));
    if (!options.workspaceFile && options.scriptFile)
        return {}; // the script says which endpoints there are
    auto loaded = workspace::Document::open(file_, options.environment);
    if (!loaded)
        return tl::unexpected(linesOf(loaded.error(), file_));
    document_ = *std::move(loaded);
    workspace_ = std::make_shared<const workspace::Workspace>(document_->workspace());
    warnings_ += linesOf(document_->warnings(), file_);
    return {};
}

tl::expected<simulator::Script, QStringList> Session::loadScript(const workspace::Workspace& workspace) const
{
    if (!options_.scriptFile && !workspace.simulator.isEmpty()) {
        auto own = simulator::parseScript(workspace.simulator);
        if (!own)
            return tl::unexpected(linesOf(prefixed(own.error(), QStringLiteral("simulator")), file_));
        return *std::move(own);
    }
    const QString path = options_.scriptFile.value_or(kPracticeScript);
    const auto bytes = readFile(path);
    if (!bytes)
        return tl::unexpected(QStringList{bytes.error()});
    auto script = simulator::parseScript(*bytes);
    if (!script)
        return tl::unexpected(linesOf(script.error(), path));
    return *std::move(script);
}

/// Null when none is needed. A script alone makes the workspace.
tl::expected<Session::SimulatorPtr, QStringList> Session::startSimulator(workspace::Workspace& workspace) const
{
    if (!options_.startSimulator || (!needsSimulator(workspace) && !options_.scriptFile))
        return nullptr;
    auto script = loadScript(workspace);
    if (!script)
        return tl::unexpected(script.error());
    if (!options_.workspaceFile && options_.scriptFile && workspace.endpoints.empty())
        workspace = workspaceOf(*script);
    if (const auto findings = unscripted(workspace, *script); !findings.empty())
        return tl::unexpected(linesOf(findings, file_));
    script->seed = options_.engine.seed;
    auto simulator = std::make_unique<simulator::Simulator>(*std::move(script));
    if (const auto port = simulator->start(); !port)
        return tl::unexpected(QStringList{port.error()});
    return simulator;
}

std::vector<KeyProblem> Session::problemsOf(const std::vector<KeyRing::Remark>& remarks) const
{
    std::vector<KeyProblem> problems;
    for (const KeyRing::Remark& remark : remarks)
        problems.push_back({remark.endpoint, QStringLiteral("%1: %2: %3").arg(file_, remark.place, remark.words)});
    return problems;
}

std::vector<KeyProblem> Session::keyProblems() const
{
    return problemsOf(keyRing_->problems());
}

std::vector<KeyProblem> Session::keyWarnings() const
{
    return problemsOf(keyRing_->warnings());
}

QUrl Session::simulatorBase() const
{
    return simulator_ ? rootOf(*simulator_) : QUrl();
}

QUrl rootOf(const simulator::Simulator& simulator)
{
    QUrl base;
    base.setScheme(QStringLiteral("http"));
    base.setHost(QStringLiteral("127.0.0.1"));
    base.setPort(simulator.port());
    return base;
}

} // namespace sg::app
