// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/widgets/chart_data.h"
#include "ui/widgets/tip_frame.h"

#include <QPointer>
#include <QWidget>

#include <optional>

namespace sg::ui {

/// A chart that is read with a cursor along one axis: the pointer or ← → (with Shift ten times as far), Home, End;
/// Esc takes it away. What stands under it is told in a tip and to assistive technology.
class CursorChart : public QWidget, public ChartData
{
    Q_OBJECT
public:
    std::optional<double> cursor() const { return cursor_; }

protected:
    CursorChart(ThemeContext& context, QWidget* parent);

    struct Reach
    {
        double from = 0, to = 1; ///< of the cursor
        double step = 1;         ///< of an arrow key
    };
    virtual bool hasData() const = 0;
    virtual Reach reach() const = 0;
    virtual QString sentence() const = 0;      ///< of the moment under the cursor, or of the whole without one
    virtual TipFrame::Content tip() const = 0; ///< there is a cursor
    virtual QPointF anchor() const = 0;        ///< of the tip, in the chart
    virtual std::optional<double> cursorAt(const QPointF& point) const = 0; ///< empty: nothing is there

    ThemeContext& context() const { return context_; }
    const Theme& theme() const { return context_.theme(); }
    void setCursor(std::optional<double> at);
    /// What is shown has changed: the cursor is told anew, or taken away where there is nothing under it.
    void dataChanged();
    /// The ring of a chart that has the focus; last in paintEvent().
    void paintFocus(QPainter& p) const;

    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void showCursor();

    ThemeContext& context_;
    std::optional<double> cursor_;
    QPointer<TipFrame> tip_;
};

} // namespace sg::ui
