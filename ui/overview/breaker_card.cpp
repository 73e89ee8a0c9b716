// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/breaker_card.h"
#include "ui/widgets/paint.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainterPath>
#include <QToolTip>

#include <numbers>

namespace sg::ui {

using observe::BreakerCommand;
using policy::BreakerState;

namespace {

constexpr int kFootHeight = 29, kRuleTop = 74, kErrorTop = 156;
constexpr QRectF kGauge(9, kRuleTop + 1, 92, 66);
constexpr int kRingLeft = 110, kFiguresLeft = 178;

bool isHeadNew(const CardFacts& a, const CardFacts& b)
{
    return a.name != b.name || a.provider != b.provider || a.line1 != b.line1 || a.line1Bold != b.line1Bold ||
           a.line2 != b.line2 || a.probesNeeded != b.probesNeeded || a.probesPassed != b.probesPassed;
}

bool isGaugeNew(const CardFacts& a, const CardFacts& b)
{
    return a.gaugeShare != b.gaugeShare || a.gaugeLimit != b.gaugeLimit || a.gaugeText != b.gaugeText ||
           a.gaugeCaption != b.gaugeCaption || a.gaugeFoot != b.gaugeFoot;
}

bool isRingNew(const CardFacts& a, const CardFacts& b)
{
    return a.ring != b.ring || a.ringShare != b.ringShare || a.ringMain != b.ringMain || a.ringSub != b.ringSub;
}

bool areFiguresNew(const CardFacts& a, const CardFacts& b)
{
    return a.inFlight != b.inFlight || a.rpmUsed != b.rpmUsed || a.rpmLimit != b.rpmLimit || a.rpmShare != b.rpmShare;
}

bool isErrorNew(const CardFacts& a, const CardFacts& b)
{
    return a.errorTone != b.errorTone || a.errorTitle != b.errorTitle || a.errorWords != b.errorWords;
}

bool isAmong(BreakerState state, std::initializer_list<BreakerState> states)
{
    return std::find(states.begin(), states.end(), state) != states.end();
}

} // namespace

CardButton::CardButton(ThemeContext& context, QWidget* parent)
    : QPushButton(parent)
    , context_(context)
{
    setProperty("ownFocusRing", true);
    setFocusPolicy(Qt::StrongFocus);
    setAutoDefault(false);
}

void CardButton::setKey(bool isKey)
{
    if (isKey_ == isKey)
        return;
    isKey_ = isKey;
    update();
}

void CardButton::enterEvent(QEnterEvent* event)
{
    QPushButton::enterEvent(event);
    update();
}

void CardButton::leaveEvent(QEvent* event)
{
    QPushButton::leaveEvent(event);
    update();
}

void CardButton::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    if (isEnabled() && (isDown() || underMouse()))
        p.fillRect(rect().adjusted(1, 1, -1, 0), isDown() ? theme.c.selected : theme.c.raised);
    QColor ink = isKey_ ? theme.c.accent : theme.c.text2;
    if (!isEnabled())
        ink = theme.c.text3;
    paint::text(p, width() / 2.0, height() / 2.0 + 4, text(), theme.font(11, isKey_ && isEnabled()), ink,
                Qt::AlignHCenter, width() - 8);
    if (hasFocus())
        paint::focusRing(p, rect().adjusted(2, 2, -2, -2), theme, 4);
}

BreakerCard::BreakerCard(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setFixedHeight(kHeight);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setWhatsThis(tr("One endpoint's breaker. The gauge shows the failed share of attempts in the breaker's window; the "
                    "tick is where it trips, and after a trip the gauge keeps the value it tripped at. The ring counts "
                    "down to the next probe, or shows how many probes have passed. In flight: attempts under way. rpm: "
                    "attempts in the last minute, and the limit if there is one. O forces open, C forces closed, R "
                    "resets; each asks first where it hurts."));
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        buttons_[i] = new CardButton(context, this);
        connect(buttons_[i], &QPushButton::clicked, this,
                [this, i] { Q_EMIT commandRequested(facts_.name, facts_.actions[i].command); });
    }
    swing_.setDuration(180);
    swing_.setStartValue(0.0);
    swing_.setEndValue(1.0);
    connect(&swing_, &QVariantAnimation::valueChanged, this, [this] { update(0, 0, width(), kRuleTop); });
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void BreakerCard::setFacts(CardFacts facts)
{
    if (hasFacts_ && facts == facts_)
        return;
    const bool isStateNew = hasFacts_ && facts.state != facts_.state;
    if (hasFacts_ && !isStateNew)
        updateParts(facts);
    else
        update();
    facts_ = std::move(facts);
    hasFacts_ = true;
    updateButtons();
    setAccessibleName(facts_.sentence);
    setAccessibleDescription(QStringLiteral("%1 %2").arg(facts_.errorTitle, facts_.errorWords).trimmed());
    if (isStateNew) {
        announceTrip();
        if (!context_.theme().reducedMotion && isVisible())
            swing_.start();
    }
}

/// Under load the counters of every card change with every beat; the rest need not be painted again for that.
void BreakerCard::updateParts(const CardFacts& next)
{
    if (isHeadNew(facts_, next))
        update(headBox());
    if (isGaugeNew(facts_, next))
        update(gaugeBox());
    if (isRingNew(facts_, next))
        update(ringBox());
    if (areFiguresNew(facts_, next))
        update(figuresBox());
    if (isErrorNew(facts_, next))
        update(errorBox());
}

QRect BreakerCard::headBox() const
{
    return {0, 0, width(), kRuleTop};
}

QRect BreakerCard::gaugeBox() const
{
    return {1, kRuleTop + 1, kRingLeft - 1, kErrorTop - kRuleTop - 1};
}

QRect BreakerCard::ringBox() const
{
    return {kRingLeft, kRuleTop + 1, kFiguresLeft - kRingLeft, kErrorTop - kRuleTop - 1};
}

QRect BreakerCard::figuresBox() const
{
    return {kFiguresLeft, kRuleTop + 1, width() - 1 - kFiguresLeft, kErrorTop - kRuleTop - 1};
}

QRect BreakerCard::errorBox() const
{
    return {1, kErrorTop + 1, width() - 2, height() - kFootHeight - 2 - kErrorTop};
}

void BreakerCard::announceTrip()
{
    if (facts_.state != BreakerState::Open)
        return;
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void BreakerCard::updateButtons()
{
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        const auto& action = facts_.actions[i];
        buttons_[i]->setText(action.label);
        buttons_[i]->setAccessibleName(tr("%1: %2").arg(facts_.name, action.label));
        buttons_[i]->setEnabled(action.isEnabled);
        buttons_[i]->setKey(action.isKey);
    }
}

void BreakerCard::resizeEvent(QResizeEvent*)
{
    const int third = width() / 3;
    for (int i = 0; i < 3; ++i) {
        const int left = i * third;
        const int right = i == 2 ? width() : left + third;
        button(i)->setGeometry(left + 1, height() - kFootHeight, right - left - (i == 2 ? 2 : 1), kFootHeight - 1);
    }
}

void BreakerCard::press(BreakerCommand command)
{
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        if (facts_.actions[i].command == command && facts_.actions[i].isEnabled)
            buttons_[i]->click();
    }
}

void BreakerCard::keyPressEvent(QKeyEvent* event)
{
    switch (event->modifiers() == Qt::NoModifier ? event->key() : 0) {
    case Qt::Key_O:
        return press(BreakerCommand::ForceOpen);
    case Qt::Key_C:
        return press(BreakerCommand::ForceClosed);
    case Qt::Key_R:
        return press(BreakerCommand::Reset);
    default:
        QWidget::keyPressEvent(event);
    }
}

void BreakerCard::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void BreakerCard::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

QString BreakerCard::tipAt(const QPoint& pos) const
{
    if (pos.y() < 30)
        return QStringLiteral("%1\n%2 · %3").arg(facts_.name, facts_.provider, facts_.model);
    if (pos.y() < kRuleTop)
        return QStringLiteral("%1\n%2").arg(facts_.line1,
                                            (facts_.line1Bold + QLatin1Char(' ') + facts_.line2).trimmed());
    if (pos.y() >= kErrorTop)
        return QStringLiteral("%1\n%2").arg(facts_.errorTitle, facts_.errorWords);
    return tr("%1 in flight, %2 requests a minute%3")
        .arg(facts_.inFlight, facts_.rpmUsed,
             facts_.rpmLimit.isEmpty() ? QString() : tr(" of %1").arg(facts_.rpmLimit));
}

bool BreakerCard::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
    return true;
}

void BreakerCard::paintEvent(QPaintEvent* event)
{
    const Theme& theme = context_.theme();
    const QRegion& dirty = event->region();
    QPainter p(this);
    // Inside, away from edges and rules, the ground is one colour.
    if (gaugeBox().united(figuresBox()).contains(dirty.boundingRect()))
        p.fillRect(dirty.boundingRect(), theme.c.card);
    else
        paintGround(p, theme);
    if (dirty.intersects(headBox()))
        paintHead(p, theme);
    if (dirty.intersects(gaugeBox()))
        paintGauge(p, theme);
    if (dirty.intersects(ringBox()))
        paintRing(p, theme);
    if (dirty.intersects(figuresBox()))
        paintFigures(p, theme);
    if (dirty.intersects(errorBox()))
        paintError(p, theme);
    if (hasFocus())
        paint::focusRing(p, rect(), theme);
}

void BreakerCard::paintGround(QPainter& p, const Theme& theme) const
{
    const bool isOpen = facts_.state == BreakerState::Open;
    paint::frame(p, rect(), theme.c.card, isOpen ? theme.c.open : theme.c.line);
    paintEdge(p, theme);
    p.fillRect(QRectF(1, kRuleTop, width() - 2, 1), theme.c.line);
    p.fillRect(QRectF(1, kErrorTop, width() - 2, 1), theme.c.line);
    p.fillRect(QRectF(1, height() - kFootHeight - 1, width() - 2, 1), theme.c.line);
    for (int i = 1; i < 3; ++i)
        p.fillRect(QRectF(button(i)->x() - 1, height() - kFootHeight, 1, kFootHeight - 1), theme.c.line);
}

void BreakerCard::paintEdge(QPainter& p, const Theme& theme) const
{
    const auto colours = stateColours(theme.c, facts_.state);
    QPainterPath clip;
    clip.addRoundedRect(QRectF(rect()), 6, 6);
    p.save();
    p.setClipPath(clip);
    const QRectF edge(0, 0, width(), 4);
    p.fillRect(edge, facts_.state == BreakerState::HalfOpen ? colours.tint : theme.c.card);
    if (isAmong(facts_.state, {BreakerState::Closed, BreakerState::Open, BreakerState::MetricsOnly})) {
        p.fillRect(edge, colours.ink);
    } else if (facts_.state == BreakerState::HalfOpen) {
        for (int x = 0; x < width(); x += 13)
            p.fillRect(QRectF(x, 0, 8, 4), colours.ink);
    } else {
        p.setPen(Qt::NoPen);
        p.setBrush(colours.ink);
        for (int x = -6; x < width(); x += 12)
            p.drawPolygon(QPolygonF{QPointF(x, 4), QPointF(x + 4, 0), QPointF(x + 11, 0), QPointF(x + 7, 4)});
    }
    p.restore();
}

void BreakerCard::paintHead(QPainter& p, const Theme& theme) const
{
    const double tag = paint::stateTag(p, width() - 9, 10, facts_.state, theme);
    const double room = width() - 9 - tag - 4 - 12;
    // Names of deployments differ at their ends more often than in the middle.
    const double used =
        paint::text(p, 12, 23.5, facts_.name, theme.font(13, true), theme.c.text, Qt::AlignLeft, room, Qt::ElideMiddle);
    const double left = room - used - 5;
    QFont small = theme.font(10.5);
    if (QFontMetricsF(small).horizontalAdvance(facts_.provider) > left)
        small = theme.font(9.5);
    if (left > std::min(40.0, QFontMetricsF(small).horizontalAdvance(facts_.provider)))
        paint::text(p, 12 + used + 5, 23.5, facts_.provider, small, theme.c.text3, Qt::AlignLeft, left);

    const double swing = swing_.state() == QAbstractAnimation::Running ? swing_.currentValue().toDouble() : 1;
    paint::blade(p, QRectF(12, 30, 100, 42), {facts_.state, facts_.probesNeeded, facts_.probesPassed, swing}, theme.c,
                 theme.c.card);
    const QFont line = theme.font(11), lineBold = theme.font(11, true);
    const double lineRoom = width() - 121 - 8;
    paint::text(p, 121, 48, facts_.line1, line, theme.c.text2, Qt::AlignLeft, lineRoom);
    const QColor ink = stateColours(theme.c, facts_.state).ink;
    paint::Runs second;
    if (!facts_.line1Bold.isEmpty())
        second.push_back({facts_.line1Bold + QLatin1Char(' '), true, ink});
    second.push_back({facts_.line2, false, theme.c.text2});
    paint::runs(p, 121, 63, second, line, lineBold, lineRoom);
}

void BreakerCard::paintGauge(QPainter& p, const Theme& theme) const
{
    const auto arc = [&p](double from, double to, const QColor& colour) {
        // Qt's arcs start at three o'clock and run against the clock in 1/16 degree.
        p.setPen(QPen(colour, 7, Qt::SolidLine, Qt::FlatCap));
        p.drawArc(QRectF(10, 12, 72, 72), qRound((180 - 180 * from) * 16), qRound(-180 * (to - from) * 16));
    };
    p.save();
    p.translate(kGauge.topLeft());
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    arc(0, 1, theme.c.selected);
    if (facts_.gaugeLimit > 0) {
        QColor zone = theme.c.open;
        zone.setAlphaF(0.38F);
        arc(std::min(1.0, facts_.gaugeLimit), 1, zone);
    }
    if (facts_.gaugeShare && *facts_.gaugeShare > 0)
        arc(0, std::min(1.0, *facts_.gaugeShare), stateColours(theme.c, facts_.state).ink);
    if (facts_.gaugeLimit > 0) {
        const double angle = std::numbers::pi * (1 - std::min(1.0, facts_.gaugeLimit));
        const QPointF ray(std::cos(angle), -std::sin(angle));
        p.setPen(QPen(theme.c.text, 1.6));
        p.drawLine(QPointF(46, 48) + ray * 29, QPointF(46, 48) + ray * 43);
    }
    paint::text(p, 46, 44, facts_.gaugeText, theme.font(16, true), theme.c.text, Qt::AlignHCenter, 62);
    paint::text(p, 46, 61, facts_.gaugeCaption, theme.font(9.5), theme.c.text3, Qt::AlignHCenter, 98);
    paint::text(p, 46, 77, facts_.gaugeFoot, theme.font(9.5), theme.c.text3, Qt::AlignHCenter, 110);
    p.restore();
}

void BreakerCard::paintRing(QPainter& p, const Theme& theme) const
{
    p.save();
    p.translate(107, kRuleTop + 8);
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    const QRectF circle(7, 7, 52, 52);
    if (facts_.ring == CardFacts::Ring::None) {
        QPen dotted(theme.c.line, 1.5, Qt::SolidLine, Qt::FlatCap);
        dotted.setDashPattern({1.33, 2});
        p.setPen(dotted);
        p.drawEllipse(circle);
        paint::text(p, 33, 31, facts_.ringMain, theme.font(9.5), theme.c.text2, Qt::AlignHCenter, 52);
        paint::text(p, 33, 43, facts_.ringSub, theme.font(9), theme.c.text3, Qt::AlignHCenter, 60);
        p.restore();
        return;
    }
    p.setPen(QPen(theme.c.selected, 5));
    p.drawEllipse(circle);
    if (facts_.ring == CardFacts::Ring::Countdown) {
        p.setPen(QPen(theme.c.outline, 1));
        for (int tick = 0; tick < 12; ++tick) {
            if (tick >= 1 && tick <= 5)
                continue; // the caption stands there
            const double angle = tick * std::numbers::pi / 6;
            const QPointF ray(std::cos(angle), std::sin(angle));
            p.drawLine(QPointF(33, 33) + ray * 18.5, QPointF(33, 33) + ray * 21);
        }
    }
    p.setPen(QPen(stateColours(theme.c, facts_.state).ink, 5, Qt::SolidLine, Qt::FlatCap));
    p.drawArc(circle, 90 * 16, qRound(-360 * 16 * facts_.ringShare));
    const bool isLong = QFontMetricsF(theme.font(13.5, true)).horizontalAdvance(facts_.ringMain) > 42;
    paint::text(p, 33, 34, facts_.ringMain, theme.font(isLong ? 10 : 13.5, true), theme.c.text, Qt::AlignHCenter, 46);
    paint::text(p, 33, 46, facts_.ringSub, theme.font(9), theme.c.text3, Qt::AlignHCenter, 44);
    p.restore();
}

void BreakerCard::paintFigures(QPainter& p, const Theme& theme) const
{
    const double left = 182, room = width() - left - 10;
    const double top = kRuleTop + 4;
    const QFont caption = theme.font(10), value = theme.font(12.5, true);
    paint::text(p, left, top + 14, tr("in flight"), caption, theme.c.text3, Qt::AlignLeft, room);
    paint::text(p, left, top + 29, facts_.inFlight, value, theme.c.text, Qt::AlignLeft, room);
    paint::text(p, left, top + 44, tr("rpm"), caption, theme.c.text3, Qt::AlignLeft, room);
    const double used = paint::text(p, left, top + 59, facts_.rpmUsed, value, theme.c.text, Qt::AlignLeft, room);
    const QString limit = facts_.rpmLimit.isEmpty() ? tr("no limit") : QStringLiteral("/ %1").arg(facts_.rpmLimit);
    if (const QFont small = theme.font(10.5); QFontMetricsF(small).horizontalAdvance(limit) <= room - used - 3)
        paint::text(p, left + used + 4, top + 59, limit, small, theme.c.text3);
    if (!facts_.rpmShare)
        return;
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(theme.c.selected);
    p.drawRoundedRect(QRectF(left, top + 65, room, 4), 2, 2);
    p.setBrush(theme.c.accent);
    if (*facts_.rpmShare > 0)
        p.drawRoundedRect(QRectF(left, top + 65, std::max(1.0, room * *facts_.rpmShare), 4), 2, 2);
}

void BreakerCard::paintError(QPainter& p, const Theme& theme) const
{
    const QColor titleInk =
        facts_.errorTone == CardFacts::Tone::State
            ? (facts_.state == BreakerState::Closed ? theme.c.open : stateColours(theme.c, facts_.state).ink)
            : theme.c.text2;
    const paint::Runs words{{facts_.errorTitle, true, titleInk}, {facts_.errorWords, false, theme.c.text2}};
    paint::wrapped(p, QRectF(12, kErrorTop + 4, width() - 23, 46), words, theme.font(10.5), theme.font(10.5, true), 15);
}

} // namespace sg::ui
