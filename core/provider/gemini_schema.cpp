// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/gemini_schema.h"

#include <QJsonArray>
#include <QSet>

namespace sg::provider {

namespace {
// References may multiply: a schema of a hundred lines can stand for a million.
constexpr int kMaxNodes = 4000;
constexpr int kMaxDepth = 64;

QString key(const char* name)
{
    return QString::fromLatin1(name);
}

/// The words of the Schema object that hold no schemas; Gemini answers 400 to any other.
bool isPlainWord(const QString& word)
{
    static const QSet<QString> words{
        key("title"),         key("description"),   key("nullable"),  key("maxItems"),
        key("minItems"),      key("required"),      key("minLength"), key("maxLength"),
        key("minProperties"), key("maxProperties"), key("pattern"),   key("example"),
        key("default"),       key("minimum"),       key("maximum"),   key("propertyOrdering")};
    return words.contains(word);
}

bool isKnownFormat(const QString& format)
{
    static const QSet<QString> formats{key("date-time"), key("enum"),  key("float"),
                                       key("double"),    key("int32"), key("int64")};
    return formats.contains(format);
}

bool isNullType(const QJsonValue& schema)
{
    return schema[QLatin1String("type")].toString() == QLatin1String("null");
}

class Converter
{
public:
    Converter(const QJsonObject& root, LeftOut& left)
        : root_(root)
        , left_(left)
    {
    }

    QJsonObject convert(const QJsonValue& value)
    {
        if (++nodes_ > kMaxNodes || depth_ >= kMaxDepth) {
            left_.add(QStringLiteral("parameters"));
            return {};
        }
        ++depth_;
        const QJsonObject written = convertObject(value.toObject());
        --depth_;
        return written;
    }

private:
    QJsonObject convertObject(QJsonObject schema)
    {
        const QString reference = schema.take(QLatin1String("$ref")).toString();
        if (!reference.isEmpty())
            return follow(reference, schema);
        inlineAllOf(schema);
        QJsonObject out;
        for (auto word = schema.constBegin(); word != schema.constEnd(); ++word)
            addWord(out, word.key(), word.value());
        return out;
    }

    /// What stands beside a reference wins over what it points to.
    QJsonObject follow(const QString& reference, const QJsonObject& beside)
    {
        const QJsonValue target = lookUp(reference);
        if (!target.isObject() || open_.contains(reference)) { // nowhere, or a schema that holds itself
            left_.add(QStringLiteral("$ref"));
            return {{QStringLiteral("type"), QStringLiteral("object")}};
        }
        open_ += reference;
        QJsonObject merged = target.toObject();
        for (auto word = beside.constBegin(); word != beside.constEnd(); ++word)
            merged[word.key()] = word.value();
        const QJsonObject out = convert(merged);
        open_.removeLast();
        return out;
    }

    QJsonValue lookUp(const QString& reference) const
    {
        if (!reference.startsWith(QLatin1String("#/")))
            return {};
        QJsonValue at = root_;
        const QStringList steps = reference.sliced(2).split(QLatin1Char('/'));
        for (QString step : steps)
            at = at[step.replace(QLatin1String("~1"), QLatin1String("/"))
                        .replace(QLatin1String("~0"), QLatin1String("~"))];
        return at;
    }

    /// Generators wrap a single reference in allOf; several cannot be said.
    void inlineAllOf(QJsonObject& schema)
    {
        const QJsonArray all = schema.value(QLatin1String("allOf")).toArray();
        if (all.size() != 1)
            return;
        schema.remove(QLatin1String("allOf"));
        const QJsonObject only = convert(all.first());
        for (auto word = only.constBegin(); word != only.constEnd(); ++word) {
            if (!schema.contains(word.key()))
                schema[word.key()] = word.value();
        }
    }

    void addWord(QJsonObject& out, const QString& word, const QJsonValue& value)
    {
        if (isPlainWord(word))
            out[word] = value;
        else if (word == QLatin1String("type"))
            addType(out, value);
        else if (word == QLatin1String("properties"))
            addProperties(out, value.toObject());
        else if (word == QLatin1String("items") && value.isObject())
            out[word] = convert(value);
        else if (word == QLatin1String("anyOf") || word == QLatin1String("oneOf"))
            addAlternatives(out, value.toArray());
        else if (word == QLatin1String("enum"))
            addEnum(out, value.toArray());
        else if (word == QLatin1String("const"))
            addEnum(out, {value}, word);
        else if (word == QLatin1String("format") && isKnownFormat(value.toString()))
            out[word] = value;
        else if (word != QLatin1String("$defs") && word != QLatin1String("definitions")) // written out where used
            left_.add(word);
    }

    void addType(QJsonObject& out, const QJsonValue& type)
    {
        if (!type.isArray()) {
            out[QLatin1String("type")] = type;
            return;
        }
        QJsonArray any;
        const QJsonArray names = type.toArray();
        for (const QJsonValue& name : names)
            any += QJsonObject{{QStringLiteral("type"), name}};
        addAlternatives(out, any);
    }

    void addProperties(QJsonObject& out, const QJsonObject& properties)
    {
        QJsonObject converted;
        for (auto property = properties.constBegin(); property != properties.constEnd(); ++property)
            converted[property.key()] = convert(property.value());
        out[QLatin1String("properties")] = converted;
    }

    void addAlternatives(QJsonObject& out, const QJsonArray& schemas)
    {
        QJsonArray any;
        for (const QJsonValue& schema : schemas) {
            if (isNullType(schema))
                out[QLatin1String("nullable")] = true;
            else
                any += convert(schema);
        }
        if (any.size() != 1) {
            out[QLatin1String("anyOf")] = any;
            return;
        }
        const QJsonObject only = any.first().toObject();
        for (auto word = only.constBegin(); word != only.constEnd(); ++word) {
            if (!out.contains(word.key()))
                out[word.key()] = word.value();
        }
    }

    /// Only texts can be enumerated.
    void addEnum(QJsonObject& out, const QJsonArray& values, const QString& word = QStringLiteral("enum"))
    {
        QJsonArray texts;
        for (const QJsonValue& value : values) {
            if (value.isString())
                texts += value;
            else if (value.isNull())
                out[QLatin1String("nullable")] = true;
            else
                return left_.add(word);
        }
        out[QLatin1String("enum")] = texts;
        if (!out.contains(QLatin1String("type")))
            out[QLatin1String("type")] = QStringLiteral("string");
    }

    const QJsonObject& root_;
    LeftOut& left_;
    QStringList open_; ///< references that are being written out
    int nodes_ = 0, depth_ = 0;
};
} // namespace

QJsonObject geminiSchema(const QJsonObject& schema, LeftOut& left)
{
    return Converter(schema, left).convert(schema);
}

} // namespace sg::provider
