// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/run_progress.h"
#include "ui/theme/theme.h"

#include <QStackedWidget>

class QLabel;
class QPushButton;

namespace sg::ui {

class RatePlot;
class Segments;

/// A run over its time, or its latency against rate; the switch between them goes into a panel's title line.
class RunCharts : public QStackedWidget
{
    Q_OBJECT
public:
    RunCharts(ThemeContext& context, QWidget* overTime, QWidget* parent = nullptr);

    /// Null: there is no run.
    void setRun(const load::RunProgressPtr& run);
    QWidget* choice() const; ///< the switch; not a child until it is put somewhere
    bool showsRates() const;
    void showRates(bool shows);
    RatePlot* rates() const { return plot_; }

Q_SIGNALS:
    void sweepWanted(); ///< the form is to plan one
    void choiceChanged();

private:
    QWidget* makeRates();
    void showWords();

    ThemeContext& context_;
    load::RunProgressPtr run_;
    Segments* choice_;
    QStackedWidget* pages_ = nullptr;
    RatePlot* plot_ = nullptr;
    QLabel *knees_ = nullptr, *empty_ = nullptr;
    QPushButton* sweep_ = nullptr;
};

} // namespace sg::ui
