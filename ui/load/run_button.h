// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QAbstractButton>

namespace sg::ui {

/// The big button of the load page: starts, stops, and stops at once. Says below what pressing it will do.
class RunButton : public QAbstractButton
{
    Q_OBJECT
public:
    enum class Mode { Start, Stop, StopNow, Waiting };

    RunButton(ThemeContext& context, QWidget* parent = nullptr);

    void setMode(Mode mode, const QString& effect);
    Mode mode() const { return mode_; }
    const QString& effect() const { return effect_; }

    QSize sizeHint() const override { return {152, 66}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintSign(QPainter& p, const QPointF& centre, const QColor& ink) const;

    ThemeContext& context_;
    Mode mode_ = Mode::Start;
    QString effect_;
};

} // namespace sg::ui
