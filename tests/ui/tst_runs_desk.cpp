// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/plan_json.h"
#include "tests/ui/fake_history.h"
#include "tests/ui/load_desk.h"
#include "ui/load/compare/change_table.h"
#include "ui/load/compare/compare_view.h"
#include "ui/load/history/room_settings.h"
#include "ui/load/history/runs_desk.h"

#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>

using namespace sg;
using namespace sg::test;

namespace {

QJsonObject distribution(double scale)
{
    return {{QStringLiteral("count"), 1000},       {QStringLiteral("min"), 50 * scale},
            {QStringLiteral("p50"), 600 * scale},  {QStringLiteral("p90"), 1200 * scale},
            {QStringLiteral("p95"), 2000 * scale}, {QStringLiteral("p99"), 4000 * scale},
            {QStringLiteral("max"), 9000 * scale}};
}

history::RunRecord record(const char* id, double scale, int failed)
{
    history::RunRecord run;
    run.summary.id = QString::fromLatin1(id);
    run.summary.started = QDateTime(QDate(2026, 11, 20), QTime(13, 40), Qt::UTC);
    run.summary.name = QStringLiteral("Run ") + run.summary.id;
    run.summary.target = QStringLiteral("prod-chat");
    run.summary.verdict = QStringLiteral("missed");
    run.summary.figures = {{QStringLiteral("requests"), 1000},
                           {QStringLiteral("success"), 99.5},
                           {QStringLiteral("response.p95"), 2000 * scale}};
    run.plan = {{QStringLiteral("seed"), 1},
                {QStringLiteral("concurrency"), failed},
                {QStringLiteral("duration_ms"), QJsonValue()}};
    run.report = {
        {QStringLiteral("response_ms"), distribution(scale)},
        {QStringLiteral("metrics"),
         QJsonObject{{QStringLiteral("response"), QJsonObject{{QStringLiteral("success"), distribution(scale)}}}}},
        {QStringLiteral("outcomes"), QJsonObject{{QStringLiteral("success"), 1000 - failed},
                                                 {QStringLiteral("failed"), failed},
                                                 {QStringLiteral("cut_off"), 0}}},
        {QStringLiteral("objectives"),
         QJsonArray{QJsonObject{{QStringLiteral("met"), false}}, QJsonObject{{QStringLiteral("met"), true}}}},
        {QStringLiteral("seconds"), QJsonObject{{QStringLiteral("slot_ms"), 1000},
                                                {QStringLiteral("answered"), QJsonArray{10, 20, 0}},
                                                {QStringLiteral("failed"), QJsonArray{0, 5, 0}},
                                                {QStringLiteral("p95_ms"), QJsonArray{900, 1100, QJsonValue()}}}}};
    return run;
}

const ComparedMetric* metric(const Comparison& comparison, const char* name)
{
    for (const ComparedMetric& each : comparison.metrics)
        if (each.name == QLatin1String(name))
            return &each;
    return nullptr;
}

} // namespace

class TestRunsDesk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void reportsBecomeAComparison()
    {
        auto second = record("b", 0.5, 100);
        second.summary.isBaseline = true;
        const Comparison all = keptruns::comparisonOf({{record("a", 1, 5)}, {second}});
        QCOMPARE(all.reference, std::size_t(1));
        QCOMPARE(all.runs[0].verdictWords, QStringLiteral("missed 1 of 2 objectives"));
        QCOMPARE(all.runs[0].percentiles.size(), std::size_t(5));
        QCOMPARE(all.runs[0].moments.size(), std::size_t(3));
        QCOMPARE(all.runs[0].moments[1].failShare, std::optional(0.2));
        QVERIFY(!all.runs[0].moments[2].failShare && !all.runs[0].moments[2].p95Ms);
        QCOMPARE(differencesOf(all.runs).size(), std::size_t(1)); // what is not set in either is no difference
        const ComparedMetric* p95 = metric(all, "p95");
        QVERIFY(p95);
        QCOMPARE(p95->values[0], QStringLiteral("2.00\u202Fs"));
        QCOMPARE(p95->values[1], QStringLiteral("1.00\u202Fs"));
        QCOMPARE(p95->changes[0].change, std::optional(1.0)); // against the baseline, whichever place it has
        QVERIFY(!p95->changes[1].change);
        QVERIFY(wordOf(p95->changes[0], p95->isHigherBetter) == ChangeWord::NoClearChange); // no interval without rows
        const auto success =
            std::ranges::find_if(all.metrics, [](const ComparedMetric& m) { return m.changes[0].isPoints; });
        QVERIFY(success != all.metrics.end());
        QVERIFY(wordOf(success->changes[0], success->isHigherBetter) == ChangeWord::Better);
        QVERIFY(std::abs(*success->changes[0].change - 0.095) < 1e-9);
        QVERIFY(keptruns::comparisonOf({}).metrics.empty());
    }

    void anInvalidRunIsNeitherBetterNorWorse()
    {
        auto invalid = record("b", 0.5, 100);
        invalid.report.insert(
            QStringLiteral("verdict"),
            QJsonObject{{QStringLiteral("valid"), false}, {QStringLiteral("word"), QStringLiteral("INVALID")}});
        const Comparison all = keptruns::comparisonOf({{record("a", 1, 5)}, {invalid}});
        for (const ComparedMetric& one : all.metrics)
            QVERIFY(wordOf(one.changes[1], one.isHigherBetter) == ChangeWord::NotJudged);
        QVERIFY(!all.metrics.empty());
    }

    void summariesBecomeRows()
    {
        auto run = record("a", 1, 5).summary;
        run.verdict = QStringLiteral("INVALID");
        const RunRow row = keptruns::rowOf(run);
        QVERIFY(row.verdict == RunVerdict::Invalid);
        QCOMPARE(row.success, std::optional(0.995));
        QCOMPARE(row.p95Ms, std::optional(2000.0));
        QVERIFY(!row.p50Ms);
        QCOMPARE(row.cost, QStringLiteral("unknown"));
    }

    void theListComparesAndComesBack()
    {
        ThemeContext context;
        FakeHistory history;
        history.runs = {record("c", 1, 5), record("b", 0.5, 5), record("a", 1, 5)};
        RunsDesk desk(context, history);
        desk.resize(1300, 700);
        desk.show();
        desk.refresh();
        QTRY_COMPARE(desk.list()->runs().size(), std::size_t(3));
        desk.list()->select({QStringLiteral("c"), QStringLiteral("b")});
        Q_EMIT desk.list()->compareWanted(desk.list()->selected());
        QTRY_COMPARE(desk.currentWidget(), static_cast<QWidget*>(desk.comparison()));
        QCOMPARE(desk.comparison()->comparison().runs[0].id, QStringLiteral("b")); // from the oldest
        Q_EMIT desk.comparison()->baselineWanted(QStringLiteral("c"), true);
        QTRY_COMPARE(desk.comparison()->comparison().reference, std::size_t(1));
        Q_EMIT desk.comparison()->backWanted();
        QCOMPARE(desk.currentWidget(), static_cast<QWidget*>(desk.list()));
        QTRY_VERIFY(desk.list()->runs().front().isBaseline);
        Q_EMIT desk.list()->noteWanted(QStringLiteral("a"), QStringLiteral("first"));
        QTRY_COMPARE(desk.list()->runs().back().note, QStringLiteral("first"));
        Q_EMIT desk.list()->deleteWanted(QStringLiteral("b"));
        QTRY_COMPARE(desk.list()->runs().size(), std::size_t(2));
    }

    void reportsAreExportedByTheirSuffix()
    {
        QTemporaryDir dir;
        ThemeContext context;
        FakeHistory history;
        history.runs = {record("a", 1, 5)};
        RunsDesk desk(context, history);
        QSignalSpy said(&desk, &RunsDesk::said);
        QString name;
        for (const char* file : {"r.html", "r.md", "r.json"}) {
            desk.askReportPath = [&](QWidget*, const QString&) { return dir.filePath(QLatin1String(file)); };
            Q_EMIT desk.list()->reportWanted(QStringLiteral("a"));
            QTRY_VERIFY(QFile::exists(dir.filePath(QLatin1String(file))));
        }
        QFile page(dir.filePath(QStringLiteral("r.html")));
        QVERIFY(page.open(QIODevice::ReadOnly) && page.readAll().contains("<svg"));
        desk.askReportPath = [&](QWidget*, const QString&) { return dir.filePath(QStringLiteral("no/such/r.html")); };
        Q_EMIT desk.list()->reportWanted(QStringLiteral("a"));
        QTRY_COMPARE(said.count(), 4);
        QVERIFY(said.last().at(0).toString().contains(QStringLiteral("was not saved")));
    }

    void aPlanOfAnotherSessionIsTaken()
    {
        ThemeContext context;
        FakeHistory history;
        load::LoadPlan plan;
        plan.target = "prod-chat";
        plan.model = load::OpenModel{{{fromMs(30000), 5, 25}}, load::Arrivals::Poisson, 100};
        plan.seed = 4242;
        history.runs = {record("a", 1, 5), record("old", 1, 5)};
        history.runs[0].plan = load::planJson(plan, load::PlanDetail::Whole);
        history.runs[1].plan = {{QStringLiteral("seed"), 7}};
        FakeLoadControl control;
        LoadPage page(context, control, &history);
        page.showRuns();
        Q_EMIT page.runs()->list()->planWanted(QStringLiteral("a"));
        QTRY_COMPARE(page.form()->plan().seed, std::uint64_t(4242));
        QVERIFY(page.form()->plan().model == plan.model);
        // One that is not whole is refused with the reason, and changes nothing.
        page.showRuns();
        page.resize(1300, 800);
        page.show();
        Q_EMIT page.runs()->list()->planWanted(QStringLiteral("old"));
        auto* banner = page.runs()->list()->findChild<Banner*>();
        QTRY_VERIFY(banner->text().contains(QStringLiteral("older versions")));
        QCOMPARE(page.form()->plan().seed, std::uint64_t(4242));
    }

    void roomPinsAndNoticesAreShown()
    {
        ThemeContext context;
        FakeHistory history;
        history.runs = {record("b", 1, 5), record("a", 1, 5)};
        history.runs[1].summary.verdict = QStringLiteral("cut off");
        history.bytes = 2'100'000'000;
        history.notice = QStringLiteral("The oldest 3 runs were deleted.");
        RunsDesk desk(context, history);
        desk.resize(1300, 700);
        desk.show();
        desk.refresh();
        QTRY_COMPARE(desk.list()->runs().size(), std::size_t(2));
        QVERIFY(desk.list()->runs()[1].verdict == RunVerdict::CutOff);
        const auto says = [&](const QString& words) {
            const auto labels = desk.list()->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains(words); });
        };
        QTRY_VERIFY(says(QStringLiteral("2.1 GB of 5 GB")));
        QVERIFY(says(QStringLiteral("oldest 3 runs")));
        Q_EMIT desk.list()->pinWanted(QStringLiteral("b"), true);
        QTRY_VERIFY(desk.list()->runs().front().isPinned);
        if (const QString shots = qEnvironmentVariable("SWITCHGEAR_TEST_SHOTS"); !shots.isEmpty())
            QVERIFY(desk.grab().save(shots + QStringLiteral("/kept-runs.png")));
    }

    void limitsAreSetWithTheSettings()
    {
        ThemeContext context;
        FakeHistory history;
        history.kept.runs = 77;
        RoomSettings settings(context, history);
        settings.show();
        auto* runs = settings.findChild<QSpinBox*>();
        QTRY_COMPARE(runs->value(), 77);
        runs->setValue(42);
        settings.findChild<QDoubleSpinBox*>()->setValue(2.5);
        QTRY_COMPARE(history.kept.bytes, std::int64_t(2'500'000'000));
        QCOMPARE(history.kept.runs, std::int64_t(42));
    }

    void requestsAreExported()
    {
        const QTemporaryDir dir;
        QFile rows(dir.filePath(QStringLiteral("rows.csv")));
        QVERIFY(rows.open(QIODevice::WriteOnly));
        rows.write("intended_ms,end_ms,outcome\r\n0.5,10.25,success\r\n");
        rows.close();
        ThemeContext context;
        FakeHistory history;
        history.runs = {record("a", 1, 5)};
        history.rows = rows.fileName();
        RunsDesk desk(context, history);
        QSignalSpy said(&desk, &RunsDesk::said);
        const auto exported = [&](const QString& name) {
            const QString path = dir.filePath(name);
            desk.askReportPath = [path](QWidget*, const QString&) { return path; };
            const auto before = said.count();
            Q_EMIT desk.list()->reportWanted(QStringLiteral("a"));
            if (!QTest::qWaitFor([&] { return said.count() > before; }))
                return QByteArray();
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        QCOMPARE(exported(QStringLiteral("r.csv")), QByteArray("intended_ms,end_ms,outcome\r\n0.5,10.25,success\r\n"));
        QCOMPARE(exported(QStringLiteral("r.local.csv")),
                 QByteArray("\xef\xbb\xbf\"intended_ms\";\"end_ms\";\"outcome\"\r\n\"0,5\";\"10,25\";\"success\"\r\n"));
        QLocale::setDefault(QLocale::c());
        history.rows.clear();
        exported(QStringLiteral("none.csv"));
        QVERIFY(said.last().at(0).toString().contains(QStringLiteral("were not kept")));
        QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("none.csv"))));
    }

    void aComparisonIsExportedWhole()
    {
        QTemporaryDir dir;
        ThemeContext context;
        FakeHistory history;
        history.runs = {record("b", 0.5, 5), record("a", 1, 5)};
        history.runs[0].summary.isBaseline = true;
        RunsDesk desk(context, history);
        QSignalSpy said(&desk, &RunsDesk::said);
        Q_EMIT desk.comparison()->exportWanted(); // nothing is compared yet
        QCOMPARE(said.count(), 0);
        Q_EMIT desk.list()->compareWanted({QStringLiteral("a"), QStringLiteral("b")});
        QTRY_COMPARE(desk.currentWidget(), static_cast<QWidget*>(desk.comparison()));
        for (const char* file : {"c.html", "c.md"}) {
            desk.askReportPath = [&](QWidget*, const QString&) { return dir.filePath(QLatin1String(file)); };
            Q_EMIT desk.comparison()->exportWanted();
        }
        QFile page(dir.filePath(QStringLiteral("c.html"))), summary(dir.filePath(QStringLiteral("c.md")));
        QVERIFY(page.open(QIODevice::ReadOnly) && summary.open(QIODevice::ReadOnly));
        const QByteArray html = page.readAll();
        QVERIFY(html.contains("Run a") && html.contains("Comparison with Run b")); // the baseline comes first
        QVERIFY(summary.readAll().startsWith("### Comparison with Run b"));
        QCOMPARE(said.count(), 2);
    }

    void troubleIsSaidWithAWayOn()
    {
        ThemeContext context;
        FakeHistory history;
        history.error = history::HistoryError{history::HistoryFault::Locked, QStringLiteral("Another program writes."),
                                              QStringLiteral("Try again.")};
        RunsDesk desk(context, history);
        desk.resize(1300, 700);
        desk.show();
        desk.refresh();
        auto* banner = desk.list()->findChild<Banner*>();
        QTRY_VERIFY(banner->isVisible());
        QVERIFY(banner->text().contains(QStringLiteral("Another program writes.")));
        QSignalSpy said(&desk, &RunsDesk::said);
        desk.keep(record("x", 1, 0));
        QTRY_COMPARE(said.count(), 1);
        history.error.reset();
        desk.refresh();
        QTRY_VERIFY(!banner->isVisible());
    }

    void aRunIsKeptBeforeTheNextAndBeforeThePageGoes()
    {
        ThemeContext context;
        FakeLoadControl control;
        FakeHistory history;
        const auto ended = [](const char* id) {
            load::RunProgress run = sample::finished();
            run.id = QString::fromLatin1(id);
            run.began = QDateTime(QDate(2026, 11, 20), QTime(13, 40), Qt::UTC);
            run.lock = std::make_shared<history::RunLock>();
            return sample::shared(run);
        };
        {
            LoadPage page(context, control, &history);
            control.picture = ended("first"); // between two looks
            page.start();
            QCOMPARE(control.started.size(), std::size_t(1));
            QCOMPARE(history.runs.size(), std::size_t(1));
            control.picture = ended("second");
            page.poll();
            QCOMPARE(history.runs.size(), std::size_t(2));
            control.picture = ended("third");
        }
        QCOMPARE(history.runs.size(), std::size_t(3));
        QCOMPARE(history.runs.front().summary.id, QStringLiteral("third"));
    }

    void rowsThatCannotBeWrittenAreSaidOnce()
    {
        ThemeContext context;
        FakeLoadControl control;
        LoadPage page(context, control);
        page.resize(1300, 800);
        page.show();
        load::RunProgress run = sample::finished();
        run.state = load::RunState::Running;
        run.report = {};
        run.rowsProblem =
            QStringLiteral("/full/run.csv: the requests cannot be written. The run goes on without them.");
        control.picture = sample::shared(run);
        page.poll();
        auto* banner = page.findChild<Banner*>();
        QTRY_VERIFY(banner->isVisible());
        QVERIFY(banner->text().contains(QStringLiteral("goes on without them")));
        banner->clear(); // put away
        control.picture = sample::shared(run);
        page.poll();
        QVERIFY(!banner->isVisible());
    }

    void endedRunsAreKeptOnceEvenWhenHidden()
    {
        ThemeContext context;
        FakeHistory history;
        FakeLoadControl control;
        LoadPage page(context, control, &history); // never shown
        load::RunProgress run = sample::finished();
        run.id = QStringLiteral("20261120T134000000-3f9a61c2");
        run.began = QDateTime(QDate(2026, 11, 20), QTime(13, 40), Qt::UTC);
        control.picture = sample::shared(run);
        QTRY_COMPARE(history.runs.size(), std::size_t(1));
        QCOMPARE(history.runs[0].summary.id, run.id);
        control.picture = sample::shared(run); // another picture of the same run
        page.poll();
        page.showRuns();
        QTRY_COMPARE(page.runs()->list()->runs().size(), std::size_t(1));
        QCOMPARE(history.runs.size(), std::size_t(1));
    }
};

int main(int argc, char** argv)
{
    return runLoadTest<TestRunsDesk>(argc, argv);
}
#include "tst_runs_desk.moc"
