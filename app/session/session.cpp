// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session.h"

#include <QFile>

/// Resources of a static library are linked only when somebody asks for them; the macro wants no namespace around it.
static void initResources()
{
    Q_INIT_RESOURCE(core);
}

namespace sg::app {

namespace {

const QString kPracticeWorkspace = QStringLiteral(":/practice/workspace.json");
const QString kPracticeScript = QStringLiteral(":/practice/script.json");
const QString kPrices = QStringLiteral(":/prices/prices.json");

} // namespace

tl::expected<QByteArray, QString> readFile(const QString& path)
{
    QFile file(path);
    if (!file.exists())
        return tl::unexpected(QStringLiteral("%1: there is no such file. Check the path.").arg(path));
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(QStringLiteral("%1: cannot be read: %2. Check its permissions.")
                                  .arg(path, file.errorString()));
    return file.readAll();
}

QStringList linesOf(const workspace::Findings& findings, const QString& file)
{
    QStringList errors, warnings;
    for (const workspace::Finding& finding : findings)
        (finding.level == workspace::FindingLevel::Error ? errors : warnings).append(finding.toText(file));
    return errors + warnings;
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
    const auto ready = session->loadPrices()
                           .and_then([&] { return session->loadWorkspace(options); })
                           .and_then([&] { return session->startSimulator(options); });
    if (!ready)
        return tl::unexpected(ready.error());
    session->engine_ = std::make_unique<engine::Engine>(options.engine);
    session->keys_ = std::make_unique<KeyRing>(session->workspace_);
    session->serve();
    return session;
}

void Session::serve()
{
    engine_->post([workspace = workspace_, prices = prices_, base = simulatorBase(),
                   keys = keys_->keys()](engine::EngineCore& core) {
        core.apply(workspace, prices, base, [&](const workspace::Endpoint& endpoint) -> KeyRing::Key {
            const auto key = keys.find(endpoint.spec.name);
            return key == keys.end() ? tl::unexpected(QStringLiteral("The endpoint has no key.")) : key->second;
        });
    });
}

void Session::readKeychain(std::function<void()> done)
{
    if (!keys_->needsKeychain())
        return done();
    keys_->readKeychain([this, done = std::move(done)] {
        serve();
        done();
    });
}

Session::~Session() = default;

tl::expected<void, QStringList> Session::loadPrices()
{
    const auto bytes = readFile(kPrices);
    if (!bytes)
        return tl::unexpected(QStringList{bytes.error()});
    auto loaded = cost::PriceBook::load(*bytes);
    prices_ = std::move(loaded.book);
    for (const QString& finding : loaded.findings)
        warnings_.append(QStringLiteral("%1: %2").arg(kPrices, finding));
    return {};
}

tl::expected<void, QStringList> Session::loadWorkspace(const SessionOptions& options)
{
    if (!options.workspaceFile && options.scriptFile)
        return {}; // the script says which endpoints there are
    const QString path = options.workspaceFile.value_or(kPracticeWorkspace);
    auto loaded = workspace::loadWorkspace(path);
    if (!loaded)
        return tl::unexpected(linesOf(loaded.error(), path));
    workspace_ = std::move(loaded->workspace);
    warnings_ += linesOf(loaded->warnings, path);
    return {};
}

tl::expected<void, QStringList> Session::startSimulator(const SessionOptions& options)
{
    const bool simulated = std::ranges::any_of(workspace_.endpoints, [](const workspace::Endpoint& endpoint) {
        return endpoint.baseUrl.startsWith(QStringLiteral("sim:"));
    });
    if (!options.startSimulator || (!simulated && !options.scriptFile))
        return {};
    const QString path = options.scriptFile.value_or(kPracticeScript);
    simulator::ScriptResult script;
    if (!options.scriptFile && !workspace_.simulator.isEmpty()) {
        script = simulator::parseScript(workspace_.simulator);
    } else {
        const auto bytes = readFile(path);
        if (!bytes)
            return tl::unexpected(QStringList{bytes.error()});
        script = simulator::parseScript(*bytes);
    }
    if (!script)
        return tl::unexpected(linesOf(script.error(), path));
    if (!options.workspaceFile && options.scriptFile)
        workspace_ = workspaceOf(*script);
    script->seed = options.engine.seed;
    simulator_ = std::make_unique<simulator::Simulator>(std::move(*script));
    if (const auto port = simulator_->start(); !port)
        return tl::unexpected(QStringList{port.error()});
    return {};
}

QUrl Session::simulatorBase() const
{
    QUrl base;
    if (!simulator_)
        return base;
    base.setScheme(QStringLiteral("http"));
    base.setHost(QStringLiteral("127.0.0.1"));
    base.setPort(simulator_->port());
    return base;
}

} // namespace sg::app
