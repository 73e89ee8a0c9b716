// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/widgets/panel.h"

class QGridLayout;
class QLabel;

namespace sg::ui {

/// A panel of settings: names in the first column of a grid, what they are for in the second. No wider than its lines
/// stay readable, no higher than they are.
class FieldsPanel final : public Panel
{
public:
    FieldsPanel(ThemeContext& context, const QString& title, int rowSpacing = 12);
    /// `field` stands to the left of its column; it gets what it needs of the width.
    void addField(const QString& name, QWidget* field);
    void addText(const QString& name, QWidget* text); ///< which takes the width there is
    void addWords(QWidget* words);                    ///< below the field before
    void addFoot(QWidget* words);                     ///< over both columns

private:
    QLabel* addName(const QString& name);

    QGridLayout* grid_;
    int row_ = 0;
};

} // namespace sg::ui
