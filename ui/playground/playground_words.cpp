// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/playground_words.h"

#include "core/observe/sentences.h"
#include "ui/format/format.h"

#include <QCoreApplication>

namespace sg::ui::words {

namespace {

using chain::AttemptRecord;
using provider::ErrorClass;

constexpr qsizetype kLongLine = 2000;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::words)
};

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

QString money(std::int64_t nanoUsd)
{
    return cost::formatUsd(cost::NanoDollars(nanoUsd), QLocale());
}

std::vector<const AttemptRecord*> attempts(const engine::WatchView& view)
{
    std::vector<const AttemptRecord*> all;
    for (const chain::Step& step : view.record.steps)
        if (const auto* attempt = std::get_if<AttemptRecord>(&step))
            all.push_back(attempt);
    if (view.current)
        all.push_back(&*view.current);
    return all;
}

QString statusText(int status)
{
    return status == 200 ? QStringLiteral("200 OK") : QString::number(status);
}

Nanos waited(const engine::WatchView& view)
{
    Nanos sum{0};
    for (const chain::Step& step : view.record.steps)
        if (const auto* wait = std::get_if<chain::WaitRecord>(&step)) {
            const Instant end = view.running ? view.taken : view.record.ended;
            sum += std::max(Nanos(0), spanBetween(wait->from, std::min(wait->until, end)));
        }
    return sum;
}

/// "gpt-4.1 3 times, claude once"
QString triedWords(const engine::WatchView& view)
{
    std::vector<std::pair<std::string, int>> counts;
    for (const AttemptRecord* attempt : attempts(view)) {
        if (!counts.empty() && counts.back().first == attempt->endpoint)
            ++counts.back().second;
        else
            counts.emplace_back(attempt->endpoint, 1);
    }
    QStringList parts;
    for (const auto& [endpoint, count] : counts)
        parts << (count == 1 ? Words::tr("%1 once").arg(text(endpoint))
                             : Words::tr("%1 %2 times").arg(text(endpoint), QString::number(count)));
    constexpr qsizetype kMost = 4;
    if (parts.size() > kMost)
        return Words::tr("%1 and others").arg(parts.mid(0, kMost).join(QStringLiteral(", ")));
    return parts.join(QStringLiteral(", "));
}

/// The product itself found no key to send: the provider has not been asked.
bool keyIsMissing(const AttemptRecord* attempt)
{
    return attempt->error.disposition.error == ErrorClass::Authentication && attempt->error.status == 0 &&
           !attempt->timing.sent;
}

QString didWords(const engine::WatchView& view)
{
    QStringList sentences;
    const bool isChain = view.target.kind == engine::TargetKind::Chain;
    const auto tried = attempts(view);
    if (tried.empty() && isChain)
        sentences << Words::tr("No tier could be tried.");
    else if (std::ranges::all_of(tried, keyIsMissing))
        sentences << Words::tr("Nothing was sent.");
    else
        sentences << Words::tr("Switchgear tried %1.").arg(triedWords(view));
    if (const Nanos time = waited(view); time > Nanos(0))
        sentences << Words::tr("It waited %1 in between.").arg(waterfall::span(toMs(time)));
    if (view.record.committed && view.record.ending == chain::Ending::Failed)
        sentences << Words::tr("The first words were out, so nothing was tried again.");
    else if (!isChain && view.record.ending == chain::Ending::Failed)
        sentences << Words::tr("Straight to an endpoint there is one try.");
    if (view.record.retryAfter)
        sentences << (isChain ? Words::tr("The first tier may be back in %1.") : Words::tr("It may be back in %1."))
                         .arg(QString::fromStdString(observe::waitText(*view.record.retryAfter)));
    return sentences.join(QLatin1Char(' '));
}

QString providerWords(const provider::ErrorFacts& error)
{
    const QString code = text(error.code), message = text(error.message);
    if (code.isEmpty() || message.isEmpty())
        return code + message;
    return QStringLiteral("%1: %2").arg(code, message);
}

QString tokens(const std::optional<std::int64_t>& count)
{
    return count ? format::count(*count) : format::unknown();
}

} // namespace

Status statusOf(const engine::WatchView& view)
{
    if (view.running)
        return {Look::Running, view.waitingUntil ? Words::tr("waiting") : Words::tr("running")};
    switch (view.record.ending) {
    case chain::Ending::Answered:
        break;
    case chain::Ending::Cancelled:
        return {Look::Cancelled, Words::tr("cancelled")};
    case chain::Ending::Failed:
    case chain::Ending::Running:
        return {Look::Failed, Words::tr("failed: %1").arg(waterfall::outcomeOf(view.record.error))};
    }
    switch (view.record.source) {
    case chain::Source::Cache:
        return {Look::Good, Words::tr("from cache")};
    case chain::Source::SharedCall:
        return {Look::Good, Words::tr("shared call")};
    case chain::Source::CannedReply:
        return {Look::Warned, Words::tr("canned reply")};
    default:
        break;
    }
    const engine::AttemptTrace* trace = traceOf(view, mainAttempt(view));
    return {Look::Good, trace && trace->status > 0 ? statusText(trace->status) : Words::tr("answered")};
}

QString cost(std::optional<std::int64_t> nanoUsd, bool isLowerBound, bool isEstimated)
{
    if (!nanoUsd)
        return format::unknown();
    const QString mark = isEstimated ? QStringLiteral("≈ ") : isLowerBound ? QStringLiteral("≥ ") : QString();
    return mark + money(*nanoUsd);
}

QString estimate(const std::vector<engine::WatchEstimate>& estimates, const provider::ChatRequest& request)
{
    if (estimates.empty())
        return {};
    const engine::WatchEstimate& first = estimates.front();
    QString line = Words::tr("≈ %1 tokens in").arg(format::count(first.inputTokens)) + QStringLiteral(" · ");
    line += first.costNanoUsd ? Words::tr("est. %1 on %2").arg(money(*first.costNanoUsd), text(first.endpoint))
                              : Words::tr("no price for %1").arg(text(first.endpoint));
    const engine::WatchEstimate* dearest = nullptr;
    for (const engine::WatchEstimate& other : estimates)
        if (other.worstNanoUsd && (!dearest || *other.worstNanoUsd > *dearest->worstNanoUsd))
            dearest = &other;
    if (!request.sampling.maxTokens && !request.extra.contains(QLatin1String("max_completion_tokens")))
        return line + Words::tr(", no limit on the answer");
    if (!dearest)
        return line;
    return line + (estimates.size() == 1
                       ? Words::tr(", at most %1").arg(money(*dearest->worstNanoUsd))
                       : Words::tr(", at most %1 on %2").arg(money(*dearest->worstNanoUsd), text(dearest->endpoint)));
}

Failure failureOf(const engine::WatchView& view)
{
    if (view.running || view.record.ending == chain::Ending::Answered)
        return {};
    Failure failure;
    if (view.record.ending == chain::Ending::Cancelled) {
        failure.title = Words::tr("Cancelled");
        failure.did = attempts(view).empty() ? Words::tr("Nothing had been sent.")
                                             : Words::tr("Switchgear had tried %1. A provider may bill what it had "
                                                         "begun.")
                                                   .arg(triedWords(view));
        failure.isError = false;
        return failure;
    }
    const provider::ErrorFacts& error = view.record.error;
    const std::string_view words = provider::inWords(error.disposition.error);
    const QString sentence = QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
    const auto tried = attempts(view);
    const bool lacksKey = !tried.empty() && keyIsMissing(tried.back());
    failure.title = lacksKey                                ? Words::tr("There is no key that can be used")
                    : observe::tellsOfFailure(error.status) ? QStringLiteral("%1: %2").arg(error.status).arg(sentence)
                                                            : sentence;
    failure.provider = providerWords(error);
    failure.did = didWords(view);
    return failure;
}

std::vector<Figure> figuresOf(const engine::WatchView& view, const std::optional<engine::WatchEstimate>& other)
{
    std::vector<Figure> figures;
    const chain::RunRecord& record = view.record;
    const AttemptRecord* attempt = attemptOf(view, mainAttempt(view));
    const bool isAnswered = record.ending == chain::Ending::Answered;
    QString by = isAnswered ? text(record.endpoint) : format::unknown();
    if (isAnswered && record.source == chain::Source::Cache)
        by = Words::tr("cache");
    else if (isAnswered && record.source == chain::Source::CannedReply)
        by = Words::tr("canned reply");
    const QString name = view.running && attempt ? Words::tr("Asking") : Words::tr("Answered by");
    if (view.running && attempt)
        by = text(attempt->endpoint);
    const QString model = text(view.answer.model);
    figures.push_back({name, by, model.isEmpty() ? QString() : Words::tr("model %1").arg(model)});
    const Instant end = view.running ? view.taken : record.ended;
    figures.push_back({Words::tr("Total"), waterfall::span(toMs(spanBetween(record.started, end))),
                       Words::tr("From send to the last byte, with waits and failed tries")});
    QString first = format::unknown();
    const bool hasFirst = attempt && attempt->timing.firstToken;
    if (hasFirst)
        first = waterfall::span(toMs(spanBetween(record.started, *attempt->timing.firstToken)));
    figures.push_back({Words::tr("First token"), first, Words::tr("From send, with waits and failed tries")});
    const provider::Usage& usage = view.answer.usage;
    const QString mark = usage.estimated ? QStringLiteral("≈ ") : QString();
    QStringList parts;
    const std::pair<std::optional<std::int64_t>, QString> details[] = {
        {usage.cachedInputTokens, Words::tr("%1 read from the provider's cache")},
        {usage.cacheWriteTokens, Words::tr("%1 written to it")},
        {usage.reasoningTokens, Words::tr("%1 of reasoning")}};
    for (const auto& [count, words] : details)
        if (count && *count > 0)
            parts << words.arg(format::count(*count));
    if (usage.estimated)
        parts << Words::tr("estimated from characters: the provider did not say");
    figures.push_back({Words::tr("Tokens in / out"),
                       mark + tokens(usage.inputTokens) + QStringLiteral(" / ") + tokens(usage.outputTokens),
                       parts.join(QStringLiteral(", "))});
    figures.push_back(
        {Words::tr("Cost"), cost(view.costNanoUsd, view.costIsLowerBound, view.costIsEstimated), view.costBasis});
    if (other && other->worstNanoUsd && !(attempt && attempt->endpoint == other->endpoint))
        figures.push_back(
            {Words::tr("On %1").arg(text(other->endpoint)), QStringLiteral("≈ ") + money(*other->worstNanoUsd),
             Words::tr("The same answer there: tokens in estimated from characters, as many tokens out")});
    return figures;
}

const engine::AttemptTrace* traceOf(const engine::WatchView& view, int attempt)
{
    for (const engine::AttemptTrace& trace : view.traces)
        if (trace.number == attempt)
            return &trace;
    return nullptr;
}

const AttemptRecord* attemptOf(const engine::WatchView& view, int attempt)
{
    for (const AttemptRecord* each : attempts(view))
        if (each->number == attempt)
            return each;
    return nullptr;
}

int mainAttempt(const engine::WatchView& view)
{
    const auto all = attempts(view);
    for (const AttemptRecord* each : all)
        if (!view.running && each->error.disposition.error == ErrorClass::None)
            return each->number;
    return all.empty() ? 0 : all.back()->number;
}

int attemptsOf(const engine::WatchView& view)
{
    int most = 0;
    for (const AttemptRecord* each : attempts(view))
        most = std::max(most, each->number);
    for (const engine::AttemptTrace& trace : view.traces)
        most = std::max(most, trace.number);
    return most;
}

std::vector<RowsModel::Row> headerRows(const engine::WatchView& view, int attempt, bool ofRequest)
{
    using Tone = RowsModel::Tone;
    std::vector<RowsModel::Row> rows;
    const auto add = [&](const QString& name, const QString& value, Tone tone = Tone::Soft) {
        rows.push_back({{name, tone, false, RowsModel::Swatch::None, name, true},
                        {value, Tone::Plain, false, RowsModel::Swatch::None, value, true}});
    };
    const engine::AttemptTrace* trace = traceOf(view, attempt);
    if (ofRequest) {
        if (!trace)
            return rows;
        add(text(trace->method), text(trace->url));
        for (const auto& [name, value] : trace->requestHeaders)
            add(text(name), text(value));
        return rows;
    }
    if (trace && trace->status > 0)
        add(QStringLiteral("status"), statusText(trace->status));
    const auto own = [&](const char* name, const QString& value) {
        add(QLatin1String("x-switchgear-") + QLatin1String(name), value, Tone::Accent);
    };
    // By the names that the gateway gives them.
    const chain::RunRecord& record = view.record;
    if (record.id != 0)
        add(QStringLiteral("x-request-id"), QString::number(record.id, 16), Tone::Accent);
    if (view.target.kind == engine::TargetKind::Chain)
        own("chain", text(record.chain.empty() ? view.target.name : record.chain));
    if (const AttemptRecord* made = attemptOf(view, attempt))
        own("endpoint", text(made->endpoint));
    own("attempts", QString::number(attemptsOf(view)));
    own("waited-ms", QString::number(std::chrono::duration_cast<Millis>(waited(view)).count()));
    if (view.costNanoUsd)
        own("cost-usd", QString::number(static_cast<double>(*view.costNanoUsd) / 1e9, 'f', 6));
    if (trace)
        for (const auto& [name, value] : trace->responseHeaders)
            add(text(name), text(value));
    return rows;
}

QString hintSentence(const engine::WatchView& view, int attempt)
{
    const AttemptRecord* made = attemptOf(view, attempt);
    if (!made || made->error.hint.source.empty())
        return {};
    const policy::WaitHint& hint = made->error.hint;
    const QString asked = QString::fromStdString(observe::waitText(hint.wait));
    QString line = Words::tr("Try %1 carried %2, a wait of %3.").arg(attempt).arg(text(hint.source), asked);
    bool isAfter = false;
    for (const chain::Step& step : view.record.steps) {
        if (const auto* each = std::get_if<AttemptRecord>(&step)) {
            if (isAfter)
                break;
            isAfter = each->number == attempt;
        } else if (const auto* wait = std::get_if<chain::WaitRecord>(&step); wait && isAfter) {
            const QString span = QString::fromStdString(observe::waitText(spanBetween(wait->from, wait->until)));
            return line + QLatin1Char(' ') +
                   (wait->hint ? Words::tr("Switchgear waited the full %1.").arg(span)
                               : Words::tr("Switchgear waited %1, its own backoff.").arg(span));
        } else if (const auto* move = std::get_if<chain::MoveRecord>(&step); move && isAfter) {
            return line + QLatin1Char(' ') +
                   Words::tr("Switchgear moved on: %1.").arg(waterfall::moveWords(move->reason, move->wait));
        }
    }
    if (hint.action == policy::HintAction::Failover)
        line += QLatin1Char(' ') + Words::tr("The endpoint is parked for that long.");
    return line;
}

QString oddities(const engine::WatchView& view, int attempt)
{
    QStringList sentences;
    const engine::AttemptTrace* trace = traceOf(view, attempt);
    if (trace && !trace->leftOut.isEmpty())
        sentences << Words::tr("Not sent, for %1 has no word for it: %2.")
                         .arg(text(trace->provider), trace->leftOut.join(QStringLiteral(", ")));
    if (attempt == mainAttempt(view))
        for (const QString& warning : view.answer.warnings)
            sentences << warning + QLatin1Char('.');
    return sentences.join(QLatin1Char('\n'));
}

Shown shown(const QString& text, qsizetype most)
{
    Shown out;
    QStringList notes;
    QString head = text;
    if (text.size() > most) {
        head = text.left(text.at(most - 1).isHighSurrogate() ? most - 1 : most);
        notes << Words::tr("the first %1 of %2 characters").arg(format::count(head.size()), format::count(text.size()));
    }
    bool isBroken = false;
    qsizetype begin = 0;
    out.text.reserve(head.size() + head.size() / kLongLine + 1);
    while (begin < head.size()) {
        qsizetype end = head.indexOf(QLatin1Char('\n'), begin);
        const bool hasEnd = end >= 0;
        end = hasEnd ? end + 1 : head.size();
        if (end - begin <= kLongLine + 1) {
            out.text += QStringView(head).mid(begin, end - begin);
            begin = end;
            continue;
        }
        isBroken = true;
        const qsizetype cut = begin + kLongLine - (head.at(begin + kLongLine - 1).isHighSurrogate() ? 1 : 0);
        out.text += QStringView(head).mid(begin, cut - begin);
        out.text += QLatin1Char('\n');
        begin = cut;
    }
    if (isBroken)
        notes << Words::tr("lines of more than %1 characters are broken").arg(format::count(kLongLine));
    if (!notes.isEmpty())
        out.note = Words::tr("Shown: %1.").arg(notes.join(QStringLiteral("; ")));
    return out;
}

} // namespace sg::ui::words
