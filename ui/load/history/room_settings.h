// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_history.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace sg::ui {

/// How many runs are kept, on the page of settings. What is set counts for every program that shares their folder.
class RoomSettings : public QWidget
{
    Q_OBJECT
public:
    RoomSettings(ThemeContext& context, history::RunHistory& history, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void read();
    void write();
    void showLimits(const history::KeepLimits& limits);
    void say(const history::HistoryError* error);

    history::RunHistory& history_;
    QSpinBox* runs_;
    QDoubleSpinBox *space_, *spaceOfOne_; ///< GB
    QLabel* words_;
    bool isShowing_ = false; ///< what the fields get is no wish
};

} // namespace sg::ui
