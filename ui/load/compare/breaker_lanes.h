// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/compare/comparison.h"
#include "ui/theme/theme.h"
#include "ui/widgets/cursor_chart.h"

namespace sg::ui {

/// Breakers of several runs on one axis of time, all from their own start: an endpoint after the other, a lane a run.
/// Endpoints whose breaker stayed closed in all of them have no lane but are named.
class BreakerLanes : public CursorChart
{
    Q_OBJECT
public:
    static constexpr std::size_t kMostRows = 12;  ///< asked room for; what does not fit is in the table
    static constexpr std::size_t kFewestRows = 5; ///< as many runs as are compared

    struct Row
    {
        std::size_t run = 0;
        load::BreakerStory story; ///< without spans: the run does not have this endpoint
    };

    explicit BreakerLanes(ThemeContext& context, QWidget* parent = nullptr);

    void setRuns(const std::vector<ComparedRun>& runs);
    const std::vector<Row>& rows() const { return rows_; }
    const QStringList& quiet() const { return quiet_; } ///< endpoints that stayed closed
    /// "gpt-4.1: A first opened at 7:24, B at 6:20"; empty where none opened.
    QString summary() const;
    DataTable dataTable() const override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool hasData() const override;
    Reach reach() const override;
    QString sentence() const override;
    TipFrame::Content tip() const override;
    QPointF anchor() const override;
    std::optional<double> cursorAt(const QPointF& point) const override;

private:
    std::size_t shownRows() const; ///< that fit
    int heightFor(std::size_t rows) const;
    QRectF plot() const;
    double xOf(double second) const;
    void paintAxis(QPainter& p, const Theme& theme) const;

    std::vector<Row> rows_;
    QStringList quiet_;
    double end_ = 1; ///< s, of the longest run
};

} // namespace sg::ui
