// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/app/gui_hand.h"
#include "tests/support/fake_gateway.h"
#include "tests/ui/overview_desk.h"
#include "ui/gateway/gateway_chip.h"
#include "ui/gateway/gateway_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QTest>

namespace sg::test {

inline constexpr gateway::Phase kPhases[] = {gateway::Phase::Off, gateway::Phase::Starting, gateway::Phase::Serving,
                                             gateway::Phase::Draining, gateway::Phase::Failed};
inline const QString kGatewayUrl = QStringLiteral("http://127.0.0.1:8787/v1");

/// A window with a gateway in its top bar.
struct GatewayDesk : Desk
{
    explicit GatewayDesk(gateway::Phase phase = gateway::Phase::Off, QSize size = {1440, 900})
        : Desk(normalSnapshot(), size)
        , fake(phase)
    {
        window.gateway().setChains({QStringLiteral("support"), QStringLiteral("batch")});
        window.setGateway(&fake);
        QCoreApplication::processEvents();
    }
    ~GatewayDesk() { window.setGateway(nullptr); }
    ui::GatewayButton& chip() { return window.topBar().gatewayChip().button(); }
    ui::GatewayPanel& panel() { return window.gatewayPanel(); }
    void open()
    {
        mouse.click(&chip(), QStringLiteral("chip"));
        QVERIFY(panel().isVisible());
    }
    template <class T>
    T* find(const char* name)
    {
        return panel().findChild<T*>(QString::fromLatin1(name));
    }
    QString text(const char* name)
    {
        auto* label = find<QLabel>(name);
        return label && label->isVisible() ? label->text() : QString();
    }
    bool isShown(const char* name)
    {
        auto* found = find<QWidget>(name);
        return found && found->isVisible();
    }
    /// A beat of the window, half a second later.
    void beat()
    {
        now += 500;
        window.tick();
    }
    FakeGateway fake;
    Mouse mouse;
};

inline QString clipboard()
{
    return QGuiApplication::clipboard()->text();
}

} // namespace sg::test
