// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/compare/comparison.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>

namespace sg::ui {

/// A run of the comparison: its letter in the colour of its curve, name, and verdict. Checked: its change is shown.
class RunCard : public QAbstractButton
{
    Q_OBJECT
public:
    RunCard(ThemeContext& context, std::size_t number, QWidget* parent = nullptr);

    void setRun(const ComparedRun& run, bool isReference);
    QSize sizeHint() const override { return {240, 48}; }
    QSize minimumSizeHint() const override { return {130, 48}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    ThemeContext& context_;
    std::size_t number_;
    ComparedRun run_;
    bool isReference_ = false;
};

/// Colours of a verdict, as chips and rows wear them.
QColor verdictInk(RunVerdict verdict, const Tokens& tokens);

} // namespace sg::ui
