// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/url_target.h"

#include "core/policy/loopback.h"
#include "core/provider/mask.h"
#include "core/provider/request_writer.h"

#include <QUrl>

#include <array>

namespace sg::load {

namespace {

QUrl urlOf(const QString& text)
{
    return QUrl(text.trimmed(), QUrl::StrictMode);
}

bool isHttp(const QUrl& url)
{
    return url.isValid() && !url.host().isEmpty() &&
           (url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https"));
}

constexpr std::array kSources{std::pair(workspace::KeySource::Environment, "environment"),
                              std::pair(workspace::KeySource::Keychain, "keychain"),
                              std::pair(workspace::KeySource::Session, "session")};

} // namespace

QString checkUrl(const UrlTarget& url)
{
    if (!isHttp(urlOf(url.baseUrl)))
        return QStringLiteral("The address is none: write it as in http://127.0.0.1:8787/v1.");
    if (!urlOf(url.baseUrl).userInfo().isEmpty())
        return QStringLiteral("The address holds a name or password before the @: remove that part and say where the "
                              "key is kept.");
    if (urlOf(url.baseUrl).hasFragment())
        return QStringLiteral("The address holds a #, and what comes after it is sent to nobody: remove it.");
    if (provider::looksLikeKey(urlOf(url.baseUrl).path()))
        return QStringLiteral(
            "The path of the address holds what looks like a key: remove it, put it into an environment "
            "variable or the keychain and name that.");
    if (const QString problem = provider::addressProblem(url.baseUrl); !problem.isEmpty())
        return problem;
    if (url.model.trimmed().isEmpty())
        return QStringLiteral("No model: name the one to ask for, of a gateway a chain.");
    if (url.key.source != workspace::KeySource::None && url.key.name.trimmed().isEmpty())
        return QStringLiteral("The key has no name: give that of its environment variable or keychain entry.");
    if (provider::looksLikeKey(url.key.name))
        return QStringLiteral("That is a key, not the name of one: put it into an environment variable or the keychain "
                              "and name that.");
    return {};
}

QString hostOf(const QString& baseUrl)
{
    const QUrl url = urlOf(baseUrl);
    const QString host = url.host().contains(QLatin1Char(':')) ? QStringLiteral("[%1]").arg(url.host()) : url.host();
    return url.port() < 0 ? host : QStringLiteral("%1:%2").arg(host).arg(url.port());
}

bool isOnThisMachine(const QString& baseUrl)
{
    return policy::isLoopback(urlOf(baseUrl).host());
}

workspace::Workspace workspaceAt(const UrlTarget& url)
{
    workspace::Endpoint endpoint;
    endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.spec.name = hostOf(url.baseUrl).toStdString();
    endpoint.baseUrl = url.baseUrl.trimmed();
    endpoint.model = url.model.trimmed();
    endpoint.key = url.key;
    endpoint.key.saysNone = url.key.source == workspace::KeySource::None;
    workspace::Workspace workspace;
    workspace.name = QStringLiteral("--url");
    workspace.endpoints = {endpoint};
    return workspace;
}

QJsonObject toJson(const UrlTarget& url)
{
    QJsonObject json{{QStringLiteral("base_url"), url.baseUrl}, {QStringLiteral("model"), url.model}};
    for (const auto& [source, word] : kSources)
        if (url.key.source == source)
            json.insert(QStringLiteral("key"), QJsonObject{{QStringLiteral("source"), QString::fromLatin1(word)},
                                                           {QStringLiteral("name"), url.key.name}});
    return json;
}

std::optional<UrlTarget> urlTargetOf(const QJsonObject& json)
{
    UrlTarget url{json.value(QLatin1String("base_url")).toString(), json.value(QLatin1String("model")).toString()};
    const QJsonObject key = json.value(QLatin1String("key")).toObject();
    const QString source = key.value(QLatin1String("source")).toString();
    for (const auto& [kind, word] : kSources)
        if (source == QLatin1String(word))
            url.key = {kind, key.value(QLatin1String("name")).toString()};
    return url.baseUrl.isEmpty() ? std::nullopt : std::optional(url);
}

} // namespace sg::load
