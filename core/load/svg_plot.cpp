// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/svg_plot.h"

#include <algorithm>
#include <cmath>

namespace sg::load {

namespace {

constexpr double kWidth = 860, kHeight = 260, kLeft = 64, kRight = 84, kTop = 12, kBottom = 40;
constexpr double kLabelGap = 13;

/// 1, 2 or 5 times a power of ten, so that about six fit.
std::vector<std::pair<double, QString>> roundTicks(double max)
{
    const double rough = max / 6;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double ratio = rough / power;
    const double step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 9);
    std::vector<std::pair<double, QString>> ticks;
    for (int i = 0; i * step <= max * (1 + 1e-9); ++i)
        ticks.emplace_back(i * step, plainNumber(i * step, decimals));
    return ticks;
}

/// 1, 2 and 5 times powers of ten.
std::vector<std::pair<double, QString>> logTicks(double from, double max)
{
    std::vector<std::pair<double, QString>> ticks;
    for (double power = std::pow(10, std::floor(std::log10(from))); power <= max; power *= 10)
        for (const int step : {1, 2, 5})
            if (const double value = power * step; value >= from * (1 - 1e-9) && value <= max * (1 + 1e-9))
                ticks.emplace_back(value, plainNumber(value, value < 1 ? 3 : 0));
    return ticks;
}

QString at(double pixels)
{
    return plainNumber(pixels, 1);
}

QString point(double x, double y)
{
    return at(x) + QLatin1Char(' ') + at(y);
}

double usable(double max)
{
    return std::isfinite(max) && max > 0 ? max : 1;
}

} // namespace

QString plainNumber(double value, int decimals)
{
    QString text = QString::number(value, 'f', decimals);
    if (text.contains(QLatin1Char('.'))) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
    }
    return text == QLatin1String("-0") ? QStringLiteral("0") : text;
}

SvgPlot::SvgPlot(QString words, Axis x, Axis y)
    : words_(std::move(words))
    , x_(std::move(x))
    , y_(std::move(y))
{
    x_.max = usable(x_.max);
    y_.max = usable(y_.max);
    if (!(y_.logFrom > 0 && y_.logFrom < y_.max))
        y_.logFrom = 0;
}

double SvgPlot::xOf(double x) const
{
    return kLeft + std::clamp(x / x_.max, 0.0, 1.0) * (kWidth - kLeft - kRight);
}

double SvgPlot::yOf(double y) const
{
    const double share =
        y_.logFrom > 0 ? std::log(std::max(y, y_.logFrom) / y_.logFrom) / std::log(y_.max / y_.logFrom) : y / y_.max;
    return kHeight - kBottom - std::clamp(share, 0.0, 1.0) * (kHeight - kTop - kBottom);
}

void SvgPlot::shade(double from, double to, const QString& label)
{
    if (!(to > from))
        return;
    body_ += QStringLiteral("<rect class=\"shade\" x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\"/><text class=\"note\" "
                            "x=\"%5\" y=\"%6\">%7</text>")
                 .arg(at(xOf(from)), at(kTop), at(xOf(to) - xOf(from)), at(kHeight - kTop - kBottom), at(xOf(from) + 4),
                      at(kTop + 12), label.toHtmlEscaped());
}

void SvgPlot::band(const std::vector<double>& xs, const Values& low, const Values& high, const QString& cssClass)
{
    const std::size_t n = std::min({xs.size(), low.size(), high.size()});
    QString path;
    for (std::size_t i = 0; i < n;) {
        if (!low[i] || !high[i]) {
            ++i;
            continue;
        }
        QString there, back;
        for (; i < n && low[i] && high[i]; ++i) {
            there += (there.isEmpty() ? QStringLiteral("M") : QStringLiteral("L")) + point(xOf(xs[i]), yOf(*high[i]));
            back.prepend(QLatin1Char('L') + point(xOf(xs[i]), yOf(*low[i])));
        }
        path += there + back + QLatin1Char('Z');
    }
    if (!path.isEmpty())
        body_ += QStringLiteral("<path class=\"%1\" d=\"%2\"/>").arg(cssClass, path);
}

void SvgPlot::line(const std::vector<double>& xs, const Values& ys, const QString& cssClass, const QString& label)
{
    const std::size_t n = std::min(xs.size(), ys.size());
    QString path;
    bool isDown = false;
    std::optional<double> last;
    for (std::size_t i = 0; i < n; ++i) {
        if (!ys[i]) {
            isDown = false;
            continue;
        }
        last = yOf(*ys[i]);
        // One alone is a line of no length, which a round end makes a dot.
        path += isDown ? QLatin1Char('L') + point(xOf(xs[i]), *last)
                       : QLatin1Char('M') + point(xOf(xs[i]), *last) + QStringLiteral("h0.1");
        isDown = true;
    }
    if (!last)
        return;
    body_ += QStringLiteral("<path class=\"line %1\" d=\"%2\"/>").arg(cssClass, path);
    labels_.push_back({*last, label, cssClass});
}

void SvgPlot::mark(double x, const QString& label, int row)
{
    const bool isRight = xOf(x) > kWidth / 2; // words stay inside
    body_ += QStringLiteral("<path class=\"mark\" d=\"M%1 %2V%3\"/><text class=\"name%4\" x=\"%5\" y=\"%6\">%7</text>")
                 .arg(at(xOf(x)), at(kTop), at(kHeight - kBottom), isRight ? QStringLiteral(" end") : QString(),
                      at(xOf(x) + (isRight ? -5 : 5)), at(kTop + 12 + row * kLabelGap), label.toHtmlEscaped());
}

void SvgPlot::dot(double x, double y, const QString& cssClass)
{
    body_ += QStringLiteral("<circle class=\"dot %1\" cx=\"%2\" cy=\"%3\" r=\"3.5\"/>")
                 .arg(cssClass, at(xOf(x)), at(yOf(y)));
}

void SvgPlot::bar(double from, double to, double bottom, double top, const QString& cssClass)
{
    if (!(top > bottom))
        return;
    const double gap = std::min(1.0, (xOf(to) - xOf(from)) / 4);
    body_ += QStringLiteral("<rect class=\"%1\" x=\"%2\" y=\"%3\" width=\"%4\" height=\"%5\"/>")
                 .arg(cssClass, at(xOf(from) + gap / 2), at(yOf(top)), at(xOf(to) - xOf(from) - gap),
                      at(yOf(bottom) - yOf(top)));
}

QString SvgPlot::axes() const
{
    QString svg;
    const auto yTicks = !y_.ticks.empty() ? y_.ticks
                        : y_.logFrom > 0  ? logTicks(y_.logFrom, y_.max)
                                          : roundTicks(y_.max);
    for (const auto& [value, label] : yTicks)
        svg +=
            QStringLiteral("<path class=\"grid\" d=\"M%1 %2H%3\"/><text class=\"tick end\" x=\"%4\" y=\"%5\">%6</text>")
                .arg(at(kLeft), at(yOf(value)), at(kWidth - kRight), at(kLeft - 6), at(yOf(value) + 4),
                     label.toHtmlEscaped());
    for (const auto& [value, label] : x_.ticks.empty() ? roundTicks(x_.max) : x_.ticks)
        svg += QStringLiteral("<text class=\"tick middle\" x=\"%1\" y=\"%2\">%3</text>")
                   .arg(at(xOf(value)), at(kHeight - kBottom + 15), label.toHtmlEscaped());
    return svg + QStringLiteral("<text class=\"tick middle\" x=\"%1\" y=\"%2\">%3</text><text class=\"tick\" x=\"4\" "
                                "y=\"%4\" transform=\"rotate(-90 12 %5)\">%6</text>")
                     .arg(at((kLeft + kWidth - kRight) / 2), at(kHeight - 6), x_.words.toHtmlEscaped(), at(kHeight / 2),
                          at(kHeight / 2), y_.words.toHtmlEscaped());
}

QString SvgPlot::svg() const
{
    auto labels = labels_;
    std::ranges::stable_sort(labels, {}, &Label::height);
    QString names;
    double free = 0;
    for (const Label& label : labels) {
        free = std::max(free + kLabelGap, label.height + 4); // one below the other where lines end together
        names +=
            QStringLiteral("<path class=\"line %1\" d=\"M%2 %3h16\"/><text class=\"name\" x=\"%4\" y=\"%5\">%6</text>")
                .arg(label.cssClass, at(kWidth - kRight + 4), at(free - 4), at(kWidth - kRight + 24), at(free),
                     label.words.toHtmlEscaped());
    }
    return QStringLiteral(
               "<svg role=\"img\" aria-label=\"%1\" viewBox=\"0 0 %2 %3\" xmlns=\"http://www.w3.org/2000/svg\">"
               "<title>%1</title>")
               .arg(words_.toHtmlEscaped(), at(kWidth), at(kHeight)) +
           axes() + body_ + names + QStringLiteral("</svg>\n");
}

} // namespace sg::load
