// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_read.h"

#include <QFileInfo>
#include <QUrl>

#include <set>

namespace sg::workspace {

namespace {

constexpr double kDayMs = 86400000;

void checkProxy(ObjectReader& reader, const QString& field, const QString& proxy)
{
    const QUrl url(proxy, QUrl::StrictMode);
    const QString example = QStringLiteral("Write it as in http://proxy.example:3128 or socks5://127.0.0.1:1080");
    if (!url.isValid() || url.host().isEmpty()) {
        reader.error(field, QStringLiteral("this is no address of a proxy"), example);
        return;
    }
    if (!url.userInfo().isEmpty()) {
        reader.error(field,
                     QStringLiteral("the address holds a name or password before the @, and a file never holds a key"),
                     QStringLiteral("Remove that part and say where \"user:password\" is kept in \"proxy_key\""));
        return;
    }
    if (url.scheme() != QLatin1String("http") && url.scheme() != QLatin1String("socks5"))
        reader.error(field, QStringLiteral("\"%1\" is no kind of proxy").arg(url.scheme()), example);
    else if (url.port() <= 0)
        reader.error(field, QStringLiteral("the proxy's port is missing"), example);
    else if ((!url.path().isEmpty() && url.path() != QLatin1String("/")) || url.hasQuery() || url.hasFragment())
        reader.error(field, QStringLiteral("a proxy is a host and a port, nothing more"), example);
}

chain::RouteClass readClass(ObjectReader& reader, const QStringList& tiers)
{
    chain::RouteClass result;
    result.name = reader.text(QStringLiteral("name")).value_or(QString()).toStdString();
    if (result.name.empty())
        reader.missing(QStringLiteral("name"), QStringLiteral("Give the class a name, as in complex"));
    result.words = readWords(reader);
    result.atLeast = int(reader.integer(QStringLiteral("at_least"), 1, 1000).value_or(result.atLeast));
    result.countsEarlier = reader.flag(QStringLiteral("counts_earlier")).value_or(false);
    const QString tier = reader.text(QStringLiteral("tier")).value_or(QString());
    result.tier = tier.toStdString();
    if (!tier.isEmpty() && !tiers.contains(tier))
        reportUnknownName(reader, QStringLiteral("tier"), QStringLiteral("tier"), tier, tiers,
                          QStringLiteral("Add it to the chain"));
    return result;
}

} // namespace

std::vector<std::string> readWords(ObjectReader& reader)
{
    const QString field = QStringLiteral("words");
    std::vector<std::string> words;
    const QJsonArray list = reader.array(field).value_or(QJsonArray());
    for (const QJsonValue& word : list) {
        if (word.toString().trimmed().isEmpty())
            reader.error(field, QStringLiteral("a word is a text that is not empty"),
                         QStringLiteral("Put each word in quotes, as in [\"error\", \"bug\"]"));
        words.push_back(word.toString().toStdString());
    }
    return words;
}

chain::MovesOn readMovesOn(ObjectReader& owner, QJsonObject& unknown)
{
    const QString part = QStringLiteral("moves_on");
    chain::MovesOn moves;
    auto reader = partReader(owner, part);
    if (!reader)
        return moves;
    moves.rateLimited = reader->flag(QStringLiteral("rate_limited")).value_or(moves.rateLimited);
    moves.serverError = reader->flag(QStringLiteral("server_error")).value_or(moves.serverError);
    moves.timeout = reader->flag(QStringLiteral("timeout")).value_or(moves.timeout);
    moves.openBreaker = reader->flag(QStringLiteral("open_breaker")).value_or(moves.openBreaker);
    moves.contextTooLong = reader->flag(QStringLiteral("context_too_long")).value_or(moves.contextTooLong);
    moves.contentPolicy = reader->flag(QStringLiteral("content_policy")).value_or(moves.contentPolicy);
    keepUnknown(unknown, part, reader->finish());
    return moves;
}

std::optional<chain::RouterSpec> readRouter(ObjectReader& owner, const std::vector<chain::TierSpec>& tiers,
                                            QJsonObject& unknown)
{
    const QString part = QStringLiteral("router"), field = QStringLiteral("classes");
    auto reader = partReader(owner, part);
    if (!reader)
        return std::nullopt;
    QStringList names;
    for (const chain::TierSpec& tier : tiers)
        names << QString::fromStdString(tier.name);
    chain::RouterSpec router;
    QJsonObject kept;
    std::set<std::string> seen;
    const QJsonArray list = reader->array(field).value_or(QJsonArray());
    for (qsizetype i = 0; i < list.size(); ++i) {
        ObjectReader one(list.at(i).toObject(), reader->place(field, i), owner.findings(), owner.unknownLevel());
        router.classes.push_back(readClass(one, names));
        const std::string& name = router.classes.back().name;
        if (!name.empty() && !seen.insert(name).second)
            one.error(QStringLiteral("name"),
                      QStringLiteral("the name \"%1\" is there twice").arg(QString::fromStdString(name)),
                      QStringLiteral("Give each its own name"));
        keepUnknown(kept, name.empty() ? QString::number(i) : QString::fromStdString(name), one.finish());
    }
    QJsonObject all = reader->finish();
    keepUnknown(all, field, kept);
    keepUnknown(unknown, part, all);
    return router;
}

Caller readCaller(ObjectReader& owner, QJsonObject& unknown)
{
    const QString part = QStringLiteral("caller");
    Caller caller;
    auto reader = partReader(owner, part);
    if (!reader)
        return caller;
    caller.waits = reader->millis(QStringLiteral("waits_ms"), {0, kDayMs, false});
    if (const auto retries = reader->integer(QStringLiteral("retries"), 0, 100))
        caller.retries = int(*retries);
    if (const auto usd = reader->number(QStringLiteral("pays_usd"), {0, 1e6}))
        caller.pays = cost::NanoDollars::fromUsd(*usd);
    keepUnknown(unknown, part, reader->finish());
    return caller;
}

void readProxy(ObjectReader& reader, Endpoint& endpoint, QJsonObject& unknown)
{
    const QString proxy = QStringLiteral("proxy"), key = QStringLiteral("proxy_key"), ca = QStringLiteral("ca_file");
    endpoint.proxy = reader.text(proxy).value_or(QString()).trimmed();
    if (!endpoint.proxy.isEmpty())
        checkProxy(reader, proxy, endpoint.proxy);
    endpoint.proxyKey = readKey(reader, key, unknown);
    if (endpoint.proxy.isEmpty() && endpoint.proxyKey.source != KeySource::None)
        reader.warning(key, QStringLiteral("without proxy this does nothing"),
                       QStringLiteral("Set proxy or remove it"));
    endpoint.caFile = reader.text(ca).value_or(QString());
    if (!endpoint.caFile.isEmpty() && !QFileInfo(endpoint.caFile).isAbsolute())
        reader.error(ca, QStringLiteral("the path is relative, and programs start in different folders"),
                     QStringLiteral("Write the whole path, as in /etc/ssl/private-ca.pem"));
    endpoint.httpVersion =
        reader
            .choice<HttpVersion>(QStringLiteral("http_version"), {{QStringLiteral("1.1"), HttpVersion::Http1},
                                                                  {QStringLiteral("auto"), HttpVersion::Automatic},
                                                                  {QStringLiteral("2"), HttpVersion::Http2}})
            .value_or(HttpVersion::Http1);
}

} // namespace sg::workspace
