// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/verdict/objective_chips.h"

#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace sg::ui {

namespace {

using State = ObjectiveChip::State;

constexpr double kHigh = 26, kGap = 5, kSide = 8, kSign = 17;

QString sentenceOf(const ObjectiveChip& chip)
{
    return QStringLiteral("%1 %2, %3: %4").arg(chip.name, chip.measured, chip.limit, objectiveWord(chip.state));
}

struct Look
{
    QColor ink, fill, edge;
};

Look lookOf(State state, const Tokens& c)
{
    switch (state) {
    case State::Met:
        return {c.closed, c.closedTint, c.closed};
    case State::Missed:
        return {c.open, c.openTint, c.open};
    case State::NoData:
        break;
    }
    return {c.text3, c.card, c.outline};
}

void paintSign(QPainter& p, const QPointF& centre, State state, const QColor& ink)
{
    p.setPen(QPen(ink, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    p.setBrush(Qt::NoBrush);
    const double x = centre.x(), y = centre.y();
    if (state == State::Met)
        p.drawPolyline(QPolygonF{QPointF(x - 4, y), QPointF(x - 1, y + 3), QPointF(x + 4, y - 3.5)});
    else if (state == State::Missed) {
        p.drawLine(QPointF(x - 3.3, y - 3.3), QPointF(x + 3.3, y + 3.3));
        p.drawLine(QPointF(x - 3.3, y + 3.3), QPointF(x + 3.3, y - 3.3));
    } else
        p.drawLine(QPointF(x - 3.5, y), QPointF(x + 3.5, y));
}

} // namespace

QString objectiveWord(State state)
{
    switch (state) {
    case State::Met:
        return ObjectiveChips::tr("met");
    case State::Missed:
        return ObjectiveChips::tr("missed");
    case State::NoData:
        break;
    }
    return ObjectiveChips::tr("no data");
}

ObjectiveChips::ObjectiveChips(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setFocusPolicy(Qt::TabFocus);
    setProperty("ownFocusRing", true);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Objectives"));
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
    describe();
}

void ObjectiveChips::setChips(std::vector<ObjectiveChip> chips)
{
    if (chips == chips_)
        return;
    chips_ = std::move(chips);
    if (cursor_ && *cursor_ >= chips_.size())
        cursor_.reset();
    setFocusPolicy(chips_.empty() ? Qt::NoFocus : Qt::TabFocus);
    fit();
    describe();
    update();
}

void ObjectiveChips::describe()
{
    QString words;
    if (cursor_) {
        words = sentenceOf(chips_[*cursor_]);
        if (!chips_[*cursor_].formula.isEmpty())
            words += QStringLiteral(". ") + chips_[*cursor_].formula;
    } else {
        QStringList all;
        for (const ObjectiveChip& chip : chips_)
            all << sentenceOf(chip);
        words = all.isEmpty() ? tr("No objectives set") : all.join(QStringLiteral("; "));
    }
    if (words == accessibleDescription())
        return;
    setAccessibleDescription(words);
    QAccessibleEvent told(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&told);
}

double ObjectiveChips::widthOf(const ObjectiveChip& chip) const
{
    const Theme& theme = context_.theme();
    const QFontMetricsF plain(theme.font(10.5)), bold(theme.font(11.5, true)), word(theme.font(9.5, true));
    return std::ceil(kSide + kSign + plain.horizontalAdvance(chip.name) + 5 + bold.horizontalAdvance(chip.measured) +
                     5 + plain.horizontalAdvance(chip.limit) + 8 + word.horizontalAdvance(objectiveWord(chip.state)) +
                     kSide);
}

std::vector<QRectF> ObjectiveChips::places(double width) const
{
    std::vector<QRectF> all;
    double x = 0, y = 0;
    for (const ObjectiveChip& chip : chips_) {
        const double wide = std::min(widthOf(chip), std::max(40.0, width));
        if (x > 0 && x + wide > width) {
            x = 0;
            y += kHigh + kGap;
        }
        all.emplace_back(x, y, wide, kHigh);
        x += wide + kGap;
    }
    return all;
}

int ObjectiveChips::heightForWidth(int width) const
{
    const auto all = places(width);
    return all.empty() ? 0 : static_cast<int>(all.back().bottom());
}

QSize ObjectiveChips::sizeHint() const
{
    double wide = 0;
    for (const ObjectiveChip& chip : chips_)
        wide += widthOf(chip) + kGap;
    return {static_cast<int>(wide), chips_.empty() ? 0 : static_cast<int>(kHigh)};
}

// Fixed to what its width asks for: layouts hand out the height of a hint, which knows no width.
void ObjectiveChips::fit()
{
    setFixedHeight(heightForWidth(width()));
}

void ObjectiveChips::resizeEvent(QResizeEvent*)
{
    fit();
}

void ObjectiveChips::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const auto all = places(width());
    for (std::size_t i = 0; i < all.size(); ++i)
        paintChip(p, all[i], chips_[i]);
    if (cursor_ && hasFocus())
        paint::focusRing(p, all[*cursor_], context_.theme(), 4);
}

void ObjectiveChips::paintChip(QPainter& p, const QRectF& box, const ObjectiveChip& chip) const
{
    const Theme& theme = context_.theme();
    const Look look = lookOf(chip.state, theme.c);
    QPen edge(look.edge, chip.state == State::Missed ? 2 : 1);
    if (chip.state == State::NoData)
        edge.setDashPattern({3, 2});
    const double inset = edge.widthF() / 2;
    p.setPen(edge);
    p.setBrush(look.fill);
    p.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 4, 4);
    paintSign(p, {box.left() + kSide + 4.5, box.center().y()}, chip.state, look.ink);
    const double baseline = box.top() + 17;
    const double end = box.right() - kSide;
    const QFont word = theme.font(9.5, true);
    const double wordWide = paint::text(p, end, baseline, objectiveWord(chip.state), word, look.ink, Qt::AlignRight);
    const double room = end - wordWide - 8;
    double x = box.left() + kSide + kSign;
    x += paint::text(p, x, baseline, chip.name, theme.font(10.5), theme.c.text2, Qt::AlignLeft, room - x) + 5;
    if (x < room)
        x += paint::text(p, x, baseline, chip.measured, theme.font(11.5, true), theme.c.text, Qt::AlignLeft, room - x) +
             5;
    if (x < room)
        paint::text(p, x, baseline, chip.limit, theme.font(10.5), theme.c.text2, Qt::AlignLeft, room - x);
}

bool ObjectiveChips::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto all = places(width());
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].contains(help->pos())) {
            const QString words = sentenceOf(chips_[i]) + QLatin1Char('\n') + chips_[i].formula;
            QToolTip::showText(help->globalPos(), format::plainTip(words.trimmed()), this, all[i].toRect());
            return true;
        }
    QToolTip::hideText();
    event->ignore();
    return true;
}

void ObjectiveChips::setCursor(std::optional<std::size_t> chip)
{
    cursor_ = chip;
    describe();
    update();
}

void ObjectiveChips::keyPressEvent(QKeyEvent* event)
{
    if (chips_.empty())
        return QWidget::keyPressEvent(event);
    const std::size_t last = chips_.size() - 1;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
        return setCursor(cursor_ ? std::min(last, *cursor_ + 1) : 0);
    case Qt::Key_Left:
    case Qt::Key_Up:
        return setCursor(cursor_ && *cursor_ > 0 ? *cursor_ - 1 : 0);
    case Qt::Key_Home:
        return setCursor(0);
    case Qt::Key_End:
        return setCursor(last);
    default:
        QWidget::keyPressEvent(event);
    }
}

void ObjectiveChips::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    if (!chips_.empty())
        setCursor(cursor_.value_or(0));
}

void ObjectiveChips::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    setCursor(std::nullopt);
}

} // namespace sg::ui
