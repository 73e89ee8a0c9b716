// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/model.h"
#include "ui/edit/bound_fields.h"

#include <QWidget>

namespace sg::ui {

class ChoiceField;
class FieldRows;

/// A token bucket and a sliding window before a chain. Rates per minute on screen.
class LimiterForm : public QWidget
{
    Q_OBJECT
public:
    explicit LimiterForm(ThemeContext& context, QWidget* parent = nullptr);

    void setLimiter(const chain::LimiterSpec& value, const std::string& policy, const workspace::PolicyLibrary& own);
    const chain::LimiterSpec& limiter() const { return value_; }
    const std::string& policy() const { return policy_; }

Q_SIGNALS:
    void edited(const QString& words, const QString& field); ///< as BreakerForm::edited
    void left();

private:
    using Fields = BoundFields<chain::LimiterSpec>;
    void build();
    void choosePolicy(const QString& name);
    void change(const QString& words, const QString& field, const Fields::Change& change);
    void refresh();

    Fields fields_;
    chain::LimiterSpec value_;
    std::string policy_;
    workspace::PolicyLibrary own_;
    ChoiceField* library_;
    FieldRows* rows_;
    QuantityField *burst_ = nullptr, *windowLimit_ = nullptr;
};

} // namespace sg::ui
