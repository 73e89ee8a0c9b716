// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/request_writer.h"
#include "core/workspace/workspace_read.h"

#include <QUrl>

namespace sg::workspace {

namespace {

constexpr double kDayMs = 86400000;
constexpr Bounds kSpan{0, kDayMs};
constexpr Bounds kPositiveSpan{0, kDayMs, false};

std::optional<policy::TaskTimeout> readByTask(ObjectReader& owner, QJsonObject& unknown)
{
    auto reader = partReader(owner, QStringLiteral("by_task"));
    if (!reader)
        return std::nullopt;
    policy::TaskTimeout byTask;
    byTask.base = reader->millis(QStringLiteral("base_ms"), kPositiveSpan);
    byTask.per100Tokens = reader->millis(QStringLiteral("per_100_tokens_ms"), kSpan).value_or(byTask.per100Tokens);
    byTask.floor = reader->millis(QStringLiteral("floor_ms"), kSpan).value_or(byTask.floor);
    if (byTask.per100Tokens + byTask.floor <= Nanos::zero())
        reader->error(QString(), QStringLiteral("no answer can be given in no time"),
                      QStringLiteral("Give per_100_tokens_ms or floor_ms a value above 0"));
    keepUnknown(unknown, QStringLiteral("by_task"), reader->finish());
    return byTask;
}

policy::TokenLimits readTokenLimits(ObjectReader& reader)
{
    policy::TokenLimits limits;
    limits.firstToken = reader.millis(QStringLiteral("first_token_ms"), kPositiveSpan);
    const auto least = reader.number(QStringLiteral("min_tokens_per_s"), {0, 1e6, false});
    policy::RateFloor floor;
    floor.window = reader.millis(QStringLiteral("min_tokens_window_ms"), kPositiveSpan).value_or(floor.window);
    limits.abortsSlowStreams = reader.flag(QStringLiteral("abort_slow_streams")).value_or(false);
    if (least) {
        floor.tokensPerSecond = *least;
        limits.slowest = floor;
    }
    for (const QString& field : {QStringLiteral("min_tokens_window_ms"), QStringLiteral("abort_slow_streams")})
        if (!reader.has(QStringLiteral("min_tokens_per_s")) && reader.has(field))
            reader.warning(field, QStringLiteral("without min_tokens_per_s this does nothing"),
                           QStringLiteral("Set min_tokens_per_s or remove it"));
    return limits;
}

Timeouts readTimeouts(ObjectReader& owner, QJsonObject& unknown)
{
    Timeouts timeouts;
    auto reader = partReader(owner, QStringLiteral("timeouts"));
    if (!reader)
        return timeouts;
    timeouts.connect = reader->millis(QStringLiteral("connect_ms"), kPositiveSpan).value_or(timeouts.connect);
    timeouts.firstByte = reader->millis(QStringLiteral("first_byte_ms"), kPositiveSpan);
    timeouts.idle = reader->millis(QStringLiteral("idle_ms"), kPositiveSpan);
    timeouts.total = reader->millis(QStringLiteral("total_ms"), kPositiveSpan).value_or(timeouts.total);
    timeouts.tokens = readTokenLimits(*reader);
    QJsonObject nested;
    timeouts.byTask = readByTask(*reader, nested);
    joinUnknown(nested, reader->finish());
    keepUnknown(unknown, QStringLiteral("timeouts"), nested);
    return timeouts;
}

void readLimits(ObjectReader& owner, chain::EndpointSpec& spec, QJsonObject& unknown)
{
    auto reader = partReader(owner, QStringLiteral("limits"));
    if (!reader)
        return;
    spec.requestsPerMinute = reader->number(QStringLiteral("requests_per_minute"), {0, 1e9, false});
    spec.tokensPerMinute = reader->number(QStringLiteral("tokens_per_minute"), {0, 1e12, false});
    if (const auto most = reader->integer(QStringLiteral("max_in_flight"), 1, 1000000))
        spec.maxInFlight = int(*most);
    keepUnknown(unknown, QStringLiteral("limits"), reader->finish());
}

chain::Capabilities readCapabilities(ObjectReader& owner, const provider::ProviderProfile& profile,
                                     QJsonObject& unknown)
{
    chain::Capabilities can;
    can.jsonMode = profile.quirks.jsonMode;
    auto reader = partReader(owner, QStringLiteral("capabilities"));
    if (!reader)
        return can;
    can.tools = reader->flag(QStringLiteral("tools")).value_or(can.tools);
    can.images = reader->flag(QStringLiteral("images")).value_or(can.images);
    can.jsonMode = reader->flag(QStringLiteral("json_mode")).value_or(can.jsonMode);
    if (const auto window = reader->integer(QStringLiteral("context_window"), 1, 1000000000))
        can.contextWindow = *window;
    keepUnknown(unknown, QStringLiteral("capabilities"), reader->finish());
    return can;
}

cost::Rates readRates(ObjectReader& reader)
{
    cost::Rates rates;
    for (const cost::RateField& field : cost::kRateFields) {
        const auto usd = reader.number(field.name, {0, 1e6});
        rates.*field.member = usd ? cost::NanoDollars::fromUsd(*usd) : std::nullopt;
    }
    return rates;
}

QJsonObject readPriceTiers(ObjectReader& owner, std::vector<cost::LongContextRates>& tiers)
{
    const QString part = QStringLiteral("tiers");
    const QString above = QStringLiteral("above_input_tokens");
    const QJsonArray list = owner.array(part).value_or(QJsonArray());
    QJsonObject kept;
    for (qsizetype i = 0; i < list.size(); ++i) {
        ObjectReader reader(list.at(i).toObject(), owner.place(part, i), owner.findings(), owner.unknownLevel());
        const auto threshold = reader.integer(above, 1, 1000000000);
        if (!reader.has(above))
            reader.missing(above, QStringLiteral("Say from where on the price holds, as in 200000"));
        if (threshold && !tiers.empty() && *threshold <= tiers.back().above)
            reader.error(above, QStringLiteral("the tiers must rise"), QStringLiteral("Put the smaller one first"));
        const cost::Rates rates = readRates(reader);
        if (threshold)
            tiers.push_back({*threshold, rates});
        keepUnknown(kept, QString::number(i), reader.finish());
    }
    return kept;
}

std::optional<cost::Price> readPrice(ObjectReader& owner, QJsonObject& unknown)
{
    auto reader = partReader(owner, QStringLiteral("price"));
    if (!reader)
        return std::nullopt;
    cost::Price price{readRates(*reader), {}};
    const QJsonObject keptOfTiers = readPriceTiers(*reader, price.tiers);
    QJsonObject all = reader->finish();
    keepUnknown(all, QStringLiteral("tiers"), keptOfTiers);
    keepUnknown(unknown, QStringLiteral("price"), all);
    return price;
}

provider::ProviderProfile readProvider(ObjectReader& reader, const provider::Catalogue& providers)
{
    std::vector<std::pair<QString, QString>> choices;
    for (const provider::ProviderProfile& profile : providers.all())
        choices.emplace_back(profile.id, profile.id);
    const QString id =
        reader.choice<QString>(QStringLiteral("provider"), choices).value_or(QStringLiteral("openai-compatible"));
    const provider::ProviderProfile* profile = providers.find(id.toStdString());
    return profile ? *profile : provider::ProviderProfile();
}

void readNames(ObjectReader& reader, const provider::ProviderProfile& profile, Endpoint& endpoint)
{
    const auto need = [&](const QString& field, const QString& remedy, bool hasUsual = false) {
        const QString text = reader.text(field).value_or(QString());
        if (!hasUsual && text.trimmed().isEmpty() && (!reader.has(field) || !text.isNull()))
            reader.missing(field, remedy);
        return text;
    };
    endpoint.spec.name = need(QStringLiteral("name"), QStringLiteral("Give the endpoint a name")).toStdString();
    endpoint.baseUrl =
        need(QStringLiteral("base_url"),
             QStringLiteral("Write the provider's address, as in https://api.openai.com/v1, or sim:NAME"),
             !profile.baseUrl.isEmpty());
    endpoint.model = need(QStringLiteral("model"), QStringLiteral("Name the model, as in gpt-4.1"));
    if (!endpoint.baseUrl.trimmed().isEmpty())
        checkBaseUrl(reader, endpoint.baseUrl);
    endpoint.provider = profile.id;
}

} // namespace

void keepUnknown(QJsonObject& owner, const QString& part, const QJsonObject& unknown)
{
    if (!unknown.isEmpty())
        owner.insert(part, unknown);
}

void joinUnknown(QJsonObject& unknown, const QJsonObject& more)
{
    for (auto field = more.constBegin(); field != more.constEnd(); ++field)
        unknown.insert(field.key(), field.value());
}

void checkBaseUrl(ObjectReader& reader, const QString& baseUrl)
{
    const QString field = QStringLiteral("base_url");
    if (baseUrl.startsWith(QLatin1String("sim:"))) {
        if (baseUrl.size() == 4)
            reader.error(field, QStringLiteral("the name after \"sim:\" is missing"),
                         QStringLiteral("Name one of the simulator's endpoints, as in sim:gpt-4.1"));
        return;
    }
    const QUrl url(baseUrl.trimmed(), QUrl::StrictMode);
    const QString example = QStringLiteral("Write an address as in https://api.openai.com/v1");
    if (!url.isValid() || url.host().isEmpty()) {
        reader.error(field, QStringLiteral("this is no web address"), example);
        return;
    }
    if (url.scheme() != QLatin1String("https") && url.scheme() != QLatin1String("http"))
        reader.error(field, QStringLiteral("\"%1\" is not spoken here").arg(url.scheme()), example);
    if (!url.userInfo().isEmpty())
        reader.error(field,
                     QStringLiteral("the address holds a name or password before the @, and a file never holds a key"),
                     QStringLiteral("Remove that part and say where the key is kept in \"key\""));
    else if (!provider::addressProblem(baseUrl).isEmpty() && url.scheme().startsWith(QLatin1String("http")))
        reader.error(field, QStringLiteral("the address carries a key, and a file never holds one"),
                     QStringLiteral("Remove it from the address and say where the key is kept in \"key\""));
    if (url.hasFragment())
        reader.error(field, QStringLiteral("an address cannot have a part after #"),
                     QStringLiteral("Remove that part"));
}

std::optional<Endpoint> readEndpoint(const QJsonValue& value, const QString& place, Findings& findings,
                                     const Workspace& workspace)
{
    if (!value.isObject()) {
        findings.push_back({FindingLevel::Error, place, QStringLiteral("an endpoint is an object"),
                            QStringLiteral("Write it in { }")});
        return std::nullopt;
    }
    ObjectReader reader(value.toObject(), place, findings, FindingLevel::Warning);
    Endpoint endpoint;
    QJsonObject nested;
    const provider::ProviderProfile profile = readProvider(reader, workspace.catalogue);
    readNames(reader, profile, endpoint);
    endpoint.key = readKey(reader, QStringLiteral("key"), nested);
    endpoint.timeouts = readTimeouts(reader, nested);
    const QString name = QString::fromStdString(endpoint.spec.name);
    endpoint.spec.quotaGroup = reader.text(QStringLiteral("quota_group")).value_or(name).toStdString();
    endpoint.spec.credential = reader.text(QStringLiteral("credential")).value_or(name).toStdString();
    endpoint.spec.capabilities = readCapabilities(reader, profile, nested);
    readLimits(reader, endpoint.spec, nested);
    endpoint.spec.breaker =
        readBreaker(reader, workspace, endpoint.breakerPolicy, nested).value_or(endpoint.spec.breaker);
    endpoint.price = readPrice(reader, nested);
    readProxy(reader, endpoint, nested);
    endpoint.unknown = reader.finish();
    joinUnknown(endpoint.unknown, nested);
    return endpoint;
}

} // namespace sg::workspace
