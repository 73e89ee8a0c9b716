// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/charge.h"

#include <algorithm>

namespace sg::provider {

namespace {

QString inWords(cost::Kind kind)
{
    switch (kind) {
    case cost::Kind::Input:
        return QStringLiteral("in");
    case cost::Kind::CachedInput:
        return QStringLiteral("cached");
    case cost::Kind::CacheWrite:
        return QStringLiteral("cache write");
    case cost::Kind::CacheWriteHour:
        return QStringLiteral("cache write (1 h)");
    case cost::Kind::AudioInput:
        return QStringLiteral("audio in");
    case cost::Kind::Output:
        return QStringLiteral("out");
    case cost::Kind::Reasoning:
        return QStringLiteral("reasoning");
    case cost::Kind::AudioOutput:
        return QStringLiteral("audio out");
    }
    return {};
}

/// Input and output are always said, the others when there are any.
bool isSaid(const cost::Line& line, const cost::Invoice& invoice)
{
    const auto tokensOf = [&](cost::Kind kind) { return invoice.lines[static_cast<std::size_t>(kind)].tokens; };
    if (line.tokens > 0)
        return true;
    if (line.kind == cost::Kind::Input)
        return std::all_of(invoice.lines.begin(), invoice.lines.begin() + static_cast<int>(cost::Kind::Output),
                           [](const cost::Line& other) { return other.tokens == 0; });
    return line.kind == cost::Kind::Output && tokensOf(cost::Kind::Reasoning) == 0 &&
           tokensOf(cost::Kind::AudioOutput) == 0;
}

QString sumInWords(const cost::Invoice& invoice, const QLocale& locale)
{
    QStringList parts;
    for (const cost::Line& line : invoice.lines) {
        if (!isSaid(line, invoice))
            continue;
        QString part = locale.toString(static_cast<qlonglong>(line.tokens)) + QLatin1Char(' ') + inWords(line.kind);
        if (line.perMillion)
            part += QStringLiteral(" \u00D7 ") + cost::formatRate(*line.perMillion, locale);
        parts += part;
    }
    QString sum = parts.join(QStringLiteral(" + "));
    if (invoice.above)
        sum += QStringLiteral(" (price above %1 input tokens)")
                   .arg(locale.toString(static_cast<qlonglong>(*invoice.above)));
    return sum;
}

QString whyUnknown(const UsageCharge& charge)
{
    if (!charge.hasPrice)
        return QStringLiteral("no price for this model");
    if (!charge.invoice)
        return QStringLiteral("no usage");
    for (const cost::Line& line : charge.invoice->lines) {
        if (line.tokens > 0 && !line.perMillion)
            return QStringLiteral("no price for %1 tokens").arg(inWords(line.kind));
    }
    return QStringLiteral("no usable price");
}

} // namespace

std::string_view toString(CostBasis basis)
{
    switch (basis) {
    case CostBasis::Unknown:
        return "unknown";
    case CostBasis::PriceBook:
        return "price_book";
    case CostBasis::ReportedByProvider:
        return "provider";
    case CostBasis::Estimated:
        return "estimated";
    }
    return "unknown";
}

UsageCharge chargeOf(const Usage& usage, const std::optional<cost::Price>& price)
{
    UsageCharge charge;
    charge.inconsistent = usage.inconsistent;
    charge.hasPrice = price && *price != cost::Price{};
    if (charge.hasPrice)
        charge.invoice = cost::invoiceOf(tokenCounts(usage), *price);
    if (charge.invoice) {
        charge.inconsistent = charge.inconsistent || charge.invoice->inconsistentUsage;
        charge.total = cost::totalOf(*charge.invoice);
        if (charge.total)
            charge.basis = usage.estimated ? CostBasis::Estimated : CostBasis::PriceBook;
    }
    if (usage.reportedCost && usage.reportedCost->count() >= 0) {
        charge.total = usage.reportedCost;
        charge.basis = CostBasis::ReportedByProvider;
    }
    return charge;
}

QString inWords(const UsageCharge& charge, const QLocale& locale)
{
    switch (charge.basis) {
    case CostBasis::Unknown:
        break;
    case CostBasis::ReportedByProvider:
        return QStringLiteral("reported by the provider");
    case CostBasis::Estimated:
        return QStringLiteral("estimated: ") + sumInWords(*charge.invoice, locale);
    case CostBasis::PriceBook: {
        const bool isFree = std::ranges::all_of(charge.invoice->lines, [](const cost::Line& line) {
            return line.perMillion && line.perMillion->count() == 0;
        });
        return (isFree ? QStringLiteral("free: ") : QString()) + sumInWords(*charge.invoice, locale);
    }
    }
    return whyUnknown(charge);
}

} // namespace sg::provider
