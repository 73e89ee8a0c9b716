// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"
#include "ui/widgets/sparkline.h"

#include <QWidget>

namespace sg::ui {

/// A figure with its name, its course over two minutes and a line of context.
class KpiTile : public QWidget
{
    Q_OBJECT
public:
    struct Figure
    {
        QString prefix; ///< "p50"; only with several figures
        QColor prefixColour;
        QString number, unit;
        bool operator==(const Figure&) const = default;
    };
    struct Facts
    {
        QString label;
        std::vector<Figure> figures;
        QString accent; ///< first words of the context line, in the half-open colour
        QString context;
        QString stale; ///< "no data for 12 s": greys the figures and hatches the course's end
        QString sentence;
    };

    explicit KpiTile(ThemeContext& context, QWidget* parent = nullptr);

    void setFacts(Facts facts);
    const Facts& facts() const { return facts_; }
    void setSparks(std::vector<paint::Spark> sparks, std::optional<double> targetLine = std::nullopt);

protected:
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    double paintFigures(QPainter& p, const Theme& theme) const;
    void paintSparks(QPainter& p, const Theme& theme, double textRight) const;

    ThemeContext& context_;
    Facts facts_;
    std::vector<paint::Spark> sparks_;
    std::optional<double> targetLine_;
};

} // namespace sg::ui
