// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport_kind.h"

#include <array>

namespace sg::http {

/// Both libraries as one transport, so that which of them serves can change while requests are in flight: each request
/// stays where it began. A library is started with its first request. Lives in one thread, like every transport.
class TransportSwitch final : public Transport
{
public:
    TransportSwitch(TransportKind wanted, int mostInFlight, TransportOptions options = {});
    ~TransportSwitch() override;

    void choose(TransportKind wanted); ///< for requests that begin from now on
    void expect(int mostInFlight);     ///< how many are to be in flight at once, for Automatic; 0: nobody knows
    TransportKind wanted() const { return wanted_; }
    /// Which one a request over HTTP/1.1 would begin on now: Qnam or Curl.
    TransportKind serving() const { return transportKind(wanted_, mostInFlight_); }

    /// Automatic gives a request whose profile asks for HTTP/2 to libcurl, which alone speaks it.
    std::shared_ptr<Exchange> start(Request request, std::shared_ptr<Listener> listener) override;
    TransportFigures figures() const override; ///< of both together, under the name of the one that serves
    void measureLag(bool on) override;
    std::optional<stats::Histogram> readLag() const override; ///< of libcurl's thread, when a request began there since

private:
    TransportKind kindFor(const Request& request) const;
    Transport& of(TransportKind kind);
    const Transport* curl() const { return transports_[1].get(); }

    TransportKind wanted_;
    int mostInFlight_;
    TransportOptions options_;
    std::array<std::unique_ptr<Transport>, 2> transports_; ///< Qt's, libcurl; null: had no request yet
    bool measuresLag_ = false;
    qint64 curlStartedBefore_ = 0; ///< when the lag began to be measured
};

} // namespace sg::http
