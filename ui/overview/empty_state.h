// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QWidget>

class QPushButton;

namespace sg::ui {

/// What the overview shows before there is an endpoint: an open breaker, one sentence, two ways on.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyState(ThemeContext& context, QWidget* parent = nullptr);

Q_SIGNALS:
    void addEndpointRequested();
    void simulatorRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void dress();

    ThemeContext& context_;
    QPushButton* add_;
};

} // namespace sg::ui
