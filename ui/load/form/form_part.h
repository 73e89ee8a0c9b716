// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/plan.h"

#include <QWidget>

#include <functional>
#include <vector>

namespace sg::ui {

/// A part of the form of a load plan: it writes what its fields say into a plan, and shows a plan in its fields.
class FormPart : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual void write(load::LoadPlan& plan) const = 0;
    virtual void show(const load::LoadPlan& plan) = 0;

    /// What the fields themselves cannot read: a field and a sentence with the remedy. No field: they are fine.
    struct Problem
    {
        QWidget* field = nullptr;
        QString words;
    };
    virtual Problem problem() const { return {}; }

    /// load::checkPlan() is the only place that knows the limits. Which field it means shows when that field is made
    /// good: one for each field with a limit.
    struct Mend
    {
        QWidget* field = nullptr;
        std::function<void(load::LoadPlan&)> mend;
    };
    virtual std::vector<Mend> mends() const { return {}; }

Q_SIGNALS:
    void changed();
};

} // namespace sg::ui
