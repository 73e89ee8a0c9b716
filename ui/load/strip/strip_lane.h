// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/strip/strip_picture.h"
#include "ui/theme/theme.h"

#include <QBrush>
#include <QRectF>
#include <QVector>

class QPainter;

namespace sg::ui::strip {

/// Time on pixels.
struct Axis
{
    double left = 0, right = 1;      ///< px
    double from = 0, to = 1;         ///< s
    double xOf(double second) const; ///< not clamped: lanes are clipped
    double secondAt(double x) const;
    bool operator==(const Axis&) const = default;
};

/// A sample and a word in a lane's title line.
struct Sign
{
    QString name;
    QColor colour;
    QVector<qreal> dashes = {}; ///< in pen widths
    QBrush brush = {};          ///< a square of this instead of a line
};

/// One line of what a lane says about a moment.
struct Fact
{
    QString name, value;
    QColor ink;
};

/// One chart of the strip: it knows its scale, the strip knows the time.
class Lane
{
public:
    virtual ~Lane() = default;

    virtual QString title() const = 0; ///< with the unit
    virtual std::vector<Sign> signs(const Tokens& tokens) const
    {
        (void)tokens;
        return {};
    }
    /// Fits the scales; the picture outlives the calls of the others.
    virtual void setPicture(const StripPicture& picture) = 0;
    virtual bool hasData() const = 0;
    /// Px that it must have; the rest is shared by `weight`.
    virtual double least() const = 0;
    virtual double weight() const { return 0; }
    virtual void paint(QPainter& p, const QRectF& box, const Axis& axis, const Theme& theme) const = 0;
    virtual std::vector<Fact> factsAt(double second, const Tokens& tokens) const = 0;
};

std::unique_ptr<Lane> makeRateLane();
std::unique_ptr<Lane> makeLatencyLane();
std::unique_ptr<Lane> makeHeatLane();
std::unique_ptr<Lane> makeFailureLane();
std::unique_ptr<Lane> makeStatusLane();
std::unique_ptr<Lane> makeFlightLane();
std::unique_ptr<Lane> makeBreakerLane();

QString axisLatency(double ms); ///< "500 ms", "2 s": short, for a scale
QString axisCount(double value);
/// A line of the grid with its label left of the box.
void axisMark(QPainter& p, const QRectF& box, double y, const QString& label, const Theme& theme);
QBrush statusBrush(StripStatus::Look look, const Tokens& tokens);

} // namespace sg::ui::strip
