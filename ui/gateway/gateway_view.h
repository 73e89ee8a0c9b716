// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/gateway/gateway_feed.h"
#include "ui/gateway/gateway_snippets.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QFrame;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace sg::ui {

class GatewayFigures;
class GatewayNames;
class GatewaySwitch;
class GatewayTraffic;

/// The gateway at a glance: its switch, how applications reach it, what comes through it. Looks at it while it is
/// shown.
class GatewayView : public QWidget
{
    Q_OBJECT
public:
    /// `feed` outlives it. `offersSettings`: with ways to the page where they are; false on that page.
    GatewayView(ThemeContext& context, GatewayFeed& feed, bool offersSettings, QWidget* parent = nullptr);

    void copy(gatewaysnippets::Form form);
    QWidget& firstStop() const; ///< the switch

Q_SIGNALS:
    /// The field that is to be mended: "port", "token"; empty: none in particular.
    void settingsRequested(const QString& field);
    void heightChanged(); ///< by itself: a line came or went

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeHead(QVBoxLayout* column);
    void makeFailure(QVBoxLayout* column);
    void makeAddress(QVBoxLayout* column);
    void makeToken(QVBoxLayout* column);
    void makeFigures(QVBoxLayout* column);
    void makeNames(QVBoxLayout* words, QVBoxLayout* column);
    void makeLastLine(QVBoxLayout* column);
    QPushButton* button(const QString& words, const char* name);
    void follow();
    void dress();
    void say(const QString& words);

    ThemeContext& context_;
    GatewayFeed& feed_;
    bool offersSettings_;
    GatewaySwitch* switch_ = nullptr;
    QLabel *mark_ = nullptr, *state_ = nullptr, *sentence_ = nullptr, *failureWords_ = nullptr, *token_ = nullptr,
           *namesHead_ = nullptr, *noNames_ = nullptr, *said_ = nullptr;
    QFrame* failure_ = nullptr;
    QWidget* failureWays_ = nullptr;
    QLineEdit* address_ = nullptr;
    QPushButton *copy_ = nullptr, *copyAs_ = nullptr, *cut_ = nullptr, *port_ = nullptr, *again_ = nullptr,
                *settings_ = nullptr, *setToken_ = nullptr;
    GatewayFigures* figures_ = nullptr;
    GatewayNames* names_ = nullptr;
    GatewayTraffic* traffic_ = nullptr; ///< null: there is no room for it here
    gateway::Phase shown_ = gateway::Phase::Off;
};

} // namespace sg::ui
