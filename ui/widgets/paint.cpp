// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/paint.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

namespace sg::ui::paint {

double text(QPainter& p, double x, double baseline, const QString& text, const QFont& font, const QColor& colour,
            Qt::Alignment align, double width, Qt::TextElideMode elide)
{
    const QFontMetricsF metrics(font, p.device());
    // Measuring shapes the text, which costs as much as drawing it: once, unless it must be cut.
    double advance = metrics.horizontalAdvance(text);
    const bool isTooLong = width >= 0 && advance > width;
    const QString shown = isTooLong ? metrics.elidedText(text, elide, width) : text;
    if (isTooLong)
        advance = metrics.horizontalAdvance(shown);
    const double left = align & Qt::AlignRight ? x - advance : align & Qt::AlignHCenter ? x - advance / 2 : x;
    p.setFont(font);
    p.setPen(colour);
    p.drawText(QPointF(left, baseline), shown);
    return advance;
}

double runs(QPainter& p, double x, double baseline, const Runs& runs, const QFont& plain, const QFont& bold,
            double width)
{
    double used = 0;
    for (const Run& run : runs) {
        const double left = width < 0 ? -1 : width - used;
        if (width >= 0 && left < 6)
            break;
        used += text(p, x + used, baseline, run.text, run.bold ? bold : plain, run.colour, Qt::AlignLeft, left);
    }
    return used;
}

namespace {

struct Word
{
    QString text;
    const Run* run;
    double advance;
};

std::vector<Word> wordsOf(const Runs& runs, const QFontMetricsF& plain, const QFontMetricsF& bold)
{
    std::vector<Word> words;
    for (const Run& run : runs) {
        for (const QString& part : run.text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
            words.push_back({part, &run, (run.bold ? bold : plain).horizontalAdvance(part)});
    }
    return words;
}

} // namespace

bool wrapped(QPainter& p, const QRectF& box, const Runs& runs, const QFont& plain, const QFont& bold, double lineHeight)
{
    const QFontMetricsF plainMetrics(plain, p.device()), boldMetrics(bold, p.device());
    const double space = plainMetrics.horizontalAdvance(QLatin1Char(' '));
    const auto words = wordsOf(runs, plainMetrics, boldMetrics);
    const int lines = std::max(1, static_cast<int>(box.height() / lineHeight));
    double x = 0;
    int line = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Word& word = words[i];
        if (x > 0 && x + word.advance > box.width() && line + 1 < lines) {
            ++line;
            x = 0;
        }
        const double baseline = box.top() + line * lineHeight + plainMetrics.ascent();
        const bool isLast = i + 1 == words.size();
        // On the last line a word goes in only if it, or an ellipsis after it, still fits.
        const double ellipsis = plainMetrics.horizontalAdvance(QChar(0x2026));
        const double limit = box.width() - (isLast || line + 1 < lines ? 0 : ellipsis);
        if (x + word.advance > limit) {
            const bool tailFits = line + 1 == lines && x + word.advance <= box.width() && isLast;
            if (!tailFits) {
                const double left = box.width() - x;
                text(p, box.left() + x, baseline, x > 0 ? QString(QChar(0x2026)) : word.text,
                     word.run->bold ? bold : plain, word.run->colour, Qt::AlignLeft, left);
                return false;
            }
        }
        text(p, box.left() + x, baseline, word.text, word.run->bold ? bold : plain, word.run->colour);
        x += word.advance + space;
        if (word.run->bold && !isLast && !words[i + 1].run->bold)
            x += 3; // a title stands a little apart from its text
    }
    return true;
}

void frame(QPainter& p, const QRectF& rect, const QColor& fill, const QColor& edge, double radius)
{
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(fill);
    p.setPen(QPen(edge, 1));
    p.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

void focusRing(QPainter& p, const QRectF& rect, const Theme& theme, double radius)
{
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(theme.c.accent, 2));
    p.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius);
}

namespace {

QBrush stripes(const QColor& colour, int tile, double width, const QColor& ground)
{
    QPixmap pixmap(tile, tile);
    pixmap.fill(ground);
    QPainter p(&pixmap);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
    for (int shift : {-tile, 0, tile}) // neighbours reach over the edge, so that tiles meet without a seam
        p.drawLine(QPointF(shift - 2.0, tile + 2.0), QPointF(shift + tile + 2.0, -2.0));
    return QBrush(pixmap);
}

QColor mixed(const QColor& top, const QColor& ground, double share)
{
    const auto mix = [share](int a, int b) { return static_cast<int>(a * share + b * (1 - share)); };
    return QColor(mix(top.red(), ground.red()), mix(top.green(), ground.green()), mix(top.blue(), ground.blue()));
}

} // namespace

QBrush halfStripes(const Tokens& t)
{
    return stripes(t.half, 8, 3, mixed(t.half, t.card, 0.35));
}

QBrush hatch(const QColor& ink, const Tokens& t)
{
    return stripes(ink, 6, 2.2, mixed(ink, t.card, 0.35));
}

QBrush failedHatch(const Tokens& t)
{
    return hatch(t.open, t);
}

QBrush crossHatch(const QColor& ink, const Tokens& t)
{
    QPixmap pixmap(6, 6);
    pixmap.fill(mixed(ink, t.card, 0.35));
    QPainter p(&pixmap);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(ink, 1.2));
    p.drawLine(QPointF(0, 0), QPointF(6, 6));
    p.drawLine(QPointF(0, 6), QPointF(6, 0));
    return QBrush(pixmap);
}

QBrush lockedHatch(const Tokens& t)
{
    QPixmap pixmap(6, 6);
    pixmap.fill(t.selected);
    QPainter p(&pixmap);
    p.setRenderHint(QPainter::Antialiasing);
    QColor ink = t.locked;
    ink.setAlphaF(0.75F);
    p.setPen(QPen(ink, 1));
    p.drawLine(QPointF(0, 0), QPointF(6, 6));
    p.drawLine(QPointF(0, 6), QPointF(6, 0));
    return QBrush(pixmap);
}

void stateMark(QPainter& p, const QPointF& centre, double size, policy::BreakerState state, const Tokens& tokens)
{
    using policy::BreakerState;
    const QColor ink = stateColours(tokens, state).ink;
    const double half = size / 2;
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.translate(centre);
    p.setPen(Qt::NoPen);
    p.setBrush(ink);
    switch (state) {
    case BreakerState::Closed:
        p.drawEllipse(QPointF(0, 0), half - 0.5, half - 0.5);
        break;
    case BreakerState::MetricsOnly:
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(ink, 1.6));
        p.drawEllipse(QPointF(0, 0), half - 1, half - 1);
        break;
    case BreakerState::HalfOpen: {
        const double d = half - 0.8;
        p.drawPolygon(QPolygonF{QPointF(0, -d), QPointF(0, d), QPointF(-d, 0)});
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(ink, 1.4));
        p.drawPolygon(QPolygonF{QPointF(0, -d), QPointF(d, 0), QPointF(0, d), QPointF(-d, 0)});
        break;
    }
    case BreakerState::Open:
        p.drawPolygon(
            QPolygonF{QPointF(0, -half + 0.6), QPointF(half - 0.4, half - 0.8), QPointF(-half + 0.4, half - 0.8)});
        break;
    case BreakerState::ForcedOpen:
        p.setPen(QPen(ink, 2));
        p.drawLine(QPointF(-half + 1, -half + 1), QPointF(half - 1, half - 1));
        p.drawLine(QPointF(-half + 1, half - 1), QPointF(half - 1, -half + 1));
        break;
    case BreakerState::ForcedClosed:
        p.drawRect(QRectF(-half + 1, -half + 1, size - 2, size - 2));
        break;
    }
    p.restore();
}

QString stateWord(policy::BreakerState state)
{
    using policy::BreakerState;
    const auto tr = [](const char* word) { return QCoreApplication::translate("sg::ui::BreakerState", word); };
    switch (state) {
    case BreakerState::Closed:
        return tr("closed");
    case BreakerState::HalfOpen:
        return tr("half-open");
    case BreakerState::Open:
        return tr("open");
    case BreakerState::ForcedOpen:
        return tr("locked open");
    case BreakerState::ForcedClosed:
        return tr("locked closed");
    case BreakerState::MetricsOnly:
        break;
    }
    return tr("watching only");
}

namespace {

QFont tagFont(const Theme& theme)
{
    QFont font = theme.font(10, true);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.3);
    return font;
}

} // namespace

double stateTagWidth(policy::BreakerState state, const Theme& theme)
{
    return 6 + 9 + 5 + QFontMetricsF(tagFont(theme)).horizontalAdvance(stateWord(state).toUpper()) + 7;
}

double stateTag(QPainter& p, double right, double top, policy::BreakerState state, const Theme& theme)
{
    const double width = stateTagWidth(state, theme);
    const auto colours = stateColours(theme.c, state);
    const QRectF box(right - width, top, width, 18);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(colours.tint);
    p.drawRoundedRect(box, 3, 3);
    stateMark(p, QPointF(box.left() + 10.5, box.center().y()), 9, state, theme.c);
    text(p, box.left() + 20, box.top() + 12.7, stateWord(state).toUpper(), tagFont(theme), colours.ink);
    return width;
}

namespace {

void padlock(QPainter& p, const QPointF& at, const QColor& ink)
{
    p.save();
    p.translate(at);
    QPainterPath bow;
    bow.moveTo(2.5, 6);
    bow.lineTo(2.5, 4);
    bow.arcTo(QRectF(2.5, 1.2, 5.6, 5.6), 180, -180);
    bow.lineTo(8.1, 6);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(ink, 1.5));
    p.drawPath(bow);
    p.setPen(Qt::NoPen);
    p.setBrush(ink);
    p.drawRoundedRect(QRectF(0.6, 6, 9.4, 7), 1.2, 1.2);
    p.restore();
}

void probeDots(QPainter& p, const BladeFacts& facts, double pivot, double y, double s, const Tokens& t)
{
    const int dots = std::clamp(facts.probesNeeded, 1, 5);
    p.setPen(Qt::NoPen);
    for (int i = 0; i < dots; ++i) {
        const double x = pivot + (10.5 + (dots > 1 ? 18.7 * i / (dots - 1) : 9.3)) * s;
        p.setBrush(i < facts.probesPassed ? t.half : t.outline);
        p.drawEllipse(QPointF(x, y), 2.08 * s, 2.08 * s);
    }
}

} // namespace

void blade(QPainter& p, const QRectF& box, const BladeFacts& facts, const Tokens& t, const QColor& behind)
{
    using policy::BreakerState;
    const double s = box.width() / 100;
    const double y = box.height() * 0.64, pivot = box.width() / 3, contact = 68.75 * s, right = box.width() - 1;
    const bool isOpen = facts.state == BreakerState::Open || facts.state == BreakerState::ForcedOpen;
    const bool isHalf = facts.state == BreakerState::HalfOpen;
    const bool isLocked = facts.state == BreakerState::ForcedOpen || facts.state == BreakerState::ForcedClosed;
    const QColor ink = stateColours(t, facts.state).ink;
    const QColor load = isOpen ? t.outline : ink;
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.translate(box.topLeft());
    p.setPen(QPen(ink, 2.5 * s, Qt::SolidLine, Qt::FlatCap));
    p.drawLine(QPointF(1, y), QPointF(pivot, y));
    QPen loadPen(load, 2.5 * s, Qt::SolidLine, Qt::FlatCap);
    if (isHalf)
        loadPen.setDashPattern({1.65, 1.65});
    p.setPen(loadPen);
    p.drawLine(QPointF(contact, y), QPointF(right, y));
    p.setPen(QPen(isOpen ? t.text3 : ink, 1.875 * s, Qt::SolidLine, Qt::FlatCap));
    const double x = 4.375 * s;
    p.drawLine(QPointF(contact - x, y - x), QPointF(contact + x, y + x));
    p.drawLine(QPointF(contact - x, y + x), QPointF(contact + x, y - x));

    const QPointF rise = isOpen ? QPointF(29.3, -21.3) : isHalf ? QPointF(33.97, -12.38) : QPointF(35.42, 0);
    const QPointF tip(pivot + rise.x() * s, y + rise.y() * s * facts.swing);
    QPen bladePen(ink, 3.125 * s, Qt::SolidLine, isOpen ? Qt::RoundCap : Qt::FlatCap);
    if (isHalf)
        bladePen.setDashPattern({1.667, 1.333});
    p.setPen(bladePen);
    p.drawLine(QPointF(pivot, y), tip);
    if (isHalf)
        probeDots(p, facts, pivot, y, s, t);
    if (isLocked)
        padlock(p, QPointF(tip.x() - 6.1 - (isOpen ? 0 : 17.7 * s), tip.y() - (isOpen ? 6.95 : 11)), ink);
    p.setPen(Qt::NoPen);
    p.setBrush(ink);
    p.drawEllipse(QPointF(pivot, y), 3.125 * s, 3.125 * s);
    p.setBrush(behind);
    p.setPen(QPen(ink, 1.5));
    p.drawEllipse(QPointF(3.5, y), 2.5, 2.5);
    p.setPen(QPen(load, 1.5));
    p.drawEllipse(QPointF(box.width() - 3.5, y), 2.5, 2.5);
    p.restore();
}

} // namespace sg::ui::paint
