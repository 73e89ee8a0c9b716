// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace sg::ui {

/// Says what happened and what to do, in place; offers ways on and can be put away. Hidden while it has no text.
class Banner : public QFrame
{
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr);

    enum class Tone { Alarm, Notice };
    /// A button; what it does is free to say something else here.
    struct Way
    {
        QString words;
        std::function<void()> run;
    };
    /// Announced to assistive technology.
    void say(const QString& text, const std::vector<Way>& ways = {}, Tone tone = Tone::Alarm);
    void clear();
    QString text() const;

private:
    QLabel* label_;
    QHBoxLayout* row_;
    QPushButton* close_;
    std::vector<QPushButton*> ways_;
};

} // namespace sg::ui
