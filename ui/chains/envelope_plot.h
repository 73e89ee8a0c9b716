// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/backoff_envelope.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chart_data.h"

#include <QPointer>
#include <QWidget>

#include <optional>

namespace sg::ui {

class TipFrame;

/// How long each retry waits: the band its delay is drawn from, the mean, and what they add up to at worst. The pointer
/// or the arrow keys read a retry.
class EnvelopePlot : public QWidget, public ChartData
{
    Q_OBJECT
public:
    explicit EnvelopePlot(ThemeContext& context, QWidget* parent = nullptr);

    void setPolicy(const policy::BackoffPolicy& policy, int retries);
    const policy::BackoffEnvelope& envelope() const { return envelope_; }
    std::optional<int> cursor() const { return cursor_; } ///< the retry that is read, from 0
    DataTable dataTable() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    int count() const { return static_cast<int>(envelope_.steps.size()); }
    QString axisLabel(double part) const;
    QRectF plot() const;
    QRectF slotOf(int retry) const;
    double yOf(double ms) const;
    QString sentence() const;
    QString rangeWords(const policy::EnvelopeStep& step) const;
    void setCursor(std::optional<int> retry);
    void showCursor();
    void paintAxis(QPainter& p, const Theme& theme) const;
    void paintBars(QPainter& p, const Theme& theme) const;
    void paintLabels(QPainter& p, const Theme& theme) const;
    void paintLegend(QPainter& p, const Theme& theme) const;

    ThemeContext& context_;
    policy::BackoffPolicy policy_;
    policy::BackoffEnvelope envelope_;
    double top_ = 1; ///< ms at the upper end of the axis
    std::optional<int> cursor_;
    QPointer<TipFrame> tip_;
};

} // namespace sg::ui
