// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/compare/comparison.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace sg::ui {

class BreakerLanes;
class ChangeTable;
class CurvesPlot;
class Panel;
class RunCard;
class Segments;

/// Two to five runs beside each other: percentiles and time as overlaid curves, what changed with its confidence, what
/// was different, and the notes.
class CompareView : public QWidget
{
    Q_OBJECT
public:
    explicit CompareView(ThemeContext& context, QWidget* parent = nullptr);

    void setComparison(Comparison comparison);
    const Comparison& comparison() const { return comparison_; }
    /// Whose change against the reference is shown; the reference itself has none.
    void showChangeOf(std::size_t run);
    std::size_t shownRun() const { return shown_; }

    ChangeTable* changes() const { return changes_; }
    BreakerLanes* breakers() const { return breakers_; }
    CurvesPlot* percentiles() const { return percentiles_; }
    CurvesPlot* overTime() const { return overTime_; }

Q_SIGNALS:
    void backWanted();
    void baselineWanted(const QString& id, bool isBaseline);
    void exportWanted();

private:
    QWidget* makeTop();
    QWidget* makeRight();
    void showCards();
    void showPercentiles();
    void showOverTime();
    void showWords();

    ThemeContext& context_;
    Comparison comparison_;
    std::size_t shown_ = 1;
    QHBoxLayout* cardRow_ = nullptr;
    QButtonGroup* cardGroup_ = nullptr;
    std::vector<RunCard*> cards_;
    QPushButton* baseline_ = nullptr;
    Segments* what_ = nullptr;
    CurvesPlot *percentiles_ = nullptr, *overTime_ = nullptr;
    ChangeTable* changes_ = nullptr;
    BreakerLanes* breakers_ = nullptr;
    Panel *percentilePanel_ = nullptr, *timePanel_ = nullptr, *changePanel_ = nullptr, *breakerPanel_ = nullptr;
    QLabel *differences_ = nullptr, *notes_ = nullptr;
};

} // namespace sg::ui
