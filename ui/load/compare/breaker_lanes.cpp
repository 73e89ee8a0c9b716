// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/compare/breaker_lanes.h"

#include "ui/format/format.h"
#include "ui/load/compare/curves_plot.h"
#include "ui/load/load_words.h"
#include "ui/load/run_axes.h"
#include "ui/widgets/lane_bar.h"
#include "ui/widgets/paint.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

using load::BreakerStory;
using policy::BreakerState;

constexpr double kRow = 24, kTop = 4, kFoot = 22, kWords = 18, kLabels = 104, kFacts = 152;
constexpr int kSteps = 120; ///< of the arrow keys across the plot

QString endpointOf(const BreakerLanes::Row& row)
{
    return QString::fromStdString(row.story.endpoint);
}

std::optional<BreakerState> stateAt(const BreakerStory& story, double second)
{
    for (const BreakerStory::Span& span : story.spans)
        if (second >= span.from && second <= span.to)
            return span.state;
    return std::nullopt;
}

QString stateWords(const BreakerStory& story, double second)
{
    if (story.spans.empty())
        return BreakerLanes::tr("not in this run");
    const auto state = stateAt(story, second);
    return state ? paint::stateWord(*state) : BreakerLanes::tr("over");
}

/// "from 7:24, open 1:12"
QString factsOf(const BreakerStory& story)
{
    if (story.spans.empty())
        return BreakerLanes::tr("not in this run");
    if (!story.firstOpen)
        return BreakerLanes::tr("never opened");
    return BreakerLanes::tr("from %1, open %2")
        .arg(loadwords::span(*story.firstOpen), format::duration(story.openSeconds * 1000));
}

const BreakerStory* storyOf(const ComparedRun& run, const std::string& endpoint)
{
    const auto found = std::ranges::find(run.breakers, endpoint, &BreakerStory::endpoint);
    return found == run.breakers.end() ? nullptr : &*found;
}

bool isQuiet(const std::vector<ComparedRun>& runs, const std::string& endpoint)
{
    return std::ranges::all_of(runs, [&](const ComparedRun& run) {
        const BreakerStory* story = storyOf(run, endpoint);
        return !story || std::ranges::all_of(story->spans, [](const BreakerStory::Span& span) {
            return span.state == BreakerState::Closed;
        });
    });
}

std::vector<std::string> endpointsIn(const std::vector<ComparedRun>& runs)
{
    std::vector<std::string> names;
    for (const ComparedRun& run : runs)
        for (const BreakerStory& story : run.breakers)
            if (std::ranges::find(names, story.endpoint) == names.end())
                names.push_back(story.endpoint);
    return names;
}

} // namespace

BreakerLanes::BreakerLanes(ThemeContext& context, QWidget* parent)
    : CursorChart(context, parent)
{
    setAccessibleName(tr("Breakers of the runs, aligned"));
}

void BreakerLanes::setRuns(const std::vector<ComparedRun>& runs)
{
    rows_.clear();
    quiet_.clear();
    end_ = 1;
    for (const std::string& endpoint : endpointsIn(runs)) {
        if (isQuiet(runs, endpoint)) {
            quiet_ << QString::fromStdString(endpoint);
            continue;
        }
        for (std::size_t run = 0; run < runs.size(); ++run) {
            const BreakerStory* story = storyOf(runs[run], endpoint);
            rows_.push_back({run, story ? *story : BreakerStory{endpoint, {}, {}}});
        }
    }
    for (const Row& row : rows_)
        if (!row.story.spans.empty())
            end_ = std::max(end_, row.story.spans.back().to);
    updateGeometry();
    dataChanged();
}

QString BreakerLanes::summary() const
{
    QStringList parts;
    QString endpoint;
    for (const Row& row : rows_) {
        if (!endpoint.isEmpty() && endpointOf(row) != endpoint)
            break; // the first that opened; the lanes show the others
        endpoint = endpointOf(row);
        parts << (row.story.firstOpen
                      ? tr("%1 opened at %2").arg(letterOf(row.run), loadwords::span(*row.story.firstOpen))
                      : tr("%1 never").arg(letterOf(row.run)));
    }
    return parts.isEmpty() ? QString() : QStringLiteral("%1: %2").arg(endpoint, parts.join(QStringLiteral(", ")));
}

std::size_t BreakerLanes::shownRows() const
{
    const double room = height() - kTop - kFoot - kWords;
    const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor(room / kRow)));
    return heightFor(rows_.size()) <= height() ? rows_.size() : std::min(rows_.size(), fitting);
}

int BreakerLanes::heightFor(std::size_t rows) const
{
    const double words = quiet_.isEmpty() && rows == rows_.size() ? 0 : kWords;
    return static_cast<int>(kTop + kRow * static_cast<double>(std::max<std::size_t>(1, rows)) + kFoot + words);
}

QSize BreakerLanes::sizeHint() const
{
    return {420, heightFor(std::min(rows_.size(), kMostRows))};
}

QSize BreakerLanes::minimumSizeHint() const
{
    return {240, heightFor(std::min(rows_.size(), kFewestRows))};
}

QRectF BreakerLanes::plot() const
{
    return QRectF(kLabels, kTop, std::max(1.0, width() - kLabels - kFacts), kRow * static_cast<double>(shownRows()));
}

double BreakerLanes::xOf(double second) const
{
    return plot().left() + plot().width() * second / end_;
}

void BreakerLanes::paintEvent(QPaintEvent*)
{
    const Theme& theme = this->theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (rows_.empty())
        paint::text(p, width() / 2.0, kTop + kRow, tr("No breaker left closed in these runs."), theme.font(11),
                    theme.c.text3, Qt::AlignHCenter, width() - 24.0);
    else
        paintAxis(p, theme);
    for (std::size_t i = 0; i < shownRows(); ++i) {
        const Row& row = rows_[i];
        const double middle = kTop + kRow * (static_cast<double>(i) + 0.5);
        paint::text(p, 12, middle + 4, letterOf(row.run), theme.font(11, true), curvePen(row.run, theme.c).color());
        paint::text(p, 28, middle + 4, endpointOf(row), theme.font(11), theme.c.text2, Qt::AlignLeft, kLabels - 34);
        for (const BreakerStory::Span& span : row.story.spans)
            paint::laneBar(p, xOf(span.from), xOf(span.to), middle, kRow - 6, span.state, theme.c);
        paint::text(p, plot().right() + 8, middle + 4, factsOf(row.story), theme.font(10.5), theme.c.text2,
                    Qt::AlignLeft, kFacts - 14);
    }
    QStringList words;
    if (rows_.size() > shownRows())
        words << tr("%1 more lanes in the table (T)").arg(rows_.size() - shownRows());
    if (!quiet_.isEmpty())
        words << tr("always closed: %1").arg(quiet_.join(QStringLiteral(", ")));
    const double foot = rows_.empty() ? kTop + kRow + 20 : plot().bottom() + kFoot + 10;
    paint::text(p, 12, foot, words.join(QStringLiteral(" \u00B7 ")), theme.font(10.5), theme.c.text3, Qt::AlignLeft,
                width() - 24.0);
    paintFocus(p);
}

void BreakerLanes::paintAxis(QPainter& p, const Theme& theme) const
{
    const QRectF box = plot();
    const double step = runaxes::timeStep(end_, std::max(2, static_cast<int>(box.width() / 56)));
    for (double second = 0; second <= end_ * 1.0001; second += step) {
        const double x = std::round(xOf(second)) + 0.5;
        p.setPen(QPen(theme.c.line, 1));
        p.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom() + 2));
        paint::text(p, x, box.bottom() + 15, loadwords::span(second), theme.font(10.5), theme.c.text3,
                    Qt::AlignHCenter);
    }
    if (!cursor())
        return;
    QPen pen(theme.c.text2, 1.2);
    pen.setDashPattern({1.6, 2});
    p.setPen(pen);
    p.drawLine(QPointF(xOf(*cursor()), box.top()), QPointF(xOf(*cursor()), box.bottom() + 2));
}

DataTable BreakerLanes::dataTable() const
{
    DataTable table{accessibleName(),
                    {{tr("endpoint"), false},
                     {tr("run"), false},
                     {tr("first open at"), true},
                     {tr("open in all"), true},
                     {tr("times opened"), true},
                     {tr("states"), false}},
                    {}};
    for (const Row& row : rows_) {
        const BreakerStory& story = row.story;
        const bool isKnown = !story.spans.empty();
        QStringList states;
        for (const BreakerStory::Span& span : story.spans)
            states << QStringLiteral("%1 %2").arg(loadwords::span(span.from), paint::stateWord(span.state));
        table.rows.push_back(DataTable::row({endpointOf(row), letterOf(row.run),
                                             story.firstOpen ? loadwords::span(*story.firstOpen) : format::unknown(),
                                             isKnown ? format::duration(story.openSeconds * 1000) : format::unknown(),
                                             isKnown ? format::count(story.trips) : format::unknown(),
                                             isKnown ? states.join(QStringLiteral(", ")) : tr("not in this run")}));
    }
    return table;
}

bool BreakerLanes::hasData() const
{
    return !rows_.empty();
}

BreakerLanes::Reach BreakerLanes::reach() const
{
    return {0, end_, end_ / kSteps};
}

QString BreakerLanes::sentence() const
{
    if (rows_.empty())
        return tr("No breaker left closed in these runs.");
    QStringList words;
    if (cursor())
        words << tr("at %1").arg(loadwords::span(*cursor()));
    for (const Row& row : rows_)
        words << QStringLiteral("%1 %2 %3")
                     .arg(letterOf(row.run), endpointOf(row),
                          cursor() ? stateWords(row.story, *cursor()) : factsOf(row.story));
    return words.join(QStringLiteral(", "));
}

TipFrame::Content BreakerLanes::tip() const
{
    TipFrame::Content content;
    content.title = {{tr("at %1").arg(loadwords::span(*cursor())), false, theme().c.text3}};
    for (std::size_t i = 0; i < shownRows(); ++i)
        content.lines.push_back({{QStringLiteral("%1 %2  ").arg(letterOf(rows_[i].run), endpointOf(rows_[i])), false,
                                  curvePen(rows_[i].run, theme().c).color()},
                                 {stateWords(rows_[i].story, *cursor()), true, theme().c.text}});
    return content;
}

QPointF BreakerLanes::anchor() const
{
    return {xOf(*cursor()), plot().center().y()};
}

std::optional<double> BreakerLanes::cursorAt(const QPointF& point) const
{
    const QRectF box = plot();
    if (point.x() < box.left() || point.x() > box.right())
        return std::nullopt;
    return end_ * (point.x() - box.left()) / box.width();
}

} // namespace sg::ui
