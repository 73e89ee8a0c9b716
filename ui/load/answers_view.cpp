// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/answers_view.h"

#include "ui/format/format.h"
#include "ui/load/load_words.h"
#include "ui/widgets/paint.h"

#include <QHeaderView>

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
    std::vector<RowsModel::Row> rows;
    for (const load::SlowAnswer& answer : progress.slowest)
        rows.push_back({{loadwords::span(answer.atSecond), Tone::Faint, false, Swatch::None, {}},
                        {answer.path, Tone::Plain, false, Swatch::None, answer.path},
                        {format::count(answer.tries), Tone::Plain, false, Swatch::None, {}},
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

QBrush swatchBrush(Swatch swatch, const Tokens& tokens)
{
    switch (swatch) {
    case Swatch::Model:
        return tokens.closed;
    case Swatch::Cache:
        return tokens.series[4];
    case Swatch::Canned:
        return tokens.half;
    case Swatch::Refused:
    case Swatch::Failed:
        return paint::failedHatch(tokens);
    case Swatch::None:
        break;
    }
    return Qt::NoBrush;
}

RowsDelegate::RowsDelegate(ThemeContext& context, QObject* parent)
    : QStyledItemDelegate(parent)
    , context_(context)
{
}

void RowsDelegate::paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = context_.theme();
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    const QRectF box = option.rect;
    const bool isCurrent = option.state & QStyle::State_HasFocus;
    if (option.state & QStyle::State_Selected)
        p->fillRect(box, theme.c.selected);
    const auto tone = static_cast<Tone>(index.data(RowsModel::ToneRole).toInt());
    // text3 is not legible on the selection.
    const bool isSelected = option.state & QStyle::State_Selected;
    const QColor ink = tone == Tone::Plain                ? theme.c.text
                       : tone == Tone::Soft || isSelected ? theme.c.text2
                                                          : theme.c.text3;
    double left = box.left() + (index.column() == 0 ? 12 : 4);
    const auto swatch = static_cast<Swatch>(index.data(RowsModel::SwatchRole).toInt());
    if (swatch != Swatch::None) {
        p->setPen(Qt::NoPen);
        p->setBrush(swatchBrush(swatch, theme.c));
        p->drawRoundedRect(QRectF(left, box.center().y() - 4, 8, 8), 2, 2);
        left += 14;
    }
    const bool isLast = index.column() == index.model()->columnCount() - 1;
    const double right = box.right() - (isLast ? 11 : 4);
    const auto align = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    const bool isRight = align & Qt::AlignRight;
    paint::text(*p, isRight ? right : left, box.center().y() + 4, index.data().toString(),
                theme.font(11, index.data(RowsModel::BoldRole).toBool()), ink, isRight ? Qt::AlignRight : Qt::AlignLeft,
                right - left);
    if (isCurrent)
        paint::focusRing(*p, box.adjusted(1, 0, -1, 0), theme, 3);
    p->restore();
}

QTableView* makeRowsTable(ThemeContext& context, RowsModel* model, int rowHeight, int stretched,
                          const QString& accessibleName)
{
    auto* table = new QTableView;
    table->setModel(model);
    table->setItemDelegate(new RowsDelegate(context, table));
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->verticalHeader()->hide();
    table->verticalHeader()->setMinimumSectionSize(rowHeight);
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->horizontalHeader()->setSectionResizeMode(stretched, QHeaderView::Stretch);
    table->horizontalHeader()->setMinimumSectionSize(20);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionsClickable(false);
    table->setAccessibleName(accessibleName);
    QObject::connect(&context, &ThemeContext::changed, table->viewport(), qOverload<>(&QWidget::update));
    return table;
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
