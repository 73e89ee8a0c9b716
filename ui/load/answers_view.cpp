// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/answers_view.h"

#include "ui/format/format.h"
#include "ui/load/load_words.h"
#include "ui/widgets/paint.h"

#include <cmath>

namespace sg::ui {

namespace {

using Swatch = RowsModel::Swatch;
using Tone = RowsModel::Tone;

Swatch swatchOf(const load::StatusRow& row)
{
    if (row.words == QLatin1String("from cache"))
        return Swatch::Cache;
    if (row.words == QLatin1String("canned reply"))
        return Swatch::Canned;
    if (row.good)
        return Swatch::Model;
    return row.status == QLatin1String("429") ? Swatch::Refused : Swatch::Failed;
}

// Nine digits are the most that the column holds.
QString countText(std::int64_t value)
{
    return value < 100'000'000 ? format::count(value) : format::shortCount(static_cast<double>(value));
}

} // namespace

std::vector<RowsModel::Row> statusRows(const load::RunProgress& progress)
{
    std::int64_t total = 0;
    for (const load::StatusRow& row : progress.statuses)
        total += row.count;
    std::vector<RowsModel::Row> rows;
    for (const load::StatusRow& row : progress.statuses) {
        const auto share = static_cast<double>(row.count) / static_cast<double>(std::max<std::int64_t>(1, total));
        // Never up to 100: a single failure must not vanish in rounding.
        const QString percent = total > 0 ? format::success(share) + QStringLiteral("\u202F%") : format::unknown();
        rows.push_back({{row.status, Tone::Plain, true, swatchOf(row), {}},
                        {row.words, Tone::Soft, false, Swatch::None, {}},
                        {countText(row.count), Tone::Plain, false, Swatch::None, format::count(row.count)},
                        {percent, Tone::Faint, false, Swatch::None, {}}});
    }
    return rows;
}

std::vector<RowsModel::Row> slowestRows(const load::RunProgress& progress)
{
    const bool isUrl = progress.plan.targetKind == load::TargetKind::Url; // its own attempts are not seen from here
    std::vector<RowsModel::Row> rows;
    for (const load::SlowAnswer& answer : progress.slowest)
        rows.push_back({{loadwords::span(answer.atSecond), Tone::Faint, false, Swatch::None, {}},
                        {answer.path, Tone::Plain, false, Swatch::None, answer.path},
                        {isUrl ? format::unknown() : format::count(answer.tries), Tone::Plain, false, Swatch::None, {}},
                        {format::latency(answer.tookMs).text(), Tone::Plain, true, Swatch::None, {}}});
    return rows;
}

std::vector<SharesBar::Part> statusParts(const load::RunProgress& progress)
{
    std::vector<SharesBar::Part> parts;
    for (const load::StatusRow& row : progress.statuses)
        if (row.count > 0)
            parts.push_back({swatchOf(row), row.count});
    return parts;
}

SharesBar::SharesBar(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setFixedHeight(12);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void SharesBar::setParts(std::vector<Part> parts)
{
    if (parts == parts_)
        return;
    parts_ = std::move(parts);
    update();
}

void SharesBar::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    if (parts_.empty()) {
        p.fillRect(rect(), theme.c.selected);
        return;
    }
    constexpr double kLeast = 4;
    double total = 0;
    for (const Part& part : parts_)
        total += static_cast<double>(part.count);
    const double spare = width() - kLeast * static_cast<double>(parts_.size());
    double x = 0;
    for (const Part& part : parts_) {
        const double wide = kLeast + std::max(0.0, spare) * static_cast<double>(part.count) / total;
        p.fillRect(QRectF(x, 0, std::max(1.0, wide - 1), height()), swatchBrush(part.swatch, theme.c));
        x += wide;
    }
}

} // namespace sg::ui
