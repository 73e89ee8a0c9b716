// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/series/run_switch.h"

#include <QWidget>

class QLabel;

namespace sg::ui {

class Segments;

/// "Run: once, each strategy, each endpoint", with a line on what that will be, or why it cannot be.
class SeriesChoice : public QWidget
{
    Q_OBJECT
public:
    explicit SeriesChoice(QWidget* parent = nullptr);

    RunSwitch::Mode mode() const;
    void setMode(RunSwitch::Mode mode);
    /// `runs` of the plan; `problem`: empty, or why it could be no series.
    void setWords(int runs, const QString& problem);
    QString words() const;

Q_SIGNALS:
    void changed();

private:
    Segments* what_;
    QLabel *words_, *problem_;
};

} // namespace sg::ui
