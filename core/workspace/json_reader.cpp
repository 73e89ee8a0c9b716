// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/json_reader.h"

#include <QJsonDocument>

#include <cmath>
#include <cstdlib>

namespace sg::workspace {

QString Finding::toText(const QString& file) const
{
    QString text = file;
    if (!place.isEmpty())
        text += QStringLiteral(": ") + place;
    text += QStringLiteral(": ") + problem + QLatin1Char('.');
    if (!why.isEmpty())
        text += QLatin1Char(' ') + why + QLatin1Char('.');
    if (!remedy.isEmpty())
        text += QLatin1Char(' ') + remedy + (remedy.endsWith(QLatin1Char('?')) ? QString() : QStringLiteral("."));
    return text;
}

bool hasErrors(const Findings& findings)
{
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& finding) { return finding.level == FindingLevel::Error; });
}

namespace {

QString lineAndColumn(const QByteArray& json, int offset)
{
    const QByteArray before = json.left(std::clamp(offset, 0, int(json.size())));
    const auto line = before.count('\n') + 1;
    const auto column = before.size() - (before.lastIndexOf('\n') + 1) + 1;
    return QStringLiteral("line %1, column %2").arg(line).arg(column);
}

int editDistance(const QString& a, const QString& b)
{
    std::vector<int> row(std::size_t(b.size()) + 1);
    for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = int(j);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = int(i);
        for (std::size_t j = 1; j < row.size(); ++j) {
            const bool same = a[i - 1].toCaseFolded() == b[qsizetype(j) - 1].toCaseFolded();
            const int replaced = diagonal + (same ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

QString plainNumber(double value)
{
    return QString::number(value, 'g', 12);
}

} // namespace

tl::expected<QJsonObject, Finding> readJsonObject(const QByteArray& json)
{
    if (json.trimmed().isEmpty())
        return tl::unexpected(Finding{FindingLevel::Error, QString(), QStringLiteral("the file is empty"),
                                      QStringLiteral("Restore it from a copy or start a new one")});
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError)
        return tl::unexpected(Finding{FindingLevel::Error, lineAndColumn(json, error.offset),
                                      QStringLiteral("this is not JSON: ") + error.errorString(),
                                      QStringLiteral("Mend the text at this place or just before it")});
    if (!document.isObject())
        return tl::unexpected(Finding{FindingLevel::Error, QString(), QStringLiteral("the file holds no JSON object"),
                                      QStringLiteral("Begin it with { and end it with }")});
    return document.object();
}

std::optional<QString> nearestName(const QString& name, const QStringList& candidates)
{
    std::optional<QString> best;
    int bestDistance = std::max(2, int(name.size()) / 3) + 1;
    for (const QString& candidate : candidates) {
        const bool contained = name.size() >= 3 && candidate.contains(name, Qt::CaseInsensitive);
        // The distance is at least that of the lengths. Names also come from requests, where nothing bounds them.
        if (!contained && qAbs(name.size() - candidate.size()) >= bestDistance)
            continue;
        const int distance = contained ? 1 : editDistance(name, candidate);
        if (distance >= bestDistance || distance >= std::max(name.size(), candidate.size()))
            continue;
        bestDistance = distance;
        best = candidate;
    }
    return best;
}

ObjectReader::ObjectReader(QJsonObject object, QString place, Findings& findings, FindingLevel unknownLevel)
    : object_(std::move(object))
    , place_(std::move(place))
    , findings_(findings)
    , unknownLevel_(unknownLevel)
{
}

std::optional<QJsonValue> ObjectReader::take(const QString& name)
{
    known_ << name;
    const QJsonValue value = object_.value(name);
    if (value.isUndefined() || value.isNull())
        return std::nullopt;
    return value;
}

bool ObjectReader::has(const QString& name) const
{
    const QJsonValue value = object_.value(name);
    return !value.isUndefined() && !value.isNull();
}

QString ObjectReader::place(const QString& name) const
{
    if (name.isEmpty())
        return place_;
    return place_.isEmpty() ? name : place_ + QLatin1Char('.') + name;
}

QString ObjectReader::place(const QString& name, qsizetype index) const
{
    return QStringLiteral("%1[%2]").arg(place(name)).arg(index);
}

void ObjectReader::error(const QString& name, const QString& problem, const QString& remedy)
{
    findings_.push_back({FindingLevel::Error, place(name), problem, remedy});
}

void ObjectReader::warning(const QString& name, const QString& problem, const QString& remedy)
{
    findings_.push_back({FindingLevel::Warning, place(name), problem, remedy});
}

void ObjectReader::missing(const QString& name, const QString& remedy)
{
    error(name, QStringLiteral("the field is missing"), remedy);
}

void ObjectReader::wrongType(const QString& name, const QString& expected)
{
    error(name, QStringLiteral("this must be %1").arg(expected), QStringLiteral("Write %1 here").arg(expected));
}

bool ObjectReader::checkBounds(const QString& name, double value, const Bounds& bounds)
{
    const bool lowFine = bounds.lowIncluded ? value >= bounds.low : value > bounds.low;
    if (lowFine && value <= bounds.high)
        return true;
    const QString low = bounds.lowIncluded ? QStringLiteral("from %1") : QStringLiteral("above %1");
    error(name, QStringLiteral("%1 is out of range").arg(plainNumber(value)),
          QStringLiteral("Write a number %1 up to %2").arg(low.arg(plainNumber(bounds.low)), plainNumber(bounds.high)));
    return false;
}

std::optional<QString> ObjectReader::text(const QString& name)
{
    const auto value = take(name);
    if (!value)
        return std::nullopt;
    if (value->isString())
        return value->toString();
    wrongType(name, QStringLiteral("a text in quotes"));
    return std::nullopt;
}

std::optional<bool> ObjectReader::flag(const QString& name)
{
    const auto value = take(name);
    if (!value)
        return std::nullopt;
    if (value->isBool())
        return value->toBool();
    wrongType(name, QStringLiteral("true or false"));
    return std::nullopt;
}

std::optional<double> ObjectReader::number(const QString& name, Bounds bounds)
{
    const auto value = take(name);
    if (!value)
        return std::nullopt;
    if (!value->isDouble()) {
        wrongType(name, QStringLiteral("a number without quotes"));
        return std::nullopt;
    }
    if (!checkBounds(name, value->toDouble(), bounds))
        return std::nullopt;
    return value->toDouble();
}

std::optional<qint64> ObjectReader::integer(const QString& name, qint64 low, qint64 high)
{
    const auto value = number(name, {double(low), double(high)});
    if (!value)
        return std::nullopt;
    if (*value == std::floor(*value))
        return qint64(*value);
    wrongType(name, QStringLiteral("a whole number"));
    return std::nullopt;
}

std::optional<Nanos> ObjectReader::millis(const QString& name, Bounds bounds)
{
    const auto value = number(name, bounds);
    return value ? std::optional(fromMs(*value)) : std::nullopt;
}

std::optional<QJsonObject> ObjectReader::object(const QString& name)
{
    const auto value = take(name);
    if (!value)
        return std::nullopt;
    if (value->isObject())
        return value->toObject();
    wrongType(name, QStringLiteral("an object in { }"));
    return std::nullopt;
}

std::optional<QJsonArray> ObjectReader::array(const QString& name)
{
    const auto value = take(name);
    if (!value)
        return std::nullopt;
    if (value->isArray())
        return value->toArray();
    wrongType(name, QStringLiteral("a list in [ ]"));
    return std::nullopt;
}

std::optional<QJsonValue> ObjectReader::any(const QString& name)
{
    return take(name);
}

std::optional<std::size_t> ObjectReader::choiceIndex(const QString& name, const QStringList& names)
{
    const auto value = text(name);
    if (!value)
        return std::nullopt;
    const auto index = names.indexOf(*value);
    if (index >= 0)
        return std::size_t(index);
    const auto nearest = nearestName(*value, names);
    error(name, QStringLiteral("\"%1\" is not known here").arg(*value),
          nearest ? QStringLiteral("Did you mean \"%1\"? Known are: %2").arg(*nearest, names.join(QStringLiteral(", ")))
                  : QStringLiteral("Write one of: %1").arg(names.join(QStringLiteral(", "))));
    return std::nullopt;
}

QJsonObject ObjectReader::finish()
{
    QJsonObject unknown;
    for (auto field = object_.constBegin(); field != object_.constEnd(); ++field) {
        if (known_.contains(field.key()))
            continue;
        unknown.insert(field.key(), field.value());
        const auto nearest = nearestName(field.key(), known_);
        const QString otherwise =
            unknownLevel_ == FindingLevel::Error
                ? QStringLiteral("Remove it; known are: %1").arg(known_.join(QStringLiteral(", ")))
                : QStringLiteral("It is kept but has no effect");
        findings_.push_back({unknownLevel_, place(field.key()), QStringLiteral("unknown field"),
                             nearest ? QStringLiteral("Did you mean \"%1\"?").arg(*nearest) : otherwise});
    }
    return unknown;
}

bool checkVersion(ObjectReader& reader, int version, const QString& whatFile)
{
    const QString field = QStringLiteral("version");
    if (!reader.has(field)) {
        reader.missing(field, QStringLiteral("Add \"version\": %1").arg(version));
        reader.any(field);
        return true;
    }
    const auto found = reader.integer(field, 1, 1000000);
    if (!found)
        return false;
    if (*found <= version)
        return true;
    reader.error(field,
                 QStringLiteral("%1 has version %2, and this program reads up to version %3")
                     .arg(whatFile)
                     .arg(*found)
                     .arg(version),
                 QStringLiteral("Open it with a newer Switchgear, or save it there in the older form"));
    return false;
}

} // namespace sg::workspace
