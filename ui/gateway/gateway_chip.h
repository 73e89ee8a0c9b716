// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/gateway/gateway_feed.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>

class QPushButton;

namespace sg::ui {

/// Sign, word and address of the gateway; opens its panel.
class GatewayButton : public QAbstractButton
{
    Q_OBJECT
public:
    GatewayButton(ThemeContext& context, QWidget* parent = nullptr);

    void setStatus(const gateway::Status& status);
    void setUrlShown(bool isShown);
    QString words() const; ///< behind "Gateway"
    QString url() const;   ///< what is shown of it; empty: nothing
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    ThemeContext& context_;
    gateway::Status status_;
    bool isUrlShown_ = true;
};

/// The gateway in the top bar: its button, and one that copies the address.
class GatewayChip : public QWidget
{
    Q_OBJECT
public:
    GatewayChip(ThemeContext& context, QWidget* parent = nullptr);

    void setFeed(GatewayFeed& feed); ///< outlives it; once
    void setUrlShown(bool isShown) { button_->setUrlShown(isShown); }
    QString url() const { return feed_ ? feed_->status().url : QString(); }
    void copyUrl();
    GatewayButton& button() { return *button_; }

Q_SIGNALS:
    void pressed();
    void wordsChanged(); ///< it may need another width

private:
    void follow();
    void dress();

    ThemeContext& context_;
    GatewayFeed* feed_ = nullptr;
    GatewayButton* button_;
    QPushButton* copy_;
};

} // namespace sg::ui
