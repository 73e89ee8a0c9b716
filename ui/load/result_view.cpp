// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/result_view.h"

#include "ui/format/format.h"
#include "ui/load/run_view.h"
#include "ui/widgets/paint.h"

#include <QBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QToolTip>

namespace sg::ui {

namespace {

constexpr double kFigureHigh = 34, kFigureWide = 96;
constexpr int kFewestColumns = 3;

} // namespace

FiguresView::FiguresView(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void FiguresView::setFigures(std::vector<loadwords::Figure> figures)
{
    if (figures == figures_)
        return;
    figures_ = std::move(figures);
    QStringList words;
    for (const auto& figure : figures_)
        words << QStringLiteral("%1 %2").arg(figure.name, figure.value);
    setAccessibleName(words.join(QStringLiteral(", ")));
    fit();
    update();
}

// Fixed to what its width asks for: layouts hand out the height of a hint, which knows no width.
void FiguresView::fit()
{
    setFixedHeight(sizeHint().height());
}

void FiguresView::resizeEvent(QResizeEvent*)
{
    fit();
}

int FiguresView::columns() const
{
    // Rows of one length where that is possible.
    const int fit = std::max(kFewestColumns, static_cast<int>(width() / kFigureWide));
    const int count = static_cast<int>(figures_.size());
    const int rows = (count + fit - 1) / std::max(1, fit);
    return rows > 0 ? (count + rows - 1) / rows : fit;
}

QSize FiguresView::sizeHint() const
{
    const int rows = figures_.empty() ? 0 : (static_cast<int>(figures_.size()) + columns() - 1) / columns();
    return {static_cast<int>(kFigureWide) * 6, static_cast<int>(kFigureHigh * rows)};
}

QRectF FiguresView::placeOf(std::size_t figure) const
{
    const int count = columns();
    const double wide = width() / static_cast<double>(count);
    return {static_cast<double>(static_cast<int>(figure) % count) * wide,
            static_cast<double>(static_cast<int>(figure) / count) * kFigureHigh, wide, kFigureHigh};
}

void FiguresView::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        const QRectF box = placeOf(i);
        paint::text(p, box.left(), box.top() + 10, figures_[i].name, theme.font(10.5), theme.c.text3, Qt::AlignLeft,
                    box.width() - 8);
        paint::text(p, box.left(), box.top() + 26, figures_[i].value, theme.font(13, true), theme.c.text, Qt::AlignLeft,
                    box.width() - 8);
    }
}

bool FiguresView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t i = 0; i < figures_.size(); ++i)
        if (placeOf(i).contains(help->pos()) && !figures_[i].formula.isEmpty()) {
            QToolTip::showText(help->globalPos(), format::plainTip(figures_[i].formula), this, placeOf(i).toRect());
            return true;
        }
    QToolTip::hideText();
    event->ignore();
    return true;
}

ResultView::ResultView(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , verdict_(new VerdictBanner(context))
    , chips_(new ObjectiveChips(context))
    , hint_(new QLabel)
    , figures_(new FiguresView(context))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 2, 12, 8);
    column->setSpacing(6);
    hint_->setProperty("role", QStringLiteral("secondary"));
    hint_->setWordWrap(true);
    for (QWidget* part : {static_cast<QWidget*>(hint_), static_cast<QWidget*>(verdict_), static_cast<QWidget*>(chips_),
                          static_cast<QWidget*>(figures_)})
        column->addWidget(part);
    verdict_->hide();
    chips_->hide();
}

void ResultView::setContent(Content content)
{
    if (content == content_)
        return;
    content_ = std::move(content);
    verdict_->setContent(content_.verdict);
    chips_->setChips(content_.objectives);
    chips_->setVisible(!content_.objectives.empty());
    hint_->setText(content_.hint);
    hint_->setVisible(!content_.hint.isEmpty());
    figures_->setFigures(content_.figures);
    figures_->setVisible(!content_.figures.empty());
    QStringList words;
    for (const QString& part : QStringList(content_.verdict.head) + content_.verdict.reasons)
        words << part;
    words << content_.hint;
    for (const auto& figure : content_.figures)
        words << QStringLiteral("%1 %2").arg(figure.name, figure.value);
    words.removeAll(QString());
    setAccessibleName(words.join(QStringLiteral(". ")));
}

ResultView::Content resultContent(const load::RunProgress* progress)
{
    using load::RunState;
    ResultView::Content content;
    if (!progress || progress->state == RunState::Idle) {
        content.hint = ResultView::tr("Cost, verdict and the report appear here when a run has ended.");
        return content;
    }
    content.objectives = runview::chipsOf(*progress);
    content.verdict = runview::verdictOf(*progress);
    if (loadwords::isActive(progress->state))
        content.hint = ResultView::tr("The run is on. Verdict and report follow when it has ended.");
    if (progress->state == RunState::Finished)
        content.figures = loadwords::figures(progress->report);
    else if (!progress->seconds.empty() || loadwords::isActive(progress->state))
        content.figures = loadwords::figures(*progress);
    return content;
}

} // namespace sg::ui
