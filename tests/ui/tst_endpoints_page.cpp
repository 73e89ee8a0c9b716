// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_file.h"
#include "tests/ui/endpoints_desk.h"
#include "ui/endpoints/endpoint_form.h"
#include "ui/endpoints/endpoint_sections.h"
#include "ui/overview/empty_state.h"
#include "ui/widgets/banner.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QDir>
#include <QElapsedTimer>
#include <QMenu>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTemporaryFile>

using namespace sg;
using namespace sg::test;
using secrets::KeyHome;
using secrets::KeyState;
using workspace::KeySource;

namespace {

const QString kKey = QStringLiteral("sk-test-0001-abcdefghijklmnop");

bool holds(const QByteArray& text, const QString& key)
{
    return text.contains(key.toUtf8());
}

} // namespace

class TestEndpointsPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modelIsSound();
    void everyFieldByKeyboardAndAllUndone();
    void typingInAFieldIsOneStep();
    void wrongNumbersStayOut();
    void namesAreCheckedBeforeTheyAreTaken();
    void providerBringsItsUsualThings();
    void handWrittenAddressStays();
    void addressProblemsAreSaidInPlace();
    void keyNeverReachesTheDraft();
    void wrongKeysAreRefusedAndOddOnesSaid();
    void keyPastedAsANameIsRefused();
    void everyKeyStateHasAWayOn_data();
    void everyKeyStateHasAWayOn();
    void forgettingAKeyAsksOnce();
    void failedStoreIsSaid();
    void lateAnswerOfTheKeychain();
    void relaysHaveKeysOfTheirOwn();
    void priceFromTheBook();
    void sharedQuotaIsExplained();
    void breakerPolicyFromTheLibrary();
    void findingsComeWithTheirFix();
    void testShowsItsResultAndFillsTheModels();
    void slowTestCanBeCancelled();
    void allAreTestedAtOnce();
    void removalSaysWhatItTakesAndIsUndone();
    void keysOfThePage();
    void addsByProvider();
    void emptyHasThreeWaysOn();
    void liveOnlyWhileVisible();
    void filterWithoutAMatchSaysSo();
    void everyControlHasANameAndIsReached();
    void narrowAndExtremeFit();
    void hundredEndpointsStayFluid();
    void pictures();
};

void TestEndpointsPage::modelIsSound()
{
    EndpointsDesk desk;
    QAbstractItemModelTester source(&desk.page->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QAbstractItemModelTester shown(desk.table()->filter(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    desk.table()->sortByColumn(ui::EndpointsModel::PriceIn, Qt::DescendingOrder);
    desk.page->setSnapshot(std::make_shared<const observe::Snapshot>(normalSnapshot()), sampleNowMs());
    desk.select("deepseek-v3.2");
    desk.press(Qt::Key_Delete);
    QCOMPARE(desk.page->model().rowCount(), 5);
    desk.press(Qt::Key_Z, Qt::ControlModifier);
    desk.press(Qt::Key_D, Qt::ControlModifier);
    desk.type("filter", QStringLiteral("deep"));
    QCOMPARE(desk.table()->filter()->rowCount(), 2);
    desk.page->editor().rename(QStringLiteral("zzz"));
    desk.type("filter", QString());
    QCOMPARE(desk.table()->filter()->rowCount(), 7);
}

void TestEndpointsPage::everyFieldByKeyboardAndAllUndone()
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

void TestEndpointsPage::typingInAFieldIsOneStep()
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

void TestEndpointsPage::wrongNumbersStayOut()
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

void TestEndpointsPage::namesAreCheckedBeforeTheyAreTaken()
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

void TestEndpointsPage::providerBringsItsUsualThings()
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

void TestEndpointsPage::handWrittenAddressStays()
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

void TestEndpointsPage::addressProblemsAreSaidInPlace()
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

void TestEndpointsPage::keyNeverReachesTheDraft()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    auto* entry = desk.field("keyEntry");
    QCOMPARE(entry->echoMode(), QLineEdit::Password);
    desk.type(entry, QStringLiteral("  ") + kKey + QStringLiteral(" "));
    desk.press(Qt::Key_Return);
    const FakeKeys::Place place{KeyHome::Keychain, QStringLiteral("openai")};
    QCOMPARE(desk.keys.stored[place], kKey.toUtf8()); // trimmed
    QCOMPARE(entry->text(), QString());
    QVERIFY(!entry->isUndoAvailable());
    QCOMPARE(desk.steps(), 0);
    // By the button, for this run, at another endpoint.
    desk.select("deepseek-v3.2");
    desk.type(entry, kKey);
    desk.click("storeKey");
    QCOMPARE(desk.keys.stored.size(), std::size_t(2));
    // Typed and left for another endpoint: gone.
    desk.type(entry, kKey);
    desk.select("gpt-4.1");
    QCOMPARE(entry->text(), QString());
    // Wherever else it is put, it does not stay.
    const std::pair<const char*, QString> elsewhere[] = {
        {"name", kKey},
        {"baseUrl", QStringLiteral("https://h.example.com/v1?api_key=") + kKey},
        {"keyName", kKey},
        {"proxy", QStringLiteral("http://u:") + kKey + QStringLiteral("@p:1")}};
    for (const auto& [name, text] : elsewhere) {
        desk.type(name, text);
        desk.press(Qt::Key_Tab);
        QVERIFY2(!holds(workspace::toJson(desk.draft.workspace()), kKey), name);
    }
    for (const char* name : {"model", "quotaGroup", "credential"}) {
        desk.type(desk.named<QComboBox>(name)->lineEdit(), kKey);
        desk.press(Qt::Key_Tab);
        QVERIFY2(!holds(workspace::toJson(desk.draft.workspace()), kKey), name);
    }
    while (desk.draft.undoStack().canUndo()) {
        desk.draft.undoStack().undo();
        QVERIFY(!holds(workspace::toJson(desk.draft.workspace()), kKey));
    }
    for (const QLabel* label : desk.page->findChildren<QLabel*>())
        QVERIFY2(!label->text().contains(kKey), qPrintable(label->text()));
}

void TestEndpointsPage::wrongKeysAreRefusedAndOddOnesSaid()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    desk.type("keyEntry", QStringLiteral("your-api-key-here"));
    QVERIFY(desk.field("keyEntry")->accessibleDescription().contains(QStringLiteral("placeholder")));
    QVERIFY(!desk.button("storeKey")->isEnabled());
    desk.press(Qt::Key_Return);
    QVERIFY(desk.keys.stored.empty());
    desk.type("keyEntry", QStringLiteral("hs_0123456789abcdef"));
    QCOMPARE(desk.field("keyEntry")->accessibleDescription(), QString());
    bool isSaid = false;
    for (const QLabel* label : desk.page->findChildren<QLabel*>())
        isSaid = isSaid || (label->isVisible() && label->text().contains(QStringLiteral("begin with \"sk-\"; this")));
    QVERIFY(isSaid);
    desk.click("storeKey");
    QCOMPARE(desk.keys.stored.size(), std::size_t(1));
}

void TestEndpointsPage::keyPastedAsANameIsRefused()
{
    EndpointsDesk desk;
    desk.select("claude-sonnet-4.5");
    desk.type("keyName", QStringLiteral("sk-ant-0001"));
    QVERIFY(desk.field("keyName")->accessibleDescription().contains(QStringLiteral("looks like a key")));
    desk.press(Qt::Key_Return);
    QCOMPARE(desk.selected().key.name, QStringLiteral("ANTHROPIC_API_KEY"));
    desk.type("keyName", QStringLiteral("MY KEY"));
    QVERIFY(!desk.field("keyName")->accessibleDescription().isEmpty());
}

void TestEndpointsPage::everyKeyStateHasAWayOn_data()
{
    QTest::addColumn<KeySource>("source");
    QTest::addColumn<KeyState>("state");
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    const QString variable = QStringLiteral("Use a variable instead"), run = QStringLiteral("Only for this run");
    const QString keychain = QStringLiteral("Keep it in the keychain");
    QTest::newRow("locked") << KeySource::Keychain << KeyState::Locked << QStringLiteral("Unlock") << variable;
    QTest::newRow("absent") << KeySource::Keychain << KeyState::Absent << run << variable;
    QTest::newRow("denied") << KeySource::Keychain << KeyState::Denied << QStringLiteral("Ask again") << variable;
    QTest::newRow("missing entry") << KeySource::Keychain << KeyState::Missing << variable << QString();
    QTest::newRow("missing variable") << KeySource::Environment << KeyState::Missing << QStringLiteral("Read again")
                                      << keychain;
    QTest::newRow("malformed variable") << KeySource::Environment << KeyState::Malformed << QStringLiteral("Read again")
                                        << keychain;
    QTest::newRow("gone with the run before") << KeySource::Session << KeyState::Missing << keychain << QString();
    QTest::newRow("not chosen") << KeySource::None << KeyState::NotNeeded << keychain << variable;
}

void TestEndpointsPage::everyKeyStateHasAWayOn()
{
    QFETCH(KeySource, source);
    QFETCH(KeyState, state);
    QFETCH(QString, first);
    QFETCH(QString, second);
    workspace::Workspace start = sample::fiveEndpoints();
    start.endpoints[0].key = {source, source == KeySource::None ? QString() : QStringLiteral("X"), false};
    EndpointsDesk desk(start);
    const KeyHome home = source == KeySource::Environment ? KeyHome::Environment
                         : source == KeySource::Keychain  ? KeyHome::Keychain
                                                          : KeyHome::Session;
    desk.keys.set(home, QStringLiteral("X"), state, QStringLiteral("What is wrong."), QStringLiteral("What helps."));
    desk.select("gpt-4.1");
    QVERIFY(!desk.words("keyState").isEmpty());
    QCOMPARE(desk.button("keyFirst")->text(), first);
    QCOMPARE(desk.button("keySecond")->isVisible() ? desk.button("keySecond")->text() : QString(), second);
    const bool reads = first == QStringLiteral("Unlock") || first == QStringLiteral("Ask again") ||
                       first == QStringLiteral("Read again");
    desk.button("keyFirst")->setFocus();
    desk.press(Qt::Key_Space);
    QCOMPARE(desk.keys.readings, reads ? 1 : 0);
    QVERIFY(reads || desk.selected().key.source != source);
    QVERIFY(QApplication::focusWidget() && QApplication::focusWidget()->isVisible());
}

void TestEndpointsPage::forgettingAKeyAsksOnce()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    const FakeKeys::Place place{KeyHome::Keychain, QStringLiteral("openai")};
    desk.keys.stored[place] = "sk-test-0001";
    desk.click("keyFirst");
    QCOMPARE(desk.keys.stored.size(), std::size_t(1));
    QVERIFY(desk.words("keyState").startsWith(QStringLiteral("Forget the key openai?")));
    desk.click("keySecond");
    QVERIFY(!desk.words("keyState").startsWith(QStringLiteral("Forget")));
    desk.click("keyFirst");
    desk.click("keyFirst");
    QVERIFY(desk.keys.stored.empty());
    QVERIFY(desk.words("keyState").contains(QStringLiteral("no key")));
}

void TestEndpointsPage::failedStoreIsSaid()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    desk.keys.refusal =
        secrets::SecretError{secrets::SecretErrorKind::Locked, QStringLiteral("The keychain is locked."),
                             QStringLiteral("Unlock it and store the key again.")};
    desk.type("keyEntry", kKey);
    desk.press(Qt::Key_Return);
    QVERIFY(desk.keys.stored.empty());
    QCOMPARE(desk.field("keyEntry")->text(), kKey); // to try again
    QCOMPARE(desk.field("keyEntry")->accessibleDescription(),
             QStringLiteral("The keychain is locked. Unlock it and store the key again."));
    desk.click("storeKey");
    QCOMPARE(desk.keys.stored.size(), std::size_t(1));
    QCOMPARE(desk.field("keyEntry")->text(), QString());
    QCOMPARE(desk.field("keyEntry")->accessibleDescription(), QString());
}

void TestEndpointsPage::lateAnswerOfTheKeychain()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    desk.keys.refusal = secrets::SecretError{secrets::SecretErrorKind::Locked, QStringLiteral("It is locked."),
                                             QStringLiteral("Unlock it.")};
    desk.keys.isSlow = true;
    desk.type("keyEntry", kKey);
    desk.press(Qt::Key_Return);
    QCOMPARE(desk.field("keyEntry")->text(), QString());
    desk.select("deepseek-v3.2");
    QCOMPARE(desk.button("storeKey")->text(), QStringLiteral("Store"));
    desk.type("keyEntry", QStringLiteral("sk-test-0002"));
    desk.keys.answer();
    // It is none of this endpoint's business.
    QCOMPARE(desk.field("keyEntry")->text(), QStringLiteral("sk-test-0002"));
    QCOMPARE(desk.field("keyEntry")->accessibleDescription(), QString());
    desk.select("gpt-4.1");
    QCOMPARE(desk.field("keyEntry")->accessibleDescription(), QStringLiteral("It is locked. Unlock it."));
    QCOMPARE(desk.field("keyEntry")->text(), kKey);
    desk.click("storeKey");
    QCOMPARE(desk.keys.stored.size(), std::size_t(1));
}

void TestEndpointsPage::relaysHaveKeysOfTheirOwn()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    const auto isOdd = [&] {
        const auto labels = desk.page->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains(QStringLiteral("begin with \"sk-\"; this"));
        });
    };
    desk.type("keyEntry", QStringLiteral("hs_0123456789abcdef"));
    QVERIFY(isOdd());
    desk.type("baseUrl", QStringLiteral("https://relay.example.com/v1"));
    desk.press(Qt::Key_Tab);
    desk.type("keyEntry", QStringLiteral("hs_0123456789abcdef"));
    QVERIFY(!isOdd());
}

void TestEndpointsPage::priceFromTheBook()
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

void TestEndpointsPage::sharedQuotaIsExplained()
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

void TestEndpointsPage::breakerPolicyFromTheLibrary()
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

void TestEndpointsPage::findingsComeWithTheirFix()
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

void TestEndpointsPage::testShowsItsResultAndFillsTheModels()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    desk.tester.results["gpt-4.1"] =
        FakeTester::working({QStringLiteral("gpt-4.1"), QStringLiteral("gpt-4.1-mini"), QStringLiteral("o3")});
    desk.press(Qt::Key_T, Qt::ControlModifier);
    QCOMPARE(desk.tester.asked, std::vector<std::string>{"gpt-4.1"});
    QVERIFY(desk.words("testResult").contains(QStringLiteral("120\u202Fms")));
    QVERIFY(desk.words("testResult").contains(QStringLiteral("3 models")));
    auto* model = desk.named<QComboBox>("model");
    QVERIFY(model->findText(QStringLiteral("o3")) >= 0);
    QCOMPARE(model->currentText(), QStringLiteral("gpt-4.1"));
    model->setFocus();
    desk.press(Qt::Key_Down);
    QCOMPARE(desk.steps(), 1);
    QVERIFY(desk.selected().model != QStringLiteral("gpt-4.1"));
    QCOMPARE(desk.words("testResult"), QString()); // of another model nothing is known

    engine::ConnectionResult refused;
    refused.kind = engine::ConnectionResult::Kind::KeyRefused;
    refused.words = QStringLiteral("The provider refused the key (401).");
    refused.remedy = QStringLiteral("Store another one.");
    desk.tester.results["claude-sonnet-4.5"] = refused;
    desk.select("claude-sonnet-4.5");
    desk.button("testConnection")->setFocus();
    desk.press(Qt::Key_Space);
    QCOMPARE(desk.words("testResult"), QStringLiteral("The provider refused the key (401). Store another one."));
    QCOMPARE(desk.page->model().rows()[1].test, QStringLiteral("refused"));
}

void TestEndpointsPage::slowTestCanBeCancelled()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    desk.tester.answersLate = true;
    desk.button("testConnection")->setFocus();
    desk.press(Qt::Key_Space);
    QCOMPARE(desk.button("testConnection")->text(), QStringLiteral("Testing…"));
    QVERIFY(!desk.button("cancelTest")->isVisible());
    QTRY_VERIFY(desk.button("cancelTest")->isVisible());
    QVERIFY(desk.words("testResult").startsWith(QStringLiteral("Waiting for an answer")));
    QVERIFY(desk.button("cancelTests")->isVisible());
    desk.button("cancelTest")->setFocus();
    desk.press(Qt::Key_Space);
    QCOMPARE(desk.button("testConnection")->text(), QStringLiteral("Test connection"));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.button("testConnection")));
    QVERIFY(!desk.button("cancelTests")->isVisible());
    desk.tester.finishAll(); // too late
    QCOMPARE(desk.words("testResult"), QString());
}

void TestEndpointsPage::allAreTestedAtOnce()
{
    EndpointsDesk desk;
    engine::ConnectionResult silent;
    silent.kind = engine::ConnectionResult::Kind::NoAnswer;
    silent.words = QStringLiteral("Nothing answers at 10.4.0.7:8000.");
    desk.tester.results["llama-lab"] = silent;
    desk.tester.answersLate = true;
    desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(desk.words("tested"), QStringLiteral("Testing 6…"));
    desk.tester.finishAll();
    QCOMPARE(desk.words("tested"), QStringLiteral("5 of 6 work, 1 did not answer"));
    QCOMPARE(desk.page->model().rows()[5].test, QStringLiteral("no answer"));
}

void TestEndpointsPage::removalSaysWhatItTakesAndIsUndone()
{
    EndpointsDesk desk;
    const workspace::Workspace before = desk.draft.workspace();
    desk.select("gpt-4.1");
    QVERIFY(desk.button("remove")->accessibleDescription().contains(QStringLiteral("prod-chat and batch")));
    desk.press(Qt::Key_Delete);
    QCOMPARE(desk.page->model().rowCount(), 5);
    QCOMPARE(desk.draft.workspace().chains[0].spec.tiers.size(), std::size_t(3));
    auto* notice = desk.page->findChild<ui::Banner*>();
    QVERIFY(notice->isVisible());
    QCOMPARE(notice->text(), QStringLiteral("gpt-4.1 is removed. The chains prod-chat and batch lose a tier each."));
    for (QPushButton* button : notice->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Undo"))
            QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(desk.draft.workspace() == before);
    QCOMPARE(desk.page->editor().selectedName(), std::string("gpt-4.1"));
    QVERIFY(!notice->isVisible());
}

void TestEndpointsPage::keysOfThePage()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.table()));
    desk.press(Qt::Key_Down);
    QCOMPARE(desk.page->editor().selectedName(), std::string("claude-sonnet-4.5"));
    QCOMPARE(desk.field("name")->text(), QStringLiteral("claude-sonnet-4.5"));
    desk.press(Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(desk.page->model().rowCount(), 7);
    QCOMPARE(desk.page->editor().selectedName(), std::string("claude-sonnet-4.5 2"));
    QCOMPARE(desk.table()->currentName(), std::string("claude-sonnet-4.5 2"));
    desk.press(Qt::Key_Return);
    QVERIFY(desk.page->form()->isAncestorOf(QApplication::focusWidget()));
    // Del in a field is the field's.
    desk.press(Qt::Key_Delete);
    QCOMPARE(desk.page->model().rowCount(), 7);
    desk.press(Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.field("filter")));
}

void TestEndpointsPage::addsByProvider()
{
    EndpointsDesk desk;
    desk.keys.set(KeyHome::Environment, QStringLiteral("GROQ_API_KEY"), KeyState::Ready);
    auto* menu = desk.named<QMenu>("addMenu");
    const auto choose = [&](const QString& id) {
        for (QAction* action : menu->actions())
            if (action->objectName() == id)
                action->trigger();
    };
    desk.page->addEndpoint();
    QVERIFY(menu->isVisible());
    menu->close();
    choose(QStringLiteral("groq"));
    QCOMPARE(desk.selected().spec.name, std::string("groq"));
    QVERIFY(desk.selected().key.source == KeySource::Environment);
    QCOMPARE(desk.selected().key.name, QStringLiteral("GROQ_API_KEY"));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.field("name")));
    choose(QStringLiteral("groq"));
    QCOMPARE(desk.selected().spec.name, std::string("groq 2"));
    choose(QStringLiteral("mistral"));
    QVERIFY(desk.selected().key.source == KeySource::Keychain);
    desk.keys.works = false;
    choose(QStringLiteral("xai"));
    QVERIFY(desk.selected().key.source == KeySource::Environment);
    choose(QStringLiteral("ollama"));
    QVERIFY(desk.selected().key.source == KeySource::None && desk.selected().key.saysNone);
    QCOMPARE(desk.steps(), 5);
}

void TestEndpointsPage::emptyHasThreeWaysOn()
{
    EndpointsDesk desk(workspace::Workspace{});
    auto* empty = desk.page->findChild<ui::EmptyState*>();
    QVERIFY(empty->isVisible());
    QVERIFY(!desk.table()->isVisible());
    QVERIFY(!desk.button("remove")->isEnabled());
    QSignalSpy imports(desk.page, &ui::EndpointsPage::importRequested);
    desk.click("import");
    QCOMPARE(imports.size(), 1);
    desk.click("addEndpoint");
    QVERIFY(desk.named<QMenu>("addMenu")->isVisible());
    desk.named<QMenu>("addMenu")->close();
    desk.click("startSimulator");
    QVERIFY(!empty->isVisible());
    QCOMPARE(desk.selected().baseUrl, QStringLiteral("sim:gpt-4.1"));
    QVERIFY(desk.selected().key.saysNone);
    QVERIFY(cost::isFree(*desk.selected().price));
    desk.press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(empty->isVisible());
}

void TestEndpointsPage::liveOnlyWhileVisible()
{
    EndpointsDesk desk;
    const auto snapshot = std::make_shared<const observe::Snapshot>(normalSnapshot());
    desk.page->hide();
    QSignalSpy changes(&desk.page->model(), &QAbstractItemModel::dataChanged);
    desk.page->setSnapshot(snapshot, sampleNowMs());
    desk.draft.edit(QStringLiteral("x"),
                    [](workspace::Workspace& all) { all.endpoints[0].model = QStringLiteral("gpt-5"); });
    QCOMPARE(changes.size(), 0);
    desk.page->show();
    QVERIFY(changes.size() > 0);
    QCOMPARE(desk.page->model().rows()[0].model, QStringLiteral("gpt-5"));
    QCOMPARE(desk.page->model().rows()[1].inFlight.value_or(0), 24);
}

void TestEndpointsPage::filterWithoutAMatchSaysSo()
{
    EndpointsDesk desk;
    desk.type("filter", QStringLiteral("nobody"));
    QVERIFY(desk.named<QLabel>("noMatch")->isVisible());
    QVERIFY(!desk.table()->isVisible());
    desk.page->showEndpoint("llama-lab"); // another page asks for it
    QVERIFY(desk.table()->isVisible());
    QCOMPARE(desk.table()->currentName(), std::string("llama-lab"));
    desk.page->showEndpoint("nobody");
    QCOMPARE(desk.table()->currentName(), std::string("llama-lab"));
}

void TestEndpointsPage::everyControlHasANameAndIsReached()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    QSet<QWidget*> missing;
    for (QWidget* widget : desk.page->findChildren<QWidget*>()) {
        const bool isControl = qobject_cast<QLineEdit*>(widget) || qobject_cast<QComboBox*>(widget) ||
                               qobject_cast<QPushButton*>(widget) || qobject_cast<QCheckBox*>(widget) ||
                               qobject_cast<QTableView*>(widget);
        if (!isControl || !widget->isVisible() || !widget->isEnabled())
            continue;
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        const QString name = button && widget->accessibleName().isEmpty() ? button->text() : widget->accessibleName();
        QVERIFY2(!name.isEmpty(), qPrintable(widget->objectName() + QLatin1String(widget->metaObject()->className())));
        if (!qobject_cast<QComboBox*>(widget->parentWidget())) // an editable box's field has its focus
            missing.insert(widget);
    }
    QVERIFY(missing.size() > 30);
    desk.button("add")->setFocus();
    for (int i = 0; i < 80; ++i) {
        QWidget* at = QApplication::focusWidget();
        missing.remove(at);
        if (at && qobject_cast<QComboBox*>(at->parentWidget()))
            missing.remove(at->parentWidget());
        desk.press(Qt::Key_Tab);
    }
    for (const QWidget* widget : missing)
        qWarning() << "not reached:" << widget->objectName() << widget->accessibleName();
    QVERIFY(missing.isEmpty());
}

void TestEndpointsPage::narrowAndExtremeFit()
{
    EndpointsDesk desk(sample::manyEndpoints(100));
    for (const int width : {1360, 1040, 900}) {
        desk.page->setNarrow(width < 1200);
        desk.window.resize(width, 700);
        QApplication::processEvents();
        QCOMPARE(desk.page->width(), width); // nothing pushes the window wider
        const auto* area = desk.page->form()->findChild<QScrollArea*>();
        QVERIFY(area->widget()->width() <= area->viewport()->width());
        QVERIFY(desk.table()->columnWidth(ui::EndpointsModel::Name) >= 90);
    }
}

void TestEndpointsPage::hundredEndpointsStayFluid()
{
    EndpointsDesk desk(sample::manyEndpoints(100));
    desk.page->setSnapshot(std::make_shared<const observe::Snapshot>(normalSnapshot()), sampleNowMs());
    desk.page->showEndpoint(desk.draft.workspace().endpoints[50].spec.name);
    QElapsedTimer timer;
    timer.start();
    desk.type("rpm", QStringLiteral("123456"));
    const double each = static_cast<double>(timer.nsecsElapsed()) / 7e6;
    qInfo("a key in a field with 100 endpoints: %.1f ms", each);
    QCOMPARE(desk.selected().spec.requestsPerMinute.value_or(0), 123456.0);
    QCOMPARE(desk.steps(), 1);
}

void TestEndpointsPage::pictures()
{
    const QString folder = qEnvironmentVariable("SWITCHGEAR_SHOTS");
    if (folder.isEmpty())
        QSKIP("set SWITCHGEAR_SHOTS to a folder");
    QVERIFY(QDir().mkpath(folder));
    const auto save = [&](EndpointsDesk& desk, const QString& name) {
        for (const auto& [mode, word] :
             {std::pair(ui::ThemeMode::Dark, "dark"), std::pair(ui::ThemeMode::Light, "light")}) {
            desk.context.setMode(mode);
            QApplication::processEvents();
            QApplication::processEvents();
            QVERIFY(desk.window.grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, QLatin1String(word))));
        }
    };
    const auto live = std::make_shared<const observe::Snapshot>(normalSnapshot());
    {
        EndpointsDesk desk;
        desk.page->setSnapshot(live, sampleNowMs());
        desk.select("gpt-4.1");
        desk.tester.results["gpt-4.1"] = FakeTester::working({QStringLiteral("gpt-4.1"), QStringLiteral("o3")});
        desk.tester.results["claude-sonnet-4.5"].kind = engine::ConnectionResult::Kind::KeyRefused;
        desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        save(desk, QStringLiteral("normal"));
        desk.select("gemini-2.5-flash");
        desk.page->form()->findChild<QScrollArea*>()->ensureWidgetVisible(desk.field("caFile"));
        desk.field("rpm")->setFocus();
        save(desk, QStringLiteral("scrolled"));
        desk.field("proxy")->setFocus();
        desk.type("total", QStringLiteral("0"));
        desk.type("proxy", QStringLiteral("nonsense"));
        save(desk, QStringLiteral("wrong"));
        desk.select("gpt-4.1");
        desk.press(Qt::Key_Delete);
        save(desk, QStringLiteral("removed"));
        desk.page->setNarrow(true);
        desk.window.resize(1024, 700);
        save(desk, QStringLiteral("narrow"));
    }
    {
        EndpointsDesk desk(workspace::Workspace{});
        save(desk, QStringLiteral("empty"));
    }
    {
        EndpointsDesk desk(sample::manyEndpoints(100));
        desk.page->setSnapshot(std::make_shared<const observe::Snapshot>(extremeSnapshot()), sampleNowMs());
        save(desk, QStringLiteral("hundred"));
    }
}

int main(int argc, char** argv)
{
    return runEndpointsTest<TestEndpointsPage>(argc, argv);
}
#include "tst_endpoints_page.moc"
