// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/json_text.h"
#include "core/workspace/overlay.h"

#include <QJsonDocument>
#include <QSet>

#include <algorithm>

namespace sg::workspace {

namespace {

constexpr qsizetype kLineWidth = 110;

QByteArray plain(const QJsonValue& value)
{
    return QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact).mid(1).chopped(1);
}

struct Node;
struct Member
{
    QByteArray lead; ///< spaces before it
    QByteArray key;  ///< as written, with what stands between it and the value; empty in a list
    QString name;
    std::vector<Node> value; ///< exactly one
};
struct Node
{
    qsizetype begin = 0, end = 0;
    std::vector<Member> members;
    QByteArray tail; ///< spaces before the closing bracket
};

/// Reads text that is known to be valid.
class Scanner
{
public:
    explicit Scanner(const QByteArray& text, qsizetype at)
        : text_(text)
        , at_(at)
    {
    }

    Node value()
    {
        Node node;
        node.begin = at_;
        const char first = text_.at(at_);
        if (first == '{' || first == '[')
            members(node, first == '{');
        else if (first == '"')
            string();
        else
            while (at_ < text_.size() && !QByteArrayView(",]} \t\r\n").contains(text_.at(at_)))
                ++at_;
        node.end = at_;
        return node;
    }

private:
    QByteArray spaces()
    {
        const qsizetype begin = at_;
        while (at_ < text_.size() && QByteArrayView(" \t\r\n").contains(text_.at(at_)))
            ++at_;
        return text_.mid(begin, at_ - begin);
    }

    void string()
    {
        for (++at_; text_.at(at_) != '"'; ++at_)
            if (text_.at(at_) == '\\')
                ++at_;
        ++at_;
    }

    void members(Node& node, bool hasKeys)
    {
        const char close = hasKeys ? '}' : ']';
        do {
            ++at_; // the bracket or a comma
            Member member;
            member.lead = spaces();
            if (text_.at(at_) == close) {
                node.tail = member.lead;
                break;
            }
            const qsizetype begin = at_;
            if (hasKeys) {
                string();
                const QByteArray quoted = text_.mid(begin, at_ - begin);
                member.name = QJsonDocument::fromJson('[' + quoted + ']').array().at(0).toString();
                spaces();
                ++at_; // the colon
                spaces();
                member.key = text_.mid(begin, at_ - begin);
            }
            member.value.push_back(value());
            node.tail = spaces();
            node.members.push_back(std::move(member));
        } while (text_.at(at_) == ',');
        ++at_;
    }

    const QByteArray& text_;
    qsizetype at_;
};

QStringList keysInOrder(const QJsonObject& object)
{
    QStringList keys;
    for (const char* first : {"version", "name", "id", "$after", "$remove", "kind", "type", "source"})
        if (const QString key = QString::fromLatin1(first); object.contains(key))
            keys << key;
    const QStringList all = object.keys();
    for (const QString& key : all)
        if (!keys.contains(key))
            keys << key;
    return keys;
}

QByteArray inOneLine(const QJsonValue& value)
{
    QByteArray parts;
    const auto add = [&](const QByteArray& part) { parts += (parts.isEmpty() ? "" : ", ") + part; };
    if (value.isArray()) {
        const QJsonArray list = value.toArray();
        for (const QJsonValue& element : list)
            add(inOneLine(element));
        return '[' + parts + ']';
    }
    if (!value.isObject())
        return plain(value);
    const QStringList keys = keysInOrder(value.toObject());
    for (const QString& key : keys)
        add(plain(key) + ": " + inOneLine(value.toObject().value(key)));
    return parts.isEmpty() ? QByteArray("{}") : "{ " + parts + " }";
}

bool hasObjects(const QJsonArray& list)
{
    return std::any_of(list.begin(), list.end(),
                       [](const QJsonValue& each) { return each.isObject() || each.isArray(); });
}

QByteArray inLines(const QJsonValue& value, const QByteArray& indent, const QByteArray& unit)
{
    const QByteArray inner = '\n' + indent + unit;
    QByteArray parts;
    const auto add = [&](const QByteArray& part) { parts += (parts.isEmpty() ? inner : ',' + inner) + part; };
    if (value.isArray()) {
        const QJsonArray list = value.toArray();
        const QByteArray line = inOneLine(value);
        if (list.isEmpty() || (!hasObjects(list) && indent.size() + line.size() < kLineWidth))
            return line;
        for (const QJsonValue& element : list)
            add(inLines(element, indent + unit, unit));
        return '[' + parts + '\n' + indent + ']';
    }
    if (!value.isObject() || value.toObject().isEmpty())
        return inOneLine(value);
    const QStringList keys = keysInOrder(value.toObject());
    for (const QString& key : keys)
        add(plain(key) + ": " + inLines(value.toObject().value(key), indent + unit, unit));
    return '{' + parts + '\n' + indent + '}';
}

class Writer
{
public:
    Writer(const QByteArray& text, const Node& root)
        : text_(text)
        , unit_(root.members.empty() ? QByteArray() : indentOf(root.members.front().lead))
    {
        if (unit_.isEmpty())
            unit_ = "  ";
    }

    QByteArray write(const Node& node, const QJsonValue& source, const QJsonValue& target, const QByteArray& indent,
                     bool breaksLines) const
    {
        if (source == target)
            return text_.mid(node.begin, node.end - node.begin);
        if (source.isObject() && target.isObject() && !node.members.empty())
            return writeObject(node, source.toObject(), target.toObject(), indent);
        if (source.isArray() && target.isArray() && !node.members.empty())
            return writeList(node, source.toArray(), target.toArray(), indent);
        return fresh(target, indent, breaksLines);
    }

private:
    static QByteArray indentOf(const QByteArray& lead) { return lead.mid(lead.lastIndexOf('\n') + 1); }
    static bool breaks(const QByteArray& lead) { return lead.contains('\n'); }

    QByteArray fresh(const QJsonValue& value, const QByteArray& indent, bool breaksLines) const
    {
        return breaksLines ? inLines(value, indent, unit_) : inOneLine(value);
    }

    /// The spaces before a member that comes at place `i` now.
    static QByteArray leadAt(const Node& node, std::size_t i, const Member* old)
    {
        const Member& first = node.members.front();
        if (i == 0)
            return first.lead;
        if (old && old != &first)
            return old->lead;
        if (node.members.size() > 1)
            return node.members[1].lead;
        return first.lead.isEmpty() ? QByteArray(" ") : first.lead;
    }

    QByteArray put(const Node& node, std::size_t i, const Member* old, const QByteArray& key, const QJsonValue& source,
                   const QJsonValue& target, const QByteArray& indent) const
    {
        const QByteArray lead = leadAt(node, i, old);
        const QByteArray inner = breaks(lead) ? indentOf(lead) : indent;
        return (i == 0 ? "" : ",") + lead + key +
               (old ? write(old->value.front(), source, target, inner, breaks(lead))
                    : fresh(target, inner, breaks(lead)));
    }

    QByteArray writeObject(const Node& node, const QJsonObject& source, const QJsonObject& target,
                           const QByteArray& indent) const
    {
        QByteArray out;
        std::size_t count = 0;
        QStringList written;
        for (std::size_t i = 0; i < node.members.size(); ++i) {
            const Member& member = node.members[i];
            // Of a key that is there twice the last one counts.
            const bool isLast = std::none_of(node.members.begin() + std::ptrdiff_t(i) + 1, node.members.end(),
                                             [&](const Member& later) { return later.name == member.name; });
            if (!target.contains(member.name) || !isLast)
                continue;
            written << member.name;
            out +=
                put(node, count++, &member, member.key, source.value(member.name), target.value(member.name), indent);
        }
        const QStringList keys = keysInOrder(target);
        for (const QString& key : keys)
            if (!written.contains(key))
                out += put(node, count++, nullptr, plain(key) + ": ", {}, target.value(key), indent);
        return '{' + out + (count == 0 ? QByteArray() : node.tail) + '}';
    }

    QByteArray writeList(const Node& node, const QJsonArray& source, const QJsonArray& target,
                         const QByteArray& indent) const
    {
        std::vector<qsizetype> origin(std::size_t(target.size()), -1);
        if (isNamedList(source) && isNamedList(target))
            origin = cameFrom(source, target);
        else
            for (qsizetype i = 0; i < std::min(source.size(), target.size()); ++i)
                origin[std::size_t(i)] = i;
        QByteArray out;
        for (std::size_t i = 0; i < origin.size(); ++i) {
            const Member* old = origin[i] < 0 ? nullptr : &node.members[std::size_t(origin[i])];
            out += put(node, i, old, {}, old ? source.at(origin[i]) : QJsonValue(), target.at(qsizetype(i)), indent);
        }
        return '[' + out + (origin.empty() ? QByteArray() : node.tail) + ']';
    }

    const QByteArray& text_;
    QByteArray unit_;
};

void findDoubled(const Node& node, const QString& place, QStringList& found)
{
    QSet<QString> seen;
    for (std::size_t i = 0; i < node.members.size(); ++i) {
        const Member& member = node.members[i];
        const bool isField = !member.key.isEmpty();
        const QString here = !isField          ? QStringLiteral("%1[%2]").arg(place).arg(i)
                             : place.isEmpty() ? member.name
                                               : place + QLatin1Char('.') + member.name;
        if (isField && seen.contains(member.name))
            found << here;
        seen.insert(member.name);
        findDoubled(member.value.front(), here, found);
    }
}

} // namespace

QStringList doubledFields(const QByteArray& text)
{
    QStringList found;
    if (const qsizetype begin = text.indexOf('{'); begin >= 0)
        findDoubled(Scanner(text, begin).value(), {}, found);
    return found;
}

QByteArray rewritten(const QByteArray& text, const QJsonObject& target)
{
    const QJsonObject source = QJsonDocument::fromJson(text).object();
    const qsizetype begin = text.indexOf('{'); // a byte order mark may stand before it
    if (begin < 0)
        return QJsonDocument(target).toJson(QJsonDocument::Indented);
    const Node root = Scanner(text, begin).value();
    return text.left(begin) + Writer(text, root).write(root, source, target, {}, true) + text.mid(root.end);
}

} // namespace sg::workspace
