// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QLabel;

namespace sg::ui {

class TextLine;

/// A sentence to try on rules, and what they would do with it.
class TryLine : public QWidget
{
    Q_OBJECT
public:
    explicit TryLine(QWidget* parent = nullptr);
    QString sentence() const;
    void setAnswer(const QString& words);
    QString answer() const;

Q_SIGNALS:
    void changed(); ///< the sentence

private:
    TextLine* sentence_;
    QLabel* answer_;
};

} // namespace sg::ui
