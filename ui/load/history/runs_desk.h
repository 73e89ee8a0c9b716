// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_history.h"
#include "core/history/run_lock.h"
#include "core/http/mailbox.h"
#include "core/http/workers.h"
#include "core/load/plan.h"
#include "ui/load/history/kept_runs.h"

#include <QStackedWidget>

namespace sg::ui {

class CompareView;

/// The kept runs and their comparison, over the history. Nothing here waits: lists and runs come when they come.
class RunsDesk : public QStackedWidget
{
    Q_OBJECT
public:
    RunsDesk(ThemeContext& context, history::RunHistory& history, QWidget* parent = nullptr);
    ~RunsDesk() override;

    void refresh();
    /// An ended run; what goes wrong is said in the list. `lock` is released when it is saved; may be null.
    void keep(const history::RunRecord& run, const std::shared_ptr<history::RunLock>& lock = {});
    void showList();
    RunList* list() const { return list_; }
    CompareView* comparison() const { return compare_; }

    /// Asks where a report goes: a path, empty = nowhere. Tests put their own.
    std::function<QString(QWidget*, const QString& name)> askReportPath;

Q_SIGNALS:
    void backWanted();
    void planWanted(const sg::load::LoadPlan& plan);
    void said(const QString& words); ///< what went wrong, or well, outside of the list

private:
    struct Gathering;

    template <typename T>
    std::function<void(const history::HistoryResult<T>&)> thenRefresh();
    void setPage(const history::RunPage& page);
    void showTrouble(const std::optional<history::HistoryError>& fault);
    void compare(const std::vector<QString>& ids);
    void readRows(const std::shared_ptr<Gathering>& gathering);
    void takePlan(const QString& id);
    void saveReport(const QString& id);
    void saveRows(const QString& id, const QString& path);
    void saveComparison();
    void save(const QString& path, const QByteArray& document);

    history::RunHistory& history_;
    RunList* list_;
    CompareView* compare_;
    int wanted_ = 100; ///< rows asked for
    std::vector<QString> compared_;
    bool hadTrouble_ = false;                ///< the list says it
    QString notice_;                         ///< the list has said it
    std::shared_ptr<const Gathering> shown_; ///< what the comparison shows
    http::Mailbox home_;
    std::shared_ptr<http::MailSlot> slot_;
    http::Workers reader_{1};
};

} // namespace sg::ui
