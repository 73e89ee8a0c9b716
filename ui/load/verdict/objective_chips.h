// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

class TipFrame;

/// An objective of a run and how it stands.
struct ObjectiveChip
{
    enum class State { Met, Missed, NoData };
    QString name;     ///< "p95"
    QString measured; ///< with its unit; an en dash while there is none
    QString limit;    ///< "≤ 4.00 s"
    State state = State::NoData;
    QString formula; ///< how the value comes about; for the tool tip
    bool operator==(const ObjectiveChip&) const = default;
};
QString objectiveWord(ObjectiveChip::State state); ///< "met", "missed", "no data"

/// Objectives as chips in rows, each with the sign and the word of its state. They wrap; the arrow keys read them.
class ObjectiveChips : public QWidget
{
    Q_OBJECT
public:
    explicit ObjectiveChips(ThemeContext& context, QWidget* parent = nullptr);

    void setChips(std::vector<ObjectiveChip> chips);
    const std::vector<ObjectiveChip>& chips() const { return chips_; }
    std::optional<std::size_t> cursor() const { return cursor_; }

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void fit();
    double widthOf(const ObjectiveChip& chip) const;
    std::vector<QRectF> places(double width) const;
    void setCursor(std::optional<std::size_t> chip);
    void describe();
    void paintChip(QPainter& p, const QRectF& box, const ObjectiveChip& chip) const;

    ThemeContext& context_;
    std::vector<ObjectiveChip> chips_;
    std::optional<std::size_t> cursor_;
};

} // namespace sg::ui
