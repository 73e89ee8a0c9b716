// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace sg::load {

/// A plot as SVG text for a page that defines the classes it uses (report_html.cpp). What has no value leaves a gap.
/// A plain value; pure.
class SvgPlot
{
public:
    struct Axis
    {
        double max = 1;                                  ///< from 0; what is no positive number counts as 1
        QString words;                                   ///< with the unit: "seconds since the start"
        std::vector<std::pair<double, QString>> ticks{}; ///< empty: round numbers
        double logFrom = 0;                              ///< above 0: logarithmic, from here
    };
    using Values = std::vector<std::optional<double>>;

    /// `words` say what is to be seen, for those who do not see it.
    SvgPlot(QString words, Axis x, Axis y);

    void shade(double from, double to, const QString& label);
    /// Between two lines, where both have a value. `xs` as long as they.
    void band(const std::vector<double>& xs, const Values& low, const Values& high, const QString& cssClass);
    void line(const std::vector<double>& xs, const Values& ys, const QString& cssClass, const QString& label);
    /// An upright line with its words, `row` lines below the top.
    void mark(double x, const QString& label, int row);
    void dot(double x, double y, const QString& cssClass);
    void bar(double from, double to, double bottom, double top, const QString& cssClass);

    QString svg() const;

private:
    QString axes() const;
    double xOf(double x) const;
    double yOf(double y) const;
    QString words_;
    Axis x_, y_;
    QString body_;
    struct Label
    {
        double height; ///< where its line ends, in pixels
        QString words, cssClass;
    };
    std::vector<Label> labels_;
};

/// A number as files and pages have it: no locale, no exponent, no digits that say nothing.
QString plainNumber(double value, int decimals);

} // namespace sg::load
