// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/stages/stages_plot.h"

#include <tl/expected.hpp>

#include <functional>

class QLabel;
class QLineEdit;
class QPushButton;

namespace sg::ui {

/// Stages as a plot and as a line of text: whichever is edited, the other follows. What is wrong with the text is said
/// below it, and the plot keeps what it has.
class StagesEditor : public QWidget
{
    Q_OBJECT
public:
    /// The language of the text; the error is a sentence.
    struct Language
    {
        std::function<tl::expected<Stages, QString>(const QString&)> read;
        std::function<QString(const Stages&)> write;
        QString example;
    };
    StagesEditor(ThemeContext& context, Language language, QWidget* parent = nullptr);

    const Stages& stages() const { return plot_->stages(); }
    void setStages(const Stages& stages);
    void setReadOnly(bool isReadOnly);
    const QString& problem() const { return problem_; } ///< of the text; empty when it is fine
    StagesPlot* plot() const { return plot_; }
    QLineEdit* text() const { return text_; }

Q_SIGNALS:
    void changed(); ///< stages or problem

private:
    void onPlotChanged();
    void onTyped();
    void leaveText();
    void showText();
    void setProblem(const QString& problem);
    void showUndo();

    Language language_;
    StagesPlot* plot_;
    QLineEdit* text_;
    QLabel* error_;
    QPushButton *add_, *remove_, *undo_, *redo_;
    QString problem_;
    bool isTyping_ = false; ///< the plot follows the text: the text is not written anew under the cursor
};

} // namespace sg::ui
