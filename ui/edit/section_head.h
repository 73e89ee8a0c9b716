// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace sg::ui {

/// A hairline and a title over a group of fields, with a soft note behind the title.
class SectionHead : public QWidget
{
    Q_OBJECT
public:
    explicit SectionHead(const QString& title, QWidget* parent = nullptr);

    void setNote(const QString& note);
    QString note() const;
    void setCorner(QWidget* corner); ///< at the right end
    void hideLine();                 ///< where nothing stands above

private:
    QWidget* line_;
    QLabel* note_;
    QHBoxLayout* row_;
};

} // namespace sg::ui
