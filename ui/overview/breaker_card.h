// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/overview/card_facts.h"
#include "ui/theme/theme.h"

#include <QPushButton>
#include <QVariantAnimation>
#include <QWidget>

#include <array>

namespace sg::ui {

/// A third of a card's foot.
class CardButton : public QPushButton
{
    Q_OBJECT
public:
    CardButton(ThemeContext& context, QWidget* parent);
    void setKey(bool isKey);

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    ThemeContext& context_;
    bool isKey_ = false;
};

/// One endpoint's breaker: what it does, why, and the three things one can do about it. With the focus on the card the
/// keys O, C and R press "Force open", "Force close" and "Reset".
class BreakerCard : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kHeight = 240;

    explicit BreakerCard(ThemeContext& context, QWidget* parent = nullptr);

    void setFacts(CardFacts facts);
    const CardFacts& facts() const { return facts_; }
    QPushButton* button(int index) const { return buttons_.at(static_cast<std::size_t>(index)); }

Q_SIGNALS:
    void commandRequested(const QString& endpoint, sg::observe::BreakerCommand command);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    void updateParts(const CardFacts& next);
    QRect headBox() const;
    QRect gaugeBox() const;
    QRect ringBox() const;
    QRect figuresBox() const;
    QRect errorBox() const;
    void paintGround(QPainter& p, const Theme& theme) const;
    void paintEdge(QPainter& p, const Theme& theme) const;
    void paintHead(QPainter& p, const Theme& theme) const;
    void paintGauge(QPainter& p, const Theme& theme) const;
    void paintRing(QPainter& p, const Theme& theme) const;
    void paintFigures(QPainter& p, const Theme& theme) const;
    void paintError(QPainter& p, const Theme& theme) const;
    void updateButtons();
    void announceTrip();
    void press(observe::BreakerCommand command);
    QString tipAt(const QPoint& pos) const;

    ThemeContext& context_;
    CardFacts facts_;
    std::array<CardButton*, 3> buttons_{};
    QVariantAnimation swing_;
    bool hasFacts_ = false;
};

} // namespace sg::ui
