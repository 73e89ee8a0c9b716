// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/edit/quantity_field.h"
#include "ui/theme/theme.h"
#include "ui/widgets/focus_ring.h"

#include <QApplication>
#include <QBoxLayout>
#include <QComboBox>
#include <QDir>
#include <QInputMethodEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QtTest>

namespace sg::test {

/// A real window with one form in it, as wide as the inspector.
struct FormDesk
{
    explicit FormDesk(ui::ThemeMode mode = ui::ThemeMode::Dark)
        : ring(new ui::FocusRing(theme, &window))
    {
        theme.setMode(mode);
        theme.applyTo(&window);
        window.setObjectName(QStringLiteral("desk"));
        window.setAutoFillBackground(true);
        auto palette = window.palette();
        palette.setColor(QPalette::Window, theme.c().card);
        window.setPalette(palette);
        column = new QVBoxLayout(&window);
        column->setContentsMargins(12, 10, 12, 10);
    }
    void put(QWidget* form, QSize size = {272, 640})
    {
        column->addWidget(form, 0, Qt::AlignTop);
        show(size);
    }
    void fill(QWidget* form, QSize size)
    {
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(form);
        show(size);
    }
    void show(QSize size)
    {
        window.resize(size);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
        QCoreApplication::processEvents();
    }
    template <class W = QWidget>
    W* find(const char* name)
    {
        auto* found = window.findChild<W*>(QLatin1String(name));
        if (!found)
            qFatal("no field %s", name);
        return found;
    }
    /// As a person does: goes to the field, takes the old text away, types, and leaves with Tab.
    void type(const char* name, const char* text, bool leaves = true)
    {
        auto* field = find<QLineEdit>(name);
        field->setFocus(Qt::TabFocusReason);
        field->selectAll();
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClicks(field, QString::fromUtf8(text));
        if (leaves)
            QTest::keyClick(field, Qt::Key_Tab);
    }
    /// What an input method does with scripts that no key event carries.
    static void compose(QWidget* field, const char* text)
    {
        field->setFocus(Qt::TabFocusReason);
        QInputMethodEvent event;
        event.setCommitString(QString::fromUtf8(text));
        QApplication::sendEvent(field, &event);
    }
    /// A picture for a person to look at, where SWITCHGEAR_SHOTS says; nothing otherwise.
    void shoot(const char* name)
    {
        const QString folder = qEnvironmentVariable("SWITCHGEAR_SHOTS");
        if (folder.isEmpty())
            return;
        QDir().mkpath(folder);
        for (int round = 0; round < 2; ++round) // a layout asks its parent in the next one
            QCoreApplication::processEvents();
        const QString shade = theme.theme().dark ? QStringLiteral("dark") : QStringLiteral("light");
        window.grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, QLatin1String(name), shade));
    }

    ui::ThemeContext theme;
    QWidget window;
    ui::FocusRing* ring;
    QVBoxLayout* column;
};

} // namespace sg::test
