// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/run_progress.h"
#include "ui/theme/theme.h"

#include <QStackedWidget>

namespace sg::ui {

class LatencyHistogram;
class Segments;

/// What only streamed answers have, beside each other: the time to the first token and the time between tokens.
class TokenTimesView : public QWidget
{
    Q_OBJECT
public:
    explicit TokenTimesView(ThemeContext& context, QWidget* parent = nullptr);
    void setRun(const load::RunProgress& run);
    LatencyHistogram* firstToken() const { return firstToken_; }
    LatencyHistogram* betweenTokens() const { return betweenTokens_; }

private:
    LatencyHistogram *firstToken_, *betweenTokens_;
};

/// The result of a run, or its token times. Until somebody chooses, token times while a streaming run is on that has no
/// objectives to watch.
class ResultPages : public QStackedWidget
{
    Q_OBJECT
public:
    ResultPages(ThemeContext& context, QWidget* result, QWidget* parent = nullptr);

    /// Null: there is no run.
    void setRun(const load::RunProgressPtr& run);
    QWidget* choice() const; ///< the switch; not a child until it is put somewhere
    TokenTimesView* tokenTimes() const { return tokenTimes_; }

    QSize sizeHint() const override { return currentWidget()->sizeHint(); }
    QSize minimumSizeHint() const override { return currentWidget()->minimumSizeHint(); }

private:
    void show(int page);

    load::RunProgressPtr run_;
    Segments* choice_;
    TokenTimesView* tokenTimes_;
    bool isChosen_ = false, isShowing_ = false;
};

} // namespace sg::ui
