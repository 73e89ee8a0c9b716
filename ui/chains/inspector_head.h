// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QWidget>

#include <optional>

namespace sg::ui {

/// What the inspector shows: a name, the state of the breaker, some words. One sentence for those who listen.
class InspectorHead : public QWidget
{
    Q_OBJECT
public:
    explicit InspectorHead(ThemeContext& context, QWidget* parent = nullptr);

    struct Facts
    {
        QString name;
        std::optional<policy::BreakerState> state;
        QString words;
        QString warning{}; ///< what stands in the way of serving: "key missing"
        bool operator==(const Facts&) const = default;
    };
    void show(const Facts& facts);
    const Facts& facts() const { return facts_; }
    QSize sizeHint() const override { return {160, 44}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
    Facts facts_;
};

} // namespace sg::ui
