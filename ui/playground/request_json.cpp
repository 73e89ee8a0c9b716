// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/request_json.h"

#include "core/provider/request_writer.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QRegularExpression>

#include <cmath>

namespace sg::ui::requestjson {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::requestjson)
};

int lineAt(QStringView text, qsizetype offset)
{
    return 1 + static_cast<int>(text.left(std::min(offset, text.size())).count(QLatin1Char('\n')));
}

/// Reads one body; the first problem ends it.
class Reader
{
public:
    explicit Reader(const QString& text)
        : text_(text)
    {
    }

    tl::expected<provider::ChatRequest, Problem> read()
    {
        const QByteArray utf8 = text_.toUtf8();
        QJsonParseError error{};
        const QJsonDocument document = QJsonDocument::fromJson(utf8, &error);
        if (error.error != QJsonParseError::NoError)
            return tl::unexpected(syntax(utf8, error));
        if (!document.isObject())
            return tl::unexpected(Problem{1, Words::tr("The body must be an object: { \"messages\": [ … ] }.")});
        body_ = document.object();
        for (const char* own : {"model", "stream_options"})
            body_.remove(QLatin1String(own));
        takeSampling();
        takeTools();
        takeMessages();
        request_.extra = body_;
        if (problem_)
            return tl::unexpected(*problem_);
        return request_;
    }

private:
    static Problem syntax(const QByteArray& utf8, const QJsonParseError& error)
    {
        if (QString::fromUtf8(utf8).trimmed().isEmpty())
            return {1, Words::tr("The body is empty. It needs at least { \"messages\": [ … ] }.")};
        return {1 + static_cast<int>(utf8.left(error.offset).count('\n')),
                Words::tr("Not JSON: %1.").arg(error.errorString())};
    }

    void complain(const QString& key, const QString& words)
    {
        if (problem_)
            return;
        const QRegularExpression wanted(QLatin1Char('"') + QRegularExpression::escape(key) + QLatin1String("\"\\s*:"));
        const auto match = wanted.match(text_);
        problem_ = Problem{match.hasMatch() ? lineAt(text_, match.capturedStart()) : 0, words};
    }

    std::optional<double> takeNumber(const QString& key, double low, double high)
    {
        const QJsonValue value = body_.take(key);
        if (value.isUndefined() || value.isNull())
            return std::nullopt;
        if (value.isDouble() && value.toDouble() >= low && value.toDouble() <= high)
            return value.toDouble();
        complain(key, Words::tr("\"%1\" must be a number from %2 to %3.").arg(key).arg(low).arg(high));
        return std::nullopt;
    }

    void takeSampling()
    {
        request_.sampling.temperature = takeNumber(QStringLiteral("temperature"), 0, 2);
        request_.sampling.topP = takeNumber(QStringLiteral("top_p"), 0, 1);
        const QString most = QStringLiteral("max_tokens");
        const QJsonValue limit = body_.take(most);
        const double tokens = limit.toDouble();
        if (limit.isDouble() && tokens >= 1 && tokens <= 10'000'000 && tokens == std::floor(tokens))
            request_.sampling.maxTokens = static_cast<int>(tokens);
        else if (!limit.isUndefined() && !limit.isNull())
            complain(most, Words::tr("\"max_tokens\" must be a whole number from 1."));
        const QString stream = QStringLiteral("stream");
        const QJsonValue streams = body_.take(stream);
        if (!streams.isUndefined() && !streams.isBool())
            complain(stream, Words::tr("\"stream\" must be true or false."));
        request_.stream = streams.toBool();
    }

    void takeTools()
    {
        const QString key = QStringLiteral("tools");
        const QJsonValue tools = body_.take(key);
        if (!tools.isUndefined() && !tools.isArray())
            complain(key, Words::tr("\"tools\" must be a list."));
        request_.tools = tools.toArray();
    }

    void takeMessages()
    {
        const QString key = QStringLiteral("messages");
        const QJsonValue messages = body_.take(key);
        if (!messages.isArray() || messages.toArray().isEmpty())
            return complain(key, Words::tr("\"messages\" must be a list with at least one message."));
        int number = 0;
        for (const QJsonValue& value : messages.toArray())
            takeMessage(value, ++number);
    }

    void takeMessage(const QJsonValue& value, int number)
    {
        provider::Message message;
        message.fields = value.toObject();
        const QJsonValue role = message.fields.take(QLatin1String("role"));
        if (!value.isObject() || !role.isString() || role.toString().isEmpty())
            return complain(QStringLiteral("messages"),
                            Words::tr("Message %1 needs a \"role\": system, user, assistant or tool.").arg(number));
        message.role = role.toString().toStdString();
        const QJsonValue content = message.fields.value(QLatin1String("content"));
        if (content.isString())
            message.text = message.fields.take(QLatin1String("content")).toString();
        else if (!content.isArray() && !content.isNull() && !message.fields.contains(QLatin1String("tool_calls")))
            return complain(QStringLiteral("messages"),
                            Words::tr("Message %1 needs a \"content\": a text or a list of parts.").arg(number));
        request_.messages.push_back(std::move(message));
    }

    const QString& text_;
    QJsonObject body_;
    provider::ChatRequest request_;
    std::optional<Problem> problem_;
};

} // namespace

QString write(const provider::ChatRequest& request)
{
    QJsonObject body = QJsonDocument::fromJson(provider::chatBody(provider::ProviderProfile(), request, {})).object();
    for (const char* own : {"model", "stream_options"})
        body.remove(QLatin1String(own));
    return QString::fromUtf8(QJsonDocument(body).toJson(QJsonDocument::Indented));
}

tl::expected<provider::ChatRequest, Problem> read(const QString& text)
{
    return Reader(text).read();
}

} // namespace sg::ui::requestjson
