// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_passages.h"

#include "core/cost/money.h"
#include "core/gateway/failure.h"
#include "core/policy/text.h"
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

/// "openai-main answered last", the kind of error and what was said of it: all that is known of a failure.
QString detailOf(const Passage& passage)
{
    QStringList lines;
    if (passage.status >= 400 && passage.status != gateway::kClientLeft)
        lines << reasonWords(passage.status, passage.code);
    if (passage.error != provider::ErrorClass::None && passage.error != provider::ErrorClass::Cancelled)
        lines << text(provider::inWords(passage.error));
    if (!passage.errorWords.empty())
        lines << text(passage.errorWords);
    if (passage.source == chain::Source::None && !passage.endpoint.empty())
        lines << Words::tr("%1 was asked last").arg(text(passage.endpoint));
    lines.removeDuplicates();
    return lines.join(QLatin1Char('\n'));
}

RowsModel::Cell resultCell(const Passage& passage)
{
    using gateway::Result;
    const auto told = [&](const QString& word, Tone tone, const QString& meaning) {
        const QString detail = detailOf(passage);
        return cell(word, tone, detail.isEmpty() ? meaning : meaning + QLatin1Char('\n') + detail);
    };
    switch (gateway::resultOf(passage)) {
    case Result::Answered:
        return cell(Words::tr("answered"), Tone::Good);
    case Result::Refused:
        return told(Words::tr("refused"), Tone::Warned, Words::tr("The gateway refused it; nobody was asked"));
    case Result::Failed:
        return told(Words::tr("failed"), Tone::Bad, Words::tr("Nobody answered it"));
    case Result::StreamError:
        return told(Words::tr("stream error"), Tone::Bad,
                    Words::tr("The stream had begun, with status 200; it ended with an error"));
    case Result::CutShort:
        return told(Words::tr("cut short"), Tone::Bad,
                    Words::tr("The stream had begun, with status 200; it ended before its end"));
    case Result::ClientLeft:
        return told(Words::tr("client left"), Tone::Soft, Words::tr("The client left before its answer was complete"));
    }
    return {};
}

RowsModel::Cell httpCell(const Passage& passage)
{
    if (passage.sentStatus == 0)
        return cell(format::unknown(), Tone::Faint, Words::tr("No status was sent"));
    return cell(QString::number(passage.sentStatus), Tone::Soft);
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
    return cell(reasonWords(passage.status, passage.code), passage.isRefused ? Tone::Soft : Tone::Bad,
                detailOf(passage));
}

/// A tiny amount is not rounded away, a large one not to dollars.
QString exactCost(const Passage& passage)
{
    if (!passage.costNanoUsd)
        return {};
    QByteArray digits = cost::decimalUsd(cost::NanoDollars(*passage.costNanoUsd));
    while (digits.endsWith('0'))
        digits.chop(1);
    if (digits.endsWith('.'))
        digits.chop(1);
    return QLatin1Char('$') + QString::fromLatin1(digits);
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
    return {{Words::tr("Time")},         {Words::tr("Result")},      {Words::tr("HTTP")},
            {Words::tr("Asked for")},    {Words::tr("Answered by")}, {Words::tr("Tries"), true},
            {Words::tr("Waited"), true}, {Words::tr("Took"), true},  {Words::tr("Cost"), true}};
}

std::vector<Width> widths()
{
    return {{Time, 68, 0},     {Result, 80, 0}, {Http, 36, 0},  {Tries, 36, 540},
            {Waited, 58, 600}, {Took, 58, 0},   {Cost, 72, 500}};
}

RowsModel::Row rowOf(const Passage& passage)
{
    RowsModel::Cell time = cell(format::clock(passage.endedUnixMs), Tone::Faint, QString::fromUtf8(passage.requestId));
    const QString tries = passage.isRefused ? format::unknown() : format::count(passage.attempts);
    // Most have not waited, and a column of zeros hides those that have.
    const QString waited = passage.waited < Millis(1) ? QString() : spanWords(passage.waited);
    return {time,
            resultCell(passage),
            httpCell(passage),
            askedCell(passage),
            answeredCell(passage),
            cell(tries, passage.attempts > 1 ? Tone::Warned : Tone::Soft),
            cell(waited, Tone::Soft),
            cell(spanWords(passage.took)),
            cell(costWords(passage), Tone::Soft, exactCost(passage))};
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
