// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QWidget>

namespace sg::ui {

/// "answered" and "failed" with their looks.
class HistogramLegend : public QWidget
{
    Q_OBJECT
public:
    explicit HistogramLegend(ThemeContext& context, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
};

} // namespace sg::ui
