// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/model.h"
#include "ui/edit/bound_fields.h"

#include <QWidget>

namespace sg::ui {

class ChoiceField;
class EnvelopePlot;
class FieldRows;
class SectionHead;

/// How often and after which delays a tier tries again; works on the retry settings of a TierSpec.
class RetryForm : public QWidget
{
    Q_OBJECT
public:
    explicit RetryForm(ThemeContext& context, QWidget* parent = nullptr);

    void setTier(const chain::TierSpec& tier, const workspace::PolicyLibrary& own);
    /// The same tier with the changed settings.
    const chain::TierSpec& tier() const { return value_; }
    EnvelopePlot& plot() { return *plot_; }
    QString problemAt(const char* field) const; ///< "base_ms"

Q_SIGNALS:
    void edited(const QString& words, const QString& field); ///< as BreakerForm::edited
    void left();

private:
    using Fields = BoundFields<chain::TierSpec>;
    void buildKinds();
    void buildNumbers();
    void buildAmounts();
    QuantityField* amount(const char* key, const QString& name, QuantityField::Rules rules,
                          std::function<double&(policy::BackoffPolicy&)> of, double scale);
    void choosePolicy(const QString& name);
    void change(const QString& words, const QString& field, const Fields::Change& change);
    void refresh();
    void refreshProblems();

    Fields fields_;
    chain::TierSpec value_;
    workspace::PolicyLibrary own_;
    SectionHead* head_;
    ChoiceField* library_;
    FieldRows* rows_;
    Segments *kind_ = nullptr, *jitter_ = nullptr;
    QuantityField *base_ = nullptr, *cap_ = nullptr, *multiplier_ = nullptr, *spread_ = nullptr, *added_ = nullptr,
                  *attempt_ = nullptr;
    EnvelopePlot* plot_;
};

} // namespace sg::ui
