// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/main_window/palette_command.h"

#include <QString>

class QWidget;

namespace sg::ui {

/// What a page wants to say while another one is in front.
struct PageBadge
{
    QString text;  ///< in the corner of the icon, at most four characters; empty: none
    QString words; ///< for assistive technology and the tip
    bool isAlarm = true;
    bool operator==(const PageBadge&) const = default;
};

/// A place of the rail. The main window owns its pages and shows one at a time; only that one is given snapshots, and
/// gets the newest when it comes to the front. GUI thread.
class Page
{
public:
    virtual ~Page() = default;

    virtual QString id() const = 0;    ///< "overview": settings, names of screenshots
    virtual QString title() const = 0; ///< under the icon, one or two words
    virtual QString icon() const = 0;  ///< file in resources/icons without ".svg"
    virtual QWidget* widget() = 0;     ///< made with the page; the window takes it into its layout

    /// `nowUnixMs` is the time of the view: the wall clock, or the moment at which it was paused.
    virtual void setSnapshot(const observe::SnapshotPtr& snapshot, std::int64_t nowUnixMs) = 0;
    /// The window is narrower than 1280 px.
    virtual void setNarrow(bool) {}
    /// Where F6 goes within the page, in this order.
    virtual std::vector<QWidget*> regions() { return {widget()}; }
    /// Lines for the command palette; the page is brought to the front before one runs.
    virtual std::vector<PaletteCommand> paletteCommands() { return {}; }
    /// Asked at each beat, of hidden pages too: must be cheap.
    virtual PageBadge badge(const observe::Snapshot&) const { return {}; }
};

} // namespace sg::ui
