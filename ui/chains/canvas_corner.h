// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QWidget>

class QToolButton;

namespace sg::ui {

/// What the widths and colours of the canvas mean.
class CanvasLegend : public QWidget
{
    Q_OBJECT
public:
    CanvasLegend(ThemeContext& context, QWidget* parent);
    QSize sizeHint() const override { return {206, hasRoutes_ ? 76 : 54}; }
    void setHasRoutes(bool hasRoutes);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
    bool hasRoutes_ = false;
};

/// − 100 % + and "fit", at the lower right of the canvas; its legend at the lower left.
class CanvasCorner : public QWidget
{
    Q_OBJECT
public:
    CanvasCorner(ThemeContext& context, QWidget* parent);
    void setScale(double scale);
    CanvasLegend& legend() { return *legend_; }

Q_SIGNALS:
    void stepped(int by);
    void resetRequested();
    void fitRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QToolButton* button(const QString& name, const QString& accessibleName);
    void takeTheme();

    ThemeContext& context_;
    CanvasLegend* legend_;
    QToolButton *out_, *scale_, *in_, *fit_;
};

} // namespace sg::ui
