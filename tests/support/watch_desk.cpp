// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/watch_desk.h"

namespace sg::test {

namespace {

workspace::Workspace twoTiers()
{
    workspace::Workspace workspace;
    workspace.name = QStringLiteral("watched");
    workspace::Chain chain;
    chain.spec.name = "chain";
    for (const char* name : {"first", "second"}) {
        workspace::Endpoint endpoint;
        endpoint.provider = QStringLiteral("openai-compatible");
        endpoint.baseUrl = QStringLiteral("sim:") + QLatin1String(name);
        endpoint.model = QStringLiteral("m-") + QLatin1String(name);
        endpoint.spec.name = name;
        endpoint.key = {workspace::KeySource::Environment, QStringLiteral("WATCH_KEY")};
        endpoint.price = cost::Price{cost::NanoDollars(1'000'000'000), cost::NanoDollars(2'000'000'000), {}, {}, {}};
        workspace.endpoints.push_back(endpoint);
        chain::TierSpec tier;
        tier.name = tier.endpoint = name;
        tier.backoff.baseMs = 1;
        chain.spec.tiers.push_back(tier);
    }
    workspace.chains = {chain};
    return workspace;
}

} // namespace

WatchDesk::WatchDesk(const Change& change)
    : engine({})
    , watcher(engine)
{
    workspace::Workspace workspace = twoTiers();
    change(workspace);
    engine.run([&](engine::EngineCore& core) {
        core.apply(workspace, {}, server.base(), [](const workspace::KeyRef&) { return QByteArray(kKey); });
    });
    request.messages = {{"user", QStringLiteral("hello")}};
}

std::uint64_t WatchDesk::send(bool stream, engine::CallTarget target)
{
    request.stream = stream;
    return watcher.send(target, request);
}

engine::WatchViewPtr WatchDesk::viewOf(std::uint64_t id,
                                       const std::function<bool(const engine::WatchView&)>& wanted) const
{
    engine::WatchViewPtr view;
    const bool came = QTest::qWaitFor([&] {
        view = watcher.view(id);
        return view && wanted(*view);
    });
    return came ? view : nullptr;
}

engine::WatchViewPtr WatchDesk::end(std::uint64_t id) const
{
    return viewOf(id, [](const engine::WatchView& view) { return !view.running; });
}

engine::WatchViewPtr WatchDesk::run(bool stream, engine::CallTarget target)
{
    return end(send(stream, std::move(target)));
}

std::string valueOf(const policy::HeaderList& headers, const std::string& name)
{
    for (const auto& [each, value] : headers)
        if (QByteArray::fromStdString(each).compare(QByteArray::fromStdString(name), Qt::CaseInsensitive) == 0)
            return value;
    return {};
}

} // namespace sg::test
