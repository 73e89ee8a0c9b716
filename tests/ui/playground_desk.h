// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/ui/fake_watch_control.h"
#include "ui/playground/headers_view.h"
#include "ui/playground/playground_page.h"
#include "ui/playground/prompt_form.h"
#include "ui/playground/response_view.h"
#include "ui/playground/waterfall_view.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/segments.h"

#include <QApplication>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

namespace sg::test {

using namespace ui;

/// The page in a real window, as the program shows it.
struct PlayDesk
{
    ThemeContext context;
    FakeWatchControl control;
    QMainWindow window;
    PlaygroundPage* page = nullptr;

    explicit PlayDesk(FakeWatchControl prepared = {}, Preferences* preferences = nullptr)
        : control(std::move(prepared))
    {
        page = new PlaygroundPage(context, control, preferences);
        new FocusRing(context, &window);
        window.setCentralWidget(page);
        context.setMode(ThemeMode::Dark);
        context.applyTo(&window);
        window.resize(1360, 828);
        window.show();
        if (!QTest::qWaitForWindowExposed(&window))
            qFatal("no window");
    }
    ~PlayDesk() { delete window.takeCentralWidget(); } // before the theme and the control
    /// Sends, and puts the picture of what was sent.
    void play(engine::WatchView view)
    {
        page->send();
        show(std::move(view));
    }
    void show(engine::WatchView view)
    {
        view.id = control.sent.size();
        control.views[view.id] = scene::shared(std::move(view));
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
        QPushButton* found = nullptr; // one that is shown goes before one that is not
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->text() == text && (!found || (button->isVisible() && !found->isVisible())))
                found = button;
        return found;
    }
    PromptForm* form() const { return page->form(); }
    ResponseView* response() const { return page->findChild<ResponseView*>(); }
    WaterfallView* waterfall() const { return page->findChild<WaterfallView*>(); }
    HeadersView* headers() const { return page->findChild<HeadersView*>(); }
    Banner* banner() const { return page->findChild<Banner*>(); }
    QPlainTextEdit* user() const { return named<QPlainTextEdit>(QStringLiteral("User")); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const
    {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : page, key, modifiers);
    }
    /// For the eye: PLAYGROUND_SHOTS names a folder.
    void shoot(const QString& name)
    {
        const QString folder = qEnvironmentVariable("PLAYGROUND_SHOTS");
        if (folder.isEmpty())
            return;
        for (const auto& [mode, word] : {std::pair(ThemeMode::Dark, "dark"), std::pair(ThemeMode::Light, "light")}) {
            context.setMode(mode);
            context.applyTo(&window);
            QCoreApplication::processEvents();
            window.grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, QLatin1String(word)));
        }
        context.setMode(ThemeMode::Dark);
        context.applyTo(&window);
    }
};

inline Segments* segments(const PlayDesk& desk, const char* name)
{
    return desk.named<Segments>(QString::fromUtf8(name));
}

} // namespace sg::test
