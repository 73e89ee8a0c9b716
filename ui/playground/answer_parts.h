// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/playground/playground_words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chart_data.h"

#include <QPointer>
#include <QWidget>

namespace sg::ui {

class TipFrame;

namespace paint {
/// The small sign of a look: disc, ring, half diamond, triangle, cross, square.
void lookMark(QPainter& p, const QPointF& centre, double size, words::Look look, const Tokens& tokens);
} // namespace paint
QColor lookInk(words::Look look, const Tokens& tokens);

/// How a request stands: a shape and a word.
class StatusTag : public QWidget
{
    Q_OBJECT
public:
    explicit StatusTag(ThemeContext& context, QWidget* parent = nullptr);
    void setStatus(const words::Status& status); ///< announced to assistive technology when it ends
    const words::Status& status() const { return status_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QSize sizeOf(const QString& word) const;

    ThemeContext& context_;
    words::Status status_;
};

/// Figures side by side, each with its name above it and a tip.
class FiguresStrip : public QWidget
{
    Q_OBJECT
public:
    explicit FiguresStrip(ThemeContext& context, QWidget* parent = nullptr);
    void setFigures(std::vector<words::Figure> figures);
    const std::vector<words::Figure>& figures() const { return figures_; }
    QSize sizeHint() const override { return {420, 46}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::vector<double> edges() const; ///< right edges

    ThemeContext& context_;
    std::vector<words::Figure> figures_;
};

/// The gap before each piece of the answer, in order of arrival: even when the provider streams steadily, a spike where
/// it stalled.
class TokenStrip : public QWidget, public ChartData
{
    Q_OBJECT
public:
    explicit TokenStrip(ThemeContext& context, QWidget* parent = nullptr);
    void setView(const engine::WatchViewPtr& view);
    DataTable dataTable() const override;
    QSize sizeHint() const override { return {420, 72}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent*) override { update(); }
    void focusOutEvent(QFocusEvent*) override { update(); }

private:
    QRectF plot() const; ///< of the bars; the mean's name stands right of it
    QString meanWords() const;
    int columnsIn(const QRectF& box) const;
    void takeGaps();

    ThemeContext& context_;
    engine::WatchViewPtr view_;
    std::vector<double> gaps_; ///< ms before arrival i + 1
    double mean_ = 0, longest_ = 0;
    QString words_;
    QPointer<TipFrame> tip_;
};

} // namespace sg::ui
