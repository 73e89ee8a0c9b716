// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui_hand.h"
#include "tests/ui/gateway_page_desk.h"
#include "ui/edit/choice_field.h"
#include "ui/edit/quantity_field.h"
#include "ui/edit/text_fields.h"

#include <QLabel>

using namespace sg;
using test::PageDesk;
using workspace::KeySource;

class tst_gateway_page : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFieldWritesToTheDraft()
    {
        PageDesk desk;
        const workspace::GatewaySettings before = desk.now();
        desk.type("address", QStringLiteral("0.0.0.0"));
        desk.type("port", QStringLiteral("9000"));
        desk.type("begin_after_ms", QStringLiteral("2.5"));
        desk.type("keep_alive_ms", QStringLiteral("15"));
        desk.type("drain_ms", QStringLiteral("60"));
        desk.type("max_in_flight", QStringLiteral("64"));
        desk.type("max_queued", QStringLiteral("0"));
        desk.type("max_queue_wait_ms", QStringLiteral("5"));
        QTest::keyClicks(desk.find<ui::WordsBox>("hosts"), QStringLiteral("desk.local, 10.0.0.4"));
        QTest::keyClicks(desk.find<ui::WordsBox>("origins"), QStringLiteral("https://desk.example"));
        workspace::GatewaySettings wanted;
        wanted.address = QStringLiteral("0.0.0.0");
        wanted.port = 9000;
        wanted.beginAfter = std::chrono::milliseconds(2500);
        wanted.keepAlive = std::chrono::seconds(15);
        wanted.drain = std::chrono::seconds(60);
        wanted.maxInFlight = 64;
        wanted.maxQueued = 0;
        wanted.maxQueueWait = std::chrono::seconds(5);
        wanted.hosts = {QStringLiteral("desk.local"), QStringLiteral("10.0.0.4")};
        wanted.origins = {QStringLiteral("https://desk.example")};
        QVERIFY(desk.now() == wanted);
        QCOMPARE(desk.draft.undoStack().count(), 10); // what is typed into one field is one step
        while (desk.draft.undoStack().canUndo())
            desk.draft.undoStack().undo();
        QVERIFY(desk.now() == before);
        QCOMPARE(desk.find<QLineEdit>("port")->text(), QStringLiteral("8787")); // a name more than a number
        QCOMPARE(desk.find<QLineEdit>("address")->text(), QStringLiteral("127.0.0.1"));
        QVERIFY(desk.find<ui::WordsBox>("hosts")->toPlainText().isEmpty());
    }

    void emptyBeginMeansWithTheFirstToken()
    {
        PageDesk desk;
        desk.type("begin_after_ms", {});
        QVERIFY(!desk.now().beginAfter);
        QCOMPARE(desk.find<QLineEdit>("begin_after_ms")->placeholderText(), QStringLiteral("with the first token"));
    }

    void whatIsOutOfBoundsStaysOut()
    {
        PageDesk desk;
        desk.type("port", QStringLiteral("70000"));
        QCOMPARE(desk.now().port, quint16(7000)); // the last that was one
        QVERIFY(!desk.page.form().problemOf(QStringLiteral("port")).isEmpty());
        desk.type("keep_alive_ms", QStringLiteral("0"));
        QVERIFY(!desk.page.form().problemOf(QStringLiteral("keep_alive_ms")).isEmpty());
    }

    void undoAndRedoAreThePages()
    {
        PageDesk desk;
        const test::Mouse mouse;
        QVERIFY(!desk.find<QPushButton>("undo")->isEnabled());
        desk.type("port", QStringLiteral("9000"));
        QCOMPARE(desk.find<QPushButton>("undo")->accessibleDescription(), QStringLiteral("Port of the gateway"));
        mouse.click(desk.page, "undo");
        QCOMPARE(desk.now().port, quint16(8787));
        QTest::keyClick(desk.find<QLineEdit>("port"), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(desk.now().port, quint16(9000));
    }

    void tokenIsAReference()
    {
        PageDesk desk;
        QVERIFY(!desk.find<QLineEdit>("tokenName")->isVisible());
        desk.choose(KeySource::Environment);
        QVERIFY(desk.now().token.source == KeySource::Environment);
        QCOMPARE(desk.now().token.name, QStringLiteral("SWITCHGEAR_TOKEN"));
        QVERIFY(!desk.find<QLineEdit>("tokenEntry")->isVisible()); // a variable is set elsewhere
        QVERIFY(desk.find<QLabel>("tokenState")->text().contains(QStringLiteral("There is no key named")));
        desk.type("tokenName", QStringLiteral("DESK_TOKEN"));
        QCOMPARE(desk.now().token.name, QStringLiteral("SWITCHGEAR_TOKEN")); // not before the field is left
        QTest::keyClick(desk.find<QLineEdit>("tokenName"), Qt::Key_Return);
        QCOMPARE(desk.now().token.name, QStringLiteral("DESK_TOKEN"));
        desk.draft.undoStack().undo();
        desk.draft.undoStack().undo();
        QVERIFY(desk.now().token.source == KeySource::None);
    }

    void aTokenInThePlaceOfItsNameIsRefused()
    {
        PageDesk desk;
        desk.choose(KeySource::Keychain);
        desk.type("tokenName", QStringLiteral("sk-test-0001-aaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
        QTest::keyClick(desk.find<QLineEdit>("tokenName"), Qt::Key_Return);
        QCOMPARE(desk.now().token.name, QStringLiteral("switchgear-gateway"));
        QCOMPARE(desk.find<QLineEdit>("tokenName")->text(), QStringLiteral("switchgear-gateway"));
    }

    void tokenIsStoredWhereKeysAre()
    {
        PageDesk desk;
        desk.choose(KeySource::Session);
        auto* entry = desk.find<QLineEdit>("tokenEntry");
        QCOMPARE(entry->echoMode(), QLineEdit::Password);
        QVERIFY(!desk.find<QPushButton>("storeToken")->isEnabled());
        desk.keys.refusal = secrets::SecretError{secrets::SecretErrorKind::Denied, QStringLiteral("It was refused."),
                                                 QStringLiteral("Try again.")};
        desk.type("tokenEntry", QStringLiteral("sk-test-0001"));
        test::Mouse().click(desk.page, "storeToken");
        QVERIFY(desk.keys.stored.empty());
        QVERIFY(entry->accessibleDescription().contains(QStringLiteral("It was refused.")));
        desk.type("tokenEntry", QStringLiteral("sk-test-0001"));
        QTest::keyClick(entry, Qt::Key_Return);
        QCOMPARE(desk.keys.stored.size(), std::size_t(1));
        QVERIFY(entry->text().isEmpty());
        QVERIFY(desk.find<QLabel>("tokenState")->text().startsWith(QStringLiteral("Ready.")));
    }

    void findingsStandAtTheirField()
    {
        PageDesk desk;
        desk.draft.edit(QStringLiteral("Settings"), [](workspace::Workspace& w) {
            w.gateway.address = QStringLiteral("0.0.0.0");
            w.gateway.hosts = {QStringLiteral("https://desk.local/path")};
        });
        desk.page.form().lintNow();
        const QString said = desk.page.form().problemOf(QStringLiteral("address"));
        QVERIFY2(said.contains(QStringLiteral("without a token")), qPrintable(said));
        QVERIFY(desk.find<QLineEdit>("address")->property("wrong").toBool());
        QVERIFY(!desk.page.form().problemOf(QStringLiteral("hosts")).isEmpty());
        QVERIFY(desk.page.form().problemOf(QStringLiteral("port")).isEmpty());
        test::Mouse().click(desk.page, QStringLiteral("Listen on 127.0.0.1"));
        QCOMPARE(desk.now().address, QStringLiteral("127.0.0.1"));
        desk.page.form().lintNow();
        QVERIFY(desk.page.form().problemOf(QStringLiteral("address")).isEmpty());
        desk.draft.edit(QStringLiteral("Token"), [](workspace::Workspace& w) {
            w.gateway.token = {workspace::KeySource::Keychain, QString(), false};
        });
        desk.page.form().lintNow();
        QVERIFY(!desk.page.form().problemOf(QStringLiteral("token")).isEmpty());
    }

    void fieldsAreFoundByTheirName_data()
    {
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("focused");
        QTest::newRow("port") << QStringLiteral("port") << QStringLiteral("port");
        QTest::newRow("token") << QStringLiteral("token") << QStringLiteral("tokenWhere");
        QTest::newRow("limits") << QStringLiteral("max_in_flight") << QStringLiteral("max_in_flight");
        QTest::newRow("none in particular") << QString() << QStringLiteral("address");
    }
    void fieldsAreFoundByTheirName()
    {
        QFETCH(const QString, asked);
        QFETCH(const QString, focused);
        PageDesk desk;
        desk.page.showField(asked);
        QCOMPARE(desk.page.focusWidget()->objectName(), focused);
    }
};

QTEST_MAIN(tst_gateway_page)
#include "tst_gateway_page.moc"
