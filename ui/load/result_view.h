// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/load_words.h"
#include "ui/load/verdict/objective_chips.h"
#include "ui/load/verdict/verdict_banner.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;

namespace sg::ui {

/// Names over values, three or more beside each other as there is room.
class FiguresView : public QWidget
{
    Q_OBJECT
public:
    explicit FiguresView(ThemeContext& context, QWidget* parent = nullptr);
    void setFigures(std::vector<loadwords::Figure> figures);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {240, 0}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void fit();
    int columns() const;
    QRectF placeOf(std::size_t figure) const;

    ThemeContext& context_;
    std::vector<loadwords::Figure> figures_;
};

/// The outcome of the last run: whether it counts, why not, how its objectives stand, and its figures.
class ResultView : public QWidget
{
    Q_OBJECT
public:
    explicit ResultView(ThemeContext& context, QWidget* parent = nullptr);

    struct Content
    {
        VerdictBanner::Content verdict;
        QString hint; ///< in the place of a verdict
        std::vector<ObjectiveChip> objectives;
        std::vector<loadwords::Figure> figures;
        bool operator==(const Content&) const = default;
    };
    void setContent(Content content);
    const Content& content() const { return content_; }
    ObjectiveChips* chips() const { return chips_; }

private:
    Content content_;
    VerdictBanner* verdict_;
    ObjectiveChips* chips_;
    QLabel* hint_;
    FiguresView* figures_;
};

ResultView::Content resultContent(const load::RunProgress* progress);

} // namespace sg::ui
