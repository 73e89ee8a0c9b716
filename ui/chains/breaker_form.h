// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/breaker.h"
#include "core/workspace/model.h"
#include "ui/edit/bound_fields.h"

#include <QWidget>

#include <map>

class QToolButton;

namespace sg::ui {

class ChoiceField;
class FieldRows;
class SectionHead;

/// The rules of one breaker. Shows what it is given and tells each change; keeps nothing of its own but whether the
/// rarer rules are unfolded. Seconds and percent on screen.
class BreakerForm : public QWidget
{
    Q_OBJECT
public:
    explicit BreakerForm(ThemeContext& context, QWidget* parent = nullptr);

    /// `policy` names the library's policy that the value is; `own` are the workspace's policies. Does not emit.
    void setBreaker(const policy::BreakerConfig& value, const std::string& policy, const workspace::PolicyLibrary& own);
    const policy::BreakerConfig& breaker() const { return value_; }
    const std::string& policy() const { return policy_; }

    void setMoreShown(bool isShown);
    bool isMoreShown() const;
    SectionHead& head() { return *head_; }
    /// What is said at the field of that name in files ("max_open_ms"); empty: fine.
    QString problemAt(const QString& field) const;

Q_SIGNALS:
    /// breaker() and policy() are the new ones. `words` name what was changed; `field` is the merge key, empty for what
    /// is done at one go. A change of a library's policy makes it the breaker's own.
    void edited(const QString& words, const QString& field);
    void left(); ///< a field was left: an edit may be closed

private:
    using Fields = BoundFields<policy::BreakerConfig>;
    using Rules = QuantityField::Rules;

    QWidget* buildHead();
    void buildEssentials();
    QWidget* buildMore();
    void buildTripRules(FieldRows& rows);
    void buildWindow(FieldRows& rows);
    void buildOpening(FieldRows& rows);
    QuantityField* add(const char* key, const QString& name, Rules rules,
                       std::function<Fields::Number(const policy::BreakerConfig&)> get,
                       std::function<void(policy::BreakerConfig&, Fields::Number)> set);
    QuantityField* addSpan(const char* key, const QString& name, Rules rules, Nanos policy::BreakerConfig::*member);
    QuantityField* addSpan(const char* key, const QString& name, Rules rules,
                           std::optional<Nanos> policy::BreakerConfig::*member);
    QuantityField* addShare(const char* key, const QString& name, std::optional<double> policy::BreakerConfig::*member);
    void choosePolicy(const QString& name);
    void change(const QString& words, const QString& field, const Fields::Change& change);
    void refresh();
    void showFinding();

    ThemeContext& context_;
    Fields fields_;
    policy::BreakerConfig value_;
    std::string policy_;
    workspace::PolicyLibrary own_;
    std::map<std::string, std::pair<FieldRows*, QWidget*>> places_; ///< by the field's name in files
    SectionHead* head_;
    ChoiceField* library_;
    FieldRows *essentials_, *more_;
    QToolButton* moreButton_;
};

} // namespace sg::ui
