// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/server.h"

#include <QJsonObject>

#include <functional>
#include <map>

namespace sg::test {

/// A chat-completions server in the test's own thread whose endpoints are what the test makes of them. A request to
/// /NAME/v1/chat/completions goes to the handler of that name.
class ChatServer
{
public:
    using Handler = std::function<void(const http::ServerRequest&, std::shared_ptr<http::Responder>)>;
    ChatServer();

    void on(const QByteArray& name, Handler handler) { handlers_[name] = std::move(handler); }
    QUrl base() const;
    int requests(const QByteArray& name) const;

    /// Handlers for the usual cases.
    static Handler answers(const QByteArray& text);
    static Handler fails(int status, http::Headers headers = {});
    /// A whole stream with one chunk per piece, usage and [DONE].
    static Handler streams(const QList<QByteArray>& pieces);
    static QByteArray chunk(const QByteArray& text);

private:
    std::map<QByteArray, Handler> handlers_;
    std::map<QByteArray, int> counts_;
    http::Server server_;
};

} // namespace sg::test
