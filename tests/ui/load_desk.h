// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/ui/fake_load_control.h"
#include "ui/load/load_page.h"
#include "ui/load/result_view.h"
#include "ui/load/strip/live_strip.h"
#include "ui/widgets/banner.h"

#include <QApplication>
#include <QFile>
#include <QMainWindow>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

namespace sg::test {

using namespace ui;

/// The page in a real window, as the program shows it.
struct Desk
{
    ThemeContext context;
    FakeLoadControl control;
    QMainWindow window;
    LoadPage* page = nullptr;

    explicit Desk(load::RunProgressPtr picture = {})
    {
        control.picture = std::move(picture);
        open();
    }
    explicit Desk(FakeLoadControl prepared)
        : control(std::move(prepared))
    {
        open();
    }
    void open()
    {
        page = new LoadPage(context, control);
        window.setCentralWidget(page);
        context.setMode(ThemeMode::Dark);
        context.applyTo(&window);
        window.resize(1360, 828);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
    }
    void show(load::RunProgress picture)
    {
        control.picture = sample::shared(std::move(picture));
        page->poll();
    }
    template <typename Widget>
    Widget* named(const QString& accessibleName) const
    {
        for (Widget* widget : page->findChildren<Widget*>())
            if (widget->accessibleName() == accessibleName)
                return widget;
        return nullptr;
    }
    QPushButton* button(const QString& text) const
    {
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->text() == text)
                return button;
        return nullptr;
    }
    RunButton* run() const { return page->findChild<RunButton*>(); }
    LiveStrip* strip() const { return page->findChild<LiveStrip*>(); }
    ResultView* result() const { return page->findChild<ResultView*>(); }
    Banner* banner() const { return page->findChild<Banner*>(); }
    CostBox* cost() const { return page->findChild<CostBox*>(); }
    void press(Qt::Key key) { QTest::keyClick(page, key, Qt::ControlModifier); }
};

inline QString written(const QTemporaryDir& dir, const QString& name, const QByteArray& content)
{
    QFile file(dir.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        return {};
    return file.fileName();
}

template <typename Test>
int runLoadTest(int argc, char** argv)
{
    QApplication application(argc, argv);
    prepareApplication(application);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace sg::test
