// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shots.h"
#include "ui/gateway/gateway_panel.h"
#include "ui/main_window/main_window.h"

#include <QDir>
#include <QPainter>

namespace sg::ui {

namespace {

/// The window with the gateway's panel over it; a popup is a window of its own, so the picture is put together.
QPixmap grabWithGateway(MainWindow& window)
{
    window.openGateway();
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    GatewayPanel& panel = window.gatewayPanel();
    QPixmap picture = window.grab();
    const QPoint at = window.mapFromGlobal(panel.mapToGlobal(QPoint()));
    QPainter(&picture).drawPixmap(at, panel.grab());
    panel.close();
    return picture;
}

} // namespace

QStringList grabPages(MainWindow& window, const QString& directory, QSize size)
{
    if (!QDir().mkpath(directory))
        return {};
    const QSize sizeBefore = window.size();
    const QString pageBefore = window.currentPage();
    const ThemeMode modeBefore = window.theme().mode();
    QStringList files;
    window.resize(size);
    window.show();
    for (const auto& [mode, name] : {std::pair(ThemeMode::Dark, "dark"), std::pair(ThemeMode::Light, "light")}) {
        window.theme().setMode(mode);
        for (const auto& page : window.pages()) {
            window.showPage(page->id());
            window.tick();
            // Twice: layouts may ask for another round after the first.
            QCoreApplication::processEvents();
            QCoreApplication::processEvents();
            const QString file =
                QDir(directory).filePath(QStringLiteral("%1-%2.png").arg(page->id(), QLatin1String(name)));
            if (window.grab().save(file))
                files << file;
        }
        if (!window.gateway().control() || window.pages().empty())
            continue;
        window.showPage(window.pages().front()->id());
        const QString file = QDir(directory).filePath(QStringLiteral("gateway-panel-%1.png").arg(QLatin1String(name)));
        if (grabWithGateway(window).save(file))
            files << file;
    }
    window.theme().setMode(modeBefore);
    window.showPage(pageBefore);
    window.resize(sizeBefore);
    return files;
}

} // namespace sg::ui
