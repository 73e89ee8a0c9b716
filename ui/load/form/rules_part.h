// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/form/form_part.h"

class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace sg::ui {

/// What a run has to keep, what of it is measured, what ends it early, and its seed.
class RulesPart : public FormPart
{
    Q_OBJECT
public:
    explicit RulesPart(QWidget* parent = nullptr);

    void write(load::LoadPlan& plan) const override;
    void show(const load::LoadPlan& plan) override;
    Problem problem() const override;
    std::vector<Mend> mends() const override;
    /// USD above which a start asks first; empty: what was typed is none.
    std::optional<double> costLimit() const;

private:
    void buildRules(QGridLayout* grid);
    void buildStops(QGridLayout* grid);
    void onEdited();
    void addStop(QGridLayout* grid, int row, QCheckBox* box, QWidget* value);

    QLineEdit *objectives_, *budget_, *seed_, *costLimit_;
    QSpinBox *warmUp_, *coolDown_, *failures_, *broken_;
    QCheckBox *stopFailures_, *stopBudget_, *stopBroken_, *stopSaturated_;
};

} // namespace sg::ui
