// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/watch.h"
#include "ui/theme/theme.h"
#include "ui/widgets/rows_model.h"

#include <QWidget>

class QTableView;

namespace sg::ui {

/// The same request at each endpoint, a line each. Up and Down choose the one that is shown in full.
class SideBySide : public QWidget
{
    Q_OBJECT
public:
    struct Run
    {
        engine::WatchTarget target;
        std::uint64_t id = 0;
        engine::WatchViewPtr view; ///< the newest; null before the first
    };

    explicit SideBySide(ThemeContext& context, QWidget* parent = nullptr);

    void setRuns(std::vector<Run> runs); ///< with the same ids as before: newer pictures of them
    const std::vector<Run>& runs() const { return runs_; }
    const RowsModel& model() const { return *model_; }
    std::uint64_t selected() const; ///< 0: none

Q_SIGNALS:
    void selectedChanged(quint64 id);
    void opened(quint64 id); ///< its attempts are wanted

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    ThemeContext& context_;
    RowsModel* model_;
    QTableView* table_;
    std::vector<Run> runs_;
};

} // namespace sg::ui
