// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/result_view.h"

#include "ui/widgets/paint.h"

namespace sg::ui {

namespace {

using Kind = ResultView::Content::Kind;

QString iconOfKind(Kind kind)
{
    return kind == Kind::Valid ? QStringLiteral("check") : QStringLiteral("warning");
}

} // namespace

ResultView::ResultView(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void ResultView::setContent(Content content)
{
    if (content == content_)
        return;
    content_ = std::move(content);
    QStringList words{content_.head};
    words << content_.lines;
    for (const auto& figure : content_.figures)
        words << QStringLiteral("%1 %2").arg(figure.name, figure.value);
    setAccessibleName(words.join(QStringLiteral(". ")));
    setToolTip(content_.lines.join(QLatin1Char('\n')));
    update();
}

void ResultView::paintVerdict(QPainter& p, const QRectF& box) const
{
    const Theme& theme = context_.theme();
    double top = box.top();
    if (content_.kind == Kind::Empty || content_.kind == Kind::Running) {
        paint::text(p, box.left(), top + 14, content_.head, theme.font(11), theme.c.text2, Qt::AlignLeft, box.width());
    } else {
        const bool isGood = content_.kind == Kind::Valid;
        const QColor ink = isGood ? theme.c.closed : theme.c.open;
        const QFont font = theme.font(11.5, true);
        const double wide = QFontMetricsF(font, p.device()).horizontalAdvance(content_.head) + 36;
        paint::frame(p, QRectF(box.left(), top, std::min(wide, box.width()), 26),
                     isGood ? theme.c.closedTint : theme.c.openTint, ink, 4);
        p.drawPixmap(QPointF(box.left() + 8, top + 7),
                     iconPixmap(iconOfKind(content_.kind), ink, 12, devicePixelRatioF()));
        paint::text(p, box.left() + 26, top + 17.5, content_.head, font, theme.c.text, Qt::AlignLeft, box.width() - 34);
        top += 12;
    }
    paint::Runs runs;
    for (const QString& line : content_.lines)
        runs.push_back({line, false, theme.c.text2});
    paint::wrapped(p, QRectF(box.left(), top + 20, box.width(), box.bottom() - top - 20), runs, theme.font(11),
                   theme.font(11, true), 15);
}

void ResultView::paintFigures(QPainter& p, const QRectF& box) const
{
    const Theme& theme = context_.theme();
    constexpr int kColumns = 3;
    const double width = box.width() / kColumns;
    const auto rows = static_cast<double>((content_.figures.size() + kColumns - 1) / kColumns);
    const double height = std::min(42.0, box.height() / std::max(1.0, rows));
    for (std::size_t i = 0; i < content_.figures.size(); ++i) {
        const double x = box.left() + static_cast<double>(i % kColumns) * width;
        const double y = box.top() + static_cast<double>(i / kColumns) * height;
        paint::text(p, x, y + 10, content_.figures[i].name, theme.font(10.5), theme.c.text3, Qt::AlignLeft, width - 8);
        paint::text(p, x, y + 26, content_.figures[i].value, theme.font(13, true), theme.c.text, Qt::AlignLeft,
                    width - 8);
    }
}

void ResultView::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    const QRectF inner = QRectF(rect()).adjusted(12, 2, -12, -8);
    if (content_.figures.empty())
        return paintVerdict(p, inner);
    const double left = inner.width() * 0.42;
    paintVerdict(p, QRectF(inner.left(), inner.top(), left - 16, inner.height()));
    paintFigures(p, QRectF(inner.left() + left, inner.top(), inner.width() - left, inner.height()));
}

ResultView::Content resultContent(const load::RunProgress* progress)
{
    using load::RunState;
    if (!progress || progress->state == RunState::Idle)
        return {Kind::Empty, ResultView::tr("Cost, verdict and the report appear here when a run has ended."), {}, {}};
    if (loadwords::isActive(progress->state))
        return {Kind::Running,
                ResultView::tr("The run is on."),
                {ResultView::tr("Verdict and report follow when it has ended.")},
                loadwords::figures(*progress)};
    if (progress->state == RunState::Failed)
        return {Kind::Failed,
                progress->seconds.empty() ? ResultView::tr("The run did not take place")
                                          : ResultView::tr("The run broke off"),
                {progress->error},
                progress->seconds.empty() ? std::vector<loadwords::Figure>() : loadwords::figures(*progress)};
    const loadwords::Verdict verdict = loadwords::verdict(progress->report);
    ResultView::Content content;
    content.kind = verdict.isValid ? Kind::Valid : Kind::Invalid;
    content.head = verdict.isValid ? ResultView::tr("Valid run") : ResultView::tr("INVALID run");
    for (QString reason : verdict.reasons) {
        if (!reason.isEmpty())
            reason[0] = reason.at(0).toUpper();
        content.lines << reason + QLatin1Char('.');
    }
    if (verdict.isValid)
        content.lines << ResultView::tr("The load generator kept up: the figures are those of the target.");
    else
        content.lines << ResultView::tr("Its figures say nothing about the target.");
    content.figures = loadwords::figures(progress->report);
    return content;
}

} // namespace sg::ui
