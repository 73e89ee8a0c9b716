// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

class QLabel;
class QPushButton;

namespace sg::ui {

/// Says what went wrong and what to do, in place; offers one action and can be put away. Hidden while it has no text.
class Banner : public QFrame
{
    Q_OBJECT
public:
    enum class Tone { Alarm, Notice };
    explicit Banner(QWidget* parent = nullptr, Tone tone = Tone::Alarm);

    void say(const QString& text, const QString& action = {}); ///< announced to assistive technology
    void clear();
    QString text() const;

Q_SIGNALS:
    void actionClicked();

private:
    QLabel* label_;
    QPushButton *action_, *close_;
};

} // namespace sg::ui
