// SPDX-License-Identifier: GPL-3.0-or-later
// What comes into a draft from elsewhere, and goes out again.
#include "app/desktop/exchange.h"
#include "core/workspace/document.h"
#include "core/workspace/edits.h"
#include "core/workspace/litellm.h"
#include "core/workspace/presets.h"
#include "ui/edit/notes_dialog.h"
#include "ui/main_window/command_palette.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace sg;
using namespace sg::app;

class TestExchange : public QObject
{
    Q_OBJECT
private:
    QTemporaryDir folder_;
    ui::ThemeContext context_;

    struct Scene
    {
        explicit Scene(ui::ThemeContext& context)
            : draft(std::make_shared<const workspace::Workspace>(workspace::emptyWorkspace(QStringLiteral("w"))))
            , exchange(draft, context, window)
            , arrived(&exchange, &Exchange::arrived)
            , refused(&exchange, &Exchange::refused)
        {
            window.show();
        }
        ui::NotesDialog* notes() const { return window.findChild<ui::NotesDialog*>(); }
        QWidget window;
        ui::Draft draft;
        Exchange exchange;
        QSignalSpy arrived, refused;
    };
    QString write(const char* name, const QByteArray& bytes) const
    {
        QFile file(folder_.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("the test cannot write its own file");
        return file.fileName();
    }

private Q_SLOTS:
    void aConfigurationIsOneEdit()
    {
        Scene s(context_);
        const auto before = s.draft.pointer();
        const QString file =
            write("config.yaml", "model_list:\n"
                                 "- {model_name: m, litellm_params: {model: gpt-4o, api_key: sk-test-0001}}\n"
                                 "- {model_name: b, litellm_params: {model: bedrock/x}}\n");
        s.exchange.askFile = [&](QWidget*) { return file; };
        s.exchange.askForFile();
        QCOMPARE(s.arrived.count(), 1);
        QCOMPARE(s.arrived.at(0).at(0).toString(), QStringLiteral("m"));
        QVERIFY(s.draft.workspace().chain("m"));
        QVERIFY(s.notes());
        auto* table = s.notes()->findChild<QTableView*>();
        QVERIFY(table && table->model()->rowCount() >= 2);
        QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(s.draft.undoStack().count(), 1);
        s.draft.undoStack().undo();
        QCOMPARE(s.draft.pointer(), before);
    }

    void whatCannotBeReadLeavesTheDraftAlone()
    {
        Scene s(context_);
        s.exchange.takeFile(write("broken.yaml", "model_list: ["));
        s.exchange.takeFile(folder_.filePath(QStringLiteral("nowhere.yaml")));
        s.exchange.takePreset(QStringLiteral("s9"));
        s.exchange.putInto(folder_.filePath(QStringLiteral("out.yaml")), "nobody");
        QCOMPARE(s.refused.count(), 4);
        QCOMPARE(s.arrived.count(), 0);
        QCOMPARE(s.draft.undoStack().count(), 0);
    }

    void presetsBringTheirSimulator()
    {
        Scene s(context_);
        for (const workspace::Preset& preset : workspace::presets())
            s.exchange.takePreset(preset.id);
        QCOMPARE(s.arrived.count(), 5);
        QCOMPARE(s.draft.undoStack().count(), 5);
        const workspace::Workspace& made = s.draft.workspace();
        QStringList scripted;
        const QJsonArray endpoints = made.simulator.value(QStringLiteral("endpoints")).toArray();
        for (const QJsonValue& endpoint : endpoints)
            scripted << endpoint[QStringLiteral("name")].toString();
        for (const workspace::Endpoint& endpoint : made.endpoints)
            QVERIFY2(scripted.contains(endpoint.baseUrl.mid(4)), qPrintable(endpoint.baseUrl));
        const auto again = workspace::parseWorkspace(workspace::toJson(made));
        QVERIFY2(again.has_value(), again ? "" : qPrintable(again.error().front().toText(QStringLiteral("w"))));
    }

    void presetsAreChosenFromAList()
    {
        Scene s(context_);
        QVERIFY(QTest::qWaitForWindowActive(&s.window));
        s.exchange.askForPreset();
        auto* list = s.window.findChild<ui::CommandPalette*>();
        QVERIFY(list);
        QTest::keyClicks(QApplication::focusWidget() ? QApplication::focusWidget() : list, QStringLiteral("jitters"));
        QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : list, Qt::Key_Return);
        QTRY_COMPARE(s.arrived.count(), 1);
        QVERIFY(s.draft.workspace().chain("full jitter"));
    }

    void aChainGoesOut()
    {
        Scene s(context_);
        s.exchange.takePreset(QStringLiteral("s1"));
        const QString file = folder_.filePath(QStringLiteral("out.yaml"));
        s.exchange.askNewFile = [&](QWidget*) { return file; };
        s.exchange.askWhereTo("gateway");
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const auto back = workspace::importLiteLlm(written.readAll());
        QVERIFY(back.has_value());
        QVERIFY(back->workspace.chain("gateway"));
        QVERIFY(s.notes());
    }
};

QTEST_MAIN(TestExchange)
#include "tst_desktop_exchange.moc"
