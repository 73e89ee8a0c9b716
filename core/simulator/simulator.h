// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/simulator/script.h"

#include <QHostAddress>
#include <QJsonObject>
#include <QString>
#include <QThread>
#include <QUrl>

#include <memory>

/// A provider to practise on: OpenAI's chat completions on a loopback port, behaving as a script says and knowing the
/// truth about what it did (docs/simulator.md).
namespace sg::http {
class Mailbox;
}

namespace sg::simulator {

class GroundTruth;
class Service;

/// Owns the thread that serves. start() and stop() belong to one thread; stats(), port() and baseUrl() may be called
/// from any.
class Simulator
{
public:
    explicit Simulator(Script script);
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;
    ~Simulator(); ///< stops

    /// Starts the thread and listens; the script's clock starts now. Waits for the listening socket, some milliseconds.
    /// Port 0 takes a free one. The error is a sentence with its remedy.
    tl::expected<quint16, QString> start(quint16 port = 0, const QHostAddress& address = QHostAddress::LocalHost);
    void stop(); ///< drops every connection and waits for the thread
    bool isRunning() const { return service_ != nullptr; }

    quint16 port() const { return port_; } ///< 0 when not running
    QUrl
    baseUrl(const QString& endpoint) const; ///< what an OpenAI client takes as its base: http://127.0.0.1:PORT/NAME/v1
    const Script& script() const { return *script_; }

    /// What GET /stats answers, without asking over the network and without waiting.
    QJsonObject stats() const;
    /// Restarts the script's clock, its draws, its quotas and the statistics; requests in flight go on.
    void reset();

private:
    std::shared_ptr<const Script> script_;
    std::shared_ptr<GroundTruth> truth_;
    QThread thread_;
    Service* service_ = nullptr;       ///< lives in thread_
    http::Mailbox* mailbox_ = nullptr; ///< lives in thread_, as long as service_
    quint16 port_ = 0;
    QHostAddress address_;
};

} // namespace sg::simulator
