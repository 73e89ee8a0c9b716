// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_file.h"
#include "tests/ui/endpoints_desk.h"
#include "ui/endpoints/endpoint_form.h"
#include "ui/endpoints/endpoint_sections.h"

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

class TestEndpointsKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keyNeverReachesTheDraft();
    void wrongKeysAreRefusedAndOddOnesSaid();
    void keyPastedAsANameIsRefused();
    void everyKeyStateHasAWayOn_data();
    void everyKeyStateHasAWayOn();
    void forgettingAKeyAsksOnce();
    void failedStoreIsSaid();
    void lateAnswerOfTheKeychain();
    void relaysHaveKeysOfTheirOwn();
};

void TestEndpointsKeys::keyNeverReachesTheDraft()
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

void TestEndpointsKeys::wrongKeysAreRefusedAndOddOnesSaid()
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

void TestEndpointsKeys::keyPastedAsANameIsRefused()
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

void TestEndpointsKeys::everyKeyStateHasAWayOn_data()
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

void TestEndpointsKeys::everyKeyStateHasAWayOn()
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

void TestEndpointsKeys::forgettingAKeyAsksOnce()
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

void TestEndpointsKeys::failedStoreIsSaid()
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

void TestEndpointsKeys::lateAnswerOfTheKeychain()
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

void TestEndpointsKeys::relaysHaveKeysOfTheirOwn()
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

int main(int argc, char** argv)
{
    return runEndpointsTest<TestEndpointsKeys>(argc, argv);
}
#include "tst_endpoints_keys.moc"
