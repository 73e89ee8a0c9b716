// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/edits.h"
#include "core/workspace/workspace_file.h"
#include "ui/edit/draft.h"
#include "ui/edit/quantity_field.h"

#include <QSignalSpy>
#include <QTest>

using namespace sg;
using namespace sg::ui;

class TestDraft : public QObject
{
    Q_OBJECT
private:
    workspace::WorkspacePtr start_ =
        std::make_shared<const workspace::Workspace>(workspace::emptyWorkspace(QStringLiteral("start")));

    static void rename(Draft& draft, const QString& name, const QString& key = {})
    {
        draft.edit(
            QStringLiteral("Rename to %1").arg(name), [&](workspace::Workspace& w) { w.name = name; }, key);
    }

private Q_SLOTS:
    void undoGivesBackTheVeryState()
    {
        Draft draft(start_);
        const QByteArray bytes = workspace::toJson(draft.workspace());
        QSignalSpy changed(&draft, &Draft::changed);
        rename(draft, QStringLiteral("a"));
        rename(draft, QStringLiteral("b"));
        QCOMPARE(draft.undoStack().count(), 2);
        QCOMPARE(draft.undoStack().undoText(), QStringLiteral("Rename to b"));
        draft.undoStack().undo();
        QCOMPARE(draft.workspace().name, QStringLiteral("a"));
        draft.undoStack().undo();
        QCOMPARE(draft.pointer(), start_);
        QCOMPARE(workspace::toJson(draft.workspace()), bytes);
        draft.undoStack().redo();
        QCOMPARE(draft.workspace().name, QStringLiteral("a"));
        QCOMPARE(changed.count(), 5);
    }

    void editsOfOneFieldMergeUntilTheFieldIsLeft()
    {
        Draft draft(start_);
        const QString key = QStringLiteral("name");
        for (const char* typed : {"m", "ma", "mai"})
            rename(draft, QString::fromLatin1(typed), key);
        QCOMPARE(draft.undoStack().count(), 1);
        draft.closeMerge();
        rename(draft, QStringLiteral("main"), key);
        QCOMPARE(draft.undoStack().count(), 2);
        rename(draft, QStringLiteral("other"), QStringLiteral("another field"));
        rename(draft, QStringLiteral("back"), key);
        QCOMPARE(draft.undoStack().count(), 4);
        draft.undoStack().undo();
        draft.undoStack().undo();
        draft.undoStack().undo();
        QCOMPARE(draft.workspace().name, QStringLiteral("mai"));
    }

    void anEditAfterAnUndoBeginsAnew()
    {
        Draft draft(start_);
        rename(draft, QStringLiteral("a"), QStringLiteral("name"));
        draft.closeMerge();
        rename(draft, QStringLiteral("b"), QStringLiteral("name"));
        draft.undoStack().undo();
        rename(draft, QStringLiteral("c"), QStringLiteral("name"));
        QCOMPARE(draft.undoStack().count(), 2);
        draft.undoStack().undo();
        QCOMPARE(draft.workspace().name, QStringLiteral("a"));
    }

    void thereAndBackIsNoEdit()
    {
        Draft draft(start_);
        rename(draft, QStringLiteral("start"));
        QCOMPARE(draft.undoStack().count(), 0);
        rename(draft, QStringLiteral("x"), QStringLiteral("drag"));
        rename(draft, QStringLiteral("start"), QStringLiteral("drag"));
        QCOMPARE(draft.undoStack().count(), 0);
        QCOMPARE(draft.workspace().name, QStringLiteral("start"));
    }

    void anotherDocumentForgets()
    {
        Draft draft(start_);
        rename(draft, QStringLiteral("a"));
        draft.replace(QStringLiteral("Roll back"), start_);
        QCOMPARE(draft.undoStack().count(), 2);
        draft.restart(start_);
        QCOMPARE(draft.undoStack().count(), 0);
        QCOMPARE(draft.pointer(), start_);
    }

    void aFieldSaysWhatIsAllowed_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("value"); // NaN: none is emitted
        const double none = std::nan("");
        QTest::newRow("in bounds") << QStringLiteral("2.5") << 2.5;
        QTest::newRow("low end") << QStringLiteral("0.1") << 0.1;
        QTest::newRow("high end") << QStringLiteral("60") << 60.0;
        QTest::newRow("too low") << QStringLiteral("0.05") << none;
        QTest::newRow("too high") << QStringLiteral("61") << none;
        QTest::newRow("no number") << QStringLiteral("x") << none;
        QTest::newRow("infinite") << QStringLiteral("inf") << none;
        QTest::newRow("negative") << QStringLiteral("-1") << none;
        QTest::newRow("empty") << QString() << none;
    }
    void aFieldSaysWhatIsAllowed()
    {
        QFETCH(QString, typed);
        QFETCH(double, value);
        ThemeContext context;
        QuantityField field(context, {QStringLiteral("s"), 0.1, 60, 2, 0.5}, QStringLiteral("Base"));
        field.setValue(1);
        QSignalSpy edited(&field, &QuantityField::edited);
        field.selectAll();
        QTest::keyClick(&field, Qt::Key_Delete);
        QTest::keyClicks(&field, typed);
        QCOMPARE(field.problem().isEmpty(), !std::isnan(value));
        if (!std::isnan(value)) {
            QCOMPARE(field.value(), std::optional<double>(value));
            QVERIFY(edited.count() >= 1);
        } else {
            QVERIFY(field.problem().contains(QStringLiteral("0.1")));
            QVERIFY(field.problem().contains(QStringLiteral("60")));
        }
    }

    void commasAreRead_data()
    {
        QTest::addColumn<QString>("locale");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("value"); // NaN: none
        const auto row = [](const char* locale, const char* typed, double value) {
            QTest::newRow(qPrintable(QLatin1String(locale) + QLatin1Char(' ') + QLatin1String(typed)))
                << QString::fromLatin1(locale) << QString::fromLatin1(typed) << value;
        };
        row("de_DE", "0,125", 0.125);
        row("de_DE", "1,234", 1.234);
        row("de_DE", "0.125", 0.125);
        row("de_DE", "1.500", 1.5);
        row("de_DE", "1 234,5", 1234.5);
        row("de_DE", "1.234,5", 1234.5);
        row("fr_FR", "0,125", 0.125);
        row("en_US", "0.125", 0.125);
        row("en_US", "1,234", 1234);
        row("en_US", "0,125", std::nan(""));
    }
    void commasAreRead()
    {
        QFETCH(QString, locale);
        QFETCH(QString, typed);
        QFETCH(double, value);
        const auto back = qScopeGuard([before = QLocale()] { QLocale::setDefault(before); });
        QLocale::setDefault(QLocale(locale));
        ThemeContext context;
        QuantityField field(context, {QStringLiteral("$"), 0, 1e6, 4, 0.25, true}, QStringLiteral("Price"));
        QTest::keyClicks(&field, typed);
        QCOMPARE(field.problem().isEmpty(), !std::isnan(value));
        if (std::isnan(value))
            return;
        QCOMPARE(field.value(), std::optional<double>(value));
        // What the field writes itself means the same, and a step goes on from there.
        QuantityField same(context, field.rules(), QStringLiteral("Price"));
        same.setValue(value);
        QTest::keyClick(&same, Qt::Key_Up);
        QCOMPARE(same.value(), std::optional<double>(value + 0.25));
        QTest::keyClick(&same, Qt::Key_Down);
        QCOMPARE(same.value(), std::optional<double>(value));
    }

    void aFieldStepsAndMayBeEmpty()
    {
        ThemeContext context;
        QuantityField field(context, {QStringLiteral("per min"), 0, 100, 0, 1, true, QStringLiteral("no limit")},
                            QStringLiteral("Requests"));
        field.setValue(5);
        QSignalSpy edited(&field, &QuantityField::edited);
        QTest::keyClick(&field, Qt::Key_Up);
        QCOMPARE(field.value(), std::optional<double>(6));
        QTest::keyClick(&field, Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(field.value(), std::optional<double>(0));
        field.selectAll();
        QTest::keyClick(&field, Qt::Key_Delete);
        QCOMPARE(field.value(), std::optional<double>());
        QCOMPARE(edited.count(), 3);
        QTest::keyClicks(&field, QStringLiteral("1.5"));
        QCOMPARE(field.problem(), QStringLiteral("A whole number"));
        QCOMPARE(field.value(), std::optional<double>(1));
    }

    void aTypingHandIsNotDisturbed()
    {
        ThemeContext context;
        QWidget window;
        QuantityField field(context, {QStringLiteral("s"), 0, 100, 2}, QStringLiteral("Cap"), &window);
        QLineEdit other(&window);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        field.setFocus();
        field.setValue(8);
        field.selectAll();
        QTest::keyClicks(&field, QStringLiteral("1.50"));
        field.setValue(1.5); // the draft's echo
        QCOMPARE(field.text(), QStringLiteral("1.50"));
        field.setValue(8); // an undo
        QCOMPARE(field.text(), QStringLiteral("8"));
        QSignalSpy left(&field, &QuantityField::left);
        other.setFocus();
        QCOMPARE(left.count(), 1);
    }
};

QTEST_MAIN(TestDraft)
#include "tst_draft.moc"
