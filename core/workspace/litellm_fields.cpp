// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/litellm_fields.h"

#include <cmath>

namespace sg::workspace {

YamlFields::YamlFields(QJsonObject object, QString place, Findings& notes)
    : object_(std::move(object))
    , place_(std::move(place))
    , notes_(notes)
{
}

YamlFields::~YamlFields()
{
    for (auto left = object_.constBegin(); left != object_.constEnd(); ++left)
        tell(FindingLevel::Note, left.key(), QStringLiteral("this has no counterpart here and was not carried over"));
}

QString YamlFields::place(const QString& name) const
{
    return place_.isEmpty() ? name : place_ + QLatin1Char('.') + name;
}

void YamlFields::tell(FindingLevel level, const QString& name, const QString& problem, const QString& remedy)
{
    notes_.push_back({level, place(name), problem, remedy});
}

QJsonValue YamlFields::take(const QString& name)
{
    return object_.take(name);
}

std::optional<QString> YamlFields::text(const QString& name)
{
    const QJsonValue value = take(name);
    if (value.isUndefined() || value.isNull())
        return std::nullopt;
    if (value.isString())
        return value.toString().trimmed();
    if (value.isDouble()) // a model or a version may look like a number
        return QString::number(value.toDouble(), 'g', 15);
    tell(FindingLevel::Warning, name, QStringLiteral("this is no text and was not carried over"));
    return std::nullopt;
}

std::optional<double> YamlFields::number(const QString& name)
{
    const QJsonValue value = take(name);
    if (value.isUndefined() || value.isNull())
        return std::nullopt;
    bool ok = value.isDouble();
    const double number = value.isString() ? value.toString().toDouble(&ok) : value.toDouble();
    if (ok && std::isfinite(number) && number >= 0)
        return number;
    const bool isVariable = environmentName(value.toString()).has_value();
    tell(FindingLevel::Warning, name,
         isVariable ? QStringLiteral("this number is kept in a variable and was not carried over")
                    : QStringLiteral("this is no number of 0 or more and was not carried over"),
         QStringLiteral("Set it by hand"));
    return std::nullopt;
}

std::optional<bool> YamlFields::flag(const QString& name)
{
    const QJsonValue value = take(name);
    return value.isBool() ? std::optional(value.toBool()) : std::nullopt;
}

QJsonObject YamlFields::object(const QString& name)
{
    const QJsonValue value = take(name);
    if (!value.isUndefined() && !value.isNull() && !value.isObject())
        tell(FindingLevel::Warning, name, QStringLiteral("this is no mapping and was not carried over"));
    return value.toObject();
}

QJsonArray YamlFields::list(const QString& name)
{
    const QJsonValue value = take(name);
    if (!value.isUndefined() && !value.isNull() && !value.isArray())
        tell(FindingLevel::Warning, name, QStringLiteral("this is no list and was not carried over"));
    return value.toArray();
}

std::optional<QString> environmentName(const QString& text)
{
    const QString prefix = QStringLiteral("os.environ/");
    return text.startsWith(prefix) ? std::optional(text.mid(prefix.size())) : std::nullopt;
}

} // namespace sg::workspace
