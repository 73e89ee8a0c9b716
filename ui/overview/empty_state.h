// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace sg::ui {

/// What pages show before there is an endpoint: an open breaker, one sentence, two ways on, or three.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyState(ThemeContext& context, QWidget* parent = nullptr);

    /// Where the simulator is one endpoint more and not another workspace.
    void setWords(const QString& words, const QString& simulatorAction);
    void offerImport(); ///< as the third way on

Q_SIGNALS:
    void addEndpointRequested();
    void simulatorRequested();
    void importRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void dress();

    ThemeContext& context_;
    QLabel* words_;
    QHBoxLayout* ways_;
    QPushButton *add_, *simulator_;
};

} // namespace sg::ui
