// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/theme/theme.h"

#include <QStatusBar>

class QLabel;

namespace sg::ui {

/// The line at the bottom: how the machine itself is doing.
class StatusStrip : public QStatusBar
{
    Q_OBJECT
public:
    StatusStrip(ThemeContext& context, const QString& version, QWidget* parent = nullptr);

    void setSnapshot(const observe::Snapshot& snapshot, std::int64_t nowUnixMs);
    void setFrames(int perSecond);

private:
    QLabel* uptime_;
    QLabel* rate_;
    QLabel* inFlight_;
    QLabel* recorder_;
    QLabel* frames_;
    QLabel* zone_;
};

} // namespace sg::ui
