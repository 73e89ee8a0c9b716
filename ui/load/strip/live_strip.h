// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/strip/strip_lane.h"
#include "ui/widgets/chart_data.h"

#include <QWidget>

namespace sg::ui {

/// What happened when, in a run: rate, latency, a heat map, status codes, requests in flight and breakers under one
/// time axis and one cursor, which shows the same moment in all of them. The pointer or the arrow keys move the cursor
/// (Shift: ten moments), Home and End go to the ends, a drag or + and − zoom, a double click or 0 shows the whole run,
/// Escape puts the cursor away.
class LiveStrip : public QWidget, public ChartData
{
    Q_OBJECT
public:
    explicit LiveStrip(ThemeContext& context, QWidget* parent = nullptr);
    ~LiveStrip() override;

    /// The whole of it, as often as it changes; more than 400 moments are put together. Null: nothing ran yet.
    void setPicture(StripPicturePtr picture);
    const StripPicturePtr& picture() const { return picture_; }
    std::optional<double> cursorSecond() const { return cursor_; }
    void setCursorSecond(std::optional<double> second);
    std::pair<double, double> view() const; ///< seconds in sight
    void setView(double from, double to);
    void showWhole();
    QString cursorWords() const;    ///< what all charts say about the moment of the cursor; empty without one
    QStringList laneTitles() const; ///< those in sight
    DataTable dataTable() const override;

    QSize sizeHint() const override { return {648, 506}; }
    QSize minimumSizeHint() const override { return {420, 300}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    static constexpr double kRight = 14, kTop = 4, kTitle = 18; ///< px; kTitle: of the title line over a chart
    struct Band
    {
        const strip::Lane* lane = nullptr;
        QRectF box;
    };

    void layOut();
    strip::Axis axis() const;
    double bottom() const;
    double newest() const; ///< s, the middle of the last moment
    void zoom(double factor);
    void stepCursor(int moments);
    void goTo(double second); ///< the cursor, and the view after it
    void describe();
    void paintAxis(QPainter& p, const strip::Axis& axis) const;
    void paintPhases(QPainter& p, const strip::Axis& axis) const;
    void paintPhaseWords(QPainter& p, const strip::Axis& axis) const;
    void paintTitle(QPainter& p, const Band& band) const;
    void paintNow(QPainter& p, const strip::Axis& axis) const;
    void paintCursor(QPainter& p, const strip::Axis& axis) const;
    double paintFacts(QPainter& p, const Band& band, double x, double lowest) const;
    void paintDrag(QPainter& p) const;

    ThemeContext& context_;
    StripPicturePtr picture_;
    std::vector<std::unique_ptr<strip::Lane>> lanes_;
    std::vector<Band> bands_;
    double left_ = 52;
    std::optional<double> cursor_;
    std::optional<std::pair<double, double>> zoomed_;
    std::optional<double> dragFrom_, dragTo_; ///< px
};

} // namespace sg::ui
