// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/widgets/paint.h"

#include <QDialog>

#include <chrono>
#include <functional>
#include <optional>

class QCheckBox;
class QLineEdit;
class QSpinBox;
class QPushButton;

namespace sg::ui {

/// Asks before something that hurts: says the effect, takes a reason, may offer to undo by itself after a time. Enter
/// never triggers the red button. Shown with open(): nothing waits for it.
class ConfirmDialog : public QDialog
{
    Q_OBJECT
public:
    struct Question
    {
        QString title;           ///< "Lock gpt-4.1 open in prod?"
        QString effect;          ///< rich text
        QString action;          ///< on the red button
        paint::BladeFacts blade; ///< what the breaker will look like
        bool needsReason = false;
        std::optional<int> undoMinutes; ///< offered when set
        QString undoLabel;
    };
    struct Answer
    {
        QString reason;
        std::optional<std::chrono::minutes> undoAfter;
    };

    ConfirmDialog(ThemeContext& context, const Question& question, QWidget* parent);

Q_SIGNALS:
    void confirmed(const sg::ui::ConfirmDialog::Answer& answer);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLayout* heading(ThemeContext& context, const Question& question);
    QLayout* buttons(const Question& question);
    void finish();

    QLineEdit* reason_ = nullptr;
    QCheckBox* undo_ = nullptr;
    QSpinBox* minutes_ = nullptr;
    QPushButton* act_ = nullptr;
};

} // namespace sg::ui
