// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"
#include "ui/widgets/rows_model.h"

#include <QAbstractButton>

namespace sg::ui {

/// A title and a few coloured lines below it, to click on.
class CountsButton : public QAbstractButton
{
    Q_OBJECT
public:
    struct Line
    {
        QString text;
        RowsModel::Tone tone = RowsModel::Tone::Plain;
        bool operator==(const Line&) const = default;
    };
    CountsButton(ThemeContext& context, const QString& title, QWidget* parent = nullptr);
    void setLines(std::vector<Line> lines);
    const std::vector<Line>& lines() const { return lines_; }
    QSize sizeHint() const override { return {112, 80}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
    QString title_;
    std::vector<Line> lines_;
};

} // namespace sg::ui
