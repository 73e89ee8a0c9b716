// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/form_desk.h"
#include "ui/chains/breaker_form.h"
#include "ui/chains/breaker_words.h"
#include "ui/edit/choice_field.h"
#include "ui/edit/section_head.h"

#include <QCheckBox>
#include <QToolButton>

using namespace sg;
using namespace sg::test;
using policy::BreakerConfig;

namespace {

BreakerConfig usual()
{
    BreakerConfig config;
    config.failureRate = 0.5;
    config.minimumCalls = 20;
    config.open = Millis(15000);
    config.maxOpen = Millis(60000);
    config.halfOpenMaxProbes = 3;
    return config;
}

struct Edit
{
    QString words, field;
};

struct Scene
{
    explicit Scene(const BreakerConfig& config = usual(), ui::ThemeMode mode = ui::ThemeMode::Dark)
        : desk(mode)
        , form(new ui::BreakerForm(desk.theme))
    {
        library.breakers["patient"] = [] {
            BreakerConfig c;
            c.consecutiveFailures = 10;
            return c;
        }();
        form->setBreaker(config, {}, library);
        QObject::connect(form, &ui::BreakerForm::edited, form, [this](const QString& words, const QString& field) {
            edits.push_back({words, field});
        });
        QObject::connect(form, &ui::BreakerForm::left, form, [this] { ++leaves; });
        desk.put(form);
    }
    FormDesk desk;
    workspace::PolicyLibrary library;
    ui::BreakerForm* form;
    std::vector<Edit> edits;
    int leaves = 0;
};

using Expect = std::function<bool(const BreakerConfig&)>;

} // namespace
Q_DECLARE_METATYPE(Expect)

class TestBreakerForm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void fieldsChangeTheBreaker_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<Expect>("expected");
        const auto row = [](const char* field, const char* typed, Expect expected) {
            QTest::newRow(field) << QByteArray(field) << QByteArray(typed) << std::move(expected);
        };
        row("failure_rate", "35", [](const auto& c) { return c.failureRate == 0.35; });
        row("window.window_ms", "90", [](const auto& c) {
            return std::get<policy::TimeWindow>(c.window) == policy::TimeWindow{Millis(90000), Millis(1000)};
        });
        row("minimum_calls", "7", [](const auto& c) { return c.minimumCalls == 7; });
        row("open_ms", "2.5", [](const auto& c) { return c.open == Millis(2500); });
        row("max_open_ms", "120", [](const auto& c) { return c.maxOpen == Millis(120000); });
        row("half_open_max_probes", "4", [](const auto& c) { return c.halfOpenMaxProbes == 4; });
        row("consecutive_failures", "6", [](const auto& c) { return c.consecutiveFailures == 6; });
        row("rate_limited_share", "60", [](const auto& c) { return c.rateLimitedShare == 0.6; });
        row("slow_rate", "80", [](const auto& c) { return c.slowRate == 0.8; });
        row("slow_call_ms", "4", [](const auto& c) { return c.slowCall == Nanos(Millis(4000)); });
        row("open_multiplier", "1.5", [](const auto& c) { return c.openMultiplier == 1.5; });
        row("open_jitter", "10", [](const auto& c) { return c.openJitter == 0.1; });
        row("half_open_successes", "2", [](const auto& c) { return c.halfOpenSuccesses == 2; });
        row("half_open_deadline_ms", "9", [](const auto& c) { return c.halfOpenDeadline == Nanos(Millis(9000)); });
        row("call_timeout_ms", "30", [](const auto& c) { return c.callTimeout == Nanos(Millis(30000)); });
    }
    void fieldsChangeTheBreaker()
    {
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, typed);
        QFETCH(Expect, expected);
        Scene scene;
        scene.form->setMoreShown(true);
        QVERIFY(!expected(scene.form->breaker()));
        scene.desk.type(field.constData(), typed.constData());
        QVERIFY(expected(scene.form->breaker()));
        QVERIFY(!scene.edits.empty());
        for (const Edit& edit : scene.edits) {
            QCOMPARE(edit.field, QString::fromUtf8(field)); // so that they merge
            QVERIFY(!edit.words.isEmpty());
        }
        QVERIFY(scene.leaves > 0);
        QVERIFY(!scene.desk.find<QLineEdit>(field.constData())->accessibleName().isEmpty());
    }

    void rulesCanBeSwitchedOff()
    {
        Scene scene;
        scene.desk.type("failure_rate", "");
        QVERIFY(!scene.form->breaker().failureRate);
        QCOMPARE(scene.desk.find<QLineEdit>("failure_rate")->placeholderText(), QStringLiteral("off"));
        QVERIFY(scene.form->accessibleDescription().contains(QStringLiteral("never trips")));
    }

    void choicesAreOneEditEach()
    {
        Scene scene;
        scene.form->setMoreShown(true);
        const auto segments = scene.form->findChildren<ui::Segments*>();
        QCOMPARE(segments.size(), 2);
        segments[0]->findChildren<QToolButton*>()[1]->click();
        QVERIFY(scene.form->breaker().rateLimitedCountsAs == policy::RateLimitedCountsAs::Share);
        segments[1]->findChildren<QToolButton*>()[1]->click();
        QVERIFY(std::holds_alternative<policy::CountWindow>(scene.form->breaker().window));
        QVERIFY(!scene.desk.find("window.window_ms")->isVisible());
        scene.desk.type("window.size", "50");
        QCOMPARE(std::get<policy::CountWindow>(scene.form->breaker().window).size, 50);
        auto* metrics = scene.desk.find<QCheckBox>("metrics_only");
        metrics->setFocus();
        QTest::keyClick(metrics, Qt::Key_Space);
        QVERIFY(scene.form->breaker().metricsOnly);
        QVERIFY(scene.edits.back().field.isEmpty());
    }

    void aWindowKeepsWholeBuckets()
    {
        Scene scene;
        scene.desk.type("window.window_ms", "7.5");
        const auto window = std::get<policy::TimeWindow>(scene.form->breaker().window);
        QCOMPARE(window.bucket, Nanos(Millis(500)));
        QVERIFY(!policy::checkBreakerConfig(scene.form->breaker()));
    }

    void findingsStandAtTheirField()
    {
        Scene scene;
        scene.desk.type("max_open_ms", "5");
        QCOMPARE(scene.form->problemAt(QStringLiteral("max_open_ms")),
                 QStringLiteral("Must be at least “Open for”, 15\u202Fs"));
        QVERIFY(scene.desk.find("max_open_ms")->property("wrong").toBool());
        QVERIFY(scene.desk.find("max_open_ms")->accessibleDescription().contains(QStringLiteral("Open for")));
        scene.desk.type("open_ms", "5"); // mended from the other side
        QCOMPARE(scene.form->problemAt(QStringLiteral("max_open_ms")), QString());
        QVERIFY(!scene.desk.find("max_open_ms")->property("wrong").toBool());
    }

    void aFindingAmongTheRarerRulesUnfoldsThem()
    {
        BreakerConfig config = usual();
        config.rateLimitedShare = 0.5;
        Scene scene(config);
        QVERIFY(scene.form->isMoreShown());
        QVERIFY(scene.form->problemAt(QStringLiteral("rate_limited_share")).contains(QStringLiteral("apart")));
    }

    void policiesComeFromTheLibraryAndBecomeOwnWhenChanged()
    {
        Scene scene;
        auto* library = scene.desk.find<ui::ChoiceField>("breaker_policy");
        QCOMPARE(library->currentText(), QStringLiteral("Own settings"));
        library->setFocus();
        QTest::keyClick(library, Qt::Key_Down);
        QCOMPARE(QString::fromStdString(scene.form->policy()), QStringLiteral("patient"));
        QVERIFY(scene.form->breaker() == scene.library.breakers["patient"]);
        QCOMPARE(scene.edits.size(), 1u);
        scene.desk.type("open_ms", "3");
        QVERIFY(scene.form->policy().empty());
        QCOMPARE(library->currentText(), QStringLiteral("Own settings"));
    }

    void changesFromOutsideKeepTheTypingHand()
    {
        Scene scene;
        scene.desk.type("open_ms", "2.", false);
        auto* field = scene.desk.find<QLineEdit>("open_ms");
        BreakerConfig config = scene.form->breaker();
        config.halfOpenMaxProbes = 9;
        scene.form->setBreaker(config, {}, scene.library);
        QCOMPARE(field->text(), QStringLiteral("2."));
        QVERIFY(field->hasFocus());
        QCOMPARE(scene.desk.find<QLineEdit>("half_open_max_probes")->text(), QStringLiteral("9"));
        const auto before = scene.edits.size();
        scene.form->setBreaker(usual(), {}, scene.library);
        QCOMPARE(field->text(), QStringLiteral("15"));
        QVERIFY(field->hasFocus());
        QCOMPARE(scene.edits.size(), before);
    }

    void pictures()
    {
        for (const auto mode : {ui::ThemeMode::Dark, ui::ThemeMode::Light}) {
            BreakerConfig config = usual();
            Scene scene(config, mode);
            scene.desk.shoot("breaker");
            config.maxOpen = Millis(5000);
            config.window = policy::CountWindow{100};
            config.consecutiveFailures = 100000;
            config.slowRate = 0.333;
            config.slowCall = Millis(86400000);
            config.open = Millis(86400000);
            scene.form->setBreaker(config, "gone policy with a long name", scene.library);
            scene.form->setMoreShown(true);
            scene.desk.shoot("breaker-more");
            QVERIFY(scene.form->minimumSizeHint().width() <= 248);
        }
    }
};

QTEST_MAIN(TestBreakerForm)
#include "tst_breaker_form.moc"
