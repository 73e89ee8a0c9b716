// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/series_control.h"
#include "ui/theme/theme.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace sg::ui {

class SeriesModel;
class SeriesSorter;

/// A series of runs: how far it is, and its table. Looks at the control by itself, also while it is hidden, so that
/// each ended run is told once.
class SeriesView : public QWidget
{
    Q_OBJECT
public:
    SeriesView(ThemeContext& context, load::SeriesControl& control, QWidget* parent = nullptr);

    void poll();
    QTableView* table() const { return table_; }
    SeriesModel* model() const { return model_; }
    QString stateWords() const;

Q_SIGNALS:
    void backWanted();
    void runWanted(const sg::load::SeriesRunPtr& run);
    void liveWanted(); ///< the run that is under way
    void runEnded(const sg::load::SeriesRunPtr& run);
    void activeChanged(bool isActive);
    void said(const QString& words);

private:
    QWidget* makeTop();
    QWidget* makeBody(ThemeContext& context);
    void show(const load::SeriesProgress& series);
    void tellEnded(const load::SeriesProgress& series);
    void activate(const QModelIndex& index);
    void copy();

    load::SeriesControl& control_;
    QTimer timer_{this};
    load::SeriesProgressPtr shown_;
    QString told_;             ///< id of the series whose ended runs are told
    std::vector<bool> isTold_; ///< by row
    bool wasActive_ = false;
    SeriesModel* model_;
    SeriesSorter* sorter_;
    QTableView* table_ = nullptr;
    QLabel *title_ = nullptr, *state_ = nullptr, *notes_ = nullptr;
    QProgressBar* bar_ = nullptr;
    QPushButton *cancel_ = nullptr, *copy_ = nullptr;
    QStackedWidget* stack_ = nullptr;
};

} // namespace sg::ui
