// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_snippets.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace sg::ui::gatewaysnippets {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::gatewaysnippets)
};

/// As JavaScript and Python both read it.
QString quoted(const QString& text)
{
    const QByteArray array = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(array.mid(1, array.size() - 2));
}

/// As a POSIX shell reads it: nothing within single quotes means anything.
QString shellQuoted(QString text)
{
    text.replace(QLatin1Char('\''), QLatin1String("'\\''"));
    return QLatin1Char('\'') + text + QLatin1Char('\'');
}

/// The libraries ask for a key even where the server asks for none.
const QString kNoKey = QStringLiteral("none");

QString modelOf(const Target& target)
{
    return target.model.isEmpty() ? QStringLiteral("MODEL") : target.model;
}

QString javaScript(const Target& target)
{
    const QString key =
        target.tokenVariable.isEmpty() ? quoted(kNoKey) : QStringLiteral("process.env.%1").arg(target.tokenVariable);
    return QStringLiteral("import OpenAI from \"openai\";\n\n"
                          "const client = new OpenAI({\n"
                          "  baseURL: %1,\n"
                          "  apiKey: %2,\n"
                          "});\n\n"
                          "const answer = await client.chat.completions.create({\n"
                          "  model: %3,\n"
                          "  messages: [{ role: \"user\", content: \"Hello\" }],\n"
                          "});\n"
                          "console.log(answer.choices[0].message.content);\n")
        .arg(quoted(target.url), key, quoted(modelOf(target)));
}

QString python(const Target& target)
{
    const bool hasToken = !target.tokenVariable.isEmpty();
    const QString key = hasToken ? QStringLiteral("os.environ[%1]").arg(quoted(target.tokenVariable)) : quoted(kNoKey);
    return (hasToken ? QStringLiteral("import os\n\n") : QString()) +
           QStringLiteral("from openai import OpenAI\n\n"
                          "client = OpenAI(\n"
                          "    base_url=%1,\n"
                          "    api_key=%2,\n"
                          ")\n\n"
                          "answer = client.chat.completions.create(\n"
                          "    model=%3,\n"
                          "    messages=[{\"role\": \"user\", \"content\": \"Hello\"}],\n"
                          ")\n"
                          "print(answer.choices[0].message.content)\n")
               .arg(quoted(target.url), key, quoted(modelOf(target)));
}

QString curl(const Target& target)
{
    const QJsonObject message{{QStringLiteral("role"), QStringLiteral("user")},
                              {QStringLiteral("content"), QStringLiteral("Hello")}};
    const QJsonObject body{{QStringLiteral("model"), modelOf(target)},
                           {QStringLiteral("messages"), QJsonArray{message}}};
    const QString token = target.tokenVariable.isEmpty()
                              ? QString()
                              : QStringLiteral(" -H \"Authorization: Bearer $%1\"").arg(target.tokenVariable);
    return QStringLiteral("curl %1%2 -H 'Content-Type: application/json' -d %3")
        .arg(shellQuoted(target.url + QStringLiteral("/chat/completions")), token,
             shellQuoted(QString::fromUtf8(QJsonDocument(body).toJson(QJsonDocument::Compact))));
}

QString environment(const Target& target)
{
    const QString key = target.tokenVariable.isEmpty() ? kNoKey : QStringLiteral("\"$%1\"").arg(target.tokenVariable);
    return QStringLiteral("export OPENAI_BASE_URL=%1\nexport OPENAI_API_KEY=%2\n").arg(shellQuoted(target.url), key);
}

} // namespace

const std::vector<Form>& forms()
{
    static const std::vector<Form> all{Form::BaseUrl, Form::JavaScript, Form::Python, Form::Curl, Form::Environment};
    return all;
}

QString title(Form form)
{
    switch (form) {
    case Form::BaseUrl:
        return Words::tr("Base URL");
    case Form::JavaScript:
        return Words::tr("OpenAI SDK, JavaScript");
    case Form::Python:
        return Words::tr("OpenAI SDK, Python");
    case Form::Curl:
        return Words::tr("curl");
    case Form::Environment:
        return Words::tr("Environment variables");
    }
    return {};
}

QString text(Form form, const Target& target)
{
    switch (form) {
    case Form::BaseUrl:
        return target.url;
    case Form::JavaScript:
        return javaScript(target);
    case Form::Python:
        return python(target);
    case Form::Curl:
        return curl(target);
    case Form::Environment:
        return environment(target);
    }
    return {};
}

} // namespace sg::ui::gatewaysnippets
