// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/price_book.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

namespace sg::cost {

namespace {
constexpr double kMaxUsdPerMillion = 1e6;
constexpr double kMaxThreshold = 1e12; // tokens
constexpr QLatin1String kFormat("switchgear-prices/1");
constexpr QLatin1String kTiers("tiers");
constexpr QLatin1String kAbove("above_input_tokens");

void note(QStringList* findings, const QString& text)
{
    if (findings)
        findings->append(text);
}

std::optional<NanoDollars> readPrice(const QJsonValue& value, double tokensPerUnit)
{
    bool ok = value.isDouble();
    const double number = value.isString() ? value.toString().toDouble(&ok) : value.toDouble();
    const double perMillion = number * (1e6 / tokensPerUnit);
    if (!ok || !(perMillion >= 0) || perMillion > kMaxUsdPerMillion)
        return std::nullopt;
    return NanoDollars::fromUsd(perMillion);
}

Rates readRates(const QJsonObject& json, double tokensPerUnit, QStringList* findings)
{
    Rates rates;
    for (const RateField& field : kRateFields) {
        const QJsonValue value = json[field.name];
        if (value.isUndefined() || value.isNull())
            continue;
        rates.*field.member = readPrice(value, tokensPerUnit);
        if (!(rates.*field.member))
            note(findings, QStringLiteral("the price of %1 is no usable number").arg(field.name));
    }
    return rates;
}

std::vector<LongContextRates> readTiers(const QJsonArray& json, double tokensPerUnit, QStringList* findings)
{
    std::vector<LongContextRates> tiers;
    for (const QJsonValue& value : json) {
        const double above = value[kAbove].toDouble();
        const Rates rates = readRates(value.toObject(), tokensPerUnit, findings);
        if (above >= 1 && above <= kMaxThreshold && rates != Rates{})
            tiers.push_back({static_cast<std::int64_t>(above), rates});
        else
            note(findings, QStringLiteral("a tier without a usable %1 or without a price is left out").arg(kAbove));
    }
    std::ranges::stable_sort(tiers, {}, &LongContextRates::above);
    return tiers;
}

Price readPrices(const QJsonObject& json, double tokensPerUnit, QStringList* findings)
{
    return {readRates(json, tokensPerUnit, findings), readTiers(json[kTiers].toArray(), tokensPerUnit, findings)};
}

QJsonObject ratesJson(const Rates& rates)
{
    QJsonObject json;
    for (const RateField& field : kRateFields) {
        if (rates.*field.member)
            json[field.name] = (rates.*field.member)->toUsd();
    }
    return json;
}

std::optional<double> tokensPer(const QString& unit)
{
    if (unit == QLatin1String("per_1m_tokens"))
        return 1e6;
    if (unit == QLatin1String("per_1k_tokens"))
        return 1e3;
    if (unit == QLatin1String("per_token"))
        return 1;
    return std::nullopt;
}

/// An entry's own word, else the book's.
QString own(const QJsonObject& entry, const QJsonObject& book, QLatin1String name, const QString& fallback = {})
{
    return entry[name].toString(book[name].toString(fallback));
}

bool isEntryField(const QString& name)
{
    static const QStringList words{QStringLiteral("model"), QStringLiteral("source"),   QStringLiteral("date"),
                                   QStringLiteral("note"),  QStringLiteral("currency"), QStringLiteral("unit"),
                                   QString(kTiers)};
    return words.contains(name) ||
           std::ranges::any_of(kRateFields, [&](const RateField& field) { return name == field.name; });
}

std::optional<PriceEntry> readEntry(const QJsonObject& json, const QJsonObject& book, QStringList& problems)
{
    PriceEntry entry;
    entry.model = json[QLatin1String("model")].toString().trimmed();
    entry.source = own(json, book, QLatin1String("source")).trimmed();
    entry.date = QDate::fromString(own(json, book, QLatin1String("date")), Qt::ISODate);
    entry.note = json[QLatin1String("note")].toString();
    const QString currency = own(json, book, QLatin1String("currency"), QStringLiteral("USD"));
    const auto unit = tokensPer(own(json, book, QLatin1String("unit"), QStringLiteral("per_1m_tokens")));
    if (entry.model.isEmpty())
        problems += QStringLiteral("it names no model");
    if (entry.source.isEmpty())
        problems += QStringLiteral("it does not say where the price comes from (\"source\")");
    if (currency != QLatin1String("USD")) // exchange rates are not guessed
        problems += QStringLiteral("its currency is %1; give the price in USD").arg(currency);
    if (!unit)
        problems += QStringLiteral("its unit is not known; use per_1m_tokens, per_1k_tokens or per_token");
    if (!problems.isEmpty())
        return std::nullopt;
    for (const QString& field : json.keys()) {
        if (!isEntryField(field))
            problems += QStringLiteral("\"%1\" is not known and says nothing").arg(field);
    }
    entry.price = readPrices(json, *unit, &problems);
    if (entry.price == Price{}) {
        problems += QStringLiteral("it has no price");
        return std::nullopt;
    }
    return entry;
}

bool matches(const QString& pattern, const QString& model)
{
    // Not QRegularExpression::wildcardToRegularExpression: there "*" stops at a slash, and vendors put slashes into
    // names.
    QStringList parts = pattern.split(QLatin1Char('*'));
    for (QString& part : parts)
        part = QRegularExpression::escape(part);
    const QRegularExpression expression(QRegularExpression::anchoredPattern(parts.join(QLatin1String(".*"))),
                                        QRegularExpression::CaseInsensitiveOption);
    return expression.match(model).hasMatch();
}

bool newer(const PriceEntry& entry, const PriceEntry& than)
{
    return !than.date.isValid() || (entry.date.isValid() && entry.date >= than.date);
}

qsizetype literals(const PriceEntry& entry)
{
    return entry.model.size() - entry.model.count(QLatin1Char('*'));
}
} // namespace

Price priceFromJson(const QJsonObject& json, QStringList* findings)
{
    return readPrices(json, 1e6, findings);
}

QJsonObject toJson(const Price& price)
{
    QJsonObject json = ratesJson(price);
    QJsonArray tiers;
    for (const LongContextRates& tier : price.tiers) {
        QJsonObject one = ratesJson(tier.rates);
        one[kAbove] = static_cast<qint64>(tier.above);
        tiers += one;
    }
    if (!tiers.isEmpty())
        json[kTiers] = tiers;
    return json;
}

PriceBook::Loaded PriceBook::load(const QByteArray& json)
{
    Loaded loaded;
    QJsonParseError error;
    const QJsonObject book = QJsonDocument::fromJson(json, &error).object();
    if (error.error != QJsonParseError::NoError || book[QLatin1String("format")] != kFormat) {
        const QString why =
            error.error != QJsonParseError::NoError ? error.errorString() : QStringLiteral("\"format\" is not known");
        loaded.findings += QStringLiteral("This is no price book: %1.").arg(why);
        return loaded;
    }
    const QJsonArray entries = book[QLatin1String("entries")].toArray();
    for (qsizetype i = 0; i < entries.size(); ++i) {
        QStringList problems;
        auto entry = readEntry(entries[i].toObject(), book, problems);
        if (!problems.isEmpty()) {
            const QString model = entries[i][QLatin1String("model")].toString();
            loaded.findings +=
                QStringLiteral("Price %1 (%2)%3: %4.")
                    .arg(i + 1)
                    .arg(model.isEmpty() ? QStringLiteral("no model") : model,
                         entry ? QString() : QStringLiteral(" is left out"), problems.join(QLatin1String("; ")));
        }
        if (entry)
            loaded.book.add(std::move(*entry));
    }
    return loaded;
}

QByteArray PriceBook::toJson() const
{
    QJsonArray entries;
    for (const PriceEntry& entry : entries_) {
        QJsonObject json = cost::toJson(entry.price);
        json[QLatin1String("model")] = entry.model;
        json[QLatin1String("source")] = entry.source;
        if (entry.date.isValid())
            json[QLatin1String("date")] = entry.date.toString(Qt::ISODate);
        if (!entry.note.isEmpty())
            json[QLatin1String("note")] = entry.note;
        entries += json;
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("format"), QString(kFormat)},
                                     {QStringLiteral("currency"), QStringLiteral("USD")},
                                     {QStringLiteral("unit"), QStringLiteral("per_1m_tokens")},
                                     {QStringLiteral("entries"), entries}})
        .toJson();
}

const PriceEntry* PriceBook::find(std::string_view model) const
{
    const QString name = QString::fromUtf8(model.data(), static_cast<qsizetype>(model.size()));
    const PriceEntry* exact = nullptr;
    const PriceEntry* pattern = nullptr;
    for (const PriceEntry& entry : entries_) {
        if (!entry.isPattern()) {
            if (entry.model.compare(name, Qt::CaseInsensitive) == 0 && (!exact || newer(entry, *exact)))
                exact = &entry;
        } else if ((!pattern || literals(entry) > literals(*pattern)) && matches(entry.model, name)) {
            pattern = &entry;
        }
    }
    return exact ? exact : pattern;
}

} // namespace sg::cost
