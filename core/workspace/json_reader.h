// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"
#include "core/workspace/finding.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

#include <optional>
#include <tl/expected.hpp>
#include <utility>

/// Reads JSON objects field by field and collects everything that is wrong with them. Used by every file format.
namespace sg::workspace {

/// The whole text as one object; broken JSON gives a finding with line and column.
tl::expected<QJsonObject, Finding> readJsonObject(const QByteArray& json);

/// The most similar candidate, or nothing when none is near enough to be a likely slip of the hand.
std::optional<QString> nearestName(const QString& name, const QStringList& candidates);

struct Bounds
{
    double low = 0;
    double high = 1e15;
    bool lowIncluded = true;
};

class ObjectReader
{
public:
    /// `place` is the object's own path, empty for the root. `unknownLevel`: how a field nobody asked for is reported.
    ObjectReader(QJsonObject object, QString place, Findings& findings, FindingLevel unknownLevel);

    /// Absent and null fields answer nothing; a wrong type or a value out of bounds answers nothing and is reported.
    std::optional<QString> text(const QString& name);
    std::optional<bool> flag(const QString& name);
    std::optional<double> number(const QString& name, Bounds bounds = {});
    std::optional<qint64> integer(const QString& name, qint64 low, qint64 high);
    std::optional<Nanos> millis(const QString& name, Bounds bounds = {});
    std::optional<QJsonObject> object(const QString& name);
    std::optional<QJsonArray> array(const QString& name);
    std::optional<QJsonValue> any(const QString& name);
    template <typename T>
    std::optional<T> choice(const QString& name, const std::vector<std::pair<QString, T>>& choices)
    {
        QStringList names;
        for (const auto& [key, value] : choices)
            names << key;
        const auto index = choiceIndex(name, names);
        return index ? std::optional<T>(choices[*index].second) : std::nullopt;
    }

    bool has(const QString& name) const; ///< present and not null
    QString place(const QString& name) const;
    QString place(const QString& name, qsizetype index) const;
    const QString& here() const { return place_; }
    void error(const QString& name, const QString& problem, const QString& remedy);
    void warning(const QString& name, const QString& problem, const QString& remedy);
    /// A field that must be there but is not.
    void missing(const QString& name, const QString& remedy);
    Findings& findings() { return findings_; }
    FindingLevel unknownLevel() const { return unknownLevel_; }

    /// Reports the fields nobody asked for and answers them.
    QJsonObject finish();

private:
    std::optional<QJsonValue> take(const QString& name);
    std::optional<std::size_t> choiceIndex(const QString& name, const QStringList& names);
    void wrongType(const QString& name, const QString& expected);
    bool checkBounds(const QString& name, double value, const Bounds& bounds);

    QJsonObject object_;
    QString place_;
    Findings& findings_;
    FindingLevel unknownLevel_;
    QStringList known_;
};

/// Checks the field "version" (the reader's own): nothing when it is the one given, else false and one finding.
bool checkVersion(ObjectReader& reader, int version, const QString& whatFile);

} // namespace sg::workspace
