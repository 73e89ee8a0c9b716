// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace sg::ui {

/// A card with a title line of 30 px and a body below.
class Panel : public QWidget
{
    Q_OBJECT
public:
    Panel(ThemeContext& context, const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    const QString& title() const { return title_; }
    void setSubtitle(const QString& subtitle);
    const QString& subtitle() const { return subtitle_; }
    void setBody(QWidget* body);
    /// Goes to the right end of the title line.
    void setCorner(QWidget* corner);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
    QString title_, subtitle_;
    QVBoxLayout* layout_;
    QHBoxLayout* head_;
};

} // namespace sg::ui
