// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/request_writer.h"
#include "core/provider/anthropic_request.h"
#include "core/provider/gemini_request.h"
#include "core/provider/json_text.h"
#include "core/provider/openai.h"

#include <QJsonDocument>
#include <QRegularExpression>
#include <QUrlQuery>

#include <algorithm>

namespace sg::provider {

namespace {
const QString kModel = QStringLiteral("{model}");
const QString kGenerate = QStringLiteral(":generateContent");
const QString kStreamGenerate = QStringLiteral(":streamGenerateContent");
const QString kChatCompletions = QStringLiteral("chat/completions");
const QString kEmbeddings = QStringLiteral("embeddings");

QStringList segmentsOf(const QString& path)
{
    return path.section(QLatin1Char('?'), 0, 0).split(QLatin1Char('/'), Qt::SkipEmptyParts);
}

const QStringList& plainOperations()
{
    static const QStringList known{kChatCompletions, QStringLiteral("completions"), QStringLiteral("responses"),
                                   kEmbeddings, QStringLiteral("models")};
    return known;
}

/// What people paste as a base: the profile's own operations, the longest first, and those of OpenAI's API.
QStringList operationsOf(const ProviderProfile& profile)
{
    QString streamed = profile.chatPath;
    streamed.replace(kGenerate, kStreamGenerate);
    return QStringList{profile.chatPath, streamed, profile.modelsPath} + plainOperations();
}

bool segmentMatches(const QString& pattern, const QString& segment)
{
    const qsizetype hole = pattern.indexOf(kModel);
    if (hole < 0)
        return pattern == segment;
    const QString head = pattern.first(hole), tail = pattern.mid(hole + kModel.size());
    return segment.size() > head.size() + tail.size() && segment.startsWith(head) && segment.endsWith(tail);
}

bool endsWith(const QStringList& segments, const QStringList& tail)
{
    const qsizetype from = segments.size() - tail.size();
    return !tail.isEmpty() && from >= 0 &&
           std::equal(tail.begin(), tail.end(), segments.begin() + from, segmentMatches);
}

/// Takes a pasted operation off the end of a path; true when there was one, so what stays is the base as it is meant.
bool dropOperation(QStringList& segments, const QStringList& operations)
{
    for (const QString& operation : operations) {
        const QStringList tail = segmentsOf(operation);
        if (!endsWith(segments, tail))
            continue;
        segments.resize(segments.size() - tail.size());
        return true;
    }
    return false;
}

bool isVersion(const QString& segment)
{
    static const QRegularExpression version(QStringLiteral("^v\\d+([a-z]+\\d*)?$"));
    return version.match(segment).hasMatch();
}

/// Addresses that already say which version (…/v1, …/v1beta/openai, …/api/paas/v4), or a deployment (Azure), need none.
bool saysVersion(const QStringList& segments)
{
    return segments.contains(QStringLiteral("deployments")) || std::ranges::any_of(segments, isVersion);
}

/// What people leave out: the path of the provider's usual address where only its host is written, else the version.
QStringList usualPath(const ProviderProfile& profile, const QUrl& url, const QStringList& segments)
{
    if (profile.chatPath.startsWith(QLatin1Char('/')))
        return {};
    const QUrl usual(profile.baseUrl);
    const QStringList own = segmentsOf(usual.path(QUrl::FullyEncoded));
    const auto version = std::ranges::find_if(own, isVersion);
    if (version == own.end())
        return {profile.dialect == Dialect::Gemini ? QStringLiteral("v1beta") : QStringLiteral("v1")};
    return segments.isEmpty() && url.host() == usual.host() ? own : own.sliced(version - own.begin());
}

bool carriesKey(const QUrl& url)
{
    static const QRegularExpression names(
        QStringLiteral("^(?:.*key|.*token|sig|signature|.*secret|password|auth(?:orization)?)$"),
        QRegularExpression::CaseInsensitiveOption);
    const auto items = QUrlQuery(url).queryItems();
    return !url.userInfo().isEmpty() ||
           std::ranges::any_of(items, [](const auto& item) { return names.match(item.first).hasMatch(); });
}

QUrl addressOf(const QString& text)
{
    return QUrl(text.trimmed(), QUrl::StrictMode);
}

/// Beside the chat's address, where that is one of OpenAI's. Others have none, or in a form of their own.
bool hasEmbeddings(const ProviderProfile& profile)
{
    return (profile.dialect == Dialect::OpenAi || profile.dialect == Dialect::Azure) &&
           profile.chatPath.contains(kChatCompletions);
}

/// The path below the base as the operation wants it, the model not yet filled in.
QString templateOf(const ProviderProfile& profile, Operation operation)
{
    if (operation == Operation::ListModels)
        return profile.modelsPath;
    QString path = profile.chatPath;
    if (operation == Operation::Embeddings)
        path.replace(kChatCompletions, kEmbeddings);
    if (profile.dialect == Dialect::Gemini && operation == Operation::ChatStream)
        path.replace(kGenerate, kStreamGenerate);
    return path;
}

QStringList filled(const QString& path, QString model)
{
    if (model.startsWith(QLatin1String("models/"))) // Gemini's list names them so
        model = model.mid(7);
    const QString encoded = QString::fromLatin1(QUrl::toPercentEncoding(model));
    QStringList segments = segmentsOf(path);
    for (QString& segment : segments)
        segment.replace(kModel, encoded);
    return segments;
}

struct Target
{
    QStringList segments;
    QString query; ///< of the operation
    bool wantsApiVersion = false;
};

Target plainTarget(const ProviderProfile& profile, const QUrl& url, const QString& model, Operation operation)
{
    QStringList segments = segmentsOf(url.path(QUrl::FullyEncoded));
    if (!dropOperation(segments, operationsOf(profile)) && !saysVersion(segments))
        segments += usualPath(profile, url, segments);
    const QString path = templateOf(profile, operation);
    return {segments + filled(path, model), path.section(QLatin1Char('?'), 1)};
}

/// Azure has three kinds of address: by deployment (the resource's host, …/openai, …/openai/deployments/NAME), the
/// versioned one (…/openai/v1, without an api-version), and the one for all of Foundry's models (…/models).
Target azureTarget(const ProviderProfile& profile, const QUrl& url, const QString& model, Operation operation)
{
    const bool lists = operation == Operation::ListModels;
    const QStringList plain = lists                                ? QStringList{QStringLiteral("models")}
                              : operation == Operation::Embeddings ? QStringList{kEmbeddings}
                                                                   : segmentsOf(kChatCompletions);
    QStringList segments = segmentsOf(url.path(QUrl::FullyEncoded));
    const bool isFoundry = endsWith(segments, {QStringLiteral("models")}) &&
                           (segments.size() < 2 || (segments.at(segments.size() - 2) != QLatin1String("openai") &&
                                                    !isVersion(segments.at(segments.size() - 2))));
    if (isFoundry)
        return {lists ? segments : segments + plain, {}, true};
    const bool dropped = dropOperation(segments, plainOperations());
    const qsizetype deployments = segments.indexOf(QStringLiteral("deployments"));
    if (deployments >= 0 && deployments + 1 < segments.size())
        return {segments.first(lists ? deployments : deployments + 2) + plain, {}, true};
    if (std::ranges::any_of(segments, isVersion))
        return {segments + plain, {}, false};
    if (dropped && !lists && !segments.isEmpty() && segments.constLast() != QLatin1String("openai"))
        return {segments + plain, {}, true};
    if (deployments >= 0)
        segments.resize(deployments);
    if (segments.isEmpty() || segments.constLast() != QLatin1String("openai"))
        segments += QStringLiteral("openai");
    const QString path = templateOf(profile, operation);
    return {segments + filled(path, model), path.section(QLatin1Char('?'), 1), true};
}

QString queryOf(const ProviderProfile& profile, const QUrl& url, const Target& target, Operation operation)
{
    QUrlQuery query(url);
    const auto items = QUrlQuery(target.query).queryItems();
    for (const auto& [name, value] : items)
        if (!query.hasQueryItem(name))
            query.addQueryItem(name, value);
    if (target.wantsApiVersion && !profile.apiVersion.isEmpty() && !query.hasQueryItem(QStringLiteral("api-version")))
        query.addQueryItem(QStringLiteral("api-version"), profile.apiVersion);
    if (profile.dialect == Dialect::Gemini) { // without it a stream is one long JSON list
        query.removeAllQueryItems(QStringLiteral("alt"));
        if (operation == Operation::ChatStream)
            query.addQueryItem(QStringLiteral("alt"), QStringLiteral("sse"));
    }
    return query.toString(QUrl::FullyEncoded);
}
} // namespace

QString addressProblem(const QString& baseUrl)
{
    const QUrl url = addressOf(baseUrl);
    if (!url.isValid() || url.isEmpty())
        return QStringLiteral("This is no address. It should look like https://api.example.com/v1.");
    if (url.scheme() != QLatin1String("https") && url.scheme() != QLatin1String("http"))
        return QStringLiteral("The address must begin with https:// or http://.");
    if (url.host().isEmpty())
        return QStringLiteral("The address names no host.");
    if (carriesKey(url))
        return QStringLiteral("The address carries a key. Keys are kept apart: remove it from the address.");
    return {};
}

tl::expected<QUrl, QString> operationUrl(const ProviderProfile& profile, const QString& baseUrl, const QString& model,
                                         Operation operation)
{
    const QString& base = baseUrl.trimmed().isEmpty() && !profile.baseUrl.isEmpty() ? profile.baseUrl : baseUrl;
    if (const QString problem = addressProblem(base); !problem.isEmpty())
        return tl::make_unexpected(problem);
    if (operation == Operation::ListModels && profile.modelsPath.isEmpty())
        return tl::make_unexpected(QStringLiteral("%1 has no list of models to ask for.").arg(profile.title));
    if (operation == Operation::Embeddings && !hasEmbeddings(profile))
        return tl::make_unexpected(QStringLiteral("%1 has no embeddings in OpenAI's form.").arg(profile.title));
    if (model.isEmpty() && templateOf(profile, operation).contains(kModel))
        return tl::make_unexpected(QStringLiteral("The model is missing, and it is a part of the address."));
    QUrl url = addressOf(base);
    const Target target = profile.dialect == Dialect::Azure ? azureTarget(profile, url, model, operation)
                                                            : plainTarget(profile, url, model, operation);
    const QString query = queryOf(profile, url, target, operation);
    url.setPath(QLatin1Char('/') + target.segments.join(QLatin1Char('/')), QUrl::StrictMode);
    url.setQuery(query.isEmpty() ? QString() : query, QUrl::StrictMode);
    url.setFragment(QString());
    return url;
}

std::vector<std::pair<QByteArray, QByteArray>> keyHeaders(const ProviderProfile& profile, const QByteArray& key)
{
    if (key.isEmpty())
        return {};
    return {{profile.keyHeader.toLatin1(), profile.keyScheme.toLatin1() + key}};
}

QByteArray chatBody(const ProviderProfile& profile, const ChatRequest& request, const std::string& model,
                    QStringList* leftOut)
{
    QByteArray body;
    switch (profile.dialect) {
    case Dialect::Anthropic:
        appendJson(body, anthropicBody(request, model, leftOut));
        return body;
    case Dialect::Gemini:
        appendJson(body, geminiBody(request, leftOut, model));
        return body;
    case Dialect::OpenAi:
    case Dialect::Azure:
        break;
    }
    return openai::chatBody(request, model, profile.quirks, leftOut);
}

} // namespace sg::provider
