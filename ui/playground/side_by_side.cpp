// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/side_by_side.h"

#include "ui/format/format.h"
#include "ui/playground/playground_words.h"
#include "ui/widgets/rows_table.h"

#include <QKeyEvent>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

using Tone = RowsModel::Tone;
using Swatch = RowsModel::Swatch;

Tone toneOf(words::Look look)
{
    switch (look) {
    case words::Look::Good:
        return Tone::Good;
    case words::Look::Failed:
        return Tone::Bad;
    case words::Look::Warned:
        return Tone::Warned;
    case words::Look::Running:
        return Tone::Accent;
    default:
        return Tone::Soft;
    }
}

// A line's worth of what was said, or of why nothing was.
QString excerpt(const engine::WatchView& view)
{
    constexpr qsizetype kMost = 240;
    const words::Failure failure = words::failureOf(view);
    if (!failure.title.isEmpty())
        return failure.provider.isEmpty() ? failure.title : failure.provider;
    QString text = view.answer.text.left(kMost).simplified();
    if (text.isEmpty() && !view.answer.toolCalls.isEmpty())
        text = SideBySide::tr("Tool call: %1")
                   .arg(view.answer.toolCalls[0][QLatin1String("function")][QLatin1String("name")].toString());
    if (text.isEmpty() && !view.answer.reasoning.isEmpty())
        text = SideBySide::tr("Reasoning: %1").arg(view.answer.reasoning.left(kMost).simplified());
    return text;
}

RowsModel::Row rowOf(const SideBySide::Run& run)
{
    RowsModel::Row row(8);
    row[0] = {QString::fromStdString(run.target.target.name), Tone::Plain, true, Swatch::None, {}};
    row[1] = {QString::fromStdString(run.target.provider), Tone::Soft, false, Swatch::None,
              QString::fromStdString(run.target.model)};
    if (!run.view) {
        const bool isOut = run.id == 0;
        row[2] = {isOut ? SideBySide::tr("not sent") : SideBySide::tr("running"),
                  isOut ? Tone::Faint : Tone::Accent,
                  true,
                  Swatch::None,
                  {}};
        for (std::size_t i = 3; i < 7; ++i)
            row[i] = {format::unknown(), Tone::Faint, false, Swatch::None, {}};
        row[7] = {run.target.unusable, Tone::Faint, false, Swatch::None, run.target.unusable};
        return row;
    }
    const words::Status status = words::statusOf(*run.view);
    row[2] = {status.word, toneOf(status.look), true, Swatch::None, status.word};
    const std::vector<words::Figure> figures = words::figuresOf(*run.view, {});
    const std::size_t order[] = {2, 1, 3, 4}; // first token, total, tokens, cost
    for (std::size_t i = 0; i < 4; ++i)
        row[3 + i] = {figures[order[i]].value, Tone::Plain, false, Swatch::None, figures[order[i]].tip};
    row[7] = {excerpt(*run.view), Tone::Soft, false, Swatch::None, {}};
    return row;
}

} // namespace

SideBySide::SideBySide(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , model_(new RowsModel({{tr("Endpoint"), false},
                            {tr("Provider"), false},
                            {tr("Status"), false},
                            {tr("First token"), true},
                            {tr("Total"), true},
                            {tr("Tokens in / out"), true},
                            {tr("Cost"), true},
                            {tr("Answer"), false}},
                           this))
    , table_(makeRowsTable(context, model_, 30, 7, tr("Endpoints side by side")))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(table_);
    table_->installEventFilter(this);
    setWhatsThis(tr("The same request sent straight to every endpoint: one try each, no breaker, no retry. Up and Down "
                    "choose the answer that is shown above, Enter shows its attempts."));
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now, const QModelIndex& before) {
                if (now.isValid() && now.row() != before.row() && selected() != 0)
                    Q_EMIT selectedChanged(selected());
            });
    connect(table_, &QTableView::doubleClicked, this, [this] {
        if (selected() != 0)
            Q_EMIT opened(selected());
    });
}

void SideBySide::setRuns(std::vector<Run> runs)
{
    const bool isOther =
        runs.size() != runs_.size() ||
        !std::equal(runs.begin(), runs.end(), runs_.begin(), [](const Run& a, const Run& b) { return a.id == b.id; });
    runs_ = std::move(runs);
    std::vector<RowsModel::Row> rows;
    for (const Run& run : runs_)
        rows.push_back(rowOf(run));
    model_->setRows(std::move(rows));
    if (isOther && !runs_.empty()) {
        table_->setCurrentIndex({});
        const auto sent = std::ranges::find_if(runs_, [](const Run& run) { return run.id != 0; });
        table_->setCurrentIndex(model_->index(static_cast<int>(sent - runs_.begin()), 0)); // the end is no index
    }
}

std::uint64_t SideBySide::selected() const
{
    const int row = table_->currentIndex().row();
    return row < 0 || row >= static_cast<int>(runs_.size()) ? 0 : runs_[static_cast<std::size_t>(row)].id;
}

void SideBySide::resizeEvent(QResizeEvent*)
{
    const double share = std::clamp(width() / 1338.0, 0.62, 1.2);
    const int widths[] = {168, 96, 168, 84, 76, 110, 84};
    for (int i = 0; i < 7; ++i)
        table_->setColumnWidth(i, static_cast<int>(widths[i] * share));
}

bool SideBySide::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (isEnter && key->modifiers() == Qt::NoModifier && selected() != 0) {
            Q_EMIT opened(selected());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace sg::ui
