// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/compare/change_table.h"

#include "ui/format/format.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/rows_table.h"

#include <QHeaderView>
#include <QPainter>

#include <cmath>

namespace sg::ui {

namespace {

QColor inkOfWord(ChangeWord word, const Tokens& c)
{
    switch (word) {
    case ChangeWord::Better:
        return c.closed;
    case ChangeWord::Worse:
        return c.open;
    case ChangeWord::Different:
        return c.text;
    case ChangeWord::NoClearChange:
    case ChangeWord::NotJudged:
    case ChangeWord::NoData:
        break;
    }
    return c.text3;
}

/// Points of a share are few and matter: a hundredth of them reaches as far as a half of the others.
double extentOf(double value, bool isPoints)
{
    return isPoints ? value * 50 : value;
}

class ChangeDelegate : public QStyledItemDelegate
{
public:
    ChangeDelegate(ThemeContext& context, const ChangeModel& model, QObject* parent)
        : QStyledItemDelegate(parent)
        , context_(context)
        , model_(model)
    {
    }
    void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = context_.theme();
        const QRectF box = option.rect;
        if (option.state & QStyle::State_Selected)
            p->fillRect(box, theme.c.accentTint);
        p->setPen(QPen(theme.c.line, 1));
        p->drawLine(QPointF(box.left(), box.bottom() + 0.5), QPointF(box.right() + 1, box.bottom() + 0.5));
        p->setRenderHint(QPainter::Antialiasing);
        const int change = model_.changeColumn();
        const ChangeWord word = model_.wordAt(index.row());
        const double baseline = box.center().y() + 4;
        if (index.column() == change + 1)
            paintInterval(*p, box.adjusted(8, 0, -8, 0), index.row(), inkOfWord(word, theme.c), theme);
        else if (index.column() == change + 2)
            paintWord(*p, box, word, theme);
        else
            paintText(*p, box, index, word, baseline, theme);
        paintRowFocus(*p, option, index, theme);
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const int column = index.column(), change = model_.changeColumn();
        if (column == change + 1)
            return {110, 32};
        if (column == change + 2)
            return {118, 32};
        const bool isBold = column >= 1;
        const double wide =
            QFontMetricsF(context_.theme().font(11.5, isBold)).horizontalAdvance(index.data().toString()) + 22;
        return {static_cast<int>(std::max(wide, double(QStyledItemDelegate::sizeHint(option, index).width()))), 32};
    }

private:
    void paintText(QPainter& p, const QRectF& box, const QModelIndex& index, ChangeWord word, double baseline,
                   const Theme& theme) const
    {
        const int column = index.column(), change = model_.changeColumn();
        const QString text = index.data().toString();
        if (column == 0) {
            paint::text(p, box.left() + 12, baseline, text, theme.font(11.5), theme.c.text, Qt::AlignLeft,
                        box.width() - 14);
            return;
        }
        const bool isShown = column == change || static_cast<std::size_t>(column) == model_.run() + 1;
        const QColor ink = column == change ? inkOfWord(word, theme.c) : isShown ? theme.c.text : theme.c.text2;
        paint::text(p, box.right() - 8, baseline, text, theme.font(11.5, isShown), ink, Qt::AlignRight,
                    box.width() - 10);
    }
    void paintInterval(QPainter& p, const QRectF& box, int row, const QColor& ink, const Theme& theme) const
    {
        const MetricChange change = model_.changeAt(row);
        // Worse to the left, better to the right, whichever way the metric goes.
        const bool isUpBetter = model_.metricAt(row).isHigherBetter.value_or(true);
        const auto xOf = [&](double value) {
            const double share = extentOf(value, change.isPoints) / model_.reach() * (isUpBetter ? 1 : -1);
            return box.center().x() + box.width() / 2 * std::clamp(share, -1.0, 1.0);
        };
        p.setPen(QPen(theme.c.text3, 1));
        p.drawLine(QPointF(box.center().x(), box.top() + 8), QPointF(box.center().x(), box.bottom() - 7));
        if (!change.change)
            return;
        const double y = box.center().y();
        const bool isClear = change.low && change.high && !(*change.low <= 0 && *change.high >= 0);
        p.setPen(QPen(ink, 1.6));
        if (change.low && change.high) {
            for (const double end : {*change.low, *change.high})
                p.drawLine(QPointF(xOf(end), y - 4), QPointF(xOf(end), y + 4));
            p.drawLine(QPointF(xOf(*change.low), y), QPointF(xOf(*change.high), y));
        }
        p.setBrush(isClear ? ink : theme.c.card);
        p.drawEllipse(QPointF(xOf(*change.change), y), 3.4, 3.4);
    }
    void paintWord(QPainter& p, const QRectF& box, ChangeWord word, const Theme& theme) const
    {
        const QColor ink = inkOfWord(word, theme.c);
        const double x = box.left() + 8, y = box.center().y();
        double left = x;
        if (word == ChangeWord::Better || word == ChangeWord::Worse) {
            p.setPen(QPen(ink, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            p.setBrush(Qt::NoBrush);
            if (word == ChangeWord::Better)
                p.drawPolyline(QPolygonF{QPointF(x, y), QPointF(x + 3, y + 3), QPointF(x + 8, y - 3.5)});
            else {
                p.drawLine(QPointF(x + 1, y - 3.3), QPointF(x + 7.6, y + 3.3));
                p.drawLine(QPointF(x + 1, y + 3.3), QPointF(x + 7.6, y - 3.3));
            }
            left += 14;
        }
        paint::text(p, left, y + 4, inWords(word), theme.font(11), ink, Qt::AlignLeft, box.right() - left - 2);
    }

    ThemeContext& context_;
    const ChangeModel& model_;
};

} // namespace

ChangeModel::ChangeModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void ChangeModel::setComparison(const Comparison& comparison, std::size_t run)
{
    // Another set of runs has other columns: nothing of the selection would mean anything.
    beginResetModel();
    comparison_ = comparison;
    run_ = run;
    reach_ = 0.1;
    for (int row = 0; row < static_cast<int>(comparison_.metrics.size()); ++row) {
        const MetricChange change = changeAt(row);
        for (const auto& value : {change.change, change.low, change.high})
            if (value)
                reach_ = std::max(reach_, std::abs(extentOf(*value, change.isPoints)));
    }
    reach_ = std::min(1.0, reach_);
    endResetModel();
}

int ChangeModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(comparison_.metrics.size());
}

int ChangeModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : changeColumn() + 3;
}

MetricChange ChangeModel::changeAt(int row) const
{
    const auto& changes = metricAt(row).changes;
    return run_ < changes.size() ? changes[run_] : MetricChange{};
}

ChangeWord ChangeModel::wordAt(int row) const
{
    return wordOf(changeAt(row), metricAt(row).isHigherBetter);
}

QVariant ChangeModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ComparedMetric& metric = metricAt(index.row());
    if (role == Qt::ToolTipRole && !metric.formula.isEmpty())
        return format::plainTip(QStringLiteral("%1\n%2").arg(sentenceOf(metric, run_), metric.formula));
    if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole)
        return sentenceOf(metric, run_);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(index.column() == 0 || index.column() > changeColumn()
                                       ? Qt::AlignLeft | Qt::AlignVCenter
                                       : Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (index.column() == 0)
        return metric.name;
    if (index.column() == changeColumn())
        return changeText(changeAt(index.row()));
    if (index.column() == changeColumn() + 2)
        return inWords(wordAt(index.row()));
    const auto run = static_cast<std::size_t>(index.column() - 1);
    return run < metric.values.size() ? metric.values[run] : QString();
}

QVariant ChangeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(section == 0                    ? Qt::AlignLeft | Qt::AlignVCenter
                                   : section == changeColumn() + 1 ? Qt::AlignHCenter | Qt::AlignVCenter
                                   : section > changeColumn()      ? Qt::AlignLeft | Qt::AlignVCenter
                                                                   : Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (section == changeColumn())
        return comparison_.runs.empty() ? tr("change")
                                        : tr("%1 against %2").arg(letterOf(run_), letterOf(comparison_.reference));
    if (section == changeColumn() + 1)
        return tr("worse | better");
    if (section > 0 && section < changeColumn())
        return letterOf(static_cast<std::size_t>(section - 1));
    return QString();
}

ChangeTable::ChangeTable(ThemeContext& context, QWidget* parent)
    : QTableView(parent)
    , model_(new ChangeModel(this))
{
    setModel(model_);
    setItemDelegate(new ChangeDelegate(context, *model_, this));
    dressTable(*this, 32);
    horizontalHeader()->setHighlightSections(false);
    setAccessibleName(tr("What changed"));
    connect(&context, &ThemeContext::changed, viewport(), qOverload<>(&QWidget::update));
}

void ChangeTable::setComparison(const Comparison& comparison, std::size_t run)
{
    model_->setComparison(comparison, run);
    for (int column = 0; column < model_->columnCount(); ++column)
        horizontalHeader()->setSectionResizeMode(column,
                                                 column == 0 ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    // Many values would push the change out of sight: then only those that it is about.
    constexpr std::size_t kMostValues = 3;
    for (std::size_t i = 0; i < comparison.runs.size(); ++i)
        setColumnHidden(static_cast<int>(i) + 1,
                        comparison.runs.size() > kMostValues && i != run && i != comparison.reference);
    for (int column = model_->changeColumn(); column < model_->columnCount(); ++column)
        setColumnHidden(column, false); // another comparison had a value there
    if (model_->rowCount() > 0)
        setCurrentIndex(model_->index(0, 0));
}

} // namespace sg::ui
