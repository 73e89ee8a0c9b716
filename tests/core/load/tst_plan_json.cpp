// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/plan_json.h"
#include "core/load/prompts.h"
#include "core/load/schedule.h"
#include "tests/support/literals.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace sg;
using namespace test;
using namespace load;

namespace {

using Kind = stats::Distribution::Kind;

LoadPlan basic()
{
    LoadPlan plan;
    plan.target = "prod-chat";
    plan.stop.requests = 100;
    return plan;
}

stats::Distribution lognormal()
{
    stats::Distribution read;
    read.kind = Kind::Lognormal;
    read.median = 512.3;
    read.sigma = 0.61;
    read.most = 4096;
    return read;
}

stats::Distribution twoHumped()
{
    stats::Distribution read;
    read.kind = Kind::TwoHumped;
    read.median = 100;
    read.sigma = 0.1;
    read.secondMedian = 900.5;
    read.secondShare = 0.25;
    return read;
}

LoadPlan closedPlan()
{
    LoadPlan plan = basic();
    stats::Distribution think;
    think.kind = Kind::Uniform;
    think.low = 250;
    think.high = 1750.125;
    plan.model = ClosedModel{37, fromMs(1234.000001), think};
    plan.synthetic = SyntheticPrompts{lognormal(), twoHumped(), 64};
    plan.repeatShare = 0.3;
    plan.seed = (std::uint64_t{1} << 63) + 12345;
    return plan;
}

LoadPlan openPlan()
{
    LoadPlan plan = basic();
    plan.targetKind = TargetKind::Endpoint;
    plan.target = "gpt-4.1, \"eu\"";
    plan.model = OpenModel{{{fromMs(20000), 0, 10}, {fromMs(60000.5), 10, 1.0 / 3}}, Arrivals::Constant, 321};
    plan.stop = {5000, fromMs(70000), 0.2, 1.25, fromMs(5000), true};
    plan.warmUp = fromMs(5000);
    plan.coolDown = fromMs(2500);
    plan.objectives = measure::parseObjectives("p95<2s,success>99.5%,ttft.p99<800ms,goodput>9/s,mean<=1.5s").value();
    plan.stream = false;
    plan.maxTokens = 77;
    return plan;
}

LoadPlan sweepPlan()
{
    LoadPlan plan = basic();
    plan.model = SweepModel{1.5, 200, 1.3, fromMs(7000), Arrivals::Poisson, 99};
    plan.prompts =
        std::vector{Prompt{QStringLiteral("say \"hi\"\n🌍"), 12, {}},
                    Prompt{{},
                           {},
                           {{"system", QStringLiteral("be brief"), {}},
                            {"user", QStringLiteral("x"), {{QStringLiteral("name"), QStringLiteral("y")}}}}}};
    return plan;
}

LoadPlan replayPlan()
{
    LoadPlan plan = basic();
    std::vector<Nanos> offsets;
    for (int i = 0; i < 50; ++i)
        offsets.push_back(Nanos(i * 1'234'567'891LL + i * i));
    plan.model = ReplayModel{std::make_shared<const std::vector<Nanos>>(offsets), 1.7, 55};
    return plan;
}

LoadPlan urlPlan()
{
    LoadPlan plan = basic();
    aimAt(plan, {QStringLiteral("http://127.0.0.1:8787/v1"),
                 QStringLiteral("prod-chat"),
                 {workspace::KeySource::Environment, QStringLiteral("GATEWAY_TOKEN")}});
    return plan;
}

/// As it comes back from a file.
QJsonObject stored(const LoadPlan& plan, PlanDetail detail = PlanDetail::Whole)
{
    return QJsonDocument::fromJson(QJsonDocument(planJson(plan, detail)).toJson()).object();
}

QByteArray textOf(const QJsonObject& json)
{
    return QJsonDocument(json).toJson();
}

bool haveSameModel(const LoadModel& a, const LoadModel& b)
{
    const auto* first = std::get_if<ReplayModel>(&a);
    const auto* second = std::get_if<ReplayModel>(&b);
    if (!first || !second)
        return a == b;
    return *first->offsets == *second->offsets && first->speed == second->speed &&
           first->mostInFlight == second->mostInFlight;
}

class TestPlanJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasWrittenIsRead_data()
    {
        QTest::addColumn<LoadPlan>("plan");
        QTest::newRow("closed, synthetic") << closedPlan();
        QTest::newRow("open, rules and objectives") << openPlan();
        QTest::newRow("sweep, prompts") << sweepPlan();
        QTest::newRow("replay") << replayPlan();
        QTest::newRow("a URL") << urlPlan();
    }
    void whatWasWrittenIsRead()
    {
        QFETCH(LoadPlan, plan);
        const auto read = readPlan(stored(plan));
        QVERIFY2(read, qPrintable(read ? QString() : read.error()));
        QVERIFY(haveSameModel(read->model, plan.model));
        QVERIFY(read->stop == plan.stop);
        QVERIFY(read->objectives == plan.objectives);
        QVERIFY(read->synthetic == plan.synthetic);
        QCOMPARE(read->target, plan.target);
        QVERIFY(read->targetKind == plan.targetKind);
        QVERIFY(read->url == plan.url);
        QCOMPARE(read->seed, plan.seed);
        QVERIFY(read->warmUp == plan.warmUp && read->coolDown == plan.coolDown);
        // Whatever a plan holds, and what comes to it later, is in its JSON.
        QCOMPARE(textOf(planJson(*read, PlanDetail::Whole)), textOf(planJson(plan, PlanDetail::Whole)));
    }

    void theSameSeedMakesTheSameScheduleAndPrompts()
    {
        for (std::uint64_t seed = 1; seed <= 25; ++seed) {
            LoadPlan plan = seed % 3 == 0 ? openPlan() : seed % 3 == 1 ? sweepPlan() : replayPlan();
            plan.seed = seed * 7919;
            plan.repeatShare = 0.2;
            if (auto* open = std::get_if<OpenModel>(&plan.model))
                open->arrivals = Arrivals::Poisson;
            const auto read = readPlan(stored(plan));
            QVERIFY2(read, qPrintable(read ? QString() : read.error()));
            Schedule before(plan.model, plan.seed), after(read->model, read->seed);
            PromptSource asked(plan), again(*read);
            int arrivals = 0;
            for (; before.peek() && arrivals < 2000; ++arrivals, before.pop(), after.pop()) {
                QVERIFY(before.peek() == after.peek());
                const auto first = asked.next(), second = again.next();
                QCOMPARE(first.messages.back().text, second.messages.back().text);
                QVERIFY(first.sampling == second.sampling);
            }
            QVERIFY(arrivals > 0);
            QVERIFY(!after.peek() || arrivals == 2000);
        }
    }

    void settingsHoldNoPrompts()
    {
        const QJsonObject settings = stored(sweepPlan(), PlanDetail::Settings);
        QVERIFY(!textOf(settings).contains("be brief"));
        QCOMPARE(settings[u"prompt_count"].toInt(), 2);
        const auto read = readPlan(settings);
        QVERIFY(!read);
        QVERIFY2(read.error().contains(u"--prompts"), qPrintable(read.error()));
        // With the file it is the same plan; with another it is none.
        const auto again = readPlan(settings, PromptFile{sweepPlan().prompts.all(), {}});
        QVERIFY2(again, qPrintable(again ? QString() : again.error()));
        QCOMPARE(again->prompts.size(), std::size_t(2));
        const auto other = readPlan(settings, PromptFile{{Prompt{QStringLiteral("other")}}, {}});
        QVERIFY(!other);
        QVERIFY2(other.error().contains(u"other than"), qPrintable(other.error()));
    }

    void tooManyPromptsAreNamedOnly()
    {
        LoadPlan plan = basic();
        plan.prompts = std::vector<Prompt>(5, Prompt{QString(1024 * 1024, u'x')});
        const QJsonObject json = stored(plan);
        QVERIFY(!json.contains("prompt_list"_L1));
        QVERIFY(textOf(json).size() < 4096);
        QVERIFY(readPlan(json, PromptFile{plan.prompts.all(), {}}));
    }

    void whatIsNotUnderstoodIsSaid_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QJsonValue>("value");
        QTest::addColumn<QString>("words");
        QTest::newRow("newer version") << QStringLiteral("format") << QJsonValue(QStringLiteral("switchgear-plan/2"))
                                       << QStringLiteral("switchgear-plan/2");
        QTest::newRow("older version") << QStringLiteral("format") << QJsonValue() << QStringLiteral("older versions");
        QTest::newRow("unknown field") << QStringLiteral("jitter") << QJsonValue(1) << QStringLiteral("jitter");
        QTest::newRow("wrong type") << QStringLiteral("stream") << QJsonValue(QStringLiteral("yes"))
                                    << QStringLiteral("stream");
        QTest::newRow("out of range") << QStringLiteral("repeat_share") << QJsonValue(1.5)
                                      << QStringLiteral("repeat_share");
        QTest::newRow("seed") << QStringLiteral("seed") << QJsonValue(-3) << QStringLiteral("seed");
        QTest::newRow("objective") << QStringLiteral("objectives") << QJsonValue(QJsonArray{QStringLiteral("p95>>1")})
                                   << QStringLiteral("objectives[0]");
        QTest::newRow("model") << QStringLiteral("model")
                               << QJsonValue(QJsonObject{{QStringLiteral("kind"), QStringLiteral("wave")}})
                               << QStringLiteral("wave");
        QTest::newRow("no model") << QStringLiteral("model") << QJsonValue() << QStringLiteral("model");
        QTest::newRow("what cannot run") << QStringLiteral("requests") << QJsonValue() << QStringLiteral("no end");
    }
    void whatIsNotUnderstoodIsSaid()
    {
        QFETCH(QString, field);
        QFETCH(QJsonValue, value);
        QFETCH(QString, words);
        QJsonObject json = stored(closedPlan());
        json.insert(field, value);
        const auto read = readPlan(json);
        QVERIFY(!read);
        QVERIFY2(read.error().contains(words), qPrintable(read.error()));
        QVERIFY(read.error().endsWith(u'.'));
    }

    void itIsFoundInReportsAndRunFiles()
    {
        const QJsonObject plan = stored(openPlan());
        QCOMPARE(planIn(plan), plan);
        QCOMPARE(
            planIn({{QStringLiteral("format"), QStringLiteral("switchgear-run/1")}, {QStringLiteral("plan"), plan}}),
            plan);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestPlanJson)
#include "tst_plan_json.moc"
