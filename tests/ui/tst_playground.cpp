// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/playground_desk.h"

using namespace sg;
using namespace sg::test;

class TestPlayground : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySceneFits_data();
    void everySceneFits();
};

void TestPlayground::everySceneFits_data()
{
    QTest::addColumn<int>("scene");
    const char* names[] = {"empty", "answered", "running", "waiting", "failed", "broken", "cancelled", "tools", "quick",
                           "extreme"};
    for (int i = 0; i < 10; ++i)
        QTest::newRow(names[i]) << i;
}

void TestPlayground::everySceneFits()
{
    QFETCH(int, scene);
    engine::WatchView (*const scenes[])() = {nullptr, scene::answered, scene::running, scene::waiting, scene::failed,
                                             scene::brokenOff, scene::cancelled, scene::tools, scene::quick,
                                             scene::extreme};
    PlayDesk desk;
    if (scenes[scene])
        desk.play(scenes[scene]());
    for (const QSize size : {QSize(1360, 828), QSize(900, 640)}) {
        desk.page->setNarrow(size.width() < 1200);
        desk.window.resize(size);
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        // Layouts within layouts say what they need one after another.
        QTRY_VERIFY(desk.window.minimumSizeHint().width() <= size.width());
        desk.window.resize(size);
        QCoreApplication::processEvents();
        desk.shoot(QStringLiteral("%1-%2").arg(QLatin1String(QTest::currentDataTag())).arg(size.width()));
        QVERIFY(!desk.window.grab().isNull());
    }
}

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    prepareApplication(application);
    TestPlayground test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_playground.moc"
