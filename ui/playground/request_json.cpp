// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/request_json.h"

#include "core/provider/openai_request_reader.h"
#include "core/provider/request_writer.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QRegularExpression>

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

Problem syntaxProblem(const QByteArray& utf8, const QJsonParseError& error)
{
    if (QString::fromUtf8(utf8).trimmed().isEmpty())
        return {1, Words::tr("The body is empty. It needs at least { \"messages\": [ … ] }.")};
    return {1 + static_cast<int>(utf8.left(error.offset).count('\n')),
            Words::tr("Not JSON: %1.").arg(error.errorString())};
}

/// Where the field is said first; 0 where it is not.
int lineOf(const QString& field, const QString& text)
{
    const QRegularExpression wanted(QLatin1Char('"') + QRegularExpression::escape(field) + QLatin1String("\"\\s*:"));
    const auto match = wanted.match(text);
    return match.hasMatch() ? lineAt(text, match.capturedStart()) : 0;
}

QString inWords(const provider::openai::RequestProblem& problem)
{
    using Kind = provider::openai::RequestProblem::Kind;
    switch (problem.kind) {
    case Kind::OutOfRange:
        return Words::tr("\"%1\" must be a number from %2 to %3.")
            .arg(problem.field)
            .arg(problem.low)
            .arg(problem.high);
    case Kind::NotWhole:
        return Words::tr("\"%1\" must be a whole number from 1.").arg(problem.field);
    case Kind::NotBool:
        return Words::tr("\"%1\" must be true or false.").arg(problem.field);
    case Kind::NotList:
        return Words::tr("\"%1\" must be a list.").arg(problem.field);
    case Kind::NoMessages:
        return Words::tr("\"messages\" must be a list with at least one message.");
    case Kind::NoRole:
        return Words::tr("Message %1 needs a \"role\": system, user, assistant or tool.").arg(problem.message);
    case Kind::NoContent:
        return Words::tr("Message %1 needs a \"content\": a text or a list of parts.").arg(problem.message);
    }
    return {};
}

} // namespace

QString write(const provider::ChatRequest& request)
{
    provider::ProviderProfile everything;
    everything.quirks.developerRole = true;
    QJsonObject body = QJsonDocument::fromJson(provider::chatBody(everything, request, {})).object();
    for (const char* own : {"model", "stream_options"})
        body.remove(QLatin1String(own));
    return QString::fromUtf8(QJsonDocument(body).toJson(QJsonDocument::Indented));
}

tl::expected<provider::ChatRequest, Problem> read(const QString& text)
{
    const QByteArray utf8 = text.toUtf8();
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(utf8, &error);
    if (error.error != QJsonParseError::NoError)
        return tl::unexpected(syntaxProblem(utf8, error));
    if (!document.isObject())
        return tl::unexpected(Problem{1, Words::tr("The body must be an object: { \"messages\": [ … ] }.")});
    return provider::openai::readRequest(document.object())
        .map_error([&text](const provider::openai::RequestProblem& problem) {
            return Problem{lineOf(problem.field, text), inWords(problem)};
        });
}

} // namespace sg::ui::requestjson
