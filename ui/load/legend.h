// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QBrush>
#include <QWidget>

#include <functional>

namespace sg::ui {

/// Names the looks of the lines or bars of a chart, in its title line.
class Legend : public QWidget
{
    Q_OBJECT
public:
    struct Entry
    {
        QString name; ///< empty: a divider
        QColor (*colour)(const Tokens&) = nullptr;
        QVector<qreal> dashes = {};
        bool isHatch = false;                         ///< the failed hatch, as a square
        std::function<QBrush(const Tokens&)> brush{}; ///< a square of this instead
    };
    Legend(ThemeContext& context, std::vector<Entry> entries, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double widthOf(const Entry& entry) const;

    ThemeContext& context_;
    std::vector<Entry> entries_;
};

} // namespace sg::ui
