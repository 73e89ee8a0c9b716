// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/gateway/gateway_feed.h"

#include <QWidget>

class QLabel;

namespace sg::ui {

/// The gateway's live figures, each with its name below it.
class GatewayFigures : public QWidget
{
    Q_OBJECT
public:
    explicit GatewayFigures(QWidget* parent = nullptr);
    void showFeed(const GatewayFeed& feed);

private:
    struct Cell
    {
        QLabel *value, *name;
    };
    std::vector<Cell> cells_;
};

} // namespace sg::ui
