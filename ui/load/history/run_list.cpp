// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/history/run_list.h"

#include "ui/format/format.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/rows_table.h"

#include <QDateTime>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace sg::ui {

namespace {

using Tone = RowsModel::Tone;
using Swatch = RowsModel::Swatch;

QString whenWords(std::int64_t unixMs)
{
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(unixMs);
    return QLocale().toString(when, QStringLiteral("d MMM yyyy, HH:mm"));
}

RowsModel::Row rowOf(const RunRow& run)
{
    const bool isGood = run.verdict == RunVerdict::Valid || run.verdict == RunVerdict::Passed;
    // The figures of a run that does not count are there, but not for reading at a glance.
    const bool counts = isGood || run.verdict == RunVerdict::Missed;
    const auto figure = [&](const QString& text) {
        return RowsModel::Cell{text, counts ? Tone::Plain : Tone::Faint, false, Swatch::None, {}};
    };
    const QString success =
        run.success ? format::success(run.success) + format::thin() + QLatin1Char('%') : format::unknown();
    const QString mark = run.isBaseline ? QStringLiteral("◆ ") : run.isPinned ? QStringLiteral("⚑ ") : QString();
    const QString tip = run.isBaseline ? RunList::tr("The baseline: others are compared with it")
                        : run.isPinned ? RunList::tr("Pinned: never deleted to make room")
                                       : QString();
    return {{mark + run.name, Tone::Plain, run.isBaseline, Swatch::None, tip},
            {whenWords(run.startedUnixMs), Tone::Soft, false, Swatch::None, {}},
            {run.target, Tone::Soft, false, Swatch::None, run.target},
            {verdictWord(run.verdict),
             isGood ? Tone::Good : Tone::Bad,
             !isGood,
             isGood ? Swatch::Model : Swatch::Failed,
             {}},
            figure(run.requests ? format::count(*run.requests) : format::unknown()),
            figure(success),
            figure(format::latency(run.p50Ms).text()),
            figure(format::latency(run.p95Ms).text()),
            figure(format::latency(run.p99Ms).text()),
            figure(run.cost),
            {run.note, Tone::Soft, false, Swatch::None, run.note}};
}

} // namespace

RunList::RunList(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , model_(new RowsModel({{tr("run"), false},
                            {tr("started"), false},
                            {tr("target"), false},
                            {tr("verdict"), false},
                            {tr("requests"), true},
                            {tr("success"), true},
                            {QStringLiteral("p50"), true},
                            {QStringLiteral("p95"), true},
                            {QStringLiteral("p99"), true},
                            {tr("cost"), true},
                            {tr("note"), false}},
                           this))
    , table_(makeRowsTable(context, model_, 26, 10, tr("Kept runs")))
    , banner_(new Banner)
    , empty_(new QLabel(tr("No runs are kept yet. A run appears here when it has ended.")))
    , count_(new QLabel)
    , note_(new QLineEdit)
{
    askDelete = [](QWidget* window, const QString& question) {
        return QMessageBox::question(window, tr("Delete the run?"), question) == QMessageBox::Yes;
    };
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->installEventFilter(this);
    const int widths[] = {190, 150, 150, 92, 84, 76, 72, 72, 72, 84};
    for (int i = 0; i < 10; ++i)
        table_->setColumnWidth(i, widths[i]);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setProperty("role", QStringLiteral("secondary"));
    auto* body = new QWidget;
    auto* inner = new QVBoxLayout(body);
    inner->setContentsMargins(0, 0, 0, 10);
    inner->setSpacing(8);
    inner->addWidget(empty_, 1);
    inner->addWidget(table_, 1);
    inner->addWidget(makeFoot());
    auto* panel = new Panel(context, tr("Kept runs"));
    panel->setSubtitle(tr("choose 2 to 5 with Ctrl or Shift to compare them"));
    panel->setBody(body);
    column->addWidget(banner_);
    column->addWidget(makeTop());
    column->addWidget(panel, 1);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        showButtons();
        showNote();
    });
    connect(table_, &QTableView::activated, this, [this](const QModelIndex&) {
        if (const RunRow* run = current())
            Q_EMIT reportWanted(run->id);
    });
    connect(note_, &QLineEdit::editingFinished, this, &RunList::saveNote);
    setRuns({}, false);
}

QWidget* RunList::makeTop()
{
    auto* top = new QWidget;
    auto* row = new QHBoxLayout(top);
    row->setContentsMargins(4, 4, 4, 4); // the focus ring reaches over its button
    row->setSpacing(8);
    auto* back = new QPushButton(tr("Back"));
    back->setAccessibleName(tr("Back to the run"));
    count_->setProperty("role", QStringLiteral("secondary"));
    baseline_ = new QPushButton;
    pin_ = new QPushButton;
    pin_->setToolTip(tr("A pinned run is never deleted to make room"));
    plan_ = new QPushButton(tr("Take its plan"));
    report_ = new QPushButton(tr("Export report…"));
    delete_ = new QPushButton(tr("Delete…"));
    delete_->setProperty("role", QStringLiteral("danger"));
    compare_ = new QPushButton;
    compare_->setProperty("role", QStringLiteral("primary"));
    row->addWidget(back);
    row->addWidget(count_, 1);
    for (QPushButton* button : {delete_, report_, plan_, pin_, baseline_, compare_})
        row->addWidget(button);
    connect(back, &QPushButton::clicked, this, &RunList::backWanted);
    connect(compare_, &QPushButton::clicked, this, [this] { Q_EMIT compareWanted(selected()); });
    connect(baseline_, &QPushButton::clicked, this, [this] {
        if (const RunRow* run = current())
            Q_EMIT baselineWanted(run->id, !run->isBaseline);
    });
    connect(pin_, &QPushButton::clicked, this, [this] {
        if (const RunRow* run = current())
            Q_EMIT pinWanted(run->id, !run->isPinned);
    });
    connect(plan_, &QPushButton::clicked, this, [this] {
        if (const RunRow* run = current())
            Q_EMIT planWanted(run->id);
    });
    connect(report_, &QPushButton::clicked, this, [this] {
        if (const RunRow* run = current())
            Q_EMIT reportWanted(run->id);
    });
    connect(delete_, &QPushButton::clicked, this, &RunList::remove);
    return top;
}

QWidget* RunList::makeFoot()
{
    auto* foot = new QWidget;
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(8);
    auto* caption = new QLabel(tr("Note"));
    caption->setProperty("role", QStringLiteral("caption"));
    caption->setBuddy(note_);
    note_->setAccessibleName(tr("Note of the chosen run"));
    note_->setMaxLength(2000);
    more_ = new QPushButton(tr("Older runs"));
    row->addWidget(caption);
    row->addWidget(note_, 1);
    row->addWidget(more_);
    connect(more_, &QPushButton::clicked, this, &RunList::moreWanted);
    return foot;
}

void RunList::setRuns(std::vector<RunRow> runs, bool hasMore)
{
    more_->setVisible(hasMore);
    if (runs != runs_ || runs.empty()) {
        const auto chosen = selected();
        runs_ = std::move(runs);
        std::vector<RowsModel::Row> rows;
        for (const RunRow& run : runs_)
            rows.push_back(rowOf(run));
        model_->setRows(std::move(rows));
        select({chosen.begin(), chosen.end()}); // by the run, wherever it stands now
    }
    table_->setVisible(!runs_.empty());
    empty_->setVisible(runs_.empty());
    showButtons();
    showNote();
}

void RunList::setTrouble(const QString& words, const QString& wayOn, std::function<void()> run)
{
    if (words.isEmpty())
        return banner_->clear();
    std::vector<Banner::Way> ways;
    if (!wayOn.isEmpty())
        ways.push_back({wayOn, std::move(run)});
    banner_->say(words, ways);
}

void RunList::setNotice(const QString& words)
{
    if (words.isEmpty())
        return banner_->clear();
    banner_->say(words, {}, Banner::Tone::Notice);
}

void RunList::setRoom(const QString& words)
{
    room_ = words;
    count_->setToolTip(tr("When more is kept, the oldest are deleted, but no baseline and none with a note or a pin. "
                          "Settings has the limits."));
    showButtons();
}

std::vector<QString> RunList::selected() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::ranges::sort(rows, std::greater<>());
    std::vector<QString> ids;
    for (const int row : rows)
        if (row < static_cast<int>(runs_.size()))
            ids.push_back(runs_[static_cast<std::size_t>(row)].id);
    return ids;
}

void RunList::select(const std::set<QString>& ids)
{
    QItemSelection selection;
    QModelIndex first;
    for (std::size_t row = 0; row < runs_.size(); ++row)
        if (ids.contains(runs_[row].id)) {
            const QModelIndex index = model_->index(static_cast<int>(row), 0);
            selection.select(index, model_->index(static_cast<int>(row), model_->columnCount() - 1));
            first = first.isValid() ? first : index;
        }
    if (first.isValid())
        table_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    table_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

const RunRow* RunList::current() const
{
    const auto chosen = table_->selectionModel()->selectedRows();
    if (chosen.size() != 1 || chosen.front().row() >= static_cast<int>(runs_.size()))
        return nullptr;
    return &runs_[static_cast<std::size_t>(chosen.front().row())];
}

void RunList::showButtons()
{
    const auto many = static_cast<std::size_t>(table_->selectionModel()->selectedRows().size());
    const RunRow* one = current();
    compare_->setEnabled(many >= Comparison::kFewest && many <= Comparison::kMost);
    compare_->setText(many >= Comparison::kFewest ? tr("Compare %1 runs").arg(many) : tr("Compare runs"));
    compare_->setToolTip(compare_->isEnabled() ? QString() : tr("Choose 2 to 5 runs"));
    for (QPushButton* button : {baseline_, pin_, plan_, report_, delete_})
        button->setEnabled(one);
    baseline_->setText(one && one->isBaseline ? tr("Clear the baseline") : tr("Set as baseline"));
    count_->setText(many > Comparison::kMost ? tr("%1 chosen: at most 5 can be compared").arg(many)
                    : many > 1               ? tr("%1 chosen").arg(many)
                                             : room_);
    pin_->setText(one && one->isPinned ? tr("Unpin") : tr("Pin"));
}

void RunList::showNote()
{
    const RunRow* one = current();
    const QString id = one ? one->id : QString();
    if (id != noteOf_)
        saveNote(); // of the one before, whose field this was
    noteOf_ = id;
    note_->setEnabled(one);
    note_->setPlaceholderText(one ? tr("What this run was for, what came out")
                                  : tr("Choose one run to write its note"));
    if (!note_->isModified() || !one)
        note_->setText(one ? one->note : QString());
    note_->setModified(false);
}

void RunList::saveNote()
{
    if (!note_->isModified() || noteOf_.isEmpty())
        return;
    note_->setModified(false);
    Q_EMIT noteWanted(noteOf_, note_->text().trimmed());
}

void RunList::remove()
{
    const RunRow* run = current();
    if (!run)
        return;
    const QString id = run->id; // the list may change while it asks
    if (askDelete(window(), tr("%1 and its run file are deleted for good.").arg(run->name)))
        Q_EMIT deleteWanted(id);
}

bool RunList::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == table_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        remove();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace sg::ui
