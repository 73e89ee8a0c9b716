// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <QByteArray>
#include <QJsonObject>
#include <QJsonValue>

/// Requests written as OpenAI's JSON, for tests of what other dialects make of them.
namespace sg::test {

QJsonObject object(const QByteArray& json); ///< ends the test program when it is no JSON
QByteArray text(const QJsonValue& value);   ///< compact, in a list of one: any value can be compared
/// A request in OpenAI's form as the internal one.
provider::ChatRequest requestOf(const QByteArray& json);

} // namespace sg::test
