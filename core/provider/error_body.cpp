// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/error_body.h"

#include <QJsonArray>
#include <QJsonDocument>

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
    for (const auto* name : {"message", "Message", "detail", "error_description", "msg"}) {
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
    if (value.isString() && !value.toString().isEmpty())
        facts.codes.push_back(value.toString().toStdString());
    else if (value.isDouble() && value.toInteger() != 0)
        facts.codes.push_back(std::to_string(value.toInteger()));
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

void readErrorObject(BodyFacts& facts, const QJsonObject& error)
{
    readDetails(facts, error[QLatin1String("details")]);
    const QJsonValue metadata = error[QLatin1String("metadata")];
    addCode(facts, metadata[QLatin1String("limit_source")]);
    facts.moderation = !metadata[QLatin1String("reasons")].toArray().isEmpty();
    for (const auto* name : {"code", "type", "status", "__type"})
        addCode(facts, error[QLatin1String(name)]);
    addCode(facts, error[QLatin1String("innererror")][QLatin1String("code")]);
    for (const auto* name : {"code", "status"}) {
        if (facts.ownStatus == 0)
            facts.ownStatus = asStatus(error[QLatin1String(name)]);
    }
    facts.message = messageText(error);
}

bool saysError(const QJsonObject& root)
{
    const QJsonValue error = root[QLatin1String("error")];
    return (error.isObject() && !error.toObject().isEmpty()) || (error.isString() && !error.toString().isEmpty()) ||
           root[QLatin1String("type")].toString() == QLatin1String("error") ||
           root[QLatin1String("object")].toString() == QLatin1String("error");
}

void readJson(BodyFacts& facts)
{
    facts.hasError = saysError(facts.root);
    const QJsonValue error = facts.root[QLatin1String("error")];
    if (error.isObject())
        return readErrorObject(facts, error.toObject());
    readErrorObject(facts, facts.root);
    if (error.isString())
        facts.message = error.toString();
}

QString titleOf(const QString& html)
{
    const qsizetype from = html.indexOf(QLatin1String("<title>"), 0, Qt::CaseInsensitive);
    const qsizetype to = html.indexOf(QLatin1String("</title>"), from, Qt::CaseInsensitive);
    return from < 0 || to < 0 ? QString() : html.sliced(from + 7, to - from - 7);
}
} // namespace

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
    // AWS names the exception in a header: "ThrottlingException:http://..."
    if (const auto type = headerValue(headers, "x-amzn-errortype"))
        facts.codes.push_back(type->substr(0, type->find(':')));
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
    facts.message = facts.isHtml ? titleOf(text) : text;
    return facts;
}

} // namespace sg::provider
