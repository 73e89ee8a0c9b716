// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/recorded_view.h"

#include "core/observe/sentences.h"
#include "core/provider/explain.h"
#include "core/provider/mask.h"
#include "ui/format/format.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

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

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// Collects rows of name and value.
class Facts
{
public:
    void add(const QString& name, const QString& value, RowsModel::Tone tone = RowsModel::Tone::Accent)
    {
        if (!value.isEmpty())
            rows_.push_back({{name, tone, false, RowsModel::Swatch::None, name, true},
                             {value, RowsModel::Tone::Plain, false, RowsModel::Swatch::None, value, true}});
    }
    void add(const QString& name, const std::optional<std::int64_t>& count)
    {
        if (count)
            add(name, format::count(*count));
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
        return {words::Look::Warned, Words::tr("truncated")};
    case Status::Empty:
        return {words::Look::Failed, Words::tr("empty")};
    case Status::Error:
        break;
    }
    return {words::Look::Failed, waterfall::outcomeOf(said.error)};
}

QString waitWords(const provider::Explanation& said)
{
    const policy::WaitHint& hint = said.error.hint;
    if (const auto asked = hint.asked())
        return Words::tr("%1, said by %2").arg(QString::fromStdString(observe::waitText(*asked)), text(hint.source));
    return {};
}

words::Failure failureOf(const provider::Explanation& said)
{
    words::Failure failure;
    if (!said.failed())
        return failure;
    const QString sentence = text(provider::inWords(said.error.disposition.error));
    failure.title = said.error.status > 0 ? QStringLiteral("%1: %2").arg(said.error.status).arg(sentence) : sentence;
    const QString code = said.errorCode.toVariant().toString(), message = text(said.error.message);
    failure.provider =
        code.isEmpty() || message.isEmpty() ? code + message : QStringLiteral("%1: %2").arg(code, message);
    QStringList did{Words::tr("Retry: %1. Fallback: %2.")
                        .arg(text(provider::toString(said.error.disposition.retry)),
                             text(provider::toString(said.error.disposition.fallback)))};
    if (const QString wait = waitWords(said); !wait.isEmpty())
        did << Words::tr("Wait: %1.").arg(wait);
    failure.did = did.join(QLatin1Char(' '));
    return failure;
}

std::vector<RowsModel::Row> factsOf(const provider::Explanation& said, const provider::RecordedAnswer& recorded)
{
    Facts facts;
    facts.add(QStringLiteral("status"), text(provider::toString(said.status)));
    facts.add(QStringLiteral("dialect"), text(provider::toString(said.dialect)));
    facts.add(QStringLiteral("known-by"), said.dialectSource);
    facts.add(QStringLiteral("provider"), text(said.provider));
    facts.add(QStringLiteral("model"), text(said.answer.model));
    if (said.failed()) {
        facts.add(QStringLiteral("error-class"), text(provider::toString(said.error.disposition.error)));
        facts.add(QStringLiteral("provider-code"), said.errorCode.toVariant().toString());
        facts.add(QStringLiteral("retry"), text(provider::toString(said.error.disposition.retry)));
        facts.add(QStringLiteral("fallback"), text(provider::toString(said.error.disposition.fallback)));
    }
    facts.add(QStringLiteral("wait"), waitWords(said));
    facts.add(QStringLiteral("concerns"), said.quota.scope == QLatin1String("none") ? QString() : said.quota.scope);
    facts.add(QStringLiteral("endpoint"), said.quota.endpoint);
    facts.add(QStringLiteral("quota-group"), said.quota.group);
    facts.add(QStringLiteral("finish-reason"), text(said.answer.finishReason));
    const provider::Usage& usage = said.answer.usage;
    facts.add(QStringLiteral("tokens-in"), usage.inputTokens);
    facts.add(QStringLiteral("tokens-cached"), usage.cachedInputTokens);
    facts.add(QStringLiteral("tokens-cache-write"), usage.cacheWriteTokens);
    facts.add(QStringLiteral("tokens-out"), usage.outputTokens);
    facts.add(QStringLiteral("tokens-reasoning"), usage.reasoningTokens);
    facts.add(QStringLiteral("cost"), said.charge.words);
    facts.add(QStringLiteral("first-token-after-bytes"), said.stream.firstToken);
    if (said.isStream)
        facts.add(QStringLiteral("events"), std::optional<std::int64_t>(said.stream.events));
    for (const auto& [name, value] : recorded.headers) {
        const QString masked = provider::maskSecrets(QStringLiteral("%1: %2").arg(text(name), text(value)));
        facts.add(text(name), masked.mid(static_cast<qsizetype>(name.size()) + 2), RowsModel::Tone::Soft);
    }
    return facts.take();
}

std::vector<words::Figure> figuresOf(const provider::Explanation& said)
{
    const provider::Usage& usage = said.answer.usage;
    const auto count = [](const auto& tokens) { return tokens ? format::count(*tokens) : format::unknown(); };
    const auto amount = said.charge.amount ? std::optional(said.charge.amount->count()) : std::nullopt;
    return {{Words::tr("Dialect"), text(provider::toString(said.dialect)), said.dialectSource},
            {Words::tr("Model"), said.answer.model.empty() ? format::unknown() : text(said.answer.model), {}},
            {Words::tr("Finish"),
             said.answer.finishReason.empty() ? format::unknown() : text(said.answer.finishReason),
             {}},
            {Words::tr("Tokens in / out"),
             count(usage.inputTokens) + QStringLiteral(" / ") + count(usage.outputTokens),
             {}},
            {Words::tr("Cost"), words::cost(amount, false), said.charge.words}};
}

} // namespace

tl::expected<RecordedView, QString> readRecordedFile(const QString& path, std::int64_t nowUnixMs)
{
    const auto bytes = bytesOf(path);
    if (!bytes)
        return tl::unexpected(bytes.error());
    RecordedView view;
    view.file = QFileInfo(path).fileName();
    const provider::RecordedAnswer recorded = provider::readRecorded(*bytes);
    provider::ExplainOptions options;
    options.nowUnixMs = nowUnixMs;
    const provider::Explanation said = provider::explain(recorded, options);
    view.status = statusOf(said);
    view.failure = failureOf(said);
    view.answer = said.answer;
    view.isPartial = said.partial;
    view.rawBytes = recorded.body.size();
    view.raw = provider::maskSecrets(QString::fromUtf8(recorded.body.left(kMostRaw))).toUtf8();
    view.figures = figuresOf(said);
    view.facts = factsOf(said, recorded);
    view.warnings = said.warnings + recorded.warnings;
    view.warnings.removeDuplicates();
    return view;
}

} // namespace sg::ui
