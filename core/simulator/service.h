// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/server.h"
#include "core/simulator/deadlines.h"
#include "core/simulator/ground_truth.h"
#include "core/simulator/quota_window.h"
#include "core/simulator/route.h"
#include "core/simulator/script.h"
#include "core/simulator/worker_queue.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <unordered_set>

namespace sg::simulator {

class Reply;

/// The serving side of a Simulator. Lives in its thread.
class Service : public QObject
{
    Q_OBJECT
public:
    Service(std::shared_ptr<const Script> script, std::shared_ptr<GroundTruth> truth);
    ~Service() override;
    tl::expected<quint16, QString> listen(const QHostAddress& address, quint16 port);
    void reset();
    void shutDown(); ///< drops every connection; nothing is served afterwards

    // For replies.
    struct Endpoint
    {
        const EndpointScript* script = nullptr;
        std::uint64_t served = 0; ///< ordinal of the next request: its draws depend on it and on nothing else
        std::optional<Quota> quotaOf;
        std::optional<QuotaWindow> quota;
        WorkerQueue<Reply> queue;
    };
    double scriptMs(Instant now) const;
    /// Empty unless the endpoint is frozen now; then when it thaws.
    std::optional<Instant> frozenUntil(const Endpoint& endpoint, Instant now) const;
    Deadlines& deadlines() { return *deadlines_; }
    GroundTruth& truth() { return *truth_; }
    /// Asks for one of the endpoint's workers; the reply begins at once or when its turn comes.
    void enqueue(Endpoint& endpoint, int workers, const std::shared_ptr<Reply>& reply);
    /// The reply is over: its worker goes to the next in the queue.
    void leave(Endpoint& endpoint, const std::shared_ptr<Reply>& reply);

private:
    void handle(http::ServerRequest request, std::shared_ptr<http::Responder> responder);
    void chat(Endpoint& endpoint, const Route& route, const http::ServerRequest& request,
              std::shared_ptr<http::Responder> responder);
    bool overQuota(Endpoint& endpoint, const Behaviour& behaviour, provider::Dialect dialect, Instant now,
                   http::Responder& responder);
    void sendEmbeddings(const Endpoint& endpoint, const QByteArray& body, http::Responder& responder) const;
    void sendModels(const Endpoint& endpoint, const Route& route, http::Responder& responder) const;
    QJsonObject statsJson();
    void publish();

    std::shared_ptr<const Script> script_;
    std::shared_ptr<GroundTruth> truth_;
    std::unique_ptr<Deadlines> deadlines_;
    std::unique_ptr<http::Server> server_;
    QTimer publishing_{this};
    std::map<QByteArray, Endpoint> endpoints_;
    std::unordered_set<std::shared_ptr<Reply>> replies_;
    Instant clockStart_;
};

} // namespace sg::simulator
