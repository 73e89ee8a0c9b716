// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

class QLabel;
class QPushButton;

namespace sg::ui {

/// Says what happened and what to do, in place; offers up to two actions and can be put away. Hidden while it has no
/// text.
class Banner : public QFrame
{
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr);

    enum class Tone { Alarm, Calm };
    /// Announced to assistive technology.
    void say(const QString& text, const QString& action = {}, const QString& other = {}, Tone tone = Tone::Alarm);
    void clear();
    QString text() const;

Q_SIGNALS:
    void actionClicked();
    void otherClicked(); ///< the second action

private:
    QLabel* label_;
    QPushButton *action_, *other_, *close_;
};

} // namespace sg::ui
