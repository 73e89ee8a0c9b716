// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/gateway/gateway_feed.h"
#include "ui/theme/theme.h"
#include "ui/widgets/rows_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace sg::ui {

class SectionHead;

/// Requests per second over the last two minutes, as a line.
class GatewayRateLine : public QWidget
{
    Q_OBJECT
public:
    explicit GatewayRateLine(ThemeContext& context, QWidget* parent = nullptr);
    void setValues(const observe::Series& values);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
    observe::Series values_;
};

/// What comes through the gateway: how much, the latest requests and where each went, what was turned away and why.
/// Before the first request: how to send one.
class GatewayTraffic : public QWidget
{
    Q_OBJECT
public:
    explicit GatewayTraffic(ThemeContext& context, QWidget* parent = nullptr);
    void showFeed(const GatewayFeed& feed);
    QString tryLine() const; ///< as a terminal takes it

Q_SIGNALS:
    void copied(const QString& what);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeRate(ThemeContext& context, QVBoxLayout* column);
    void makeTable(ThemeContext& context, QVBoxLayout* words, QVBoxLayout* column);
    void makeEmpty(QVBoxLayout* column);
    void showTraffic(const gateway::Traffic& traffic);

    GatewayRateLine* line_ = nullptr;
    QLabel *peak_ = nullptr, *refused_ = nullptr, *emptyWords_ = nullptr;
    SectionHead *rateHead_ = nullptr, *latestHead_ = nullptr;
    QTableView* table_ = nullptr;
    RowsModel* rows_ = nullptr;
    QWidget* empty_ = nullptr;
    QLineEdit* try_ = nullptr;
    gateway::TrafficPtr shown_;
};

} // namespace sg::ui
