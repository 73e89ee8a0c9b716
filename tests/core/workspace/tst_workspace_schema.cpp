// SPDX-License-Identifier: GPL-3.0-or-later
// The published schema, the reader and the writer say the same.
#include "core/workspace/workspace_file.h"
#include "tests/support/json.h"
#include "tests/support/rich_workspace.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace sg;
using namespace sg::workspace;

namespace {

struct Step
{
    QString key; ///< of an object; empty: an index
    qsizetype index = -1;
};

/// One object of a file, and what the schema says about such objects.
struct Spot
{
    QString place;
    std::vector<Step> path;
    QJsonObject schema, value;
};

QJsonObject schema()
{
    return test::object(workspaceSchema());
}

QString typeOf(const QJsonValue& value)
{
    return value.isObject()  ? QStringLiteral("object")
           : value.isArray() ? QStringLiteral("array")
                             : QStringLiteral("other");
}

/// References followed and the form chosen that a value has.
QJsonObject resolved(const QJsonObject& root, QJsonObject one, const QJsonValue& value)
{
    for (;;) {
        if (const QString ref = one[QLatin1String("$ref")].toString(); !ref.isEmpty()) {
            one = root[QLatin1String("$defs")][ref.section(QLatin1Char('/'), -1)].toObject();
            continue;
        }
        const QJsonArray forms = one[QLatin1String("oneOf")].toArray();
        if (forms.isEmpty())
            return one;
        one = {};
        for (const QJsonValue& form : forms) {
            const QJsonObject candidate = resolved(root, form.toObject(), value);
            const QString type = candidate[QLatin1String("type")].toString();
            const bool isOther = type != QLatin1String("object") && type != QLatin1String("array");
            if (type == typeOf(value) || (isOther && typeOf(value) == QLatin1String("other")))
                one = candidate;
        }
    }
}

void walk(const QJsonObject& root, const QJsonObject& said, const QJsonValue& value, const Spot& at,
          std::vector<Spot>& spots)
{
    const QJsonObject here = resolved(root, said, value);
    if (value.isArray()) {
        const QJsonArray list = value.toArray();
        for (qsizetype i = 0; i < list.size(); ++i) {
            Spot next{QStringLiteral("%1[%2]").arg(at.place).arg(i), at.path, {}, {}};
            next.path.push_back({{}, i});
            walk(root, here[QLatin1String("items")].toObject(), list.at(i), next, spots);
        }
        return;
    }
    const QJsonObject properties = here[QLatin1String("properties")].toObject();
    if (!value.isObject())
        return;
    const QJsonObject object = value.toObject();
    if (!properties.isEmpty())
        spots.push_back({at.place, at.path, here, object});
    for (auto field = object.constBegin(); field != object.constEnd(); ++field) {
        Spot next{at.place.isEmpty() ? field.key() : at.place + QLatin1Char('.') + field.key(), at.path, {}, {}};
        next.path.push_back({field.key(), -1});
        const QJsonValue property = properties.contains(field.key())
                                        ? properties.value(field.key())
                                        : here.value(QLatin1String("additionalProperties"));
        walk(root, property.toObject(), field.value(), next, spots);
    }
}

std::vector<Spot> spotsOf(const QJsonObject& file)
{
    std::vector<Spot> spots;
    const QJsonObject root = schema();
    walk(root, root, file, {}, spots);
    return spots;
}

QJsonValue with(const QJsonValue& part, const std::vector<Step>& path, std::size_t at, const QString& field,
                const QJsonValue& value)
{
    QJsonObject object = part.toObject();
    if (at == path.size()) {
        object.insert(field, value);
        return object;
    }
    if (path[at].index < 0) {
        object.insert(path[at].key, with(object.value(path[at].key), path, at + 1, field, value));
        return object;
    }
    QJsonArray list = part.toArray();
    list[path[at].index] = with(list.at(path[at].index), path, at + 1, field, value);
    return list;
}

Findings findingsWith(const QJsonObject& file, const Spot& spot, const QString& field, const QJsonValue& value)
{
    return readWorkspace(QJsonDocument(with(file, spot.path, 0, field, value).toObject()).toJson()).findings;
}

bool hasErrorIn(const Findings& findings, const QString& place)
{
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
        return finding.level == FindingLevel::Error && finding.place.startsWith(place);
    });
}

QJsonObject rich()
{
    return test::object(toJson(readWorkspace(test::richWorkspace()).workspace));
}

} // namespace

class TestWorkspaceSchema : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everythingIsDescribed()
    {
        const auto check = [](const auto& self, const QJsonObject& one, const QString& place) -> void {
            const QJsonObject properties = one[QLatin1String("properties")].toObject();
            for (auto field = properties.constBegin(); field != properties.constEnd(); ++field) {
                const QJsonObject property = field.value().toObject();
                const bool isSaid = property.contains(QLatin1String("$ref")) ||
                                    !property[QLatin1String("description")].toString().isEmpty();
                QVERIFY2(isSaid, qPrintable(place + field.key()));
                self(self, property, place + field.key() + QLatin1Char('.'));
            }
            if (one.contains(QLatin1String("items")))
                self(self, one[QLatin1String("items")].toObject(), place + QStringLiteral("[]."));
        };
        check(check, schema(), {});
        const QJsonObject parts = schema()[QLatin1String("$defs")].toObject();
        for (auto part = parts.constBegin(); part != parts.constEnd(); ++part) {
            if (part.key() != QLatin1String("window"))
                QVERIFY2(part.value().toObject().contains(QLatin1String("description")), qPrintable(part.key()));
            check(check, part.value().toObject(), part.key() + QLatin1Char('.'));
        }
    }

    void whatIsWrittenIsInTheSchemaAndTheOtherWayRound()
    {
        // Objects of one kind may have other fields each (a window by time, by count): together they have all.
        std::map<QByteArray, std::pair<QSet<QString>, QSet<QString>>> kinds; // description and type: said, written
        for (const Spot& spot : spotsOf(rich())) {
            const QJsonObject properties = spot.schema[QLatin1String("properties")].toObject();
            auto& [said, written] = kinds[test::text(properties)];
            for (const QString& field : properties.keys())
                said.insert(field);
            for (const QString& field : spot.value.keys()) {
                QVERIFY2(said.contains(field), qPrintable(spot.place + QLatin1Char('.') + field));
                written.insert(field);
            }
        }
        QVERIFY(kinds.size() >= 18);
        for (auto& [properties, fields] : kinds) {
            auto missing = fields.first - fields.second;
            missing.remove(QStringLiteral("environments")); // a document's
            QVERIFY2(missing.isEmpty(), qPrintable(QStringList(missing.values()).join(QLatin1Char(','))));
        }
    }

    void whatIsInTheSchemaIsRead()
    {
        const QJsonObject file = rich();
        int count = 0;
        for (const Spot& spot : spotsOf(file)) {
            for (const QString& field : spot.schema[QLatin1String("properties")].toObject().keys()) {
                const QString place = spot.place.isEmpty() ? field : spot.place + QLatin1Char('.') + field;
                if (!spot.value.contains(field) && place.contains(QLatin1String(".window.")))
                    continue; // the other kind of window has it, and is in the file too
                const QJsonValue value =
                    spot.value.contains(field) ? spot.value.value(field) : QJsonObject{{QStringLiteral("odd"), 1}};
                for (const Finding& finding : findingsWith(file, spot, field, value))
                    QVERIFY2(finding.place != place || !finding.problem.contains(QLatin1String("unknown field")),
                             qPrintable(place));
                ++count;
            }
        }
        QVERIFY(count > 150);
    }

    void boundsAreTheReaders()
    {
        const QJsonObject file = rich();
        int count = 0;
        for (const Spot& spot : spotsOf(file)) {
            const QJsonObject properties = spot.schema[QLatin1String("properties")].toObject();
            for (auto property = properties.constBegin(); property != properties.constEnd(); ++property) {
                if (!spot.value.contains(property.key()) || !spot.value.value(property.key()).isDouble())
                    continue;
                const QString place = spot.place + QLatin1Char('.') + property.key();
                const QJsonObject said = property.value().toObject();
                const auto fails = [&](double value) {
                    ++count;
                    return hasErrorIn(findingsWith(file, spot, property.key(), value), spot.place);
                };
                const auto isOutOfRange = [&](double value) {
                    const Findings findings = findingsWith(file, spot, property.key(), value);
                    return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
                        return finding.place == place && finding.problem.contains(QLatin1String("out of range"));
                    });
                };
                if (const QJsonValue low = said[QLatin1String("minimum")]; low.isDouble())
                    QVERIFY2(fails(low.toDouble() - 1) && !isOutOfRange(low.toDouble()), qPrintable(place));
                if (const QJsonValue low = said[QLatin1String("exclusiveMinimum")]; low.isDouble())
                    QVERIFY2(fails(low.toDouble()), qPrintable(place));
                if (const QJsonValue high = said[QLatin1String("maximum")]; high.isDouble())
                    QVERIFY2(fails(high.toDouble() * 2) && !isOutOfRange(high.toDouble()), qPrintable(place));
            }
        }
        QVERIFY(count > 80);
    }

    void defaultsAreTheReaders()
    {
        const QByteArray least = R"({"version":2,"name":"w","endpoints":[{"name":"a","base_url":"sim:a","model":"m",
            "breaker":{},"timeouts":{"by_task":{},"min_tokens_per_s":1}}],"chains":[{"name":"c","limiter":{"window_limit":5},"cache":{},
            "router":{"classes":[{"name":"x","tier":"a"}]},"tiers":[{"endpoint":"a","split":"s","backoff":{"jitter":{}}}]}]})";
        int count = 0;
        for (const Spot& spot : spotsOf(test::object(toJson(readWorkspace(least).workspace)))) {
            const QJsonObject properties = spot.schema[QLatin1String("properties")].toObject();
            for (auto property = properties.constBegin(); property != properties.constEnd(); ++property) {
                const QJsonValue said = property.value()[QLatin1String("default")];
                if (said.isUndefined() || !spot.value.contains(property.key()))
                    continue;
                QVERIFY2(said == spot.value.value(property.key()),
                         qPrintable(spot.place + QLatin1Char('.') + property.key()));
                ++count;
            }
        }
        QVERIFY(count > 35);
    }

    void defaultsOfTheGatewayAreTheReaders()
    {
        const QJsonObject said = schema()[QLatin1String("$defs")][QLatin1String("gateway")].toObject();
        const QJsonObject properties = said[QLatin1String("properties")].toObject();
        QJsonObject usual;
        for (auto field = properties.constBegin(); field != properties.constEnd(); ++field)
            if (const QJsonValue value = field.value()[QLatin1String("default")]; !value.isUndefined())
                usual.insert(field.key(), value);
        QCOMPARE(usual.size(), qsizetype(8));
        const QJsonObject file{{QStringLiteral("version"), 2},
                               {QStringLiteral("endpoints"), QJsonArray()},
                               {QStringLiteral("chains"), QJsonArray()},
                               {QStringLiteral("gateway"), usual}};
        const ReadResult read = readWorkspace(QJsonDocument(file).toJson());
        QVERIFY(read.findings.empty() && read.workspace.gateway == GatewaySettings());
    }

    void aValidatorAgrees()
    {
        const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
        if (python.isEmpty())
            QSKIP("python3 is not on this machine: nobody else has looked at the schema");
        QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& bytes) {
            QFile file(folder.filePath(QString::fromLatin1(name)));
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
        };
        const QString root = QDir::cleanPath(QStringLiteral(SWITCHGEAR_TEST_DATA "/../.."));
        QFile manual(root + QStringLiteral("/docs/workspace.md"));
        QVERIFY(manual.open(QIODevice::ReadOnly));
        QStringList files{root + QStringLiteral("/resources/practice/workspace.json"),
                          write("rich.json", test::richWorkspace()),
                          write("written.json", QJsonDocument(rich()).toJson())};
        const QStringList blocks = QString::fromUtf8(manual.readAll()).split(QStringLiteral("```json\n"));
        int examples = 0;
        for (const QString& block : blocks.mid(1)) {
            const QByteArray json = block.section(QStringLiteral("\n```"), 0, 0).toUtf8();
            if (!json.contains("\"chains\""))
                continue; // a script
            const QByteArray name = "example" + QByteArray::number(++examples) + ".json";
            files << write(name.constData(), json);
            QVERIFY2(parseWorkspace(json), json.constData());
        }
        QVERIFY(examples >= 3);
        QProcess process;
        process.start(python,
                      QStringList{QStringLiteral("-c"), QString::fromLatin1(kValidate),
                                  write("schema.json", workspaceSchema()),
                                  write("wrong.json", R"({"version":2,"endpoints":[{"name":3}],"chains":[]})")} +
                          files);
        QVERIFY(process.waitForFinished(60000));
        const QByteArray told = process.readAllStandardError() + process.readAllStandardOutput();
        if (process.exitCode() == 77)
            QSKIP("python3-jsonschema is not on this machine: nobody else has looked at the schema");
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, told.constData());
    }

private:
    static constexpr const char* kValidate = R"(
import json, sys
try:
    from jsonschema import Draft202012Validator as Validator
except ImportError:
    sys.exit(77)
load = lambda name: json.load(open(name, encoding="utf-8"))
schema = load(sys.argv[1])
Validator.check_schema(schema)
validator = Validator(schema)
if validator.is_valid(load(sys.argv[2])):
    sys.exit("the wrong one passes")
errors = [f"{name}: {error.json_path}: {error.message}" for name in sys.argv[3:] for error in validator.iter_errors(load(name))]
sys.exit("\n".join(errors) or 0)
)";
};

QTEST_APPLESS_MAIN(TestWorkspaceSchema)
#include "tst_workspace_schema.moc"
