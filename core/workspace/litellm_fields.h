// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"

#include <QJsonArray>
#include <QJsonObject>

#include <optional>

/// Reading LiteLLM's configuration so that nothing is passed over in silence. Internal to the room.
namespace sg::workspace {

/// A mapping whose fields are taken one by one; what is left when it goes is told. Values are never repeated: any of
/// them may be a key.
class YamlFields
{
public:
    YamlFields(QJsonObject object, QString place, Findings& notes);
    ~YamlFields();
    YamlFields(const YamlFields&) = delete;
    YamlFields& operator=(const YamlFields&) = delete;

    std::optional<QString> text(const QString& name);
    std::optional<double> number(const QString& name); ///< also of a text that is a number; > 0 or nothing
    std::optional<bool> flag(const QString& name);
    QJsonObject object(const QString& name);
    QJsonArray list(const QString& name);
    bool has(const QString& name) const { return object_.contains(name) && !object_.value(name).isNull(); }

    QString place(const QString& name) const;
    void tell(FindingLevel level, const QString& name, const QString& problem, const QString& remedy = {});
    Findings& notes() { return notes_; }

private:
    QJsonValue take(const QString& name);
    QJsonObject object_;
    QString place_;
    Findings& notes_;
};

/// The variable of "os.environ/NAME", or nothing.
std::optional<QString> environmentName(const QString& text);

} // namespace sg::workspace
