// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QWidget>

namespace sg::ui {

/// A sign, a bold text and a soft one below, of one or two lines each; what does not fit ends in an ellipsis and is in
/// the tool tip.
class StripText : public QWidget
{
    Q_OBJECT
public:
    explicit StripText(ThemeContext& context, QWidget* parent = nullptr);

    enum class Tone { Plain, Accent, Warned, Bad, Good };
    void show(const QString& icon, Tone tone, const QString& title, const QString& detail);
    const QString& title() const { return title_; }
    const QString& detail() const { return detail_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
    QString icon_, title_, detail_;
    Tone tone_ = Tone::Plain;
};

} // namespace sg::ui
