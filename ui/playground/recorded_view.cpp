// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/recorded_view.h"

#include "core/observe/sentences.h"
#include "core/policy/text.h"
#include "core/provider/explain.h"
#include "core/provider/mask.h"
#include "ui/format/format.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace sg::ui {

namespace {

constexpr qint64 kMostBytes = 16 * 1024 * 1024;
constexpr qsizetype kMostRaw = 256 * 1024;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::RecordedView)
};

tl::expected<QByteArray, QString> bytesOf(const QString& path)
{
    const QString shown = QDir::toNativeSeparators(path);
    if (!QFileInfo(path).isFile())
        return tl::unexpected(Words::tr("%1 is not a file. Choose a saved answer: what curl -i writes, an event stream "
                                        "or a JSON body.")
                                  .arg(shown));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(Words::tr("Cannot read %1: %2. Check its permissions or choose another file.")
                                  .arg(shown, file.errorString()));
    if (file.size() > kMostBytes)
        return tl::unexpected(
            Words::tr("%1 is larger than 16 MiB. Use switchgear-cli explain for it, or a part of it.").arg(shown));
    return file.readAll();
}

using Tone = RowsModel::Tone;

RowsModel::Row rowOf(const QString& name, const QString& value, Tone tone, bool isMono, bool isNameMono = false)
{
    return {{name, Tone::Soft, false, RowsModel::Swatch::None, name, isNameMono},
            {value, tone, false, RowsModel::Swatch::None, value, isMono}};
}

/// Collects what is known.
class Facts
{
public:
    void add(const QString& name, const QString& value, Tone tone = Tone::Plain, bool isMono = false)
    {
        if (!value.isEmpty())
            rows_.push_back(rowOf(name, value, tone, isMono));
    }
    std::vector<RowsModel::Row> take() { return std::move(rows_); }

private:
    std::vector<RowsModel::Row> rows_;
};

words::Status statusOf(const provider::Explanation& said)
{
    using Status = provider::AnswerStatus;
    switch (said.status) {
    case Status::Complete:
        return {words::Look::Good,
                said.httpStatus.value_or(0) == 200 ? Words::tr("200, complete") : Words::tr("complete")};
    case Status::Truncated:
        return {words::Look::Failed, Words::tr("truncated")};
    case Status::Empty:
        return {words::Look::Failed, Words::tr("empty")};
    case Status::Error:
        break;
    }
    return {words::Look::Failed, waterfall::outcomeOf(said.error)};
}

QString waitWords(const provider::Explanation& said)
{
    using Action = policy::HintAction;
    if (!said.failed())
        return {};
    const policy::WaitHint& hint = said.error.hint;
    if (const auto asked = hint.asked()) {
        const QString time = QString::fromStdString(observe::waitText(*asked));
        return hint.action == Action::Failover
                   ? Words::tr("%1, said by %2: too long to wait for, the next tier goes on")
                         .arg(time, text(hint.source))
                   : Words::tr("%1, said by %2").arg(time, text(hint.source));
    }
    if (said.error.disposition.retry == provider::RetryAdvice::No)
        return Words::tr("none: it is not tried again");
    switch (hint.action) {
    case Action::Wait:
        return Words::tr("none: it may be tried at once, said by %1").arg(text(hint.source));
    case Action::Failover:
        return Words::tr("none: the next tier goes on");
    case Action::Stop:
        return Words::tr("none: waiting would not help");
    case Action::Backoff:
        break;
    }
    return Words::tr("own backoff: the answer names none");
}

/// What the status alone says, for answers that came with no error of their own.
QString statusSentence(provider::AnswerStatus status)
{
    using Status = provider::AnswerStatus;
    if (status == Status::Truncated)
        return Words::tr("The answer is cut off: its end is missing");
    return status == Status::Empty ? Words::tr("Nothing was said: the answer is empty") : QString();
}

words::Failure failureOf(const provider::Explanation& said)
{
    words::Failure failure;
    const QString bare = statusSentence(said.status);
    if (!said.failed()) {
        failure.title = bare;
        return failure;
    }
    const QString sentence = text(provider::inWords(said.error.disposition.error));
    failure.title = !bare.isEmpty() ? bare
                    : observe::tellsOfFailure(said.error.status)
                        ? QStringLiteral("%1: %2").arg(said.error.status).arg(sentence)
                        : sentence;
    const QString code = said.errorCode.toVariant().toString();
    const QString message = provider::maskSecrets(text(said.error.message));
    failure.provider =
        code.isEmpty() || message.isEmpty() ? code + message : QStringLiteral("%1: %2").arg(code, message);
    failure.did = provider::nextStep(said) + QLatin1Char('.');
    return failure;
}

QString compact(const QJsonValue& value)
{
    return value.isObject() ? QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact))
                            : QString();
}

/// "in 612, out 148, total 760"
QString usageWords(const QJsonObject& normalised)
{
    const std::pair<const char*, QString> names[] = {{"input_tokens", Words::tr("in %1")},
                                                     {"output_tokens", Words::tr("out %1")},
                                                     {"total_tokens", Words::tr("total %1")},
                                                     {"cached_input_tokens", Words::tr("of these from the cache %1")},
                                                     {"cache_write_tokens", Words::tr("written to the cache %1")},
                                                     {"reasoning_tokens", Words::tr("reasoning %1")},
                                                     {"audio_input_tokens", Words::tr("audio in %1")},
                                                     {"audio_output_tokens", Words::tr("audio out %1")}};
    QStringList parts;
    for (const auto& [key, words] : names) {
        const QJsonValue count = normalised[QLatin1String(key)];
        if (count.isDouble())
            parts << words.arg(format::count(count.toInteger()));
    }
    if (normalised[QLatin1String("inconsistent")].toBool())
        parts << Words::tr("the counts contradict each other");
    return parts.join(QStringLiteral(", "));
}

QString bytesWords(const std::optional<qint64>& bytes)
{
    return bytes ? Words::tr("after %1 bytes of the body").arg(format::count(*bytes)) : QString();
}

bool isPractice(const provider::Charge& charge)
{
    return charge.source == QLatin1String("practice");
}

QString costWords(const provider::Charge& charge)
{
    return words::cost(charge.amount ? std::optional(charge.amount->count()) : std::nullopt, false);
}

/// From the document that is shown beside them: both say the same, and secrets are masked in it.
std::vector<RowsModel::Row> factsOf(const provider::Explanation& said, const QJsonObject& json,
                                    const QStringList& warnings)
{
    const auto word = [&](const char* name) { return json[QLatin1String(name)].toVariant().toString(); };
    const QString bare = statusSentence(said.status);
    const bool isGood = said.status == provider::AnswerStatus::Complete;
    Facts facts;
    facts.add(Words::tr("Status"), bare.isEmpty() ? word("status") : QStringLiteral("%1. %2").arg(word("status"), bare),
              isGood ? Tone::Good : Tone::Bad);
    for (const QString& warning : warnings)
        facts.add(Words::tr("Warning"), warning, Tone::Warned);
    if (said.failed()) {
        facts.add(Words::tr("Error class"), QStringLiteral("%1: %2").arg(word("error_class"), word("error_words")));
        facts.add(Words::tr("Provider's code"), word("provider_code"));
        facts.add(Words::tr("Provider's words"), word("message"));
    }
    facts.add(Words::tr("What follows"), word("next"));
    facts.add(Words::tr("Retry"), word("retry"));
    facts.add(Words::tr("Breaker"), word("breaker").replace(QLatin1Char('_'), QLatin1Char(' ')));
    facts.add(Words::tr("Fallback"), word("fallback"));
    facts.add(Words::tr("Wait"), said.failed() ? waitWords(said) : Words::tr("none"));
    const QJsonValue quota = json[QLatin1String("quota")];
    facts.add(Words::tr("Concerns"), quota[QLatin1String("scope")].toString());
    facts.add(Words::tr("For the endpoint"), quota[QLatin1String("endpoint")].toString());
    facts.add(Words::tr("For its quota group"), quota[QLatin1String("group")].toString());
    facts.add(Words::tr("Finish reason"), word("finish_reason"));
    const QJsonValue usage = json[QLatin1String("usage")];
    const QString sent = compact(usage[QLatin1String("sent")]);
    facts.add(Words::tr("Usage as sent"), sent.isEmpty() ? Words::tr("none was sent") : sent, Tone::Plain,
              !sent.isEmpty());
    const QString normalised = usageWords(usage[QLatin1String("normalised")].toObject());
    facts.add(Words::tr("Usage as understood"), normalised.isEmpty() ? Words::tr("unknown") : normalised);
    const QString cost = said.charge.amount ? costWords(said.charge) : Words::tr("unknown");
    facts.add(Words::tr("Cost"),
              isPractice(said.charge) ? Words::tr("%1, at a practice price, which is no provider's").arg(cost) : cost);
    facts.add(Words::tr("Cost's basis"), said.charge.words);
    if (said.isStream) {
        facts.add(Words::tr("First token"),
                  said.stream.firstToken ? bytesWords(said.stream.firstToken) : Words::tr("never came"));
        facts.add(Words::tr("Stream"), Words::tr("%1 events, %2 bytes, %3")
                                           .arg(format::count(said.stream.events), format::count(said.stream.bytes),
                                                said.stream.terminalSeen ? Words::tr("ended by a word of its own")
                                                                         : Words::tr("no word that ends it")));
    }
    facts.add(Words::tr("Dialect"), QStringLiteral("%1 (%2)").arg(word("dialect"), word("dialect_source")));
    facts.add(Words::tr("Provider"), word("provider"));
    facts.add(Words::tr("Model"), word("model"));
    facts.add(Words::tr("Request"), word("request_id"));
    return facts.take();
}

std::vector<RowsModel::Row> headersOf(const provider::RecordedAnswer& recorded)
{
    std::vector<RowsModel::Row> rows;
    for (const auto& [name, value] : recorded.headers) {
        const QString masked = provider::maskSecrets(QStringLiteral("%1: %2").arg(text(name), text(value)));
        rows.push_back(rowOf(text(name), masked.mid(text(name).size() + 2), Tone::Plain, true, true));
    }
    return rows;
}

std::vector<words::Figure> figuresOf(const provider::Explanation& said)
{
    const provider::Usage& usage = said.answer.usage;
    const auto count = [](const auto& tokens) { return tokens ? format::count(*tokens) : format::unknown(); };
    return {{Words::tr("Dialect"), text(provider::toString(said.dialect)), said.dialectSource},
            {Words::tr("Model"), said.answer.model.empty() ? format::unknown() : text(said.answer.model), {}},
            {Words::tr("Finish"),
             said.answer.finishReason.empty() ? format::unknown() : text(said.answer.finishReason),
             {}},
            {Words::tr("Tokens in / out"),
             count(usage.inputTokens) + QStringLiteral(" / ") + count(usage.outputTokens),
             {}},
            {isPractice(said.charge) ? Words::tr("Cost (practice)") : Words::tr("Cost"), costWords(said.charge),
             said.charge.words}};
}

} // namespace

tl::expected<RecordedView, QString> readRecordedFile(const QString& path, std::int64_t nowUnixMs,
                                                     const cost::PriceBook* prices)
{
    const auto bytes = bytesOf(path);
    if (!bytes)
        return tl::unexpected(bytes.error());
    RecordedView view;
    view.file = QFileInfo(path).fileName();
    const provider::RecordedAnswer recorded = provider::readRecorded(*bytes);
    provider::ExplainOptions options;
    options.nowUnixMs = nowUnixMs;
    options.prices = prices;
    const provider::Explanation said = provider::explain(recorded, options);
    view.status = statusOf(said);
    view.failure = failureOf(said);
    view.answer = said.answer;
    view.isPartial = said.partial;
    view.rawBytes = recorded.body.size();
    view.raw = provider::maskSecrets(QString::fromUtf8(recorded.body.left(kMostRaw))).toUtf8();
    view.figures = figuresOf(said);
    view.warnings = said.warnings + recorded.warnings;
    view.warnings.removeDuplicates();
    for (QString& warning : view.warnings)
        warning = provider::maskSecrets(warning);
    const QJsonObject json = provider::toJson(said);
    view.json = QJsonDocument(json).toJson(QJsonDocument::Indented);
    view.facts = factsOf(said, json, view.warnings);
    view.headers = headersOf(recorded);
    return view;
}

} // namespace sg::ui
