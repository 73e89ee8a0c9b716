// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window/top_bar.h"
#include "core/workspace/model.h"
#include "ui/format/format.h"
#include "ui/gateway/gateway_chip.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/segments.h"

#include <QFontMetricsF>
#include <QStyle>

namespace sg::ui {

namespace {

/// A field that looks like a search box and opens the command palette.
class FindButton : public QPushButton
{
public:
    FindButton(ThemeContext& context, const QString& words)
        : context_(context)
    {
        setObjectName(QStringLiteral("find"));
        setText(words);
        setAccessibleName(words);
        setFixedHeight(28);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& theme = context_.theme();
        QPainter p(this);
        paint::frame(p, rect(), theme.dark ? theme.c.window : theme.c.card,
                     underMouse() ? theme.c.outline : theme.c.line, 5);
        p.drawPixmap(QPointF(9, 7.5), iconPixmap(QStringLiteral("search"), theme.c.text3, 13, devicePixelRatioF()));
        const QString keys = QStringLiteral("Ctrl K");
        const QFont small = theme.font(10);
        const double wide = QFontMetricsF(small).horizontalAdvance(keys) + 12;
        const QRectF key(width() - 5 - wide, 5.5, wide, 17);
        paint::frame(p, key, theme.c.raised, theme.c.line, 3);
        paint::text(p, key.center().x(), key.top() + 12.3, keys, small, theme.c.text2, Qt::AlignHCenter);
        const double room = key.left() - 29 - 8;
        if (room > 60)
            paint::text(p, 29, 18.5, text(), theme.font(11.5), theme.c.text3, Qt::AlignLeft, room);
    }

private:
    ThemeContext& context_;
};

/// "Live 14:32:08", or since when the view is frozen and how much it missed.
class LiveButton : public QPushButton
{
public:
    explicit LiveButton(ThemeContext& context)
        : context_(context)
    {
        setObjectName(QStringLiteral("live"));
        setFixedHeight(28);
        setAutoDefault(false);
        setFocusPolicy(Qt::TabFocus);
    }
    void setWords(const QString& word, const QString& clock, const QString& rest)
    {
        if (word == word_ && clock == clock_ && rest == rest_)
            return;
        word_ = word;
        clock_ = clock;
        rest_ = rest;
        setText(QStringLiteral("%1 %2%3").arg(word, clock, rest));
        setFixedWidth(static_cast<int>(9 + 12 + 6 + wordsWidth() + 9));
        update();
    }
    bool isPaused() const { return !rest_.isEmpty(); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& theme = context_.theme();
        const QColor ink = isPaused() ? theme.c.half : theme.c.accent;
        QPainter p(this);
        const QColor ground = isPaused() ? theme.c.halfTint : theme.c.accentTint;
        paint::frame(p, rect(), ground, isPaused() || underMouse() ? ink : ground, 5);
        p.drawPixmap(QPointF(9, 8), iconPixmap(isPaused() ? QStringLiteral("play") : QStringLiteral("pause"), ink, 12,
                                               devicePixelRatioF()));
        double x = 27;
        x += paint::text(p, x, 18.5, word_, theme.font(11.5, true), ink) + 6;
        x += paint::text(p, x, 18.5, clock_, theme.mono(11, true), theme.c.text);
        paint::text(p, x, 18.5, rest_, theme.font(11.5), theme.c.text);
    }

private:
    double wordsWidth() const
    {
        const Theme& theme = context_.theme();
        return QFontMetricsF(theme.font(11.5, true)).horizontalAdvance(word_) + 6 +
               QFontMetricsF(theme.mono(11, true)).horizontalAdvance(clock_) +
               QFontMetricsF(theme.font(11.5)).horizontalAdvance(rest_);
    }

    ThemeContext& context_;
    QString word_, clock_, rest_;
};

QString shortEnvironment(const QString& environment)
{
    if (environment == QLatin1String("production"))
        return QStringLiteral("prod");
    if (environment == QLatin1String("development"))
        return QStringLiteral("dev");
    return environment;
}

QString levelOf(const QString& environment)
{
    if (workspace::isProduction(environment))
        return QStringLiteral("prod");
    return environment.startsWith(QLatin1String("stag"), Qt::CaseInsensitive) ? QStringLiteral("staging") : QString();
}

/// The way that changes take: a file has them in no order.
int rankOf(const QString& environment)
{
    const QString level = levelOf(environment);
    return level.isEmpty() ? 0 : level == QLatin1String("staging") ? 1 : 2;
}

} // namespace

TopBar::TopBar(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , workspace_(new QLabel)
    , environment_(new QLabel)
    , gatewayChip_(new GatewayChip(context))
    , practiceChip_(makePracticeChip())
    , find_(new FindButton(context, tr("Find or run a command")))
    , ranges_(new Segments({tr("5\u202Fmin"), tr("15\u202Fmin"), tr("1\u202Fh"), tr("6\u202Fh"), tr("24\u202Fh")},
                           tr("Time range")))
    , live_(new LiveButton(context))
{
    setObjectName(QStringLiteral("topBar"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(48);
    auto* row = row_ = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 12, 1);
    row->setSpacing(12);
    workspace_->setTextFormat(Qt::PlainText); // a file's own words
    environment_->setTextFormat(Qt::PlainText);
    workspace_->setObjectName(QStringLiteral("workspace"));
    environment_->setObjectName(QStringLiteral("environment"));
    environment_->setFixedHeight(24);
    find_->setFocusPolicy(Qt::TabFocus);
    row->addWidget(workspace_);
    row->addWidget(environment_);
    row->addWidget(gatewayChip_);
    row->addWidget(practiceChip_);
    row->addStretch(1);
    row->addWidget(find_);
    row->addWidget(ranges_);
    row->addWidget(live_);
    gatewayChip_->hide();
    practiceChip_->hide();
    environment_->hide();
    ranges_->setCurrent(1);
    connect(ranges_, &Segments::selected, this, &TopBar::rangeSelected);
    connect(live_, &QPushButton::clicked, this, &TopBar::liveToggled);
    connect(find_, &QPushButton::clicked, this, &TopBar::findRequested);
    connect(gatewayChip_, &GatewayChip::pressed, this, &TopBar::gatewayPressed);
    connect(gatewayChip_, &GatewayChip::wordsChanged, this, &TopBar::fit);
    connect(&context, &ThemeContext::changed, this, &TopBar::dress);
    setNarrow(false);
    dress();
}

QWidget* TopBar::makePracticeChip()
{
    auto* chip = new QWidget;
    chip->setObjectName(QStringLiteral("chip"));
    chip->setAttribute(Qt::WA_StyledBackground);
    chip->setFixedHeight(28);
    auto* row = new QHBoxLayout(chip);
    row->setContentsMargins(9, 0, 10, 0);
    row->setSpacing(7);
    practiceIcon_ = new QLabel;
    practiceWords_ = new QLabel(tr("Practice traffic to the built-in simulator"));
    row->addWidget(practiceIcon_);
    row->addWidget(practiceWords_);
    return chip;
}

void TopBar::dress()
{
    practiceIcon_->setPixmap(iconPixmap(QStringLiteral("practice"), context_.c().accent, 14, devicePixelRatioF()));
    live_->update();
}

void TopBar::setGateway(GatewayFeed& feed)
{
    gatewayChip_->setFeed(feed);
    connect(&feed, &GatewayFeed::phaseChanged, this, [this] { setNarrow(isNarrow_); });
    setNarrow(isNarrow_);
}

void TopBar::setNarrow(bool isNarrow)
{
    isNarrow_ = isNarrow;
    find_->setFixedWidth(isNarrow ? 88 : 232);
    // Beside the gateway's address the long sentence has no room; the tip still says it.
    const QString words = tr("Practice traffic to the built-in simulator");
    practiceWords_->setText(!gatewayChip_->isHidden() || isNarrow ? tr("Simulator") : words);
    practiceChip_->setToolTip(words);
    fit();
}

void TopBar::fit()
{
    if (gatewayChip_->isHidden())
        return;
    gatewayChip_->setUrlShown(!isNarrow_);
    gatewayChip_->updateGeometry(); // its layout tells this one only when the event loop comes round
    layout()->invalidate();
    // An address that is cut off is worth less than none; the copy button still has it.
    if (layout()->minimumSize().width() > width())
        gatewayChip_->setUrlShown(false);
}

void TopBar::resizeEvent(QResizeEvent*)
{
    fit();
}

void TopBar::setEnvironments(QStringList environments, const QString& current)
{
    std::stable_sort(environments.begin(), environments.end(),
                     [](const QString& a, const QString& b) { return rankOf(a) < rankOf(b); });
    if (Segments* before = std::exchange(choice_, nullptr)) {
        before->hide();
        before->deleteLater(); // it may be the one that was clicked
    }
    if (environments.size() < 2)
        return;
    QStringList shown;
    for (const QString& environment : environments)
        shown.append(shortEnvironment(environment).left(16));
    choice_ = new Segments(shown, tr("Environment"));
    choice_->setProperty("level", levelOf(current));
    choice_->setToolTip(format::plainTip(tr("Environment: %1").arg(current)));
    choice_->setCurrent(static_cast<int>(environments.indexOf(current)));
    connect(choice_, &Segments::selected, this, [this, environments, current](int index) {
        if (environments.value(index) != current)
            Q_EMIT environmentSelected(environments.value(index));
    });
    row_->insertWidget(row_->indexOf(environment_), choice_);
    environment_->hide();
}

void TopBar::showEnvironment(const QString& environment)
{
    environment_->setVisible(!environment.isEmpty() && !choice_);
    const QString shown = shortEnvironment(environment);
    environment_->setText(shown.size() > 16 ? shown.left(15) + QChar(0x2026) : shown);
    environment_->setToolTip(format::plainTip(tr("Environment: %1").arg(environment)));
    const QString level = levelOf(environment);
    if (environment_->property("level").toString() == level)
        return;
    environment_->setProperty("level", level);
    environment_->style()->unpolish(environment_);
    environment_->style()->polish(environment_);
}

void TopBar::setSnapshot(const observe::Snapshot& snapshot)
{
    const QString name = QString::fromStdString(snapshot.workspace);
    if (name != workspaceName_) {
        workspaceName_ = name;
        workspace_->setText(QFontMetricsF(workspace_->font()).elidedText(name, Qt::ElideRight, 170));
        workspace_->setToolTip(name);
        workspace_->setAccessibleName(tr("Workspace %1").arg(name));
    }
    showEnvironment(QString::fromStdString(snapshot.environment));
    if (practiceChip_->isHidden() == snapshot.simulated) {
        practiceChip_->setVisible(snapshot.simulated);
        fit();
    }
}

void TopBar::setClock(std::int64_t nowUnixMs, std::optional<std::int64_t> pausedAtUnixMs, std::int64_t newEvents)
{
    const bool isPaused = pausedAtUnixMs.has_value();
    auto* live = static_cast<LiveButton*>(live_);
    live->setWords(isPaused ? tr("paused") : tr("Live"), format::clock(pausedAtUnixMs.value_or(nowUnixMs)),
                   isPaused ? tr(", +%1 events").arg(format::count(newEvents)) : QString());
    const QString name = isPaused ? tr("Paused. Go live") : tr("Live. Pause the view");
    if (live_->accessibleName() == name)
        return;
    live_->setAccessibleName(name);
    live_->setToolTip(isPaused ? tr("Go live again (Space). Recording went on.")
                               : tr("Freeze the view (Space). Recording goes on."));
    fit();
}

Nanos TopBar::rangeAt(int index)
{
    constexpr std::int64_t kMinutes[] = {5, 15, 60, 360, 1440};
    return std::chrono::minutes(kMinutes[std::clamp(index, 0, 4)]);
}

} // namespace sg::ui
