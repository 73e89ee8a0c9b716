// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/yaml_tree.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>

#include <yaml-cpp/yaml.h>

#include <cmath>

namespace sg::workspace {

namespace {

constexpr qsizetype kLargestText = 16 * 1024 * 1024;
constexpr int kMostNodes = 500000;
constexpr int kDeepest = 64;

struct TooMuch
{
    QString problem;
};

QJsonValue scalar(const YAML::Node& node)
{
    const QString text = QString::fromStdString(node.Scalar());
    if (node.Tag() == "!") // quoted
        return text;
    static const QRegularExpression number(QStringLiteral("^[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?$"));
    static const QRegularExpression null(QStringLiteral("^(null|Null|NULL|~|)$"));
    static const QRegularExpression flag(QStringLiteral("^(true|True|TRUE|false|False|FALSE)$"));
    if (null.match(text).hasMatch())
        return QJsonValue::Null;
    if (flag.match(text).hasMatch())
        return text.front().toLower() == QLatin1Char('t');
    if (number.match(text).hasMatch())
        if (const double value = text.toDouble(); std::isfinite(value))
            return value;
    return text;
}

class Reader
{
public:
    QJsonValue read(const YAML::Node& node, int depth = 0)
    {
        if (depth > kDeepest)
            throw TooMuch{QStringLiteral("it is nested too deeply")};
        if (++nodes_ > kMostNodes)
            throw TooMuch{QStringLiteral("it has too many values")};
        switch (node.Type()) {
        case YAML::NodeType::Scalar:
            return scalar(node);
        case YAML::NodeType::Sequence: {
            QJsonArray list;
            for (const YAML::Node& element : node)
                list.append(read(element, depth + 1));
            return list;
        }
        case YAML::NodeType::Map: {
            QJsonObject object, under;
            for (const auto& field : node) {
                const QJsonValue value = read(field.second, depth + 1);
                if (isMerge(field.first))
                    layUnder(under, value);
                else
                    object.insert(nameOf(field.first), value);
            }
            layUnder(object, under);
            return object;
        }
        case YAML::NodeType::Null:
        case YAML::NodeType::Undefined:
            break;
        }
        return QJsonValue::Null;
    }

private:
    /// YAML's merge key (yaml.org/type/merge.html): the fields of a mapping, or of several, the first of them first;
    /// the mapping's own win.
    static bool isMerge(const YAML::Node& key) { return key.IsScalar() && key.Tag() != "!" && key.Scalar() == "<<"; }
    static void layUnder(QJsonObject& object, const QJsonValue& merged)
    {
        const QJsonArray several = merged.toArray();
        for (const QJsonValue& one : several)
            layUnder(object, one);
        const QJsonObject fields = merged.toObject();
        for (auto field = fields.constBegin(); field != fields.constEnd(); ++field)
            if (!object.contains(field.key()))
                object.insert(field.key(), field.value());
    }
    static QString nameOf(const YAML::Node& key)
    {
        return key.IsScalar() ? QString::fromStdString(key.Scalar()) : QStringLiteral("?");
    }
    int nodes_ = 0;
};

Finding broken(const QString& place, const QString& problem)
{
    return {FindingLevel::Error, place, QStringLiteral("this cannot be read as YAML: ") + problem,
            QStringLiteral("Mend it there, or take it through a YAML checker")};
}

} // namespace

tl::expected<QJsonValue, Finding> readYaml(const QByteArray& yaml)
{
    if (yaml.size() > kLargestText)
        return tl::unexpected(broken(QString(), QStringLiteral("it is larger than 16 MiB")));
    try {
        return Reader().read(YAML::Load(yaml.toStdString()));
    } catch (const YAML::Exception& error) {
        const QString place =
            error.mark.is_null()
                ? QString()
                : QStringLiteral("line %1, column %2").arg(error.mark.line + 1).arg(error.mark.column + 1);
        return tl::unexpected(broken(place, QString::fromStdString(error.msg)));
    } catch (const TooMuch& error) {
        return tl::unexpected(broken(QString(), error.problem));
    }
}

} // namespace sg::workspace
