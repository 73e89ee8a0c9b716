// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/error_body.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

namespace sg::provider {

namespace {
// A message is 300 characters in the end; of a page that is no JSON this much is searched.
constexpr qsizetype kMaxPlainText = 16384;

QLatin1String latin(std::string_view text)
{
    return QLatin1String(text.data(), static_cast<qsizetype>(text.size()));
}

/// FastAPI and Mistral: {"detail": "..."} or a list of {"loc": [...], "msg": "..."}.
QString detailText(const QJsonValue& detail)
{
    if (detail.isString())
        return detail.toString();
    QStringList lines;
    const QJsonArray items = detail.toArray();
    for (const QJsonValue& item : items) {
        const QJsonArray loc = item[QLatin1String("loc")].toArray();
        const QString field = loc.isEmpty() ? QString() : loc.last().toVariant().toString();
        const QString said = item[QLatin1String("msg")].toString();
        lines += field.isEmpty() ? said : field + QLatin1String(": ") + said;
    }
    return lines.join(QLatin1String("; "));
}

QString messageText(const QJsonObject& holder)
{
    for (const auto* name : {"message", "Message", "detail", "error_description", "msg", "title"}) {
        const QJsonValue value = holder[QLatin1String(name)];
        if (value.isString() && !value.toString().isEmpty())
            return value.toString();
        const QString detail = detailText(value.isObject() ? value[QLatin1String("detail")] : value);
        if (!detail.isEmpty())
            return detail;
    }
    return {};
}

int asStatus(const QJsonValue& value)
{
    const int number = value.isString() ? value.toString().toInt() : value.toInt();
    return number >= 400 && number <= 599 ? number : 0;
}

void addCode(BodyFacts& facts, const QJsonValue& value)
{
    const bool isNumber = value.isDouble() && value.toInteger() != 0;
    if (!isNumber && value.toString().isEmpty())
        return;
    facts.codes.push_back(isNumber ? std::to_string(value.toInteger()) : value.toString().toStdString());
    // A number that only repeats the HTTP status says less than a word.
    if (facts.code.isNull() || (asStatus(facts.code) != 0 && asStatus(value) == 0))
        facts.code = value;
}

/// AWS: "com.amazon.coral.service#ThrottlingException:http://…", in a header or in the body.
QString exceptionName(const QString& sent)
{
    return sent.section(QLatin1Char(':'), 0, 0).section(QLatin1Char('#'), -1);
}

void readDetails(BodyFacts& facts, const QJsonValue& details)
{
    addCode(facts, details[QLatin1String("error_code")]);
    const QJsonArray items = details.toArray();
    for (const QJsonValue& item : items) {
        addCode(facts, item[QLatin1String("reason")]);
        const QJsonArray violations = item[QLatin1String("violations")].toArray();
        for (const QJsonValue& violation : violations) {
            if (violation[QLatin1String("quotaId")].toString().contains(QLatin1String("PerDay")))
                facts.dailyQuota = true;
        }
    }
}

bool isErrorValue(const QJsonValue& error)
{
    return (error.isObject() && !error.toObject().isEmpty()) || !error.toString().isEmpty();
}

/// The error in what a relay passes on as text: its upstream's JSON.
QJsonObject errorIn(const QByteArray& text)
{
    const QJsonDocument document = QJsonDocument::fromJson(text);
    const QJsonObject root = document.isArray() ? document.array().first().toObject() : document.object();
    const QJsonValue error = root[QLatin1String("error")];
    return error.isObject() ? error.toObject() : root;
}

void readErrorObject(BodyFacts& facts, const QJsonObject& error);

/// Relays wrap what their upstream said: in metadata.raw (OpenRouter), or as the whole message.
void readWrapped(BodyFacts& facts, const QString& raw, bool standsForMessage)
{
    const QByteArray text = raw.trimmed().toUtf8();
    const bool isJson = text.startsWith('{') || text.startsWith('[');
    const QJsonObject inner = isJson ? errorIn(text) : QJsonObject();
    const QString outer = standsForMessage ? QString() : facts.message;
    if (inner.isEmpty() || !facts.inner.isEmpty()) {
        if (!standsForMessage && !isJson && !text.isEmpty())
            facts.message = outer.isEmpty() ? raw : outer + QLatin1String(": ") + raw;
        return;
    }
    facts.inner = text;
    readErrorObject(facts, inner);
    if (!outer.isEmpty())
        facts.message = facts.message.isEmpty() ? outer : outer + QLatin1String(": ") + facts.message;
}

void readErrorObject(BodyFacts& facts, const QJsonObject& error)
{
    readDetails(facts, error[QLatin1String("details")]);
    const QJsonValue metadata = error[QLatin1String("metadata")];
    if (!metadata[QLatin1String("reasons")].toArray().isEmpty())
        facts.moderation = true;
    for (const auto* name : {"code", "type", "status"})
        addCode(facts, error[QLatin1String(name)]);
    addCode(facts, exceptionName(error[QLatin1String("__type")].toString()));
    addCode(facts, error[QLatin1String("innererror")][QLatin1String("code")]);
    if (const QString source = metadata[QLatin1String("limit_source")].toString(); !source.isEmpty())
        facts.codes.push_back(source.toStdString());
    for (const auto* name : {"code", "status", "statusCode"}) {
        if (facts.ownStatus == 0)
            facts.ownStatus = asStatus(error[QLatin1String(name)]);
    }
    facts.message = messageText(error);
    if (facts.message.trimmed().startsWith(QLatin1Char('{')))
        readWrapped(facts, facts.message, true);
    readWrapped(facts, metadata[QLatin1String("raw")].toString(), false);
}

void readJson(BodyFacts& facts)
{
    const QJsonObject& root = facts.root; // [] of what is not const would put the name in
    facts.hasError = namesError(root);
    QJsonValue error = root[QLatin1String("error")];
    if (!isErrorValue(error)) // OpenRouter: the choice that failed says why
        error = root[QLatin1String("choices")][0][QLatin1String("error")];
    if (error.isObject())
        return readErrorObject(facts, error.toObject());
    // The type and status of an answer are no codes: Anthropic's message, OpenAI's completion and response.
    if (!facts.hasError && (root.contains(QLatin1String("stop_reason")) || root.contains(QLatin1String("output")) ||
                            root[QLatin1String("choices")][0][QLatin1String("message")].isObject()))
        return;
    readErrorObject(facts, root);
    if (error.isString())
        facts.message = error.toString();
}

/// The words between two tags of that name, without tags inside.
QString elementText(const QString& html, const char* name)
{
    const QRegularExpression element(QStringLiteral("<%1(?:\\s[^>]*)?>(.*?)</%1>").arg(QLatin1String(name)),
                                     QRegularExpression::CaseInsensitiveOption |
                                         QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression tags(QStringLiteral("<[^>]*>"));
    QString text = element.match(html).captured(1);
    text.replace(tags, QStringLiteral(" "));
    return text.simplified();
}
} // namespace

bool namesError(const QJsonObject& root)
{
    return isErrorValue(root[QLatin1String("error")]) ||
           isErrorValue(root[QLatin1String("choices")][0][QLatin1String("error")]) ||
           root[QLatin1String("type")].toString() == QLatin1String("error") ||
           root[QLatin1String("object")].toString() == QLatin1String("error") ||
           !root[QLatin1String("__type")].toString().isEmpty(); // AWS
}

std::optional<std::string> headerValue(const policy::HeaderList& headers, std::string_view name)
{
    for (const auto& [key, value] : headers) {
        if (latin(key).compare(latin(name), Qt::CaseInsensitive) == 0)
            return QByteArray::fromStdString(value).trimmed().toStdString();
    }
    return std::nullopt;
}

BodyFacts readBody(const policy::HeaderList& headers, std::string_view body)
{
    BodyFacts facts;
    if (const auto type = headerValue(headers, "x-amzn-errortype"))
        addCode(facts, exceptionName(QString::fromStdString(*type)));
    const QByteArray bytes = QByteArray::fromRawData(body.data(), static_cast<qsizetype>(body.size()));
    const QJsonDocument document = QJsonDocument::fromJson(bytes);
    const QJsonArray list = document.array();
    if (document.isObject() || (list.size() == 1 && list.first().isObject())) {
        facts.isJson = true;
        facts.root = document.isObject() ? document.object() : list.first().toObject();
        readJson(facts);
        return facts;
    }
    const QString text = QString::fromUtf8(bytes.first(std::min(bytes.size(), kMaxPlainText))).trimmed();
    facts.isHtml = text.startsWith(QLatin1Char('<'));
    facts.message = text.contains(QChar(u'\0')) ? QStringLiteral("The body is binary data") : text;
    if (facts.isHtml) {
        const QString title = elementText(text, "title");
        facts.message = title.isEmpty() ? elementText(text, "h1") : title;
    }
    return facts;
}

} // namespace sg::provider
