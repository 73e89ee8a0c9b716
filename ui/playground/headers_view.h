// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/watch.h"
#include "ui/theme/theme.h"
#include "ui/widgets/rows_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace sg::ui {

class Segments;

/// What was sent and what came back with one attempt, keys masked, with the record's own lines among them.
class HeadersView : public QWidget
{
    Q_OBJECT
public:
    explicit HeadersView(ThemeContext& context, QWidget* parent = nullptr);

    QWidget* corner() const { return corner_; } ///< copy and close

    void setView(const engine::WatchViewPtr& view, int attempt);
    void setRecorded(const std::vector<RowsModel::Row>& rows); ///< headers of a recorded answer; may be empty
    void clear();
    const RowsModel& model() const { return *model_; }
    QString sentence() const;

Q_SIGNALS:
    void attemptSelected(int number);
    void closeClicked();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeTries(int tries);
    void refresh();
    void copy();
    void dress();

    ThemeContext& context_;
    QWidget* corner_;
    QPushButton *copy_, *close_;
    QVBoxLayout* column_;
    QWidget* triesPlace_;
    Segments* tries_ = nullptr;
    QComboBox* triesBox_ = nullptr;
    Segments* side_;
    RowsModel* model_;
    QTableView* table_;
    QLabel *sentence_, *nothing_;
    engine::WatchViewPtr view_;
    int attempt_ = 0, triesShown_ = 0;
    bool isSilent_ = false;
};

} // namespace sg::ui
