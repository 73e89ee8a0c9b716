// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/catalogue_prices.h"
#include "core/cost/per_token.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace sg::cost {

namespace {
struct CatalogueField
{
    QLatin1String name;
    std::optional<NanoDollars> Rates::*member;
    bool zeroIsPrice; ///< OpenRouter writes "0" for what a model charges as part of prompt or completion
};

constexpr std::array<CatalogueField, 6> kFields{{
    {QLatin1String("prompt"), &Rates::input, true},
    {QLatin1String("completion"), &Rates::output, true},
    {QLatin1String("input_cache_read"), &Rates::cachedInput, false},
    {QLatin1String("input_cache_write"), &Rates::cacheWrite, false},
    {QLatin1String("internal_reasoning"), &Rates::reasoning, false},
    {QLatin1String("audio"), &Rates::audioInput, false},
}};

Rates ratesOf(const QJsonValue& pricing, QStringList& problems)
{
    Rates rates;
    for (const CatalogueField& field : kFields) {
        const QJsonValue value = pricing[field.name];
        if (value.isUndefined() || value.isNull())
            continue;
        const auto rate = ratePerToken(value);
        if (!rate)
            problems += QStringLiteral("the price of %1 %2").arg(field.name, rate.error());
        else if (rate->count() > 0 || field.zeroIsPrice)
            rates.*field.member = *rate;
    }
    return rates;
}

QString noteOn(const Price& price, const QJsonValue& pricing)
{
    QStringList notes;
    if (isFree(price))
        notes += QStringLiteral("free");
    if (const QJsonValue each = pricing[QLatin1String("request")];
        each.toString().toDouble() > 0 || each.toDouble() > 0)
        notes += QStringLiteral("each request costs extra, which is not counted");
    return notes.join(QLatin1String("; "));
}
} // namespace

PriceBook::Loaded pricesOfCatalogue(const QByteArray& json, const QString& source, QDate date)
{
    PriceBook::Loaded loaded;
    const QJsonValue data = QJsonDocument::fromJson(json).object()[QLatin1String("data")];
    if (!data.isArray()) {
        loaded.findings += QStringLiteral("This is no model listing: it has no list called \"data\".");
        return loaded;
    }
    const QJsonArray models = data.toArray();
    for (const QJsonValue& model : models) {
        PriceEntry entry;
        entry.model = model[QLatin1String("id")].toString().trimmed();
        const QJsonValue pricing = model[QLatin1String("pricing")];
        if (entry.model.isEmpty() || !pricing.isObject())
            continue; // most providers list their models without prices
        QStringList problems;
        entry.price = Price{ratesOf(pricing, problems), {}};
        const bool isKnown = entry.price.input || entry.price.output;
        if (!problems.isEmpty())
            loaded.findings += QStringLiteral("%1%2: %3.")
                                   .arg(entry.model, isKnown ? QString() : QStringLiteral(" has no usable price"),
                                        problems.join(QLatin1String("; ")));
        if (!isKnown)
            continue;
        entry.source = source;
        entry.date = date;
        entry.note = noteOn(entry.price, pricing);
        loaded.book.add(std::move(entry));
    }
    return loaded;
}

} // namespace sg::cost
