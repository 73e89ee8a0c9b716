// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/choice_field.h"

#include "ui/format/format.h"

#include <QSignalBlocker>
#include <QWheelEvent>

namespace sg::ui {

ChoiceField::ChoiceField(const QString& accessibleName, QWidget* parent)
    : QComboBox(parent)
{
    setAccessibleName(accessibleName);
    setFixedHeight(26);
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(4);
}

void ChoiceField::setItems(const std::vector<std::pair<QString, QString>>& labelsAndData, const QString& current)
{
    const QSignalBlocker quiet(this);
    auto items = labelsAndData;
    const auto isCurrent = [&](const auto& item) { return item.second == current; };
    if (std::ranges::none_of(items, isCurrent))
        items.emplace_back(tr("%1 (missing)").arg(current), current);
    bool isSame = static_cast<std::size_t>(count()) == items.size();
    for (int i = 0; isSame && i < count(); ++i) {
        const auto& [label, data] = items[static_cast<std::size_t>(i)];
        isSame = itemText(i) == label && itemData(i).toString() == data;
    }
    // An open list stays open while other things change.
    if (!isSame) {
        clear();
        for (const auto& [label, data] : items)
            addItem(label, data);
    }
    setCurrentIndex(static_cast<int>(std::ranges::find_if(items, isCurrent) - items.begin()));
    setToolTip(format::plainTip(currentText()));
}

void ChoiceField::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

} // namespace sg::ui
