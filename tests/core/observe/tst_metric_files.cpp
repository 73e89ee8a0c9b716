// SPDX-License-Identifier: GPL-3.0-or-later
// What is written about the measurements elsewhere: the manual's table, Grafana's dashboard, Prometheus' rules.
#include "core/observe/metric_table.h"
#include "tests/support/literals.h"
#include "tests/support/promtool.h"

#include <QtTest/QtTest>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace sg;
using namespace sg::test;
using namespace sg::observe;

namespace {

QString pathOf(const QString& path)
{
    return QDir(QStringLiteral(SWITCHGEAR_TEST_DATA "/../..")).absoluteFilePath(path);
}

QByteArray contentOf(const QString& path)
{
    QFile file(pathOf(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString latin(const char* text)
{
    return QString::fromLatin1(text);
}

QString code(const QString& text)
{
    return text.isEmpty() ? QStringLiteral("–") : QLatin1Char('`') + text + QLatin1Char('`');
}

QString kindInWords(MetricKind kind)
{
    switch (kind) {
    case MetricKind::Counter:
        return QStringLiteral("counter");
    case MetricKind::Gauge:
        return QStringLiteral("gauge");
    case MetricKind::Histogram:
        return QStringLiteral("histogram");
    case MetricKind::StateSet:
        return QStringLiteral("state set");
    case MetricKind::Info:
        break;
    }
    return QStringLiteral("info");
}

/// The manual's row of a family.
QString rowOf(const MetricInfo& info)
{
    QStringList labels;
    for (const char* label : info.labels)
        labels << code(latin(label));
    return QStringLiteral("| %1 | %2 | %3 | %4 | %5 | %6 |")
        .arg(code(latin(info.prometheus) + latin(sampleSuffix(info.kind))), code(latin(info.openTelemetry)),
             kindInWords(info.kind), code(latin(info.unit)),
             labels.isEmpty() ? QStringLiteral("–") : labels.join(QStringLiteral(", ")), latin(info.help));
}

QSet<QString> sampleNames()
{
    QSet<QString> names;
    for (const MetricInfo& info : metricTable()) {
        if (info.kind != MetricKind::Histogram)
            names.insert(latin(info.prometheus) + latin(sampleSuffix(info.kind)));
        else
            for (const char* suffix : {"_bucket", "_sum", "_count"})
                names.insert(latin(info.prometheus) + latin(suffix));
    }
    return names;
}

QSet<QString> labelNames()
{
    QSet<QString> names{QStringLiteral("le"), QStringLiteral("job"), QStringLiteral("instance")};
    for (const MetricInfo& info : metricTable())
        for (const char* label : info.labels)
            names.insert(latin(label));
    return names;
}

QStringList identifiersOf(const QString& text)
{
    static const QRegularExpression identifier(QStringLiteral("[a-zA-Z_:][a-zA-Z0-9_:]*"));
    QStringList found;
    auto matches = identifier.globalMatch(text);
    while (matches.hasNext())
        found << matches.next().captured();
    return found;
}

/// What a PromQL expression names that nobody exposes.
QStringList strangersIn(QString query)
{
    static const QRegularExpression texts(QStringLiteral("\"[^\"]*\"")), ranges(QStringLiteral(R"(\[[^\]]*\])"));
    static const QRegularExpression selectors(QStringLiteral(R"(\{[^}]*\}|\b(?:by|without|on|ignoring) *\([^)]*\))"));
    static const QRegularExpression functions(QStringLiteral(R"([a-z_]+ *\()"));
    static const QStringList words{QStringLiteral("by"), QStringLiteral("without"), QStringLiteral("on"),
                                   QStringLiteral("and"), QStringLiteral("or")};
    query.remove(texts).remove(ranges);
    QStringList strangers;
    auto selected = selectors.globalMatch(query);
    while (selected.hasNext())
        for (const QString& label : identifiersOf(selected.next().captured()))
            if (!labelNames().contains(label) && !words.contains(label))
                strangers << label;
    query.remove(selectors);
    // A family that is followed by a bracket would look like a function: there is no such query.
    query.remove(functions);
    for (const QString& name : identifiersOf(query))
        if (!sampleNames().contains(name) && !words.contains(name))
            strangers << name;
    return strangers;
}

struct Query
{
    QString where, text;
};

QList<Query> queriesOf(const QJsonObject& dashboard)
{
    QList<Query> queries;
    for (const QJsonValue& panel : dashboard["panels"_L1].toArray())
        for (const QJsonValue& target : panel["targets"_L1].toArray())
            queries << Query{panel["title"_L1].toString(), target["expr"_L1].toString()};
    for (const QJsonValue& one : dashboard["annotations"_L1]["list"_L1].toArray())
        if (!one["expr"_L1].toString().isEmpty())
            queries << Query{one["name"_L1].toString(), one["expr"_L1].toString()};
    return queries;
}

QJsonObject dashboard()
{
    return QJsonDocument::fromJson(contentOf(QStringLiteral("packaging/grafana/switchgear-dashboard.json"))).object();
}

} // namespace

class TestMetricFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void manualHasTheSameTable();
    void queriesAreReadRightly_data();
    void queriesAreReadRightly();
    void manualAsksOnlyForWhatIsThere();
    void dashboardIsWhole();
    void dashboardAsksOnlyForWhatIsThere();
    void promtoolTakesTheDashboardsQueries();
    void alertsNameOnlyWhatIsThere();
    void promtoolTakesConfigurationAndAlerts();
};

void TestMetricFiles::manualHasTheSameTable()
{
    const QStringList lines = QString::fromUtf8(contentOf(QStringLiteral("docs/metrics.md"))).split(QLatin1Char('\n'));
    const qsizetype head =
        lines.indexOf(QStringLiteral("| Prometheus | OpenTelemetry | kind | unit | labels | what |"));
    QVERIFY(head >= 0);
    qsizetype at = head + 2;
    for (const MetricInfo& info : metricTable()) {
        QVERIFY(at < lines.size());
        QCOMPARE(lines[at], rowOf(info));
        ++at;
    }
    QVERIFY(at < lines.size() && !lines[at].startsWith(QLatin1Char('|')));
}

void TestMetricFiles::queriesAreReadRightly_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QStringList>("strangers");
    QTest::newRow("fine") << QStringLiteral("sum by (le) (rate(switchgear_requests_total{ending=\"x\"}[5m])) > 1")
                          << QStringList();
    QTest::newRow("family") << QStringLiteral("rate(switchgear_request_total[5m])")
                            << QStringList{QStringLiteral("switchgear_request_total")};
    QTest::newRow("suffix") << QStringLiteral("switchgear_requests + switchgear_wait_duration_seconds")
                            << QStringList{QStringLiteral("switchgear_requests"),
                                           QStringLiteral("switchgear_wait_duration_seconds")};
    QTest::newRow("label") << QStringLiteral("sum by (chain) (switchgear_requests_total{endpoint=~\"a\"})")
                           << QStringList{QStringLiteral("chain"), QStringLiteral("endpoint")};
}

void TestMetricFiles::queriesAreReadRightly()
{
    QFETCH(QString, query);
    QFETCH(QStringList, strangers);
    QCOMPARE(strangersIn(query), strangers);
}

void TestMetricFiles::manualAsksOnlyForWhatIsThere()
{
    const QString text = QString::fromUtf8(contentOf(QStringLiteral("docs/metrics.md")));
    static const QRegularExpression row(QStringLiteral("^\\| [^|]+ \\| `(.+)` \\|$"),
                                        QRegularExpression::MultilineOption);
    auto rows = row.globalMatch(text.mid(text.indexOf(QStringLiteral("## Useful questions"))));
    int seen = 0;
    while (rows.hasNext()) {
        const QString query = rows.next().captured(1).replace(QStringLiteral("\\|"), QStringLiteral("|"));
        QVERIFY2(strangersIn(query).isEmpty(), qPrintable(query));
        ++seen;
    }
    QVERIFY(seen >= 4);
}

void TestMetricFiles::dashboardIsWhole()
{
    const QJsonObject board = dashboard();
    QCOMPARE(board["title"_L1].toString(), QStringLiteral("Switchgear"));
    QSet<int> ids;
    QStringList variables;
    for (const QJsonValue& one : board["templating"_L1]["list"_L1].toArray())
        variables << one["name"_L1].toString();
    QVERIFY(variables.contains(QStringLiteral("datasource")));
    QList<QRect> places;
    for (const QJsonValue& panel : board["panels"_L1].toArray()) {
        QVERIFY2(!ids.contains(panel["id"_L1].toInt()), "an id twice");
        ids.insert(panel["id"_L1].toInt());
        const QJsonValue at = panel["gridPos"_L1];
        const QRect place(at["x"_L1].toInt(), at["y"_L1].toInt(), at["w"_L1].toInt(), at["h"_L1].toInt());
        QVERIFY(place.width() > 0 && place.height() > 0 && place.right() < 24);
        for (const QRect& other : std::as_const(places))
            QVERIFY2(!other.intersects(place), qPrintable(panel["title"_L1].toString()));
        places << place;
        if (panel["type"_L1].toString() == QLatin1String("row"))
            continue;
        QVERIFY2(!panel["targets"_L1].toArray().isEmpty(), qPrintable(panel["title"_L1].toString()));
        QCOMPARE(panel["datasource"_L1]["uid"_L1].toString(), QStringLiteral("${datasource}"));
    }
    // Only variables that are there, or Grafana's own.
    static const QRegularExpression use(QStringLiteral(R"(\$\{?([a-z]\w*))"));
    for (const Query& query : queriesOf(board)) {
        auto uses = use.globalMatch(query.text);
        while (uses.hasNext())
            QVERIFY2(variables.contains(uses.next().captured(1)), qPrintable(query.text));
    }
}

void TestMetricFiles::dashboardAsksOnlyForWhatIsThere()
{
    const QList<Query> queries = queriesOf(dashboard());
    QVERIFY(queries.size() > 25);
    for (const Query& query : queries)
        QVERIFY2(strangersIn(query.text).isEmpty(),
                 qPrintable(query.where + ": "_L1 + strangersIn(query.text).join(QLatin1Char(' '))));
    static const QRegularExpression asked(QStringLiteral(R"(^label_values\((\w+), (\w+)\)$)"));
    for (const QJsonValue& one : dashboard()["templating"_L1]["list"_L1].toArray()) {
        if (one["type"_L1].toString() != QLatin1String("query"))
            continue;
        const auto match = asked.match(one["query"_L1]["query"_L1].toString());
        QVERIFY(match.hasMatch());
        QVERIFY2(sampleNames().contains(match.captured(1)), qPrintable(match.captured(1)));
        QVERIFY2(labelNames().contains(match.captured(2)), qPrintable(match.captured(2)));
    }
}

void TestMetricFiles::promtoolTakesTheDashboardsQueries()
{
    if (promtool().isEmpty())
        QSKIP("promtool is not on this machine");
    QJsonArray rules;
    for (const Query& query : queriesOf(dashboard())) {
        QString text = query.text;
        text.replace(QStringLiteral("$__rate_interval"), QStringLiteral("5m"));
        static const QRegularExpression variable(QStringLiteral(R"(\$\w+)"));
        text.replace(variable, QStringLiteral(".*"));
        rules.append(QJsonObject{{QStringLiteral("record"), QStringLiteral("panel:%1").arg(rules.size())},
                                 {QStringLiteral("expr"), text}});
    }
    const QJsonObject group{{QStringLiteral("name"), QStringLiteral("dashboard")}, {QStringLiteral("rules"), rules}};
    QTemporaryDir directory;
    QFile file(directory.filePath(QStringLiteral("rules.yml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(QJsonObject{{QStringLiteral("groups"), QJsonArray{group}}}).toJson()); // JSON is YAML
    file.close();
    const QStringList arguments{QStringLiteral("check"), QStringLiteral("rules"), file.fileName()};
    QCOMPARE(promtoolSays(arguments), QString());
}

void TestMetricFiles::alertsNameOnlyWhatIsThere()
{
    const QString text = QString::fromUtf8(contentOf(QStringLiteral("packaging/prometheus/alerts.yml")));
    int seen = 0;
    for (const QString& name : identifiersOf(text)) {
        if (!name.startsWith(QLatin1String("switchgear_")) && !name.startsWith(QLatin1String("gen_ai_")))
            continue;
        ++seen;
        QVERIFY2(sampleNames().contains(name) || labelNames().contains(name), qPrintable(name));
    }
    QVERIFY(seen > 15);
}

void TestMetricFiles::promtoolTakesConfigurationAndAlerts()
{
    if (promtool().isEmpty())
        QSKIP("promtool is not on this machine");
    QTemporaryDir directory;
    for (const QString& path :
         {QStringLiteral("packaging/prometheus/scrape.yml"), QStringLiteral("packaging/prometheus/alerts.yml"),
          QStringLiteral("tests/data/alerts_test.yml")})
        QVERIFY(QFile::copy(pathOf(path), directory.filePath(QFileInfo(path).fileName())));
    QCOMPARE(promtoolSays(
                 {QStringLiteral("check"), QStringLiteral("config"), directory.filePath(QStringLiteral("scrape.yml"))}),
             QString());
    QCOMPARE(promtoolSays({QStringLiteral("test"), QStringLiteral("rules"),
                           directory.filePath(QStringLiteral("alerts_test.yml"))}),
             QString());
}

QTEST_APPLESS_MAIN(TestMetricFiles)
#include "tst_metric_files.moc"
