// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_file.h"
#include "tests/ui/endpoints_desk.h"
#include "ui/endpoints/endpoint_form.h"
#include "ui/endpoints/endpoint_sections.h"

#include <QCheckBox>

using namespace sg;
using namespace sg::test;
using workspace::KeySource;

class TestEndpointsForm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFieldByKeyboardAndAllUndone();
    void typingInAFieldIsOneStep();
    void wrongNumbersStayOut();
    void namesAreCheckedBeforeTheyAreTaken();
    void providerBringsItsUsualThings();
    void handWrittenAddressStays();
    void addressProblemsAreSaidInPlace();
    void priceFromTheBook();
    void sharedQuotaIsExplained();
    void breakerPolicyFromTheLibrary();
    void findingsComeWithTheirFix();
};

void TestEndpointsForm::everyFieldByKeyboardAndAllUndone()
{
    EndpointsDesk desk;
    const workspace::Workspace before = desk.draft.workspace();
    const QByteArray bytes = workspace::toJson(before);
    desk.select("llama-lab");

    desk.press(Qt::Key_F2);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.field("name")));
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("lab"));
    desk.press(Qt::Key_Return);
    QCOMPARE(desk.selected().spec.name, std::string("lab"));

    desk.press(Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.named<QComboBox>("provider")));
    desk.press(Qt::Key_Down); // the next of the catalogue
    QVERIFY(desk.selected().provider != QStringLiteral("vllm"));

    desk.type("baseUrl", QStringLiteral("https://lab.example.com/v1"));
    QCOMPARE(desk.selected().baseUrl, QStringLiteral("https://lab.example.com/v1"));
    desk.type(desk.named<QComboBox>("model")->lineEdit(), QStringLiteral("llama-4"));
    QCOMPARE(desk.selected().model, QStringLiteral("llama-4"));

    auto* where = desk.named<QComboBox>("keyWhere");
    where->setFocus();
    desk.press(Qt::Key_Down);
    QVERIFY(desk.selected().key.source == KeySource::Environment);
    desk.type("keyName", QStringLiteral("LAB_KEY"));
    desk.press(Qt::Key_Tab);
    QCOMPARE(desk.selected().key.name, QStringLiteral("LAB_KEY"));

    const std::pair<const char*, const char*> numbers[] = {
        {"priceIn", "1.25"}, {"priceOut", "2.5"},   {"priceCached", "0.1"}, {"window", "128000"},
        {"rpm", "300"},      {"tpm", "90000"},      {"inFlight", "12"},     {"connect", "4"},
        {"firstByte", "6"},  {"firstToken", "7.5"}, {"idle", "8"},          {"total", "45"},
    };
    for (const auto& [name, text] : numbers)
        desk.type(name, QLatin1String(text));
    const workspace::Endpoint& lab = desk.selected();
    QVERIFY(lab.price);
    QCOMPARE(lab.price->input->toUsd(), 1.25);
    QCOMPARE(lab.price->output->toUsd(), 2.5);
    QCOMPARE(lab.price->cachedInput->toUsd(), 0.1);
    QCOMPARE(lab.spec.capabilities.contextWindow.value_or(0), std::int64_t(128000));
    QCOMPARE(lab.spec.requestsPerMinute.value_or(0), 300.0);
    QCOMPARE(lab.spec.tokensPerMinute.value_or(0), 90000.0);
    QCOMPARE(lab.spec.maxInFlight.value_or(0), 12);
    QCOMPARE(toMs(lab.timeouts.connect), 4000.0);
    QCOMPARE(toMs(lab.timeouts.firstByte.value_or(Nanos(0))), 6000.0);
    QCOMPARE(toMs(lab.timeouts.tokens.firstToken.value_or(Nanos(0))), 7500.0);
    QCOMPARE(toMs(lab.timeouts.idle.value_or(Nanos(0))), 8000.0);
    QCOMPARE(toMs(lab.timeouts.total), 45000.0);

    for (const char* flag : {"tools", "images", "jsonMode"}) {
        auto* box = desk.named<QCheckBox>(flag);
        const bool was = box->isChecked();
        box->setFocus();
        desk.press(Qt::Key_Space);
        QCOMPARE(box->isChecked(), !was);
    }
    QVERIFY(!desk.selected().spec.capabilities.tools);

    desk.type(desk.named<QComboBox>("quotaGroup")->lineEdit(), QStringLiteral("lab-quota"));
    desk.type(desk.named<QComboBox>("credential")->lineEdit(), QStringLiteral("lab-key"));
    QCOMPARE(desk.selected().spec.quotaGroup, std::string("lab-quota"));
    QCOMPARE(desk.selected().spec.credential, std::string("lab-key"));
    desk.named<QComboBox>("breaker_policy")->setFocus();
    desk.press(Qt::Key_Down);
    QVERIFY(!desk.selected().breakerPolicy.empty());

    desk.type("proxy", QStringLiteral("http://proxy.example.com:3128"));
    desk.type("caFile", QStringLiteral("/etc/ssl/lab.pem"));
    QCOMPARE(desk.selected().proxy, QStringLiteral("http://proxy.example.com:3128"));
    QCOMPARE(desk.selected().caFile, QStringLiteral("/etc/ssl/lab.pem"));
    desk.named<QComboBox>("proxyKeyWhere")->setFocus();
    desk.press(Qt::Key_End);
    QVERIFY(desk.selected().proxyKey.source == KeySource::Session);

    // 24 fields, each one step; then all of it back.
    QCOMPARE(desk.steps(), 27);
    for (int i = desk.steps(); i > 0; --i)
        desk.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.steps(), 0);
    QVERIFY(desk.draft.workspace() == before);
    QCOMPARE(workspace::toJson(desk.draft.workspace()), bytes);
    QCOMPARE(desk.field("rpm")->text(), QString());
    QCOMPARE(desk.field("name")->text(), QStringLiteral("llama-lab"));
    desk.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(desk.steps(), 1);
}

void TestEndpointsForm::typingInAFieldIsOneStep()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    desk.type("rpm", QStringLiteral("1234"));
    QCOMPARE(desk.steps(), 1);
    desk.press(Qt::Key_Tab);
    desk.type("rpm", QStringLiteral("77"));
    QCOMPARE(desk.steps(), 2); // the field was left in between
    desk.type("tpm", QStringLiteral("5"));
    QCOMPARE(desk.steps(), 3);
    QVERIFY(desk.draft.undoStack().undoText().contains(QStringLiteral("gpt-4.1")));
    // The field's own undo would fight with the page's.
    desk.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.steps(), 2);
    QCOMPARE(desk.selected().spec.requestsPerMinute.value_or(0), 77.0);
}

void TestEndpointsForm::wrongNumbersStayOut()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    desk.type("total", QStringLiteral("0"));
    QCOMPARE(toMs(desk.selected().timeouts.total), 60000.0);
    QVERIFY(!desk.field("total")->accessibleDescription().isEmpty());
    desk.type("inFlight", QStringLiteral("many"));
    QVERIFY(!desk.selected().spec.maxInFlight);
    QCOMPARE(desk.steps(), 0);
    desk.type("inFlight", QStringLiteral("9"));
    QCOMPARE(desk.selected().spec.maxInFlight.value_or(0), 9);
    desk.type("inFlight", QString());
    QVERIFY(!desk.selected().spec.maxInFlight); // no limit
}

void TestEndpointsForm::namesAreCheckedBeforeTheyAreTaken()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    desk.type("name", QStringLiteral("deepseek-v3.2"));
    QCOMPARE(desk.field("name")->accessibleDescription(), QStringLiteral("Another endpoint has this name."));
    desk.press(Qt::Key_Return);
    QCOMPARE(desk.field("name")->text(), QStringLiteral("gpt-4.1"));
    QCOMPARE(desk.steps(), 0);
    desk.type("name", QStringLiteral("gpt"));
    desk.press(Qt::Key_Tab);
    QCOMPARE(desk.selected().spec.name, std::string("gpt"));
    QCOMPARE(desk.draft.workspace().chains[0].spec.tiers[0].endpoint, std::string("gpt"));
    QCOMPARE(desk.table()->currentName(), std::string("gpt"));
}

void TestEndpointsForm::providerBringsItsUsualThings()
{
    EndpointsDesk desk;
    desk.select("claude-sonnet-4.5");
    auto* provider = desk.named<QComboBox>("provider");
    provider->setFocus();
    QTest::keyClicks(provider, QStringLiteral("Groq"));
    QCOMPARE(desk.selected().provider, QStringLiteral("groq"));
    QCOMPARE(desk.selected().key.name, QStringLiteral("GROQ_API_KEY"));
    QCOMPARE(desk.selected().baseUrl, QString());
    QCOMPARE(desk.field("baseUrl")->placeholderText(), QStringLiteral("https://api.groq.com/openai/v1"));
    desk.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.selected().provider, QStringLiteral("anthropic"));
    QCOMPARE(provider->currentData().toString(), QStringLiteral("anthropic"));
}

void TestEndpointsForm::handWrittenAddressStays()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    QVERIFY(!desk.button("usualAddress")->isVisible());
    desk.type("baseUrl", QStringLiteral("https://gateway.example.com/v1"));
    auto* provider = desk.named<QComboBox>("provider");
    provider->setFocus();
    QTest::keyClicks(provider, QStringLiteral("Deep"));
    QCOMPARE(desk.selected().baseUrl, QStringLiteral("https://gateway.example.com/v1"));
    QVERIFY(desk.button("usualAddress")->isVisible());
    desk.button("usualAddress")->setFocus();
    desk.press(Qt::Key_Space);
    QCOMPARE(desk.selected().baseUrl, QString());
    QVERIFY(!desk.button("usualAddress")->isVisible());
}

void TestEndpointsForm::addressProblemsAreSaidInPlace()
{
    EndpointsDesk desk;
    desk.select("llama-lab");
    desk.type("baseUrl", QStringLiteral("ftp:whatever"));
    QVERIFY(!desk.field("baseUrl")->accessibleDescription().isEmpty());
    QVERIFY(desk.field("baseUrl")->property("wrong").toBool());
    desk.type("baseUrl", QStringLiteral("sim:"));
    QVERIFY(desk.field("baseUrl")->accessibleDescription().contains(QStringLiteral("simulator")));
    desk.type("baseUrl", QStringLiteral("http://10.4.0.7:8000/v1"));
    QCOMPARE(desk.field("baseUrl")->accessibleDescription(), QString());
    desk.type("proxy", QStringLiteral("proxy"));
    QVERIFY(desk.field("proxy")->accessibleDescription().contains(QStringLiteral("socks5")));
}

void TestEndpointsForm::priceFromTheBook()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    QVERIFY(desk.words("bookWords").contains(QStringLiteral("$2.00 in, $8.00 out")));
    QVERIFY(desk.words("bookWords").contains(QStringLiteral("list price")));
    QCOMPARE(desk.field("priceIn")->placeholderText(), QStringLiteral("2.00 (book)"));
    desk.button("takePrice")->setFocus();
    desk.press(Qt::Key_Space);
    QVERIFY(desk.selected().price == desk.serving.book.entries()[0].price);
    QVERIFY(!desk.button("takePrice")->isEnabled());
    desk.type("priceIn", QStringLiteral("1.5"));
    QCOMPARE(desk.selected().price->input->toUsd(), 1.5);
    QCOMPARE(desk.selected().price->output->toUsd(), 8.0);
    QVERIFY(desk.button("takePrice")->isEnabled());
    desk.type("priceIn", QString());
    desk.type("priceOut", QString());
    QVERIFY(!desk.selected().price); // the book's again
    desk.select("llama-lab");
    QVERIFY(!desk.button("takePrice")->isEnabled());
    QVERIFY(desk.words("bookWords").contains(QStringLiteral("does not know")));
}

void TestEndpointsForm::sharedQuotaIsExplained()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    auto* quota = desk.named<QComboBox>("quotaGroup");
    QVERIFY(quota->findText(QStringLiteral("openai-tier-3")) >= 0);
    const auto isSaid = [&](const QString& words) {
        for (const QLabel* label : desk.page->findChildren<QLabel*>())
            if (label->text().contains(words))
                return true;
        return false;
    };
    QVERIFY(isSaid(QStringLiteral("Shares its quota with gpt-4.1 (eu)")));
    desk.type(quota->lineEdit(), QString());
    desk.press(Qt::Key_Tab);
    QCOMPARE(desk.selected().spec.quotaGroup, std::string("gpt-4.1"));
    QCOMPARE(quota->currentText(), QStringLiteral("gpt-4.1"));
    QVERIFY(isSaid(QStringLiteral("Nothing else shares its quota")));
}

void TestEndpointsForm::breakerPolicyFromTheLibrary()
{
    workspace::Workspace start = sample::fiveEndpoints();
    policy::BreakerConfig careful;
    careful.consecutiveFailures = 2;
    start.policies.breakers["aaa careful"] = careful;
    EndpointsDesk desk(start);
    desk.select("gpt-4.1");
    auto* policy = desk.named<QComboBox>("breaker_policy");
    QCOMPARE(policy->currentIndex(), 0);
    QVERIFY(desk.words("breakerWords").contains(QStringLiteral("5 failures in a row")));
    policy->setFocus();
    QTest::keyClicks(policy, QStringLiteral("aaa"));
    QCOMPARE(desk.selected().breakerPolicy, std::string("aaa careful"));
    QVERIFY(desk.selected().spec.breaker == careful);
    QVERIFY(desk.words("breakerWords").contains(QStringLiteral("2 failures in a row")));
}

void TestEndpointsForm::findingsComeWithTheirFix()
{
    workspace::Workspace start = sample::fiveEndpoints();
    start.endpoints[0].spec.breaker.consecutiveFailures.reset();
    start.endpoints[0].spec.breaker.failureRate = 0.5;
    start.endpoints[0].spec.breaker.minimumCalls = 100'000; // far beyond its 1000 requests a minute
    EndpointsDesk desk(start);
    desk.select("gpt-4.1");
    auto* findings = desk.page->findChild<ui::FindingsSection*>();
    QVERIFY(findings->isVisible());
    const ui::EndpointRow& row = desk.page->model().rows()[0];
    QVERIFY(row.errors + row.warnings > 0);
    auto* fix = desk.button("fix");
    QVERIFY(fix);
    const workspace::Workspace before = desk.draft.workspace();
    fix->setFocus();
    desk.press(Qt::Key_Space);
    QCOMPARE(desk.steps(), 1);
    QVERIFY(!(desk.draft.workspace() == before));
    desk.press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(desk.draft.workspace() == before);
}

int main(int argc, char** argv)
{
    return runEndpointsTest<TestEndpointsForm>(argc, argv);
}
#include "tst_endpoints_form.moc"
