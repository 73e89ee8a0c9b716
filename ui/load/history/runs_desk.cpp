// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/history/runs_desk.h"

#include "core/history/csv_cells.h"
#include "core/load/plan_json.h"
#include "core/load/report_documents.h"
#include "core/workspace/replace_file.h"
#include "ui/load/compare/compare_view.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QLocale>
#include <QPointer>
#include <QSaveFile>
#include <QStandardPaths>

namespace sg::ui {

namespace {

constexpr int kPage = 100, kMostListed = 500;

QByteArray documentOf(const history::RunRecord& run, const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("html") || suffix == QLatin1String("htm"))
        return load::htmlOf(run.report, run.summary.name).toUtf8();
    if (suffix == QLatin1String("md"))
        return load::markdownOf(run.report, run.summary.name).toUtf8();
    return QJsonDocument(run.report).toJson(QJsonDocument::Indented);
}

/// Whole or not at all; empty: done. A path that ends in .local.csv is for a spreadsheet of this country.
QString copyRows(const QString& from, const QString& path)
{
    QFile csv(from);
    if (!csv.open(QIODevice::ReadOnly))
        return RunsDesk::tr("the requests of this run were not kept");
    QSaveFile out(path);
    if (!out.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        return out.errorString();
    tl::expected<void, QString> done;
    if (path.endsWith(QLatin1String(".local.csv"), Qt::CaseInsensitive))
        done = history::writeLocalCsv(csv, out, QLocale());
    else
        while (done && !csv.atEnd())
            if (const QByteArray block = csv.read(64 * 1024); out.write(block) != block.size())
                done = tl::unexpected(out.errorString());
    if (!done)
        return done.error();
    return out.commit() ? QString() : out.errorString();
}

/// A page, or Markdown where the name asks for it; a comparison has no JSON of its own.
QByteArray comparisonDocument(const std::vector<load::DocumentRun>& runs, const QString& path)
{
    return (QFileInfo(path).suffix().toLower() == QLatin1String("md") ? load::comparisonMarkdown(runs)
                                                                      : load::comparisonHtml(runs))
        .toUtf8();
}

} // namespace

/// What a comparison waits for: all of its runs, and then their requests.
struct RunsDesk::Gathering
{
    std::vector<keptruns::Kept> kept;
    std::vector<QString> requestPaths;
    std::size_t missing = 0;
};

RunsDesk::RunsDesk(ThemeContext& context, history::RunHistory& history, QWidget* parent)
    : QStackedWidget(parent)
    , history_(history)
    , list_(new RunList(context))
    , compare_(new CompareView(context))
    , slot_(std::make_shared<http::MailSlot>(home_))
{
    askReportPath = [](QWidget* window, const QString& name) {
        const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
        const bool isOfOne = !name.contains(QLatin1String("comparison"));
        return QFileDialog::getSaveFileName(window, tr("Export the report"), QDir(folder).filePath(name),
                                            isOfOne ? tr("Page (*.html);;Markdown (*.md);;JSON (*.json);;"
                                                         "Requests (*.csv);;"
                                                         "Requests, for a spreadsheet here (*.local.csv)")
                                                    : tr("Page (*.html);;Markdown (*.md)"));
    };
    addWidget(list_);
    addWidget(compare_);
    connect(list_, &RunList::backWanted, this, &RunsDesk::backWanted);
    connect(list_, &RunList::compareWanted, this, &RunsDesk::compare);
    connect(list_, &RunList::planWanted, this, &RunsDesk::takePlan);
    connect(list_, &RunList::pinWanted, this,
            [this](const QString& id, bool isPinned) { history_.setPinned(id, isPinned, thenRefresh<void>()); });
    connect(list_, &RunList::reportWanted, this, &RunsDesk::saveReport);
    connect(list_, &RunList::noteWanted, this,
            [this](const QString& id, const QString& note) { history_.setNote(id, note, thenRefresh<void>()); });
    connect(list_, &RunList::deleteWanted, this,
            [this](const QString& id) { history_.remove(id, thenRefresh<void>()); });
    const auto setBaseline = [this](const QString& id, bool isBaseline) {
        history_.setBaseline(id, isBaseline, [this, self = QPointer(this)](const history::HistoryResult<void>& done) {
            if (!self)
                return;
            showTrouble(done ? std::nullopt : std::optional(done.error()));
            refresh();
            if (currentWidget() == compare_)
                compare(compared_);
        });
    };
    connect(list_, &RunList::baselineWanted, this, setBaseline);
    connect(compare_, &CompareView::baselineWanted, this, setBaseline);
    connect(compare_, &CompareView::backWanted, this, &RunsDesk::showList);
    connect(compare_, &CompareView::exportWanted, this, &RunsDesk::saveComparison);
    connect(list_, &RunList::moreWanted, this, [this] {
        wanted_ = std::min(kMostListed, wanted_ + kPage);
        refresh();
    });
}

RunsDesk::~RunsDesk()
{
    slot_->close();
    reader_.abandon(); // a file of many rows is not worth waiting for
}

template <typename T>
std::function<void(const history::HistoryResult<T>&)> RunsDesk::thenRefresh()
{
    return [self = QPointer(this)](const history::HistoryResult<T>& done) {
        if (!self)
            return;
        self->refresh();
        if (!done)
            self->showTrouble(done.error());
    };
}

void RunsDesk::showList()
{
    setCurrentWidget(list_);
    refresh();
}

void RunsDesk::refresh()
{
    history_.list(0, wanted_, [self = QPointer(this)](const history::HistoryResult<history::RunPage>& page) {
        if (!self)
            return;
        if (page)
            self->setPage(*page);
        self->showTrouble(page ? self->history_.state().fault : std::optional(page.error()));
    });
}

void RunsDesk::setPage(const history::RunPage& page)
{
    std::vector<RunRow> rows;
    for (const history::RunSummary& run : page.runs)
        rows.push_back(keptruns::rowOf(run));
    const bool hasMore = page.total > std::ssize(rows) && std::ssize(rows) < kMostListed;
    list_->setRuns(std::move(rows), hasMore);
}

void RunsDesk::showTrouble(const std::optional<history::HistoryError>& fault)
{
    const history::HistoryState state = history_.state();
    list_->setRoom(keptruns::roomWords(state));
    if (!fault) {
        // A notice that was put away does not come back with the next look.
        if (hadTrouble_ || state.notice != notice_)
            list_->setNotice(state.notice);
        hadTrouble_ = false;
        notice_ = state.notice;
        return;
    }
    hadTrouble_ = true;
    list_->setTrouble(fault->words + QLatin1Char(' ') + fault->remedy, tr("Try again"), [this] { refresh(); });
}

void RunsDesk::keep(const history::RunRecord& run, const std::shared_ptr<history::RunLock>& lock)
{
    history_.save(run, [self = QPointer(this), lock](const history::HistoryResult<void>& saved) {
        if (saved && lock)
            lock->release();
        if (!self)
            return;
        self->refresh();
        if (!saved)
            Q_EMIT self->said(self->tr("The run is not kept: %1 %2").arg(saved.error().words, saved.error().remedy));
    });
}

void RunsDesk::compare(const std::vector<QString>& ids)
{
    compared_ = ids;
    auto gathering = std::make_shared<Gathering>();
    gathering->kept.resize(ids.size());
    gathering->missing = ids.size();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        gathering->requestPaths.push_back(history_.requestsPathOf(ids[i]));
        history_.get(ids[i],
                     [self = QPointer(this), gathering, i](const history::HistoryResult<history::RunRecord>& run) {
                         if (!self)
                             return;
                         if (!run)
                             return self->showTrouble(run.error());
                         gathering->kept[i].record = *run;
                         if (--gathering->missing == 0)
                             self->readRows(gathering);
                     });
    }
}

// Their requests may be many: read in a thread of their own, which owns what it works on.
void RunsDesk::readRows(const std::shared_ptr<Gathering>& gathering)
{
    reader_.start([this, gathering, slot = slot_] {
        for (std::size_t i = 0; i < gathering->kept.size(); ++i) {
            QFile file(gathering->requestPaths[i]);
            if (!file.open(QIODevice::ReadOnly))
                continue; // without its requests a run has percentiles, but no intervals
            const auto [from, to] = keptruns::measuredPartOf(gathering->kept[i].record.report);
            if (auto rows = history::tallyOfRows(file, from, to))
                gathering->kept[i].rows = *std::move(rows);
        }
        auto comparison = std::make_shared<Comparison>(keptruns::comparisonOf(gathering->kept));
        slot->post([this, comparison, gathering] { // not posted when this has gone
            shown_ = gathering;
            compare_->setComparison(std::move(*comparison));
            setCurrentWidget(compare_);
        });
    });
}

void RunsDesk::takePlan(const QString& id)
{
    history_.get(id, [self = QPointer(this)](const history::HistoryResult<history::RunRecord>& run) {
        if (!self)
            return;
        if (!run)
            return self->showTrouble(run.error());
        const auto plan = load::readPlan(run->plan);
        if (plan)
            return Q_EMIT self->planWanted(*plan);
        self->hadTrouble_ = true;
        self->list_->setTrouble(
            self->tr("The plan of \"%1\" cannot be taken. %2").arg(run->summary.name, plan.error()));
    });
}

// They may be many: copied in a thread of their own.
void RunsDesk::saveRows(const QString& id, const QString& path)
{
    reader_.start([this, path, from = history_.requestsPathOf(id), slot = slot_] {
        const QString problem = copyRows(from, path);
        const QString shown = QDir::toNativeSeparators(path);
        slot->post([this, problem, shown] {
            Q_EMIT said(problem.isEmpty() ? tr("The requests were saved as %1.").arg(shown)
                                          : tr("The requests were not saved to %1: %2.").arg(shown, problem));
        });
    });
}

void RunsDesk::saveReport(const QString& id)
{
    history_.get(id, [self = QPointer(this)](const history::HistoryResult<history::RunRecord>& run) {
        if (!self)
            return;
        if (!run)
            return self->showTrouble(run.error());
        const QString name = QStringLiteral("switchgear-%1.html").arg(run->summary.id);
        const QString path = self->askReportPath(self->window(), name);
        if (path.isEmpty())
            return;
        if (path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive))
            return self->saveRows(run->summary.id, path);
        self->save(path, documentOf(*run, path));
    });
}

void RunsDesk::saveComparison()
{
    if (!shown_)
        return;
    const QString path = askReportPath(window(), QStringLiteral("switchgear-comparison.html"));
    if (!path.isEmpty())
        save(path, comparisonDocument(keptruns::documentRunsOf(shown_->kept), path));
}

void RunsDesk::save(const QString& path, const QByteArray& document)
{
    const auto saved = workspace::replaceFile(path, document);
    Q_EMIT said(saved ? tr("The report was saved as %1.").arg(QDir::toNativeSeparators(path))
                      : tr("The report was not saved to %1: %2. Free some space or choose another folder.")
                            .arg(QDir::toNativeSeparators(path), saved.error()));
}

} // namespace sg::ui
