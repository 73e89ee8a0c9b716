// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/load_words.h"
#include "ui/theme/theme.h"

#include <QWidget>

namespace sg::ui {

/// The outcome of the last run: whether it counts, why not, and its figures.
class ResultView : public QWidget
{
    Q_OBJECT
public:
    ResultView(ThemeContext& context, QWidget* parent = nullptr);

    struct Content
    {
        enum class Kind { Empty, Running, Valid, Invalid, Failed } kind = Kind::Empty;
        QString head;
        QStringList lines;
        std::vector<loadwords::Figure> figures;
        bool operator==(const Content&) const = default;
    };
    void setContent(Content content);
    const Content& content() const { return content_; }

    QSize sizeHint() const override { return {648, 134}; }
    QSize minimumSizeHint() const override { return {300, 110}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintVerdict(QPainter& p, const QRectF& box) const;
    void paintFigures(QPainter& p, const QRectF& box) const;

    ThemeContext& context_;
    Content content_;
};

ResultView::Content resultContent(const load::RunProgress* progress);

} // namespace sg::ui
