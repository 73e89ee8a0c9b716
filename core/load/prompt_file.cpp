// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/prompt.h"

#include <QJsonDocument>
#include <QStringDecoder>

#include <algorithm>

namespace sg::load {

namespace {

constexpr double kLatestMs = 7 * 24 * 3600e3;
constexpr int kMostTokens = 1'000'000;

tl::unexpected<QString> wrong(qsizetype line, const QString& problem)
{
    return tl::unexpected(QStringLiteral("line %1: %2").arg(line).arg(problem));
}

/// Puts rows together and sees that they agree.
class Collector
{
public:
    tl::expected<void, QString> add(qsizetype line, std::optional<Prompt> prompt, std::optional<double> atMs)
    {
        if (!prompt && !atMs)
            return wrong(line, QStringLiteral("has neither a prompt nor a time"));
        if (prompt && prompt->maxTokens && (*prompt->maxTokens < 1 || *prompt->maxTokens > kMostTokens))
            return wrong(line, QStringLiteral("max_tokens must be from 1 to 1,000,000"));
        const bool first = rows_++ == 0;
        if (!first && prompt.has_value() != !file_.prompts.empty())
            return wrong(line, QStringLiteral("some rows have a prompt and some have none"));
        if (!first && atMs.has_value() != !file_.offsets.empty())
            return wrong(line, QStringLiteral("some rows have a time (at_ms) and some have none"));
        if (atMs) {
            if (!(*atMs >= 0 && *atMs <= kLatestMs))
                return wrong(line, QStringLiteral("at_ms must be from 0 to 7 days"));
            if (!file_.offsets.empty() && fromMs(*atMs) < file_.offsets.back())
                return wrong(line, QStringLiteral("at_ms goes backwards"));
            file_.offsets.push_back(fromMs(*atMs));
        }
        if (prompt)
            file_.prompts.push_back(std::move(*prompt));
        return {};
    }
    tl::expected<PromptFile, QString> done()
    {
        if (rows_ == 0)
            return tl::unexpected(QStringLiteral("holds no prompt"));
        return std::move(file_);
    }

private:
    PromptFile file_;
    qsizetype rows_ = 0;
};

std::optional<Prompt> promptIn(const QJsonObject& object)
{
    Prompt prompt;
    prompt.text = object.value(QLatin1String("prompt")).toString();
    for (const QJsonValue& value : object.value(QLatin1String("messages")).toArray()) {
        QJsonObject fields = value.toObject();
        const QString role = fields.take(QLatin1String("role")).toString();
        QString text;
        if (fields.value(QLatin1String("content")).isString())
            text = fields.take(QLatin1String("content")).toString();
        if (role.isEmpty())
            return std::nullopt;
        prompt.messages.push_back({role.toStdString(), text, fields});
    }
    if (object.contains(QLatin1String("max_tokens")))
        prompt.maxTokens = object.value(QLatin1String("max_tokens")).toInt(-1);
    return prompt.text.isEmpty() && prompt.messages.empty() ? std::nullopt : std::optional(prompt);
}

tl::expected<PromptFile, QString> readJsonLines(const QByteArray& bytes)
{
    Collector rows;
    qsizetype line = 0;
    for (const QByteArray& text : bytes.split('\n')) {
        ++line;
        if (text.trimmed().isEmpty())
            continue;
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(text, &error);
        if (!document.isObject())
            return wrong(line, error.error == QJsonParseError::NoError
                                   ? QStringLiteral("is no JSON object")
                                   : QStringLiteral("is no JSON: %1").arg(error.errorString()));
        const QJsonObject object = document.object();
        const QJsonValue at = object.value(QLatin1String("at_ms"));
        if (!at.isUndefined() && !at.isDouble())
            return wrong(line, QStringLiteral("at_ms must be a number"));
        if (const auto added =
                rows.add(line, promptIn(object), at.isDouble() ? std::optional(at.toDouble()) : std::nullopt);
            !added)
            return tl::unexpected(added.error());
    }
    return rows.done();
}

/// The fields of one record from `at` on, which is moved behind its end.
tl::expected<QStringList, QString> readRecord(const QString& text, qsizetype& at, qsizetype& line)
{
    QStringList fields;
    QString field;
    const qsizetype began = line;
    bool quoted = false;
    for (;; ++at) {
        const QChar c = at < text.size() ? text[at] : QChar(u'\n');
        if (quoted && at >= text.size())
            return wrong(began, QStringLiteral("a quotation mark is not closed"));
        line += at < text.size() && c == u'\n' ? 1 : 0;
        if (quoted) {
            if (c != u'"')
                field += c;
            else if (at + 1 < text.size() && text[at + 1] == u'"')
                field += text[++at];
            else
                quoted = false;
        } else if (c == u'"' && field.isEmpty()) {
            quoted = true;
        } else if (c == u',' || c == u'\n') {
            if (c == u'\n' && field.endsWith(u'\r'))
                field.chop(1);
            fields.append(std::exchange(field, QString()));
            if (c == u'\n') {
                ++at;
                return fields;
            }
        } else {
            field += c;
        }
    }
}

tl::expected<std::optional<double>, QString> numberIn(const QStringList& fields, qsizetype column, qsizetype line,
                                                      const char* name)
{
    const QString text = column >= 0 ? fields.value(column).trimmed() : QString();
    if (text.isEmpty())
        return std::nullopt;
    bool ok = false;
    const double value = text.toDouble(&ok);
    if (!ok)
        return wrong(line, QStringLiteral("%1 is no number: \"%2\"").arg(QLatin1String(name), text.left(40)));
    return value;
}

tl::expected<PromptFile, QString> readCsv(const QByteArray& bytes)
{
    const QString text = QString::fromUtf8(bytes);
    qsizetype at = 0, line = 1;
    const auto head = readRecord(text, at, line);
    if (!head)
        return tl::unexpected(head.error());
    QStringList names;
    for (const QString& name : *head)
        names.append(name.trimmed().toLower());
    const auto promptAt = names.indexOf(QStringLiteral("prompt")), timeAt = names.indexOf(QStringLiteral("at_ms")),
               tokensAt = names.indexOf(QStringLiteral("max_tokens"));
    if (promptAt < 0 && timeAt < 0)
        return wrong(1, QStringLiteral("the head names no column \"prompt\" and none \"at_ms\""));
    Collector rows;
    while (at < text.size()) {
        const qsizetype began = line;
        const auto fields = readRecord(text, at, line);
        if (!fields)
            return tl::unexpected(fields.error());
        if (fields->size() == 1 && fields->front().isEmpty())
            continue;
        const auto time = numberIn(*fields, timeAt, began, "at_ms");
        const auto tokens = numberIn(*fields, tokensAt, began, "max_tokens");
        if (!time || !tokens)
            return tl::unexpected(time ? tokens.error() : time.error());
        std::optional<Prompt> prompt;
        if (promptAt >= 0 && !fields->value(promptAt).isEmpty())
            prompt = Prompt{fields->value(promptAt), {}, {}};
        if (prompt && *tokens)
            prompt->maxTokens = static_cast<int>(std::clamp(**tokens, -1.0, 2e6));
        if (const auto added = rows.add(began, std::move(prompt), *time); !added)
            return tl::unexpected(added.error());
    }
    return rows.done();
}

} // namespace

std::vector<Prompt> promptsOf(const std::vector<QString>& texts)
{
    std::vector<Prompt> prompts;
    for (const QString& text : texts)
        prompts.push_back({text, {}, {}});
    return prompts;
}

tl::expected<PromptFile, QString> readPromptFile(const QString& name, const QByteArray& bytes)
{
    const QByteArray body = bytes.startsWith("\xef\xbb\xbf") ? bytes.mid(3) : bytes;
    QStringDecoder utf8(QStringDecoder::Utf8);
    const QString text = utf8(body);
    if (utf8.hasError() || text.contains(QChar::Null))
        return tl::unexpected(QStringLiteral("is no UTF-8 text. Save it as UTF-8 first."));
    if (name.endsWith(QStringLiteral(".jsonl"), Qt::CaseInsensitive))
        return readJsonLines(body);
    if (name.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive))
        return readCsv(body);
    PromptFile file;
    for (const QString& line : text.split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty())
            file.prompts.push_back({line.trimmed(), {}, {}});
    if (file.prompts.empty())
        return tl::unexpected(QStringLiteral("holds no prompt. Write one prompt a line."));
    return file;
}

} // namespace sg::load
