// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/stages/stages.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chart_data.h"

#include <QUndoStack>
#include <QWidget>

#include <optional>

namespace sg::ui {

/// Stages drawn as a line whose corners one drags. A double click adds a corner; Tab and Shift+Tab go from corner to
/// corner, arrows move the chosen one (Shift: ten steps), Insert adds one behind it, Delete takes it away, Escape lets
/// go. Every edit can be undone; a drag, or a row of arrow keys on one corner, is one step.
class StagesPlot : public QWidget, public ChartData
{
    Q_OBJECT
public:
    explicit StagesPlot(ThemeContext& context, QWidget* parent = nullptr);
    ~StagesPlot() override;

    const Stages& stages() const { return stages_; }
    /// Shows other stages; what was done before cannot be undone any more. Unsound ones are not taken.
    void setStages(const Stages& stages);
    /// As an edit that can be undone, as when they were typed.
    void replaceStages(const Stages& stages, const QString& words);
    void setReadOnly(bool isReadOnly);
    bool isReadOnly() const { return isReadOnly_; }
    void setNow(std::optional<double> second); ///< how far a run has come

    QUndoStack& undoStack() { return undo_; }
    std::optional<std::size_t> selected() const { return selected_; }
    void select(std::optional<std::size_t> point);
    void addPoint(StagePoint point);
    void insertPoint(); ///< behind the selected one, at the end without one
    void removeSelected();
    QPointF placeOf(std::size_t point) const; ///< in the widget
    DataTable dataTable() const override;

    QSize sizeHint() const override { return {292, 138}; }
    QSize minimumSizeHint() const override { return {200, 110}; }

Q_SIGNALS:
    void changed(); ///< by whatever way
    void selectionChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    friend class StagesEdit;
    struct State
    {
        Stages stages;
        std::optional<std::size_t> selected;
    };

    void show(State state);
    void push(State after, const QString& words, int gesture = 0);
    void moveSelected(StagePoint to, int gesture);
    void step(double seconds, double perSecond);
    void fitAxes();
    void describe();
    QRectF plot() const;
    double xOf(double second) const;
    double yOf(double perSecond) const;
    StagePoint valueAt(const QPointF& at) const;
    std::optional<std::size_t> pointAt(const QPointF& at) const;
    QString words(std::size_t point) const;
    QString sentence() const;
    void paintGrid(QPainter& p, const Theme& theme) const;
    void paintLine(QPainter& p, const Theme& theme) const;
    void paintPoints(QPainter& p, const Theme& theme) const;
    void paintFlag(QPainter& p, const Theme& theme, std::size_t point) const;

    ThemeContext& context_;
    QUndoStack undo_;
    Stages stages_{{0, 10}, {60, 10}};
    std::optional<std::size_t> selected_, hovered_;
    std::optional<double> now_;
    double endSecond_ = 60, endRate_ = 20;
    stages::Grid grid_;
    bool isReadOnly_ = false, isDragging_ = false;
    QPointF grip_;    ///< from the pointer to the corner it has
    int gesture_ = 0; ///< edits of one number merge; 0 never does
};

} // namespace sg::ui
