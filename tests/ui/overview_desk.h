// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/recorded_commands.h"
#include "tests/support/sample_snapshots.h"
#include "ui/main_window/main_window.h"
#include "ui/overview/card_grid.h"
#include "ui/overview/overview_page.h"
#include "ui/widgets/confirm_dialog.h"

#include <QtTest>

namespace sg::test {

class Source : public ui::SnapshotSource
{
public:
    observe::SnapshotPtr latest() override { return snapshot; }
    void setWindow(Nanos window) override { windows.push_back(window); }
    observe::SnapshotPtr snapshot;
    std::vector<Nanos> windows;
};

/// A real window on a made-up desk, with a clock the test turns.
struct Desk
{
    explicit Desk(observe::Snapshot first, QSize size = {1440, 900}, ui::Preferences* preferences = nullptr)
        : now(first.takenUnixMs)
        , window(source, {[this] { return now; }, QStringLiteral("9.8.7"), false, preferences})
    {
        show(std::move(first));
        auto overview = std::make_unique<ui::OverviewPage>(window.theme(), commands, &window);
        page = overview.get();
        window.addPage(std::move(overview));
        window.addSettings();
        window.resize(size);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        window.tick();
        QCoreApplication::processEvents(); // labels ask for another layout round after their first text
    }
    void show(observe::Snapshot snapshot) { source.snapshot = shared(std::move(snapshot)); }
    ui::BreakerCard* card(const char* name) { return page->cards().card(QString::fromUtf8(name)); }
    QDialog* dialog()
    {
        QCoreApplication::processEvents();
        auto found = window.findChildren<ui::ConfirmDialog*>();
        return found.isEmpty() ? nullptr : found.back();
    }
    std::int64_t now;
    Source source;
    RecordedCommands commands;
    ui::MainWindow window;
    ui::OverviewPage* page = nullptr;
};

} // namespace sg::test
