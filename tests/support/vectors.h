// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

/// Running the specification's vectors (tests/data/vectors/README.md). A runner plays one case and throws a
/// VectorFailure at the first thing that is not as expected, or that it does not understand.
namespace sg::vectors {

struct VectorFailure
{
    QString what;
    int step = -1; ///< -1: the case has no steps, or failed before the first
};

using CaseRunner = std::function<void(const QJsonObject& testCase)>;

struct VectorKind
{
    QString kind;
    CaseRunner run; ///< empty: the kind is known, but this build has no runner for it
};
/// The kinds this build knows. A new kind is one line in vectors_kinds.cpp and one file with its runner.
const std::vector<VectorKind>& vectorKinds();

struct FileOutcome
{
    QString summary;      ///< "breaker.json: 84 passed, 0 failed"
    QStringList failures; ///< one line each: case id, step, expected and actual
    int passed = 0;
};
FileOutcome runVectorFile(const QString& path, const std::vector<VectorKind>& kinds);
FileOutcome runVectorText(const QString& name, const QByteArray& text, const std::vector<VectorKind>& kinds);

/// Reads the fields of a case or step. Asking for a field that is missing or of another type is a failure.
class VectorFields
{
public:
    VectorFields(QJsonObject object, int step = -1)
        : object_(std::move(object))
        , step_(step)
    {
    }

    bool has(const char* name) const { return object_.contains(QLatin1String(name)); }
    bool isNull(const char* name) const; ///< there, and null
    double number(const char* name) const;
    std::optional<double> numberOrNull(const char* name) const;   ///< must be there
    std::optional<double> optionalNumber(const char* name) const; ///< may be missing or null
    int integer(const char* name) const;
    bool boolean(const char* name) const;
    QString text(const char* name) const;
    std::optional<QString> textOrNull(const char* name) const; ///< must be there
    QJsonObject object(const char* name) const;
    QJsonArray array(const char* name) const;
    /// One of the words, as its index.
    int word(const char* name, const QStringList& words) const;
    const QJsonObject& all() const { return object_; }

    /// An expectation nobody looks at must not pass: fails for expect_* fields other than these.
    void onlyExpects(const QStringList& known) const;

    [[noreturn]] void fail(const QString& what) const;
    void equal(const QString& what, const QString& actual, const QString& expected) const;
    void equal(const QString& what, bool actual, bool expected) const;
    void equal(const QString& what, qint64 actual, qint64 expected) const;
    void near(const QString& what, double actual, double expected, double tolerance) const;
    /// Both empty, or both near.
    void near(const QString& what, std::optional<double> actual, std::optional<double> expected,
              double tolerance) const;

private:
    QJsonValue value(const char* name) const;
    QJsonObject object_;
    int step_;
};

/// The steps of a case, each with its index.
std::vector<VectorFields> vectorSteps(const QJsonObject& testCase);

} // namespace sg::vectors
