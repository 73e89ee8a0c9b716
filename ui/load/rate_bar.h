// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/run_progress.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace sg::ui {

/// Changes the load of a run that is on: its rate, or how many users there are. Hidden when nothing can be changed.
class RateBar : public QWidget
{
    Q_OBJECT
public:
    explicit RateBar(QWidget* parent = nullptr);

    void setRun(const load::RunProgress* run);

Q_SIGNALS:
    void rateWanted(double perSecond);
    void usersWanted(int users);

private:
    void apply();
    std::optional<double> typed() const;

    QLabel *caption_, *now_;
    QLineEdit* value_;
    QPushButton* set_;
    bool isClosed_ = false;
};

} // namespace sg::ui
