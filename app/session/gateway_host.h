// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/session/session.h"
#include "core/gateway/ended.h"
#include "core/gateway/gateway_control.h"
#include "core/http/mailbox.h"

#include <QTimer>

namespace sg::app {

/// What a command line says in the place of the workspace.
struct GatewayOverrides
{
    std::optional<QString> address{};
    std::optional<quint16> port{};
    std::optional<workspace::KeyRef> token{};
    /// See gateway::Options::onEnded.
    gateway::OnEnded onEnded{};
    bool keepsTraffic = false; ///< for Status::traffic
};

/// The gateway of an open session: it follows what the session serves and where its token is kept. In the session's
/// thread, which never waits for it; the gateway itself is in the engine's. The session outlives it, or ends its engine
/// first.
class GatewayHost final : public gateway::Control
{
    Q_OBJECT
public:
    explicit GatewayHost(Session& session, GatewayOverrides overrides = {}, QObject* parent = nullptr);
    ~GatewayHost() override; ///< cuts off what is under way, and returns at once

    gateway::Status status() const override { return status_; }
    void start() override;
    void stop() override;

    /// What it serves with, or would; with the overrides, without the token itself.
    workspace::GatewaySettings settings() const;

private:
    struct Room; ///< in the engine's thread
    /// Empty when the keychain has not answered yet; the error is a sentence with the way on.
    std::optional<tl::expected<secrets::Secret, QString>> token();
    gateway::Options optionsWith(const secrets::Secret& token) const;
    gateway::OnEnded onEnded() const;
    void begin();
    void follow(); ///< the workspace or a key may be another one now
    void move(const gateway::Options& next, const QString& trouble);
    void setPhase(gateway::Phase phase, const QString& words = {});
    void setWords(const QString& words);
    void describe(); ///< address and names
    void askFigures();
    /// For the engine's thread: does `work` in this one while this lives and nothing has been started or ended since.
    std::function<void(std::function<void()> work)> answerer();

    Session& session_;
    GatewayOverrides overrides_;
    engine::Engine::Poster post_;
    std::shared_ptr<Room> room_;
    std::shared_ptr<gateway::TrafficLog> traffic_; ///< engine thread; null: none is kept
    http::Mailbox mailbox_;
    std::shared_ptr<http::MailSlot> slot_ = std::make_shared<http::MailSlot>(mailbox_);
    gateway::Status status_;
    gateway::Options serving_; ///< what the gateway was given last
    quint16 port_ = 0;         ///< that it listens on; 0: it does not
    quint64 run_ = 0;          ///< counts starts and ends
    QTimer figures_;
    bool isWaiting_ = false;   ///< for the token
    bool isMoving_ = false;    ///< from one address to another, as long as it serves
    bool isFollowDue_ = false; ///< something became another one meanwhile
};

} // namespace sg::app
