// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/litellm_prices.h"

#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

namespace sg::cost {

namespace {

// Ten times the dearest list price so far. What is above was given per million tokens by mistake.
constexpr double kMostUsdPerToken = 0.01;

struct TableField
{
    QLatin1String name;
    std::optional<NanoDollars> Rates::*member;
};

constexpr std::array<TableField, 8> kFields{{
    {QLatin1String("input_cost_per_token"), &Rates::input},
    {QLatin1String("output_cost_per_token"), &Rates::output},
    {QLatin1String("cache_read_input_token_cost"), &Rates::cachedInput},
    {QLatin1String("cache_creation_input_token_cost"), &Rates::cacheWrite},
    {QLatin1String("cache_creation_input_token_cost_above_1hr"), &Rates::cacheWriteHour},
    {QLatin1String("output_cost_per_reasoning_token"), &Rates::reasoning},
    {QLatin1String("input_cost_per_audio_token"), &Rates::audioInput},
    {QLatin1String("output_cost_per_audio_token"), &Rates::audioOutput},
}};

std::optional<NanoDollars> rateOf(const QString& name, const QJsonValue& value, QStringList& problems)
{
    bool ok = value.isDouble();
    const double usd = value.isString() ? value.toString().toDouble(&ok) : value.toDouble();
    if (value.isNull())
        return std::nullopt;
    if (ok && usd >= 0 && usd <= kMostUsdPerToken)
        return NanoDollars::fromUsd(usd * 1e6);
    problems += QStringLiteral("%1 %2").arg(name, !ok || !std::isfinite(usd) ? QStringLiteral("is no number")
                                                  : usd < 0                  ? QStringLiteral("is negative")
                                                            : QStringLiteral("is too large to be per token"));
    return std::nullopt;
}

/// "…_above_200k_tokens" → the field before it and 200,000.
struct Threshold
{
    QString field;
    std::int64_t above;
};
std::optional<Threshold> thresholdOf(const QString& name)
{
    static const QRegularExpression form(QStringLiteral("^(.+)_above_([0-9]{1,7})k_tokens$"));
    const auto match = form.match(name);
    if (!match.hasMatch())
        return std::nullopt;
    return Threshold{match.captured(1), match.captured(2).toLongLong() * 1000};
}

std::optional<NanoDollars> Rates::*memberOf(const QString& name)
{
    const auto field = std::ranges::find(kFields, name, &TableField::name);
    return field == kFields.end() ? nullptr : field->member;
}

bool isPaidByToken(const Price& price)
{
    return price.input.has_value() || price.output.has_value();
}

} // namespace

Price priceOfLiteLlm(const QJsonObject& model, QStringList& problems)
{
    Price price;
    std::map<std::int64_t, Rates> tiers;
    for (auto field = model.constBegin(); field != model.constEnd(); ++field) {
        const auto threshold = thresholdOf(field.key());
        const auto member = memberOf(threshold ? threshold->field : field.key());
        if (!member)
            continue;
        const auto rate = rateOf(field.key(), field.value(), problems);
        if (!rate)
            continue;
        if (threshold)
            tiers[threshold->above].*member = rate;
        else
            price.*member = rate;
    }
    for (auto& [above, rates] : tiers)
        price.tiers.push_back({above, rates});
    return price;
}

PriceBook::Loaded pricesOfLiteLlm(const QByteArray& json, const QString& source, QDate date)
{
    PriceBook::Loaded loaded;
    const QJsonDocument document = QJsonDocument::fromJson(json);
    const QJsonObject models = document.object();
    int otherwisePaid = 0;
    bool knowsOne = false;
    for (auto model = models.constBegin(); model != models.constEnd(); ++model) {
        if (!model.value().isObject() || model.key() == QLatin1String("sample_spec"))
            continue;
        knowsOne = knowsOne || model.value().toObject().contains(QLatin1String("litellm_provider"));
        QStringList problems;
        PriceEntry entry;
        entry.model = model.key();
        entry.price = priceOfLiteLlm(model.value().toObject(), problems);
        if (!problems.isEmpty())
            loaded.findings += QStringLiteral("%1: %2.").arg(entry.model, problems.join(QLatin1String("; ")));
        if (!isPaidByToken(entry.price)) {
            otherwisePaid += problems.isEmpty() ? 1 : 0;
            continue;
        }
        entry.source = source;
        entry.date = date;
        loaded.book.add(std::move(entry));
    }
    if (!knowsOne) {
        loaded.book = {};
        loaded.findings = {QStringLiteral("This is no table of LiteLLM: no object in it has a \"litellm_provider\".")};
    } else if (otherwisePaid > 0) {
        loaded.findings += QStringLiteral("%1 models have no price by the token and were left out.").arg(otherwisePaid);
    }
    return loaded;
}

QString refusalOfTable(const PriceBook& before, const PriceBook& after)
{
    const auto was = before.entries().size(), is = after.entries().size();
    if (was == 0 || is * 2 > was)
        return {};
    return QStringLiteral(
               "The table has %1 models where the one before had %2. A table that shrank by half is more likely "
               "broken than true.")
        .arg(is)
        .arg(was);
}

PriceBook withTable(const PriceBook& book, const PriceBook& table, const QString& source)
{
    PriceBook merged;
    for (const PriceEntry& entry : book.entries())
        if (entry.source != source)
            merged.add(entry);
    for (const PriceEntry& entry : table.entries())
        merged.add(entry);
    return merged;
}

} // namespace sg::cost
