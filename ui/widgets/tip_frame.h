// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/widgets/paint.h"

#include <QWidget>

#include <optional>

namespace sg::ui {

/// The one tooltip of the program: a frame that follows the pointer or the arrow keys. A child of the window.
class TipFrame : public QWidget
{
    Q_OBJECT
public:
    struct Content
    {
        paint::Runs title;
        std::optional<policy::BreakerState> tag;
        std::vector<paint::Runs> lines;
        bool operator==(const Content&) const = default;
    };

    TipFrame(ThemeContext& context, QWidget* window);
    /// Near `anchor` (window coordinates), inside the window, never over the anchor itself.
    void showAt(const QPoint& anchor, Content content);
    const Content& content() const { return content_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QSize wanted() const;

    ThemeContext& context_;
    Content content_;
};

} // namespace sg::ui
