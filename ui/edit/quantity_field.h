// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QLineEdit>

#include <optional>

namespace sg::ui {

/// A number with its unit at the right end of the field, and its bounds. Out of bounds or no number: the frame turns
/// red, problem() says what is allowed, nothing is emitted. In the locale's digits; a point is always understood.
/// Up and Down change it by `step`, with Ctrl by ten.
class QuantityField : public QLineEdit
{
    Q_OBJECT
public:
    struct Rules
    {
        QString unit{}; ///< "s", "%", "per min"; may be empty
        double low = 0, high = 1e9;
        int decimals = 0; ///< most that are shown
        double step = 1;
        bool isOptional = false; ///< an empty field means "not set"
        QString whenEmpty{};     ///< shown then: "no limit"
        bool lowIncluded = true;
        bool isGrouped = true; ///< thousands apart; false for what is a name more than a number, as a port
    };
    QuantityField(ThemeContext& context, Rules rules, const QString& accessibleName, QWidget* parent = nullptr);

    const Rules& rules() const { return rules_; }
    /// Shows a value; the text under a typing hand stays while it means the same.
    void setValue(std::optional<double> value);
    std::optional<double> value() const { return value_; }
    QString problem() const { return problem_; } ///< "Between 0.1 s and 60 s"; empty: fine

Q_SIGNALS:
    void edited(const std::optional<double>& value); ///< by the user, at each change that is in bounds
    void left();                                     ///< editing finished: an edit may be closed
    void problemChanged(const QString& problem);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void read(const QString& typed);
    void step(double by);
    void setProblem(const QString& problem);
    QString textOf(std::optional<double> value) const;

    ThemeContext& context_;
    Rules rules_;
    std::optional<double> value_;
    QString problem_;
};

} // namespace sg::ui
