// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/fake_gateway.h"
#include "tests/ui/draft_desk.h"
#include "tests/ui/fake_keys.h"
#include "ui/edit/choice_field.h"
#include "ui/gateway/gateway_form.h"
#include "ui/gateway/gateway_page.h"

#include <QLineEdit>
#include <QTest>

namespace sg::test {

/// The gateway's page by itself, over a gateway without a socket.
struct PageDesk : DraftDesk
{
    PageDesk()
        : page(theme, draft, serving, keys, feed)
    {
        feed.setControl(&fake);
        page.resize(1200, 900);
        theme.applyTo(&page);
        page.show();
        (void)QTest::qWaitForWindowExposed(&page);
        page.form().lintNow();
    }
    template <class T>
    T* find(const char* name)
    {
        return page.findChild<T*>(QString::fromLatin1(name));
    }
    const workspace::GatewaySettings& now() const { return draft.workspace().gateway; }
    void type(const char* name, const QString& text)
    {
        auto* field = find<QLineEdit>(name);
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        if (text.isEmpty())
            QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClicks(field, text);
    }
    /// As a person does it: the list changes and says so.
    void choose(workspace::KeySource source)
    {
        auto* where = find<ui::ChoiceField>("tokenWhere");
        const int row = where->findData(static_cast<int>(source));
        where->setCurrentIndex(row);
        Q_EMIT where->activated(row);
    }

    ui::ThemeContext theme;
    FakeKeys keys;
    FakeGateway fake;
    ui::GatewayFeed feed;
    ui::GatewayPage page;
};

} // namespace sg::test
