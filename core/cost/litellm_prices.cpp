// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/litellm_prices.h"
#include "core/cost/per_token.h"

#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>
#include <map>
#include <ranges>

namespace sg::cost {

namespace {

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

/// "…_above_200k_tokens" → the field before it and 200,000; "1m" is a million.
struct Threshold
{
    QString field;
    std::int64_t above;
};
std::optional<Threshold> thresholdOf(const QString& name)
{
    static const QRegularExpression form(QStringLiteral("^(.+)_above_([0-9]{1,7})([km])_tokens$"));
    const auto match = form.match(name);
    if (!match.hasMatch())
        return std::nullopt;
    return Threshold{match.captured(1),
                     match.captured(2).toLongLong() * (match.captured(3) == QLatin1String("k") ? 1000 : 1000000)};
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

/// What a table may say of money that the book has no place for.
bool concernsMoney(const QString& field)
{
    return field.contains(QLatin1String("cost")) || field.contains(QLatin1String("pricing"));
}

} // namespace

Price priceOfLiteLlm(const QJsonObject& model, QStringList& problems)
{
    Price price;
    std::map<std::int64_t, Rates> tiers;
    for (auto field = model.constBegin(); field != model.constEnd(); ++field) {
        const auto threshold = thresholdOf(field.key());
        const auto member = memberOf(threshold ? threshold->field : field.key());
        if (!member || field.value().isNull())
            continue;
        const auto rate = ratePerToken(field.value());
        if (!rate)
            problems += QStringLiteral("%1 %2").arg(field.key(), rate.error());
        else if (threshold)
            tiers[threshold->above].*member = *rate;
        else
            price.*member = *rate;
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
    std::map<QString, int> passedOver; // field by the number of models that have it
    bool knowsOne = false;
    for (auto model = models.constBegin(); model != models.constEnd(); ++model) {
        if (!model.value().isObject() || model.key() == QLatin1String("sample_spec"))
            continue;
        knowsOne = knowsOne || model.value()[QLatin1String("litellm_provider")].isString();
        const QJsonObject fields = model.value().toObject();
        for (auto field = fields.constBegin(); field != fields.constEnd(); ++field) {
            const auto threshold = thresholdOf(field.key());
            const bool isOther = concernsMoney(field.key()) && !memberOf(threshold ? threshold->field : field.key());
            if (isOther && !field.value().isNull() && field.value() != QJsonValue(0))
                ++passedOver[field.key()];
        }
        QStringList problems;
        PriceEntry entry;
        entry.model = model.key();
        entry.price = priceOfLiteLlm(fields, problems);
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
        return loaded;
    }
    for (const auto& [field, count] : passedOver)
        loaded.findings += QStringLiteral("%1: not counted with; models that have it: %2.").arg(field).arg(count);
    if (otherwisePaid > 0)
        loaded.findings +=
            QStringLiteral("Models without a price by the token, which were left out: %1.").arg(otherwisePaid);
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
