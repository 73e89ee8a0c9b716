// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/main_window/page.h"
#include "ui/theme/theme.h"

#include <QToolButton>
#include <QWidget>

#include <vector>

class QButtonGroup;
class QVBoxLayout;

namespace sg::ui {

/// One place of the rail: icon, title below, a number in the corner.
class RailButton : public QToolButton
{
    Q_OBJECT
public:
    RailButton(ThemeContext& context, const QString& icon, const QString& title);
    void setBadge(const PageBadge& badge);
    /// "Overview (Ctrl 1)"; the badge's words follow in the tip.
    void setHint(const QString& hint);
    void setNarrow(bool isNarrow);
    struct Places
    {
        QRect icon;
        QRectF badge;
    };
    /// Where the icon and a badge of width `badge` (0: none) stand so that both can be read, in pixels.
    static Places placesOf(int width, bool isNarrow, double badge);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void dress();
    void showTip();

    ThemeContext& context_;
    QString icon_;
    QString hint_;
    PageBadge badge_;
    bool isNarrow_ = false;
};

/// The pages, top to bottom; what was added as last stands at the foot.
class Rail : public QWidget
{
    Q_OBJECT
public:
    explicit Rail(ThemeContext& context, QWidget* parent = nullptr);

    /// `isFoot`: at the lower end (Settings).
    RailButton* add(const QString& icon, const QString& title, bool isFoot);
    void setCurrent(int index);
    void setNarrow(bool isNarrow);

Q_SIGNALS:
    void selected(int index);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
    QButtonGroup* group_;
    QVBoxLayout* column_;
    std::vector<RailButton*> buttons_;
    int headCount_ = 0;
};

} // namespace sg::ui
