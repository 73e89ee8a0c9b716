// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/connection_tests.h"

#include <QPointer>

namespace sg::ui {

namespace {

/// What a test of a connection depends on.
bool isSameConnection(const workspace::Endpoint& a, const workspace::Endpoint& b)
{
    return a.provider == b.provider && a.baseUrl == b.baseUrl && a.model == b.model && a.key == b.key &&
           a.proxy == b.proxy && a.proxyKey == b.proxyKey && a.caFile == b.caFile && a.httpVersion == b.httpVersion;
}

} // namespace

ConnectionTests::ConnectionTests(Draft& draft, engine::ConnectionTester& tester, QObject* parent)
    : QObject(parent)
    , draft_(draft)
    , tester_(tester)
{
}

void ConnectionTests::start(const std::string& endpoint)
{
    const workspace::Endpoint* tested = draft_.workspace().endpoint(endpoint);
    if (!tested)
        return;
    const int number = ++lastNumber_;
    running_[endpoint] = number;
    Q_EMIT changed();
    tester_.test(draft_.pointer(), endpoint,
                 [self = QPointer(this), endpoint, number, tested = *tested](const engine::ConnectionResult& result) {
                     if (self)
                         self->finish(endpoint, number, tested, result);
                 });
}

void ConnectionTests::startAll()
{
    const workspace::WorkspacePtr all = draft_.pointer();
    for (const workspace::Endpoint& endpoint : all->endpoints)
        start(endpoint.spec.name);
}

void ConnectionTests::cancel()
{
    if (running_.empty())
        return;
    running_.clear();
    Q_EMIT changed();
}

void ConnectionTests::finish(const std::string& endpoint, int number, const workspace::Endpoint& tested,
                             const engine::ConnectionResult& result)
{
    const auto awaited = running_.find(endpoint);
    if (awaited == running_.end() || awaited->second != number)
        return;
    running_.erase(awaited);
    ended_[endpoint] = {tested, result};
    Q_EMIT changed();
}

std::optional<engine::ConnectionResult> ConnectionTests::resultOf(const workspace::Endpoint& endpoint) const
{
    const auto found = ended_.find(endpoint.spec.name);
    if (found == ended_.end() || !isSameConnection(found->second.tested, endpoint))
        return std::nullopt;
    return found->second.result;
}

QString ConnectionTests::summary() const
{
    using Kind = engine::ConnectionResult::Kind;
    int works = 0, refused = 0, silent = 0, unclear = 0;
    for (const workspace::Endpoint& endpoint : draft_.workspace().endpoints) {
        const auto result = resultOf(endpoint);
        if (!result)
            continue;
        ++(result->kind == Kind::Works        ? works
           : result->kind == Kind::KeyRefused ? refused
           : result->kind == Kind::NoAnswer   ? silent
                                              : unclear);
    }
    const int all = works + refused + silent + unclear;
    if (all == 0)
        return {};
    QStringList parts{tr("%1 of %2 work").arg(works).arg(all)};
    if (refused > 0)
        parts << tr("%1 refused the key").arg(refused);
    if (silent > 0)
        parts << tr("%1 did not answer").arg(silent);
    if (unclear > 0)
        parts << tr("%1 cannot be tested without a request").arg(unclear);
    return parts.join(QStringLiteral(", "));
}

} // namespace sg::ui
