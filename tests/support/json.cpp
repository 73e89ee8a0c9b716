// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/json.h"

#include <QJsonDocument>

namespace sg::test {

namespace {
QJsonDocument parsed(const QByteArray& json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError)
        qFatal("%s: %s", qPrintable(error.errorString()), json.constData());
    return document;
}
} // namespace

QJsonObject object(const QByteArray& json)
{
    return parsed(json).object();
}

QJsonArray list(const QByteArray& json)
{
    return parsed(json).array();
}

QByteArray text(const QJsonValue& value)
{
    return QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
}

} // namespace sg::test
