// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/vectors.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

namespace sg::vectors {

namespace {

FileOutcome unreadable(const QString& name, const QString& why)
{
    return {QStringLiteral("%1: unreadable, 1 failed").arg(name), {QStringLiteral("%1: %2").arg(name, why)}, 0};
}

/// What is wrong with a case, or nothing.
std::optional<QString> failureOf(const QJsonValue& value, const CaseRunner& run)
{
    if (!value.isObject())
        return QStringLiteral("(no id): a case must be an object");
    const QJsonObject testCase = value.toObject();
    const QString id = testCase.value(QLatin1String("id")).toString();
    if (id.isEmpty())
        return QStringLiteral("(no id): a case must have an id");
    try {
        run(testCase);
    } catch (const VectorFailure& failure) {
        const QString where = failure.step < 0 ? id : QStringLiteral("%1 step %2").arg(id).arg(failure.step);
        return QStringLiteral("%1: %2").arg(where, failure.what);
    }
    return {};
}

QString shown(std::optional<double> number)
{
    return number ? QString::number(*number, 'g', 15) : QStringLiteral("null");
}

QString mismatch(const QString& what, const QString& actual, const QString& expected)
{
    return QStringLiteral("%1: expected %2, actual %3").arg(what, expected, actual);
}

} // namespace

FileOutcome runVectorText(const QString& name, const QByteArray& text, const std::vector<VectorKind>& kinds)
{
    QJsonParseError error;
    const QJsonObject file = QJsonDocument::fromJson(text, &error).object();
    if (error.error != QJsonParseError::NoError)
        return unreadable(name, QStringLiteral("broken JSON: ") + error.errorString());
    const QString format = file.value(QLatin1String("format")).toString();
    if (format != QLatin1String("switchgear-vectors/1"))
        return unreadable(name, QStringLiteral("unknown format \"%1\"").arg(format));
    const QString kind = file.value(QLatin1String("kind")).toString();
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const VectorKind& k) { return k.kind == kind; });
    if (known == kinds.end())
        return unreadable(name, QStringLiteral("unknown kind \"%1\"").arg(kind));
    if (!known->run)
        return {QStringLiteral("%1: skipped (kind %2 has no runner)").arg(name, kind), {}, 0};
    const QJsonArray cases = file.value(QLatin1String("cases")).toArray();
    if (cases.isEmpty())
        return unreadable(name, QStringLiteral("no cases"));

    FileOutcome outcome;
    for (const QJsonValue& testCase : cases) {
        if (const auto failure = failureOf(testCase, known->run))
            outcome.failures << *failure;
        else
            ++outcome.passed;
    }
    outcome.summary =
        QStringLiteral("%1: %2 passed, %3 failed").arg(name).arg(outcome.passed).arg(outcome.failures.size());
    return outcome;
}

FileOutcome runVectorFile(const QString& path, const std::vector<VectorKind>& kinds)
{
    QFile file(path);
    const QString name = QFileInfo(path).fileName();
    if (!file.open(QIODevice::ReadOnly))
        return unreadable(name, file.errorString());
    return runVectorText(name, file.readAll(), kinds);
}

void VectorFields::fail(const QString& what) const
{
    throw VectorFailure{what, step_};
}

QJsonValue VectorFields::value(const char* name) const
{
    const auto it = object_.find(QLatin1String(name));
    if (it == object_.end())
        fail(QStringLiteral("field %1 is missing").arg(QLatin1String(name)));
    return it.value();
}

bool VectorFields::isNull(const char* name) const
{
    return value(name).isNull();
}

double VectorFields::number(const char* name) const
{
    const QJsonValue v = value(name);
    if (!v.isDouble())
        fail(QStringLiteral("field %1 must be a number").arg(QLatin1String(name)));
    return v.toDouble();
}

std::optional<double> VectorFields::numberOrNull(const char* name) const
{
    return isNull(name) ? std::nullopt : std::optional(number(name));
}

std::optional<double> VectorFields::optionalNumber(const char* name) const
{
    return has(name) ? numberOrNull(name) : std::nullopt;
}

int VectorFields::integer(const char* name) const
{
    const double v = number(name);
    if (v != std::floor(v) || std::abs(v) > 2147483647.0)
        fail(QStringLiteral("field %1 must be a whole number").arg(QLatin1String(name)));
    return static_cast<int>(v);
}

bool VectorFields::boolean(const char* name) const
{
    const QJsonValue v = value(name);
    if (!v.isBool())
        fail(QStringLiteral("field %1 must be true or false").arg(QLatin1String(name)));
    return v.toBool();
}

QString VectorFields::text(const char* name) const
{
    const QJsonValue v = value(name);
    if (!v.isString())
        fail(QStringLiteral("field %1 must be a string").arg(QLatin1String(name)));
    return v.toString();
}

std::optional<QString> VectorFields::textOrNull(const char* name) const
{
    return isNull(name) ? std::nullopt : std::optional(text(name));
}

QJsonObject VectorFields::object(const char* name) const
{
    const QJsonValue v = value(name);
    if (!v.isObject())
        fail(QStringLiteral("field %1 must be an object").arg(QLatin1String(name)));
    return v.toObject();
}

QJsonArray VectorFields::array(const char* name) const
{
    const QJsonValue v = value(name);
    if (!v.isArray())
        fail(QStringLiteral("field %1 must be a list").arg(QLatin1String(name)));
    return v.toArray();
}

int VectorFields::word(const char* name, const QStringList& words) const
{
    const QString v = text(name);
    const auto index = words.indexOf(v);
    if (index < 0)
        fail(QStringLiteral("field %1 must not be \"%2\"").arg(QLatin1String(name), v));
    return static_cast<int>(index);
}

void VectorFields::onlyExpects(const QStringList& known) const
{
    for (auto it = object_.begin(); it != object_.end(); ++it) {
        if (it.key().startsWith(QLatin1String("expect")) && !known.contains(it.key()))
            fail(QStringLiteral("nothing checks the field %1").arg(it.key()));
    }
}

void VectorFields::equal(const QString& what, const QString& actual, const QString& expected) const
{
    if (actual != expected)
        fail(mismatch(what, actual, expected));
}

void VectorFields::equal(const QString& what, bool actual, bool expected) const
{
    const auto word = [](bool b) { return b ? QStringLiteral("true") : QStringLiteral("false"); };
    equal(what, word(actual), word(expected));
}

void VectorFields::equal(const QString& what, qint64 actual, qint64 expected) const
{
    equal(what, QString::number(actual), QString::number(expected));
}

void VectorFields::near(const QString& what, double actual, double expected, double tolerance) const
{
    if (!(std::abs(actual - expected) <= tolerance))
        fail(mismatch(what, shown(actual), shown(expected)));
}

void VectorFields::near(const QString& what, std::optional<double> actual, std::optional<double> expected,
                        double tolerance) const
{
    if (actual && expected)
        near(what, *actual, *expected, tolerance);
    else if (actual || expected)
        fail(mismatch(what, shown(actual), shown(expected)));
}

std::vector<VectorFields> vectorSteps(const QJsonObject& testCase)
{
    const QJsonArray list = VectorFields(testCase).array("steps");
    if (list.isEmpty())
        throw VectorFailure{QStringLiteral("no steps")};
    std::vector<VectorFields> steps;
    for (qsizetype i = 0; i < list.size(); ++i) {
        if (!list[i].isObject())
            throw VectorFailure{QStringLiteral("a step must be an object"), static_cast<int>(i)};
        steps.emplace_back(list[i].toObject(), static_cast<int>(i));
    }
    return steps;
}

} // namespace sg::vectors
