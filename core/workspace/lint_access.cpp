// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/loopback.h"
#include "core/workspace/lint_run.h"
#include "core/workspace/workspace_file.h"
#include "core/workspace/workspace_read.h"

#include <QRegularExpression>
#include <QUrl>

namespace sg::workspace {

namespace {

// ---- keys

const KeyFact* factOf(const EndpointScope& scope, bool usable)
{
    const auto found = scope.facts.keys.find(scope.endpoint.spec.name);
    const bool told = found != scope.facts.keys.end() && found->second.isUsable == usable &&
                      !(usable && found->second.words.isEmpty());
    return told ? &found->second : nullptr;
}

void keyUnusable(const EndpointScope& scope, const Tell& tell)
{
    if (const KeyFact* fact = factOf(scope, false))
        tell(QStringLiteral("key"),
             {fact->words.isEmpty() ? QStringLiteral("the key cannot be used") : clause(fact->words),
              scope.longestCall > Nanos::zero() ? QStringLiteral("Every request passes this endpoint over") : QString(),
              withoutStop(fact->remedy)});
}

void keyOdd(const EndpointScope& scope, const Tell& tell)
{
    if (const KeyFact* fact = factOf(scope, true))
        tell(QStringLiteral("key"),
             {clause(fact->words), QStringLiteral("The provider may refuse it"), withoutStop(fact->remedy)});
}

void keyNotNamed(const EndpointScope& scope, const Tell& tell)
{
    const KeyRef& key = scope.endpoint.key;
    const provider::ProviderProfile profile = scope.workspace.profileOf(scope.endpoint);
    if (!scope.isRemote || key.source != KeySource::None || key.saysNone)
        return;
    const QString base =
        scope.endpoint.baseUrl.trimmed().isEmpty() ? profile.baseUrl : scope.endpoint.baseUrl.trimmed();
    const QString variable = profile.keyVariable.isEmpty() ? QStringLiteral("MY_KEY") : profile.keyVariable;
    tell(QStringLiteral("key"), {QStringLiteral("no key is named for requests to %1").arg(QUrl(base).host()),
                                 QStringLiteral("Providers answer 401 without one"),
                                 QStringLiteral("Add \"key\": {\"source\": \"environment\", \"name\": \"%1\"}, or "
                                                "{\"source\": \"none\"} if it asks for none")
                                     .arg(variable)});
}

/// What a place of the workspace is about: "chains[1].tiers[0].name" is of that chain's tier.
Subject subjectAt(const Workspace& workspace, const QString& place)
{
    static const QRegularExpression form(QStringLiteral("^(endpoints|chains)\\[(\\d+)\\](?:\\.tiers\\[(\\d+)\\])?"));
    const auto match = form.match(place);
    const std::size_t at = match.captured(2).toULongLong();
    Subject subject;
    if (match.captured(1) == QLatin1String("endpoints") && at < workspace.endpoints.size())
        subject.endpoint = workspace.endpoints[at].spec.name;
    if (match.captured(1) == QLatin1String("chains") && at < workspace.chains.size()) {
        subject.chain = workspace.chains[at].spec.name;
        subject.tier = match.hasCaptured(3) ? match.captured(3).toInt() : -1;
    }
    return subject;
}

/// Wherever a file would have it, for there it is read by everybody who sees the file.
void pastedKey(const WholeScope& scope, const Tell& tell)
{
    Findings found;
    checkForKeys(toJsonObject(scope.workspace), found);
    for (const Finding& finding : found)
        tell.about(subjectAt(scope.workspace, finding.place), finding.place,
                   {finding.problem, finding.why, finding.remedy});
}

// ---- addresses

void plainHttp(const EndpointScope& scope, const Tell& tell)
{
    const QUrl url(scope.endpoint.baseUrl.trimmed());
    if (url.scheme() != QLatin1String("http") || url.host().isEmpty() || policy::isLoopback(url.host()))
        return;
    // Where a port is named, https rarely listens at the same one.
    std::optional<Fix> fix;
    if (url.port() < 0)
        fix = scope.fix(QStringLiteral("Use https"), [](Endpoint& endpoint) {
            QUrl secure(endpoint.baseUrl.trimmed());
            if (secure.scheme() != QLatin1String("http"))
                return;
            secure.setScheme(QStringLiteral("https"));
            endpoint.baseUrl = secure.toString();
        });
    tell(
        QStringLiteral("base_url"),
        {QStringLiteral("%1 sends keys and prompts readable on the way, by http").arg(quoted(scope.endpoint.spec.name)),
         QStringLiteral("Whoever reads the key can spend on it"), QStringLiteral("Use https")},
        std::move(fix));
}

// ---- prices

/// "openai/gpt-4.1-2025-04-14" may cost what gpt-4.1 does; that is for a person to say.
const cost::PriceEntry* nearestPrice(const cost::PriceBook& prices, const QString& model)
{
    static const QRegularExpression date(QStringLiteral("[-@](\\d{8}|\\d{4}-\\d{2}-\\d{2})$"));
    QString name = model.mid(model.lastIndexOf(QLatin1Char('/')) + 1);
    for (int step = 0; step < 2; ++step) {
        if (const cost::PriceEntry* entry = prices.find(name.toStdString()); entry && name != model)
            return entry;
        name.remove(date);
    }
    return nullptr;
}

bool hasBoth(const cost::Price& price)
{
    return price.input && price.output;
}

void unpriced(const EndpointScope& scope, const Tell& tell)
{
    if (!scope.facts.prices || !scope.isRemote || scope.endpoint.model.trimmed().isEmpty() ||
        priceOf(scope.endpoint, *scope.facts.prices))
        return;
    std::optional<Fix> fix;
    const cost::PriceEntry* nearest = nearestPrice(*scope.facts.prices, scope.endpoint.model);
    if (nearest && hasBoth(nearest->price))
        fix = scope.fix(
            QStringLiteral("Take the price of %1: %2 in, %3 out")
                .arg(nearest->model, cost::formatRate(*nearest->price.input), cost::formatRate(*nearest->price.output)),
            [price = nearest->price](Endpoint& endpoint) { endpoint.price = price; });
    tell(QStringLiteral("price"),
         {QStringLiteral("there is no price for the model %1").arg(quoted(scope.endpoint.model.toStdString())),
          QStringLiteral("What it costs is missing in every sum, and no budget can stop it"),
          QStringLiteral("Add \"price\": {\"input\": …, \"output\": …} in US dollars per 1,000,000 tokens")},
         std::move(fix));
}

void halfPriced(const EndpointScope& scope, const Tell& tell)
{
    const auto& price = scope.endpoint.price;
    if (price && !hasBoth(*price))
        tell(QStringLiteral("price"), {QStringLiteral("the price has no rate for %1")
                                           .arg(price->input ? QStringLiteral("output") : QStringLiteral("input")),
                                       QStringLiteral("No request can be priced without both"),
                                       QStringLiteral("Add it in US dollars per 1,000,000 tokens")});
}

constexpr WholeRule kWhole[] = {
    {kPastedKeyRule, FindingLevel::Error, "A key where a name or a text belongs", pastedKey},
};
constexpr EndpointRule kRules[] = {
    {"key_unusable", FindingLevel::Warning,
     "A key that is missing or malformed: not set, empty, blanks, a line break, several keys, a placeholder",
     keyUnusable},
    {"key_odd", FindingLevel::Warning, "A key that begins as no key of its provider does", keyOdd},
    {"key_not_named", FindingLevel::Warning, "A remote endpoint that says nothing of its key", keyNotNamed, true},
    {"plain_http", FindingLevel::Warning, "http to another machine", plainHttp, true},
    {"unpriced", FindingLevel::Warning, "A remote model without a price", unpriced},
    {"half_priced", FindingLevel::Warning, "A price without input or output rate", halfPriced},
};

} // namespace

std::span<const WholeRule> pastedKeyRules()
{
    return kWhole;
}

std::span<const EndpointRule> accessRules()
{
    return kRules;
}

} // namespace sg::workspace
