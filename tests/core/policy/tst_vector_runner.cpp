// SPDX-License-Identifier: GPL-3.0-or-later
// The harness itself: what it does not understand must fail, never pass.
#include "tests/support/vectors.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

#include <cmath>

using namespace sg::vectors;

namespace {

QByteArray fileOf(const char* kind, const QJsonArray& cases)
{
    const QJsonObject file{{QStringLiteral("format"), QStringLiteral("switchgear-vectors/1")},
                           {QStringLiteral("kind"), QLatin1String(kind)},
                           {QStringLiteral("cases"), cases}};
    return QJsonDocument(file).toJson();
}

FileOutcome runText(const QByteArray& text)
{
    return runVectorText(QStringLiteral("x.json"), text, vectorKinds());
}

QJsonArray casesOf(const QString& name)
{
    QFile file(QStringLiteral(SWITCHGEAR_TEST_DATA "/vectors/") + name);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("cases")).toArray();
}

/// Every place of a JSON value where a number or a word could be wrong, as a changed copy each.
std::vector<QJsonValue> changed(const QJsonValue& value)
{
    std::vector<QJsonValue> copies;
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        for (auto it = object.begin(); it != object.end(); ++it) {
            for (const QJsonValue& inner : changed(it.value())) {
                QJsonObject copy = object;
                copy.insert(it.key(), inner);
                copies.emplace_back(copy);
            }
        }
    } else if (value.isArray()) {
        const QJsonArray array = value.toArray();
        for (qsizetype i = 0; i < array.size(); ++i) {
            for (const QJsonValue& inner : changed(array[i])) {
                QJsonArray copy = array;
                copy[i] = inner;
                copies.emplace_back(copy);
            }
        }
    } else if (value.isDouble()) {
        copies.emplace_back(value.toDouble() + std::max(1.0, std::abs(value.toDouble())));
    } else if (value.isBool()) {
        copies.emplace_back(!value.toBool());
    } else {
        copies.emplace_back(QStringLiteral("other"));
    }
    return copies;
}

} // namespace

class TestVectorRunner : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void filesItCannotRead();
    void skipsOnlyWhatHasNoRunner();
    void missingFieldsFail_data();
    void missingFieldsFail();
    void wrongExpectationsFail_data();
    void wrongExpectationsFail();
    void tellsIdStepAndBothValues();
};

void TestVectorRunner::filesItCannotRead()
{
    const QJsonArray one{QJsonObject{{QStringLiteral("id"), QStringLiteral("a")}}};
    QCOMPARE(runText("{").failures.size(), 1);
    QCOMPARE(runText("[]").failures.size(), 1);
    QVERIFY(runText(fileOf("nonsense", one)).failures.at(0).contains(QLatin1String("unknown kind \"nonsense\"")));
    QCOMPARE(runText(fileOf("breaker", {})).failures.size(), 1);
    QCOMPARE(runText(fileOf("breaker", {1, QJsonObject()})).failures.size(), 2);
    QCOMPARE(runVectorFile(QStringLiteral("/nowhere/a.json"), vectorKinds()).failures.size(), 1);
}

void TestVectorRunner::skipsOnlyWhatHasNoRunner()
{
    const std::vector<VectorKind> kinds{{QStringLiteral("errors"), {}}};
    const auto outcome = runVectorText(QStringLiteral("e.json"), fileOf("errors", {QJsonObject()}), kinds);
    QVERIFY(outcome.failures.isEmpty());
    QCOMPARE(outcome.summary, QStringLiteral("e.json: skipped (kind errors has no runner)"));
    for (const char* kind : {"backoff", "breaker", "breaker_config", "limiters", "wait_hints"})
        QCOMPARE(runText(fileOf(kind, {QJsonObject{{QStringLiteral("id"), QStringLiteral("a")}}})).failures.size(), 1);
}

void TestVectorRunner::missingFieldsFail_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("kind");
    QTest::newRow("backoff") << QStringLiteral("backoff.json") << QByteArray("backoff");
    QTest::newRow("breaker") << QStringLiteral("breaker.json") << QByteArray("breaker");
    QTest::newRow("config") << QStringLiteral("config_checks.json") << QByteArray("breaker_config");
    QTest::newRow("limiters") << QStringLiteral("limiters.json") << QByteArray("limiters");
    QTest::newRow("hints") << QStringLiteral("wait_hints.json") << QByteArray("wait_hints");
}

void TestVectorRunner::missingFieldsFail()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, kind);
    const QStringList comments{QStringLiteral("id"), QStringLiteral("source"), QStringLiteral("note"),
                               QStringLiteral("own_backoff_ms"), QStringLiteral("max_server_wait_ms")};
    const QJsonArray cases = casesOf(file);
    QVERIFY(!cases.isEmpty());
    QJsonArray broken;
    for (const QJsonValue& value : cases) {
        const QJsonObject testCase = value.toObject();
        for (auto it = testCase.begin(); it != testCase.end(); ++it) {
            if (comments.contains(it.key()))
                continue;
            QJsonObject copy = testCase;
            copy.remove(it.key());
            broken.append(copy);
        }
    }
    const auto outcome = runText(fileOf(kind.constData(), broken));
    QCOMPARE(outcome.passed, 0);
}

void TestVectorRunner::wrongExpectationsFail_data()
{
    missingFieldsFail_data();
}

void TestVectorRunner::wrongExpectationsFail()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, kind);
    const QStringList expectations{QStringLiteral("expect"), QStringLiteral("expect_ms"), QStringLiteral("valid"),
                                   QStringLiteral("field")};
    const QJsonArray cases = casesOf(file);
    QJsonArray wrong;
    for (const QJsonValue& value : cases) {
        const QJsonObject testCase = value.toObject();
        for (const QString& key : expectations) {
            if (!testCase.contains(key))
                continue;
            for (const QJsonValue& other : changed(testCase.value(key))) {
                QJsonObject copy = testCase;
                copy.insert(key, other);
                wrong.append(copy);
            }
        }
        QJsonArray steps = testCase.value(QLatin1String("steps")).toArray();
        for (qsizetype i = 0; i < std::min<qsizetype>(steps.size(), 12); ++i) {
            const QJsonObject step = steps[i].toObject();
            for (auto it = step.begin(); it != step.end(); ++it) {
                if (!it.key().startsWith(QLatin1String("expect")) && it.key() != QLatin1String("op"))
                    continue;
                for (const QJsonValue& other : changed(it.value())) {
                    QJsonObject stepCopy = step;
                    stepCopy.insert(it.key(), other);
                    QJsonArray stepsCopy = steps;
                    stepsCopy[i] = stepCopy;
                    QJsonObject copy = testCase;
                    copy.insert(QStringLiteral("steps"), stepsCopy);
                    wrong.append(copy);
                }
            }
        }
    }
    QVERIFY(wrong.size() > 20);
    QCOMPARE(runText(fileOf(kind.constData(), wrong)).passed, 0);
}

void TestVectorRunner::tellsIdStepAndBothValues()
{
    QJsonObject testCase = casesOf(QStringLiteral("limiters.json")).first().toObject();
    QJsonArray steps = testCase.value(QLatin1String("steps")).toArray();
    QJsonObject step = steps[2].toObject();
    step.insert(QStringLiteral("expect_available"), 0.75);
    steps[2] = step;
    testCase.insert(QStringLiteral("steps"), steps);
    const auto outcome = runText(fileOf("limiters", {testCase}));
    QCOMPARE(outcome.summary, QStringLiteral("x.json: 0 passed, 1 failed"));
    QCOMPARE(outcome.failures.at(0), testCase.value(QLatin1String("id")).toString() +
                                         QStringLiteral(" step 2: available: expected 0.75, actual 0.5"));
}

QTEST_APPLESS_MAIN(TestVectorRunner)
#include "tst_vector_runner.moc"
