// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QMainWindow>

class QLabel;
class QVBoxLayout;

namespace sg::ui {

/// Stands in the place of the desk when a workspace cannot be opened: what is wrong, place by place, and the ways on.
class CannotOpenWindow : public QMainWindow
{
    Q_OBJECT
public:
    CannotOpenWindow();

    /// `lines` as "FILE: PLACE: PROBLEM. REMEDY."; the file is said once, above them.
    void setProblems(const QString& file, const QStringList& lines);
    const QStringList& lines() const { return lines_; }

Q_SIGNALS:
    void retryRequested();
    void otherFileRequested();
    void simulatorRequested();
    void newRequested();

private:
    QLayout* makeButtons();

    ThemeContext theme_;
    QStringList lines_;
    QLabel* heading_;
    QVBoxLayout* findings_;
};

} // namespace sg::ui
