// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

class QButtonGroup;

namespace sg::ui {

/// A row of buttons of which one is on.
class Segments : public QFrame
{
    Q_OBJECT
public:
    Segments(const QStringList& labels, const QString& accessibleName, bool compact = false, QWidget* parent = nullptr);

    int current() const;
    void setCurrent(int index); ///< emits like a click when it changes something
    int count() const;
    void setLabel(int index, const QString& label);

Q_SIGNALS:
    void selected(int index);

private:
    QButtonGroup* group_;
};

} // namespace sg::ui
