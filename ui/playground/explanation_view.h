// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/playground/recorded_view.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace sg::ui {

class Segments;

/// How Switchgear reads a recorded answer: its facts in words, each in full, or the document that switchgear-cli
/// explain prints.
class ExplanationView : public QWidget
{
    Q_OBJECT
public:
    explicit ExplanationView(ThemeContext& context, QWidget* parent = nullptr);

    QWidget* corner() const { return corner_; } ///< facts or JSON, copy, save
    void setRecorded(const RecordedView& recorded);
    void setHeadersButtonVisible(bool visible); ///< when their panel is not there
    const RowsModel& model() const { return *model_; }
    QString json() const;

Q_SIGNALS:
    void saveClicked();
    void headersClicked();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeCorner();
    void fitRows();
    void copy();

    ThemeContext& context_;
    Segments* form_;
    QPushButton* headersButton_ = nullptr;
    QWidget* corner_;
    RowsModel* model_;
    QTableView* table_;
    QPlainTextEdit* json_;
    QStackedWidget* stack_;
};

} // namespace sg::ui
