// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/compare/comparison.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <functional>
#include <set>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace sg::ui {

class Banner;
class RowsModel;

/// A kept run, as the list shows it.
struct RunRow
{
    QString id;
    QString name;   ///< "Run 37, outage-2min"
    QString target; ///< "chain prod-chat"
    std::int64_t startedUnixMs = 0;
    RunVerdict verdict = RunVerdict::Valid;
    std::optional<std::int64_t> requests;
    std::optional<double> success; ///< 0..1
    std::optional<double> p50Ms, p95Ms, p99Ms;
    QString cost; ///< in words, with what is unknown about it
    QString note;
    bool isBaseline = false;
    bool isPinned = false;
    bool operator==(const RunRow&) const = default;
};

/// The runs that are kept, newest first. Two to five of them are compared; one can be the baseline; each has a note.
class RunList : public QWidget
{
    Q_OBJECT
public:
    explicit RunList(ThemeContext& context, QWidget* parent = nullptr);

    /// `hasMore`: older ones can be asked for.
    void setRuns(std::vector<RunRow> runs, bool hasMore);
    const std::vector<RunRow>& runs() const { return runs_; }
    /// The store cannot be read or written: what that means, and a way on. Empty: it can.
    void setTrouble(const QString& words, const QString& wayOn = {}, std::function<void()> run = {});
    /// What is not wrong and good to know, such as that older runs were deleted. Empty: nothing.
    void setNotice(const QString& words);
    /// How much of what may be kept is kept.
    void setRoom(const QString& words);
    std::vector<QString> selected() const; ///< as they stand in the list, from the oldest
    void select(const std::set<QString>& ids);
    QTableView* table() const { return table_; }

    /// Asks whether a run is to be deleted; tests put their own.
    std::function<bool(QWidget*, const QString& question)> askDelete;

Q_SIGNALS:
    void backWanted();
    void compareWanted(const std::vector<QString>& ids);
    void baselineWanted(const QString& id, bool isBaseline);
    void pinWanted(const QString& id, bool isPinned);
    void noteWanted(const QString& id, const QString& note);
    void deleteWanted(const QString& id);
    void planWanted(const QString& id); ///< run it again
    void reportWanted(const QString& id);
    void moreWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeTop();
    QWidget* makeFoot();
    void showButtons();
    void showNote();
    void saveNote();
    void remove();
    const RunRow* current() const;

    ThemeContext& context_;
    std::vector<RunRow> runs_;
    RowsModel* model_;
    QTableView* table_;
    Banner* banner_;
    QLabel *empty_, *count_;
    QLineEdit* note_;
    QPushButton *compare_ = nullptr, *baseline_ = nullptr, *pin_ = nullptr, *plan_ = nullptr, *report_ = nullptr,
                *delete_ = nullptr, *more_ = nullptr;
    QString room_;
    QString noteOf_; ///< whose note is in the field
};

} // namespace sg::ui
