// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QUrl>

#include <optional>
#include <string>
#include <vector>

/// The internal request form (OpenAI's) taken apart for the dialects that say it otherwise. Private to the room.
namespace sg::provider {

/// Names, in OpenAI's words and once each, what a dialect cannot carry.
class LeftOut
{
public:
    explicit LeftOut(QStringList* names) ///< may be null
        : names_(names)
    {
    }
    void add(const QString& name);

private:
    QStringList* names_;
};

/// The parameters of a request beside its messages, typed fields and `extra` together, taken one by one.
class Parameters
{
public:
    explicit Parameters(const ChatRequest& request);
    /// Undefined when it was not given; null counts as not given.
    QJsonValue take(const char* name);
    void putBack(const char* name, const QJsonValue& value) { rest_.insert(QLatin1String(name), value); }
    void nameRest(LeftOut& left) const;

private:
    QJsonObject rest_;
};

std::optional<qint64> takeMaxTokens(Parameters& parameters);
QStringList takeStops(Parameters& parameters);

struct Tool
{
    QString name, description;
    QJsonObject parameters; ///< JSON schema
};
/// Functions only; other kinds of tools are left out.
std::vector<Tool> takeTools(Parameters& parameters, LeftOut& left);

struct ToolChoice
{
    enum class Kind { Auto, None, Required, Named };
    Kind kind = Kind::Auto;
    QString name{}; ///< of the function, when Named
};
/// Nothing when it was not given, or in a form that is not known (then it is left out).
std::optional<ToolChoice> takeToolChoice(Parameters& parameters, LeftOut& left);

/// Text, or data in base64 with its type, or the address of data.
struct Part
{
    QString text{};
    QString mime{}, base64{};
    QUrl url{};
    QJsonValue cacheControl{QJsonValue::Undefined}; ///< Anthropic's mark, which relays pass on in OpenAI's form
    bool isText() const { return base64.isEmpty() && url.isEmpty(); }
};
/// The content of a message; no empty texts.
std::vector<Part> partsOf(const Message& message, LeftOut& left);
/// The texts of a message, joined; other parts are left out.
QString textOf(const Message& message, LeftOut& left);

struct CallMade
{
    QString id, name;
    QJsonObject input;
    QString signature; ///< Gemini's, as its OpenAI-compatible address writes it
};
/// Calls that an assistant's message holds.
std::vector<CallMade> callsOf(const Message& message, LeftOut& left);

/// Names the fields of a message that no dialect but OpenAI's has.
void nameOtherFields(const Message& message, LeftOut& left);

bool isSystem(const Message& message);     ///< system or developer
bool isToolResult(const Message& message); ///< tool, or function as it was called before
/// The call that a tool's result answers.
QString callIdOf(const Message& message);

/// Major * 100 + minor of "claude-opus-4-1-20250805" or "gemini-2.5-pro": 401, 205. Nothing for names that say none.
std::optional<int> versionInName(const std::string& model, const QString& family);

} // namespace sg::provider
