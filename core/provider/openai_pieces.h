// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>
#include <QString>

/// What whole messages and stream deltas have in common. Private to the room.
namespace sg::provider::openai {

struct Pieces
{
    QString text, reasoning;
};

/// Text and reasoning of a message or delta: content as a string, null or a list of parts; reasoning in the fields that
/// the compatible servers use. A refusal stands for the text where there is none.
Pieces readPieces(const QJsonObject& message);

/// What makes a message or delta one that cannot be read: a field of a type it never has; null: nothing does. Read as
/// if it were there, such an answer would pass for one without words.
const char* faultIn(const QJsonObject& message);

/// Arguments as the string they should be; some servers send the object.
QString argumentsText(const QJsonValue& arguments);

/// The id of a call that was sent without one, made from its number among the answer's calls (ToolCallPiece::index).
QString madeCallId(int index);
/// One complete tool call in OpenAI's form.
QJsonObject toolCallJson(const QString& id, const QString& name, const QString& arguments, const QString& signature);
/// The signature in a call or a piece of one.
QString signatureOf(const QJsonValue& call);

} // namespace sg::provider::openai
