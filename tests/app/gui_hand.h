// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>
#include <QTimer>

#include <functional>
#include <memory>

/// Hands of a person on the real windows: what they do goes through the same events as a mouse's and a keyboard's.
namespace sg::test {

inline bool fail(const QString& what)
{
    QTest::qFail(qPrintable(what), __FILE__, __LINE__);
    return false;
}

/// A button's menu has an event loop of its own: `what` happens in there once `open` has opened it.
inline void inMenu(const std::function<void(QMenu&)>& what, const std::function<void()>& open)
{
    QTimer hand;
    QObject::connect(&hand, &QTimer::timeout, &hand, [&] {
        if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
            hand.stop();
            what(*menu);
        }
    });
    hand.start(2);
    open();
    if (hand.isActive() && !QTest::qWaitFor([&] { return !hand.isActive(); }, 2000))
        fail(QStringLiteral("no menu opened"));
}

class Mouse
{
public:
    void click(QWidget* widget, const QString& called) const
    {
        if (!widget || !widget->isVisible() || !widget->isEnabled()) {
            fail(QStringLiteral("cannot be clicked: ") + called);
            return;
        }
        for (QWidget* around = widget->parentWidget(); around; around = around->parentWidget()) {
            if (auto* scroll = qobject_cast<QScrollArea*>(around))
                scroll->ensureWidgetVisible(widget);
        }
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    /// The button of this object name.
    void click(QWidget& in, const char* name) const
    {
        for (auto* button : in.findChildren<QAbstractButton*>(QString::fromLatin1(name))) {
            if (button->isVisible())
                return click(button, QString::fromLatin1(name));
        }
        fail(QStringLiteral("there is no button ") + QLatin1String(name));
    }
    /// The button of these words.
    void click(QWidget& in, const QString& words) const
    {
        for (auto* button : in.findChildren<QAbstractButton*>()) {
            if (button->text() == words && button->isVisible())
                return click(button, words);
        }
        fail(QStringLiteral("there is no button ") + words);
    }
    /// A line of the menu that a button opens.
    void choose(QPushButton* button, const QString& words) const
    {
        inMenu(
            [&](QMenu& menu) {
                for (QAction* action : menu.actions()) {
                    if (action->text() == words)
                        return QTest::mouseClick(&menu, Qt::LeftButton, {}, menu.actionGeometry(action).center());
                }
                menu.close();
                fail(QStringLiteral("the menu has no line ") + words);
            },
            [&] { click(button, words); });
    }
    void choose(QComboBox* list, const QString& words) const
    {
        click(list, words);
        if (!list)
            return;
        const QModelIndex index = list->model()->index(list->findText(words), list->modelColumn());
        if (!index.isValid()) {
            fail(QStringLiteral("the list has no line ") + words);
            return;
        }
        list->view()->scrollTo(index);
        // A list that has just opened takes no release, so that the click that opened it does not choose.
        (void)QTest::qWaitFor(
            [&] {
                if (list->view()->isVisible())
                    QTest::mouseClick(list->view()->viewport(), Qt::LeftButton, {},
                                      list->view()->visualRect(index).center());
                return list->currentText() == words;
            },
            2000);
        if (list->currentText() != words)
            fail(QStringLiteral("not chosen: ") + words);
    }
    /// In the place of what a field holds.
    void type(QLineEdit* field, const QString& text) const
    {
        click(field, text);
        if (!field)
            return;
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }
    QPoint rowOf(const QAbstractItemView& view, const QString& words) const
    {
        for (int row = 0; row < view.model()->rowCount(); ++row) {
            const QModelIndex index = view.model()->index(row, 0);
            if (index.data().toString() != words)
                continue;
            const_cast<QAbstractItemView&>(view).scrollTo(index);
            return view.visualRect(index).center();
        }
        fail(QStringLiteral("the list has no row ") + words);
        return {};
    }
    /// A row of a list, drawn elsewhere and let go there: the events of a drag, because without a display nobody draws.
    void drag(QAbstractItemView& from, const QPoint& at, QWidget& to, const QPoint& target) const
    {
        const std::unique_ptr<QMimeData> mime(from.model()->mimeData({from.indexAt(at)}));
        if (!mime) {
            fail(QStringLiteral("nothing to drag"));
            return;
        }
        QDragEnterEvent enter(target, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&to, &enter);
        QDragMoveEvent move(target, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&to, &move);
        QDropEvent drop(target, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&to, &drop);
        if (!drop.isAccepted())
            fail(QStringLiteral("not taken where it was dropped"));
    }
    void dragWithin(QWidget& widget, const QPoint& from, const QPoint& to) const
    {
        QTest::mousePress(&widget, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 4; ++i)
            move(widget, from + (to - from) * i / 4);
        QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
    }

private:
    /// QTest's own says nothing about the button that is held.
    static void move(QWidget& widget, const QPoint& to)
    {
        QMouseEvent event(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&widget, &event);
    }
};

class Keys
{
public:
    explicit Keys(QWidget& window)
        : window_(window)
    {
    }
    /// What has the focus.
    QWidget* focused() const
    {
        activate();
        return QApplication::focusWidget();
    }
    /// To what has the focus.
    void press(QKeyCombination keys) const
    {
        if (QWidget* to = focused())
            QTest::keyClick(to, keys.key(), keys.keyboardModifiers());
        else
            fail(QStringLiteral("nothing has the focus"));
    }
    /// With F6, from one part of the window to the next, until this has the focus.
    void nextRegionTo(const QWidget& part) const
    {
        for (int i = 0; i < 20 && focused() != &part; ++i)
            press(Qt::Key_F6);
        if (focused() != &part)
            fail(QStringLiteral("F6 does not reach ") + part.accessibleName());
    }
    /// With Tab, or with Shift+Tab, until the widget of this object name has the focus.
    void tabTo(const char* name, Qt::KeyboardModifier way = Qt::NoModifier) const
    {
        for (int i = 0; i < 300; ++i) {
            QWidget* now = focused();
            if (now && now->objectName() == QLatin1String(name))
                return;
            if (!now) {
                fail(QStringLiteral("nothing has the focus on the way to ") + QLatin1String(name));
                return;
            }
            QTest::keyClick(now, way == Qt::ShiftModifier ? Qt::Key_Backtab : Qt::Key_Tab, way);
        }
        fail(QStringLiteral("Tab does not reach ") + QLatin1String(name));
    }
    void type(const QString& text) const
    {
        QTest::keyClick(focused(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(focused(), text);
        QTest::keyClick(focused(), Qt::Key_Return);
    }
    /// In the menu of the button that has the focus.
    void chooseInMenu(const QString& words) const
    {
        inMenu(
            [&](QMenu& menu) {
                for (int i = 0; i < 100; ++i) {
                    if (menu.activeAction() && menu.activeAction()->text() == words)
                        return QTest::keyClick(&menu, Qt::Key_Return);
                    QTest::keyClick(&menu, Qt::Key_Down);
                }
                menu.close();
                fail(QStringLiteral("no menu has the line ") + words);
            },
            [&] { QTest::keyPress(focused(), Qt::Key_Space); } /* the menu has the release */);
    }
    /// In the list that has the focus.
    void chooseInList(const QString& words) const
    {
        auto* list = qobject_cast<QComboBox*>(focused());
        if (!list) {
            fail(QStringLiteral("no list has the focus for ") + words);
            return;
        }
        QTest::keyClick(list, Qt::Key_Home);
        for (int i = 0; list->currentText() != words && i < list->count(); ++i)
            QTest::keyClick(list, Qt::Key_Down);
        if (list->currentText() != words)
            fail(QStringLiteral("the list has no line ") + words);
    }
    /// In a list that one types into: commands, things to insert.
    void pick(const QString& words) const
    {
        QWidget* list = QApplication::activePopupWidget();
        auto* field = list ? list->findChild<QLineEdit*>() : nullptr;
        if (!field) {
            fail(QStringLiteral("no list opened for ") + words);
            return;
        }
        QTest::keyClicks(field, words);
        QTest::keyClick(field, Qt::Key_Return);
    }

private:
    /// Without a display no window manager activates the window again behind a popup that has closed. Qt then takes the
    /// hidden popup for the active window, where no shortcut of another window is heard; QWidget::isActiveWindow() says
    /// yes all the same, because the popup belongs to the window.
    void activate() const
    {
        const QWidget* active = QApplication::activeWindow();
        if (active && active->isVisible())
            return;
        window_.activateWindow();
        if (!QTest::qWaitFor([&] { return QApplication::activeWindow() == &window_; }, 2000))
            fail(QStringLiteral("the window does not become active again"));
    }

    QWidget& window_;
};

} // namespace sg::test
