// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/openai_request.h"

#include "tests/support/json.h"

namespace sg::test {

provider::ChatRequest requestOf(const QByteArray& json)
{
    provider::ChatRequest request;
    request.extra = object(json);
    const QJsonArray messages = request.extra.take(QLatin1String("messages")).toArray();
    for (const QJsonValue& one : messages) {
        QJsonObject fields = one.toObject();
        provider::Message message{fields.take(QLatin1String("role")).toString().toStdString(), {}, {}};
        if (fields[QLatin1String("content")].isString())
            message.text = fields.take(QLatin1String("content")).toString();
        message.fields = fields;
        request.messages.push_back(message);
    }
    return request;
}

provider::ChatRequest hello()
{
    provider::ChatRequest request;
    request.messages = {{"user", QStringLiteral("Hi")}};
    return request;
}

} // namespace sg::test
