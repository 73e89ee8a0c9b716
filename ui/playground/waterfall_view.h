// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/playground/waterfall_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chart_data.h"

#include <QPointer>
#include <QTableView>

namespace sg::ui {

class TipFrame;

QBrush barBrush(waterfall::BarKind kind, const Tokens& tokens);
QBrush partBrush(waterfall::Part::Kind kind, const Tokens& tokens);

/// Attempts, waits and moves of one request as rows under one time axis. A table with everything that one knows:
/// the arrow keys walk the rows, each reads as a sentence; the last column is painted as bars.
class WaterfallView : public QTableView, public ChartData
{
    Q_OBJECT
public:
    static constexpr int kRow = 32, kHead = 28;

    explicit WaterfallView(ThemeContext& context, QWidget* parent = nullptr);

    void setScene(waterfall::Scene scene);
    const waterfall::Scene& scene() const { return model_.scene(); }
    WaterfallModel& rows() { return model_; }
    ThemeContext& context() const { return context_; }
    void selectAttempt(int number); ///< does not emit

    double xOf(double ms) const; ///< in the viewport
    double plotLeft() const;
    double plotRight() const;
    const waterfall::Axis& axis() const { return axis_; }
    DataTable dataTable() const override;

Q_SIGNALS:
    void attemptSelected(int number); ///< by pointer or keys
    void axisChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void fitColumns();
    void fitAxis();
    void showTip(const QPoint& pos);
    void hideTip();
    void paintGrid(QPainter& p) const;
    void paintMoves(QPainter& p) const;
    void paintCommit(QPainter& p) const;

    ThemeContext& context_;
    WaterfallModel model_;
    waterfall::Axis axis_;
    QPointer<TipFrame> tip_;
    bool isSilent_ = false;
};

/// The whole time of a request in its parts, under the same axis. They add up.
class PartsBand : public QWidget
{
    Q_OBJECT
public:
    PartsBand(ThemeContext& context, WaterfallView& view, QWidget* parent = nullptr);
    void refresh();
    QSize sizeHint() const override { return {600, 56}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
    WaterfallView& view_;
};

} // namespace sg::ui
