// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_passages.h"

#include "core/gateway/failure.h"
#include "ui/format/format.h"

#include <QCoreApplication>

#include <map>

namespace sg::ui::gatewaypassages {

namespace {

using Tone = RowsModel::Tone;
using gateway::Passage;

constexpr double kInMinutesFromMs = 100'000;
constexpr std::size_t kMostReasons = 5;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::gatewaypassages)
};

RowsModel::Cell cell(const QString& text, Tone tone = Tone::Plain, const QString& tip = {})
{
    RowsModel::Cell made;
    made.text = text;
    made.tone = tone;
    made.tip = tip;
    return made;
}

RowsModel::Cell statusCell(const Passage& passage)
{
    if (passage.status == gateway::kClientLeft)
        return cell(Words::tr("left"), Tone::Soft, Words::tr("The client left before its answer was complete"));
    const QString why =
        passage.status < 400 && passage.code.isEmpty() ? QString() : reasonWords(passage.status, passage.code);
    const Tone tone = passage.status >= 500 ? Tone::Bad : passage.status >= 400 ? Tone::Warned : Tone::Good;
    return cell(QString::number(passage.status), tone, why);
}

RowsModel::Cell askedCell(const Passage& passage)
{
    // Embeddings go to one endpoint, past the chains; what was refused may never have named one.
    const QString asked =
        passage.chain.empty() ? QString::fromUtf8(passage.path) : QString::fromStdString(passage.chain);
    return cell(asked, passage.chain.empty() ? Tone::Faint : Tone::Plain, asked);
}

RowsModel::Cell answeredCell(const Passage& passage)
{
    using chain::Source;
    const QString endpoint = QString::fromStdString(passage.endpoint);
    switch (passage.source) {
    case Source::Cache:
        return cell(Words::tr("cache"), Tone::Soft);
    case Source::SharedCall:
        return cell(Words::tr("shared call"), Tone::Soft,
                    Words::tr("Another request asked the same at this moment: one answer for both"));
    case Source::CannedReply:
        return cell(Words::tr("canned reply"), Tone::Warned);
    case Source::Endpoint:
        return cell(endpoint, Tone::Plain, endpoint);
    case Source::None:
        break;
    }
    if (passage.status == gateway::kClientLeft)
        return endpoint.isEmpty() ? cell(format::unknown(), Tone::Faint) : cell(endpoint, Tone::Soft, endpoint);
    if (passage.status < 400) // passed on, as embeddings are
        return cell(endpoint, Tone::Plain, endpoint);
    const QString why = reasonWords(passage.status, passage.code);
    const QString last =
        endpoint.isEmpty() ? QString() : QLatin1Char('\n') + Words::tr("%1 was asked last").arg(endpoint);
    return cell(why, passage.isRefused ? Tone::Soft : Tone::Bad, why + last);
}

QString costWords(const Passage& passage)
{
    if (!passage.costNanoUsd)
        return format::unknown();
    const QString amount = format::money(static_cast<double>(*passage.costNanoUsd) / 1e9);
    if (passage.costIsLowerBound)
        return QString(QChar(0x2265)) + format::thin() + amount;
    return passage.costIsEstimated ? QString(QChar(0x2248)) + format::thin() + amount : amount;
}

QString spanWords(Nanos span)
{
    const double ms = std::chrono::duration<double, std::milli>(span).count();
    return ms < kInMinutesFromMs ? format::latency(ms).text() : format::coarse(ms);
}

const std::map<QString, const char*>& reasons()
{
    static const std::map<QString, const char*> all{
        {QStringLiteral("all_tiers_out"), QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "every tier is out")},
        {QStringLiteral("embeddings_not_supported"),
         QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "no embeddings there")},
        {QStringLiteral("host_not_allowed"), QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "called by another name")},
        {QStringLiteral("invalid_api_key"), QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "no or a wrong token")},
        {QStringLiteral("method_not_allowed"), QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "wrong method")},
        {QStringLiteral("missing_host"), QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "no host named")},
        {QStringLiteral("model_not_found"), QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "no such model")},
        {QStringLiteral("origin_not_allowed"), QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "web page not let in")},
        {QStringLiteral("queue_full"), QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "queue full")},
        {QStringLiteral("queue_timeout"), QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "queued too long")},
        {QStringLiteral("token_needed"), QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "action without a token")},
        {QStringLiteral("unknown_url"), QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "no such address")},
        {QStringLiteral("unsupported_media_type"),
         QT_TRANSLATE_NOOP("sg::ui::gatewaypassages", "not JSON, or compressed")},
    };
    return all;
}

} // namespace

std::vector<RowsModel::Column> columns()
{
    return {{Words::tr("Time")},        {Words::tr("Status")},      {Words::tr("Asked for")},
            {Words::tr("Answered by")}, {Words::tr("Tries"), true}, {Words::tr("Waited"), true},
            {Words::tr("Took"), true},  {Words::tr("Cost"), true}};
}

std::vector<std::pair<int, int>> widths()
{
    return {{Time, 68}, {Status, 46}, {Tries, 36}, {Waited, 58}, {Took, 58}, {Cost, 72}};
}

RowsModel::Row rowOf(const Passage& passage)
{
    RowsModel::Cell time = cell(format::clock(passage.endedUnixMs), Tone::Faint, QString::fromUtf8(passage.requestId));
    const QString tries = passage.isRefused ? format::unknown() : format::count(passage.attempts);
    // Most have not waited, and a column of zeros hides those that have.
    const QString waited = passage.waited < Millis(1) ? QString() : spanWords(passage.waited);
    return {time,
            statusCell(passage),
            askedCell(passage),
            answeredCell(passage),
            cell(tries, passage.attempts > 1 ? Tone::Warned : Tone::Soft),
            cell(waited, Tone::Soft),
            cell(spanWords(passage.took)),
            cell(costWords(passage), Tone::Soft)};
}

QString reasonWords(int status, const QString& code)
{
    if (const auto known = reasons().find(code); known != reasons().end())
        return Words::tr(known->second);
    if (!code.isEmpty())
        return QString(code).replace(QLatin1Char('_'), QLatin1Char(' '));
    switch (status) {
    case 400:
        return Words::tr("not understood");
    case 408:
        return Words::tr("sent too slowly");
    case 411:
        return Words::tr("body without a length");
    case 413:
        return Words::tr("body too large");
    case 414:
    case 431:
        return Words::tr("head too large");
    case 503:
        return Words::tr("too much at once"); // connections, or requests that have not come whole
    default:
        return Words::tr("status %1").arg(status);
    }
}

QString refusalsLine(const std::vector<gateway::Refusals>& refusals)
{
    QStringList parts;
    qint64 others = 0;
    for (std::size_t i = 0; i < refusals.size(); ++i) {
        const gateway::Refusals& each = refusals[i];
        if (i < kMostReasons)
            parts.append(format::count(each.count) + QChar(0xA0) + reasonWords(each.status, each.code));
        else
            others += each.count;
    }
    if (others > 0)
        parts.append(Words::tr("%1 for other reasons").arg(format::count(others)));
    return parts.isEmpty() ? QString() : Words::tr("Not passed on: %1").arg(parts.join(QStringLiteral(" · ")));
}

} // namespace sg::ui::gatewaypassages
