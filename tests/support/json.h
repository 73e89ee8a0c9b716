// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>

/// JSON written in tests. What is none ends the test program: a slip must not pass for an empty value.
namespace sg::test {

QJsonObject object(const QByteArray& json);
QJsonArray list(const QByteArray& json);
QByteArray text(const QJsonValue& value); ///< compact, in a list of one: any value can be compared

} // namespace sg::test
