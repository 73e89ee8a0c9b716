// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/rate_fields.h"

#include <QByteArray>
#include <QDate>
#include <QJsonObject>
#include <QStringList>

#include <string_view>
#include <vector>

namespace sg::cost {

/// Where a price was said and when, so that a person can judge it.
struct PriceEntry
{
    QString model; ///< a name, or a pattern with "*" for any run of characters; case does not matter
    Price price;
    QString source; ///< "practice", "list price", an address; never empty
    QDate date;     ///< when it was true; invalid = not said
    QString note;
    bool isPattern() const { return model.contains(QLatin1Char('*')); }
    bool operator==(const PriceEntry&) const = default;
};

/// Prices by model. File: {"format": "switchgear-prices/1", "currency": "USD", "unit": "per_1m_tokens" (or
/// "per_1k_tokens", "per_token"), "entries": [{"model", "input", "output", "cached_input", "cache_write",
/// "cache_write_1h", "reasoning", "audio_input", "audio_output", "tiers": [{"above_input_tokens", and of the prices
/// what is other there}], "source", "date", "note"}]}; an entry may have a currency, unit, source and date of its own.
/// Prices are numbers, or strings as catalogues have them. A value type; any thread.
class PriceBook
{
public:
    struct Loaded;
    /// Entries that cannot be used are left out and named in `findings`: one bad line does not cost the others. What is
    /// no price book at all gives an empty book and the finding that says so.
    static Loaded load(const QByteArray& json);
    QByteArray toJson() const; ///< in USD per 1M tokens

    /// The entry for a model: its name, else the pattern with the most literal characters, of equals the first; null
    /// when none. A dated name is not looked for without its date: gpt-4o-2024-05-13 cost twice what gpt-4o costs. Of several entries with one name the later date wins, then the later entry. Valid until the book
    /// changes.
    const PriceEntry* find(std::string_view model) const;
    void add(PriceEntry entry) { entries_.push_back(std::move(entry)); }
    const std::vector<PriceEntry>& entries() const { return entries_; }

private:
    std::vector<PriceEntry> entries_;
};

struct PriceBook::Loaded
{
    PriceBook book;
    QStringList findings; ///< sentences for people
};

/// The prices and tiers of one object in USD per 1M tokens, as the entries of a price book have them. A price that is
/// negative (catalogues mark "varies" with -1), no number, or beyond a million dollars is left unknown and named in
/// `findings`; a tier without a usable threshold or price is left out and named.
Price priceFromJson(const QJsonObject& json, QStringList* findings = nullptr);
/// Only what is known.
QJsonObject toJson(const Price& price);

} // namespace sg::cost
