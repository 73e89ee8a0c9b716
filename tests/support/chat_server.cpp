// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/chat_server.h"

namespace sg::test {

namespace {
const http::Headers kJson = {{"Content-Type", "application/json"}};
const http::Headers kEvents = {{"Content-Type", "text/event-stream"}};
} // namespace

ChatServer::ChatServer()
    : server_([this](http::ServerRequest request, std::shared_ptr<http::Responder> responder) {
        const QByteArray name = request.path.split('/').value(1);
        ++counts_[name];
        const auto handler = handlers_.find(name);
        if (handler == handlers_.end())
            return responder->send(404, kJson, "{}");
        handler->second(request, std::move(responder));
    })
{
    if (!server_.listen())
        qFatal("no free port on loopback");
}

QUrl ChatServer::base() const
{
    QUrl url(QStringLiteral("http://127.0.0.1"));
    url.setPort(server_.port());
    return url;
}

int ChatServer::requests(const QByteArray& name) const
{
    const auto count = counts_.find(name);
    return count == counts_.end() ? 0 : count->second;
}

ChatServer::Handler ChatServer::answers(const QByteArray& text)
{
    return [text](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
        responder->send(200, kJson,
                        R"({"id":"1","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":")" + text
                            + R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5}})");
    };
}

ChatServer::Handler ChatServer::fails(int status, http::Headers headers)
{
    headers.insert(headers.end(), kJson.begin(), kJson.end());
    return [status, headers](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
        responder->send(status, headers, R"({"error":{"message":"no","type":"server_error"}})");
    };
}

QByteArray ChatServer::chunk(const QByteArray& text)
{
    return R"(data: {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":")" + text + "\"}}]}\n\n";
}

ChatServer::Handler ChatServer::streams(const QList<QByteArray>& pieces)
{
    return [pieces](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
        responder->begin(200, kEvents);
        responder->write(R"(data: {"choices":[{"index":0,"delta":{"role":"assistant"}}]})"
                         "\n\n");
        for (const QByteArray& piece : pieces)
            responder->write(chunk(piece));
        responder->write(R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"
                         "\n\n");
        responder->write(R"(data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5}})"
                         "\n\ndata: [DONE]\n\n");
        responder->end();
    };
}

} // namespace sg::test
