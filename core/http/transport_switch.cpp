// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/transport_switch.h"

#include "core/http/transport_rule.h"

namespace sg::http {

TransportSwitch::TransportSwitch(TransportKind wanted, int mostInFlight, TransportOptions options)
    : wanted_(wanted)
    , mostInFlight_(mostInFlight)
    , options_(options)
{
}

TransportSwitch::~TransportSwitch() = default;

void TransportSwitch::choose(TransportKind wanted)
{
    wanted_ = wanted;
}

void TransportSwitch::expect(int mostInFlight)
{
    mostInFlight_ = mostInFlight;
}

TransportKind TransportSwitch::kindFor(const Request& request) const
{
    return transportFor(wanted_, serving(), request.connection.get());
}

Transport& TransportSwitch::of(TransportKind kind)
{
    auto& transport = transports_[kind == TransportKind::Curl ? 1 : 0];
    if (!transport) {
        transport = makeTransport(kind, 0, options_);
        transport->measureLag(measuresLag_);
    }
    return *transport;
}

std::shared_ptr<Exchange> TransportSwitch::start(Request request, std::shared_ptr<Listener> listener)
{
    const TransportKind kind = kindFor(request);
    return of(kind).start(std::move(request), std::move(listener));
}

TransportFigures TransportSwitch::figures() const
{
    TransportFigures all;
    all.name = serving() == TransportKind::Curl ? QStringLiteral("curl") : QStringLiteral("qnam");
    for (const auto& transport : transports_) {
        if (!transport)
            continue;
        const TransportFigures one = transport->figures();
        all.inFlight += one.inFlight;
        all.queued += one.queued;
        all.started += one.started;
        all.connectionsOpened += one.connectionsOpened;
        all.connectionsReused += one.connectionsReused;
    }
    return all;
}

void TransportSwitch::measureLag(bool on)
{
    measuresLag_ = on;
    if (on)
        curlStartedBefore_ = curl() ? curl()->figures().started : 0;
    for (const auto& transport : transports_)
        if (transport)
            transport->measureLag(on);
}

std::optional<stats::Histogram> TransportSwitch::readLag() const
{
    if (!curl() || curl()->figures().started == curlStartedBefore_)
        return std::nullopt;
    return curl()->readLag();
}

} // namespace sg::http
