// SPDX-License-Identifier: GPL-3.0-or-later
// Load tests of an address: the plan, what is asked before, and what stays unknown.
#include "tests/ui/load_desk.h"

#include "ui/load/answers_view.h"
#include "ui/load/form/url_part.h"
#include "ui/load/run_view.h"
#include "ui/load/start_question.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

using namespace sg;
using namespace sg::test;

namespace {

FakeLoadControl withGateway(bool serves = true)
{
    FakeLoadControl control;
    control.ownGateway = load::OwnGateway{QStringLiteral("http://127.0.0.1:8787/v1"),
                                          {"prod-chat", "batch"},
                                          {workspace::KeySource::Environment, QStringLiteral("GATEWAY_TOKEN")},
                                          serves};
    return control;
}

load::LoadPlan planTo(const char* address)
{
    load::LoadPlan plan;
    plan.stop.requests = 100;
    load::aimAt(plan, {QString::fromLatin1(address), QStringLiteral("m")});
    return plan;
}

/// The page with the third target chosen.
struct UrlDesk : Desk
{
    explicit UrlDesk(FakeLoadControl control = withGateway())
        : Desk(std::move(control))
    {
        named<QToolButton>(QStringLiteral("Target: URL"))->click();
    }
    QLineEdit* line(const char* name) const { return page->findChild<QLineEdit*>(QString::fromLatin1(name)); }
    QComboBox* box(const char* name) const { return page->findChild<QComboBox*>(QString::fromLatin1(name)); }
    QString label(const char* name) const { return page->findChild<QLabel*>(QString::fromLatin1(name))->text(); }
    load::LoadPlan plan() const { return page->form()->plan(); }
    const QString& problem() const { return page->form()->problem(); }
};

} // namespace

class TestLoadUrl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theOwnGatewayIsOfferedWithItsChains()
    {
        UrlDesk desk;
        QVERIFY2(desk.problem().isEmpty(), qPrintable(desk.problem()));
        const load::LoadPlan plan = desk.plan();
        QVERIFY(plan.targetKind == load::TargetKind::Url);
        QVERIFY(plan.url);
        QCOMPARE(plan.url->baseUrl, QStringLiteral("http://127.0.0.1:8787/v1"));
        QCOMPARE(plan.url->model, QStringLiteral("prod-chat"));
        QCOMPARE(plan.url->key.name, QStringLiteral("GATEWAY_TOKEN"));
        QCOMPARE(desk.box("urlModel")->count(), 2);
        QVERIFY(desk.label("urlWhat").contains(QStringLiteral("Your own gateway")));
        QCOMPARE(load::targetName(plan), QStringLiteral("prod-chat at 127.0.0.1:8787"));
    }

    void aGatewayThatIsOffIsSaid()
    {
        UrlDesk desk(withGateway(false));
        QVERIFY(desk.problem().contains(QStringLiteral("gateway is off")));
        desk.control.ownGateway->serves = true;
        desk.page->reloadTargets();
        QVERIFY2(desk.problem().isEmpty(), qPrintable(desk.problem()));
    }

    void whatSomebodyWroteStays()
    {
        UrlDesk desk;
        desk.line("urlAddress")->setText(QStringLiteral("http://127.0.0.1:9/v1"));
        desk.control.ownGateway->chains = {"other"};
        desk.page->reloadTargets();
        QCOMPARE(desk.plan().url->baseUrl, QStringLiteral("http://127.0.0.1:9/v1"));
        desk.named<QToolButton>(QStringLiteral("Target: Chain"))->click();
        QVERIFY(!desk.plan().url);
        QVERIFY(desk.plan().targetKind == load::TargetKind::Chain);
        QVERIFY(!desk.page->form()->url()->isVisible());
    }

    void wrongFieldsAreMarked_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("typed");
        QTest::newRow("no address") << QByteArray("urlAddress") << QStringLiteral("here");
        QTest::newRow("a key in the address") << QByteArray("urlAddress") << QStringLiteral("http://a:b@127.0.0.1/v1");
        QTest::newRow("no key name") << QByteArray("urlKeyName") << QString();
        QTest::newRow("the key itself") << QByteArray("urlKeyName") << QStringLiteral("sk-live-0123456789abcdefghij");
    }

    void wrongFieldsAreMarked()
    {
        QFETCH(QByteArray, field);
        QFETCH(QString, typed);
        UrlDesk desk;
        QLineEdit* line = desk.line(field.constData());
        line->setText(typed);
        Q_EMIT line->editingFinished();
        QVERIFY(!desk.problem().isEmpty());
        QVERIFY(line->property("wrong").toBool());
        desk.press(Qt::Key_Return);
        QVERIFY(desk.control.started.empty());
    }

    void aKeyThatIsNotThereIsSaid()
    {
        FakeLoadControl control = withGateway();
        control.keyWords = QStringLiteral("GATEWAY_TOKEN is not set. Set it and start the program anew.");
        UrlDesk desk(control);
        QCOMPARE(desk.problem(), control.keyWords);
        QVERIFY(desk.line("urlKeyName")->property("wrong").toBool());
        desk.box("urlKeyPlace")->setCurrentIndex(0);
        QVERIFY(desk.problem().isEmpty());
    }

    void aTestSaysHowTheAddressStandsAndOffersItsModels()
    {
        FakeLoadControl control = withGateway();
        control.testAnswer.words = QStringLiteral("Works: 2 models listed in 8 ms. \"m\" is not among them.");
        control.testAnswer.remedy = QStringLiteral("Did you mean \"m1\"?");
        control.testAnswer.models = {QStringLiteral("m1"), QStringLiteral("m2")};
        UrlDesk desk(control);
        desk.line("urlAddress")->setText(QStringLiteral("http://127.0.0.1:9/v1"));
        desk.box("urlModel")->setCurrentText(QStringLiteral("m"));
        desk.page->findChild<QPushButton*>(QStringLiteral("urlTest"))->click();
        QCOMPARE(desk.control.tested.size(), 1u);
        QVERIFY(desk.label("urlTested").contains(QStringLiteral("Did you mean")));
        QCOMPARE(desk.box("urlModel")->count(), 2);
        QCOMPARE(desk.plan().url->model, QStringLiteral("m"));
        desk.line("urlAddress")->setText(QStringLiteral("http://127.0.0.1:10/v1"));
        QVERIFY(desk.label("urlTested").isEmpty()); // it was of another address
    }

    void aRealServiceAsksFirst()
    {
        const load::CostEstimate cheap{0.1, 0.2, 10, 10, {}};
        const auto ask = [&](const load::LoadPlan& plan) {
            return ui::questionBefore(plan, cheap, ui::loadwords::estimate(cheap, plan), 1.0);
        };
        QVERIFY(!ask(planTo("http://127.0.0.1:8787/v1")));
        load::LoadPlan real = planTo("https://api.test/v1");
        real.stop.budgetUsd = 0.5;
        const auto question = ask(real);
        QVERIFY(question);
        QVERIFY2(question->words.contains(QStringLiteral("api.test is a real service")), qPrintable(question->words));
        QVERIFY(question->words.contains(QStringLiteral("10 requests at a time")));
        real.model = load::OpenModel{{{std::chrono::minutes(2), 20, 20}}};
        real.stop.requests.reset();
        QVERIFY2(ask(real)->words.contains(QStringLiteral("200 requests/min")), qPrintable(ask(real)->words));
    }

    void theQuestionStandsOnThePage()
    {
        UrlDesk desk;
        desk.line("urlAddress")->setText(QStringLiteral("https://api.test/v1"));
        QVERIFY(desk.label("urlWhat").contains(QStringLiteral("A real service")));
        desk.page->start();
        QVERIFY(desk.control.started.empty());
        auto* banner = desk.page->findChild<ui::Banner*>();
        QVERIFY(banner->text().contains(QStringLiteral("real service")));
        for (auto* button : banner->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Load api.test"))
                button->click();
        QCOMPARE(desk.control.started.size(), 1u);
        QCOMPARE(desk.control.started[0].url->baseUrl, QStringLiteral("https://api.test/v1"));
    }

    void whatIsBehindTheAddressIsUnknownAndNotZero()
    {
        load::RunProgress run = sample::running();
        load::aimAt(run.plan, {QStringLiteral("http://127.0.0.1:9/v1"), QStringLiteral("m")});
        run.attemptCauses = {QStringLiteral("503")};
        run.transport = QStringLiteral("curl");
        QCOMPARE(loadwords::attemptsLine(run), QStringLiteral("Attempts behind the URL: unknown"));
        for (const auto& row : ui::slowestRows(run))
            QCOMPARE(row[2].text, QStringLiteral("–"));
        QVERIFY(ui::runview::stripOf(run, 0).causes.empty());
        for (const auto& figure : loadwords::figures(run))
            if (figure.name == QLatin1String("Attempts"))
                QCOMPARE(figure.value, QStringLiteral("–"));
        QVERIFY(ui::headerContent(&run, 1, 0).subtitle.startsWith(QStringLiteral("URL m at 127.0.0.1:9")));
        QVERIFY(ui::headerContent(&run, 1, 0).subtitle.endsWith(QStringLiteral("over libcurl")));
    }

    void aRunWithoutAnAnswerSaysWhy()
    {
        load::RunProgress run = sample::finished();
        load::aimAt(run.plan, {QStringLiteral("http://127.0.0.1:9/v1"), QStringLiteral("m")});
        run.report = QJsonObject{
            {QStringLiteral("succeeded"), 0},
            {QStringLiteral("plan"), QJsonObject{{QStringLiteral("url"), load::toJson(*run.plan.url)}}},
            {QStringLiteral("errors"),
             QJsonArray{QJsonObject{{QStringLiteral("words"), QStringLiteral("No connection")},
                                    {QStringLiteral("example"), QStringLiteral("Connection refused.")},
                                    {QStringLiteral("remedy"), QStringLiteral("Check the endpoint's base_url")}}}}};
        Desk desk;
        desk.show(run);
        const QString said = desk.page->findChild<ui::Banner*>()->text();
        QVERIFY2(said.contains(QStringLiteral("Connection refused.")) && said.contains(QStringLiteral("Test beside")),
                 qPrintable(said));
        run.report.insert(QStringLiteral("succeeded"), 1);
        QVERIFY(loadwords::whyNothingCame(run.report).isEmpty());
    }

    void aPlanOfAnAddressIsTakenAgain()
    {
        UrlDesk desk;
        load::LoadPlan plan = planTo("http://127.0.0.1:9/v1");
        plan.url->key = {workspace::KeySource::Keychain, QStringLiteral("entry")};
        desk.page->form()->setPlan(plan);
        QVERIFY(desk.plan().url == plan.url);
        QVERIFY(desk.plan().targetKind == load::TargetKind::Url);
    }

    void pictures()
    {
        const QString folder = qEnvironmentVariable("SWITCHGEAR_SHOTS");
        for (const auto mode : {ThemeMode::Dark, ThemeMode::Light}) {
            UrlDesk desk;
            desk.context.setMode(mode);
            desk.context.applyTo(&desk.window);
            desk.line("urlAddress")->setText(QStringLiteral("https://api.a-provider-with-a-long-name.test/v1"));
            desk.page->start();
            const QPixmap picture = desk.window.grab();
            QVERIFY(!picture.isNull());
            if (!folder.isEmpty())
                picture.save(
                    QStringLiteral("%1/load-url-%2.png")
                        .arg(folder, mode == ThemeMode::Dark ? QStringLiteral("dark") : QStringLiteral("light")));
        }
    }
};

int main(int argc, char** argv)
{
    return runLoadTest<TestLoadUrl>(argc, argv);
}
#include "tst_load_url.moc"
