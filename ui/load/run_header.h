// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/load_words.h"
#include "ui/load/run_button.h"

namespace sg::ui {

/// Which run this is, how far it is, its figures so far, and the button that starts and stops it.
class RunHeader : public QWidget
{
    Q_OBJECT
public:
    RunHeader(ThemeContext& context, QWidget* parent = nullptr);

    struct Chip
    {
        QString name, value;
        QString formula{}; ///< for the tool tip
        bool operator==(const Chip&) const = default;
    };
    struct Content
    {
        QString title, subtitle;
        double share = 0;
        loadwords::ProgressLine line;
        std::vector<Chip> chips;
        bool operator==(const Content&) const = default;
    };
    /// Repaints only when something shown has changed.
    void setContent(Content content);
    const Content& content() const { return content_; }
    RunButton* button() const { return button_; }

    QSize sizeHint() const override { return {1008, 86}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintProgress(QPainter& p, double right) const;
    double chipsRight() const;
    /// Of the last chips that have room, from the right.
    std::vector<QRectF> chipPlaces() const;
    double paintChips(QPainter& p) const; ///< where the first begins

    ThemeContext& context_;
    RunButton* button_;
    Content content_;
};

/// Header of a run; `number` counts the runs of this session. Null: nothing ran yet.
RunHeader::Content headerContent(const load::RunProgress* progress, int number, std::int64_t nowUnixMs);

} // namespace sg::ui
