// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/openai_request_reader.h"

#include <cmath>
#include <utility>

namespace sg::provider::openai {

namespace {

using Kind = RequestProblem::Kind;
constexpr double kMostTokens = 10'000'000;

/// Reads one body; the first problem ends it.
class Reader
{
public:
    tl::expected<ChatRequest, RequestProblem> read(const QJsonObject& body)
    {
        // In the order of their names, so what is passed on is put at the end of `extra` each time.
        for (auto field = body.begin(); field != body.end(); ++field)
            take(field.key(), field.value());
        if (!hasMessages_)
            complain({Kind::NoMessages, QStringLiteral("messages")});
        if (problem_)
            return tl::unexpected(std::move(*problem_));
        return std::move(request_);
    }

private:
    void take(const QString& name, const QJsonValue& value)
    {
        if (name == QLatin1String("messages"))
            return takeMessages(value);
        if (name == QLatin1String("stream"))
            return takeStream(value);
        if (name == QLatin1String("temperature"))
            return takeNumber(request_.sampling.temperature, name, value, 2);
        if (name == QLatin1String("top_p"))
            return takeNumber(request_.sampling.topP, name, value, 1);
        if (name == QLatin1String("max_tokens"))
            return takeMaxTokens(value);
        if (name == QLatin1String("tools"))
            return takeTools(value);
        if (name == QLatin1String("model") || name == QLatin1String("stream_options") || name == QLatin1String("n"))
            return;
        request_.extra.insert(name, value);
    }

    void complain(RequestProblem problem)
    {
        if (!problem_)
            problem_ = std::move(problem);
    }

    void takeNumber(std::optional<double>& into, const QString& name, const QJsonValue& value, double high)
    {
        if (value.isNull())
            return;
        if (value.isDouble() && value.toDouble() >= 0 && value.toDouble() <= high)
            into = value.toDouble();
        else
            complain({Kind::OutOfRange, name, 0, 0, high});
    }

    void takeMaxTokens(const QJsonValue& value)
    {
        const double tokens = value.toDouble();
        if (value.isDouble() && tokens >= 1 && tokens <= kMostTokens && tokens == std::floor(tokens))
            request_.sampling.maxTokens = static_cast<int>(tokens);
        else if (!value.isNull())
            complain({Kind::NotWhole, QStringLiteral("max_tokens")});
    }

    void takeStream(const QJsonValue& value)
    {
        if (!value.isBool() && !value.isNull())
            complain({Kind::NotBool, QStringLiteral("stream")});
        request_.stream = value.toBool();
    }

    void takeTools(const QJsonValue& value)
    {
        if (!value.isArray() && !value.isNull())
            complain({Kind::NotList, QStringLiteral("tools")});
        request_.tools = value.toArray();
    }

    void takeMessages(const QJsonValue& value)
    {
        const QJsonArray messages = value.toArray();
        hasMessages_ = !messages.isEmpty();
        request_.messages.reserve(static_cast<std::size_t>(messages.size()));
        int number = 0;
        for (const QJsonValue& message : messages)
            takeMessage(message, ++number);
    }

    void takeMessage(const QJsonValue& value, int number)
    {
        Message message;
        bool hasContent = false, hasCalls = false;
        const QJsonObject fields = value.toObject();
        for (auto field = fields.begin(); field != fields.end(); ++field) {
            const QString name = field.key();
            const QJsonValue said = field.value();
            if (name == QLatin1String("role")) {
                message.role = said.toString().toStdString();
                continue;
            }
            if (name == QLatin1String("content")) {
                hasContent = said.isString() || said.isArray() || said.isNull();
                if (said.isString()) {
                    message.text = said.toString();
                    continue;
                }
            }
            hasCalls = hasCalls || name == QLatin1String("tool_calls") || name == QLatin1String("function_call");
            message.fields.insert(name, said);
        }
        if (message.role.empty())
            return complain({Kind::NoRole, QStringLiteral("messages"), number});
        if (!hasContent && !hasCalls)
            return complain({Kind::NoContent, QStringLiteral("messages"), number});
        request_.messages.push_back(std::move(message));
    }

    ChatRequest request_;
    std::optional<RequestProblem> problem_;
    bool hasMessages_ = false;
};

} // namespace

tl::expected<ChatRequest, RequestProblem> readRequest(const QJsonObject& body)
{
    return Reader().read(body);
}

QString sentence(const RequestProblem& problem)
{
    switch (problem.kind) {
    case Kind::OutOfRange:
        return QStringLiteral("\"%1\" must be a number from %2 to %3.")
            .arg(problem.field)
            .arg(problem.low)
            .arg(problem.high);
    case Kind::NotWhole:
        return QStringLiteral("\"%1\" must be a whole number from 1.").arg(problem.field);
    case Kind::NotBool:
        return QStringLiteral("\"%1\" must be true or false.").arg(problem.field);
    case Kind::NotList:
        return QStringLiteral("\"%1\" must be a list.").arg(problem.field);
    case Kind::NoMessages:
        return QStringLiteral("\"messages\" must be a list with at least one message.");
    case Kind::NoRole:
        return QStringLiteral("Message %1 needs a \"role\": system, user, assistant or tool.").arg(problem.message);
    case Kind::NoContent:
        return QStringLiteral("Message %1 needs a \"content\": a text or a list of parts.").arg(problem.message);
    }
    return {};
}

} // namespace sg::provider::openai
