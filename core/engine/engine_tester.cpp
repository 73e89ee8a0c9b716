// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_tester.h"

#include "core/engine/connection_words.h"

#include <optional>

namespace sg::engine {

namespace {

constexpr Nanos kLongest{std::chrono::seconds(10)};

/// Only whether somebody is there: the status does not matter, and nothing that costs is asked.
class Knock final : public http::Listener
{
public:
    explicit Knock(std::function<void(const http::Outcome&)> done)
        : done_(std::move(done))
    {
    }
    void onHeaders(int, const http::Headers&, Instant) override {}
    void onBody(QByteArrayView, Instant) override {}
    void onFinished(const http::Outcome& outcome) override { done_(outcome); }

private:
    std::function<void(const http::Outcome&)> done_;
};

/// The keys of one endpoint, taken out of the lookup before another thread needs them.
KeyLookup taken(const workspace::Endpoint& endpoint, const KeyLookup& keys)
{
    using Key = tl::expected<QByteArray, QString>;
    std::vector<std::pair<workspace::KeyRef, Key>> found;
    for (const workspace::KeyRef& ref : {endpoint.key, endpoint.proxyKey})
        if (ref.source != workspace::KeySource::None)
            found.emplace_back(ref, keys(ref));
    return [found = std::move(found)](const workspace::KeyRef& ref) -> Key {
        for (const auto& [named, key] : found)
            if (named == ref)
                return key;
        return tl::unexpected(QStringLiteral("The endpoint has no key."));
    };
}

} // namespace

/// One test, in the engine's thread. Whatever becomes of it, its end tells something.
class EngineTester::Run
{
public:
    Run(std::shared_ptr<http::MailSlot> home, EngineTester* tester, std::uint64_t id)
        : home_(std::move(home))
        , tester_(tester)
        , id_(id)
    {
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() { tell(stopped()); }

    static void begin(const std::shared_ptr<Run>& run, EngineCore& core, const workspace::Workspace& workspace,
                      const workspace::Endpoint& endpoint, const KeyLookup& keys)
    {
        if (endpoint.baseUrl.startsWith(QLatin1String("sim:")) && core.simulatorBase().isEmpty())
            return run->tell(withoutSimulator());
        const auto route = routeFor(workspace, endpoint, core.simulatorBase(), keys);
        if (!route->unusable.isEmpty())
            return run->tell(unusable(*route));
        run->exchange_ = route->modelsUrl ? ask(run, core, route) : knock(run, core, route);
    }
    void cancel()
    {
        if (const auto exchange = std::exchange(exchange_, nullptr))
            exchange->cancel();
    }

private:
    static std::shared_ptr<http::Exchange> ask(const std::shared_ptr<Run>& run, EngineCore& core,
                                               const std::shared_ptr<const EndpointRoute>& route)
    {
        return askModels(core.transport(), core.beside(), route, core.anchor(), kLongest,
                         [run, route](const ModelsAnswer& answer) { run->tell(inWords(*route, answer)); });
    }
    static std::shared_ptr<http::Exchange> knock(const std::shared_ptr<Run>& run, EngineCore& core,
                                                 const std::shared_ptr<const EndpointRoute>& route)
    {
        http::Request request;
        request.method = "HEAD";
        request.url = route->chatUrl;
        request.url.setPath(QStringLiteral("/"));
        request.url.setQuery(QString());
        request.connection = route->connection;
        request.tellCertificate = true;
        request.limits = route->limits;
        request.limits.total = kLongest;
        return core.transport().start(std::move(request),
                                      std::make_shared<Knock>([run, route](const http::Outcome& outcome) {
                                          run->tell(inWords(*route, outcome));
                                      }));
    }
    void tell(const ConnectionResult& result)
    {
        exchange_.reset(); // which holds this run
        if (const auto home = std::exchange(home_, nullptr))
            home->post([tester = tester_, id = id_, result] { tester->tell(id, result); });
    }

    std::shared_ptr<http::MailSlot> home_; ///< null: told
    EngineTester* tester_;                 ///< used in its own thread only, while its mailbox lives
    std::uint64_t id_;
    std::shared_ptr<http::Exchange> exchange_;
};

EngineTester::EngineTester(const Engine& engine, KeyLookup keys)
    : post_(engine.poster())
    , keys_(std::move(keys))
    , home_(std::make_shared<http::MailSlot>(here_))
{
}

EngineTester::~EngineTester()
{
    home_->close();
    for (const auto& [id, pending] : pending_)
        if (const auto run = pending.run.lock())
            post_([run](EngineCore&) { run->cancel(); });
}

void EngineTester::test(const workspace::WorkspacePtr& workspace, const std::string& endpoint,
                        std::function<void(const ConnectionResult&)> done)
{
    const std::uint64_t id = nextId_++;
    const auto run = std::make_shared<Run>(home_, this, id);
    pending_[id] = {std::move(done), run};
    const workspace::Endpoint* config = workspace ? workspace->endpoint(endpoint) : nullptr;
    if (!config)
        return; // which ends the run
    post_([run, workspace, config, keys = taken(*config, keys_)](EngineCore& core) {
        Run::begin(run, core, *workspace, *config, keys);
    });
}

void EngineTester::tell(std::uint64_t id, const ConnectionResult& result)
{
    const auto pending = pending_.extract(id);
    if (!pending.empty())
        pending.mapped().done(result);
}

} // namespace sg::engine
