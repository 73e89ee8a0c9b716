// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/control.h"
#include "ui/load/form/form_part.h"
#include "ui/load/stages/plan_preview.h"
#include "ui/theme/theme.h"

class QComboBox;
class QGridLayout;
class QLabel;

namespace sg::ui {

class ModelPart;
class PromptPart;
class RulesPart;
class Segments;
class UrlPart;

/// The fields of a load plan, filled in with defaults that run as they are. Says at once, at the field, what is wrong.
class PlanForm : public QWidget
{
    Q_OBJECT
public:
    PlanForm(ThemeContext& context, load::LoadControl& control, QWidget* parent = nullptr);

    load::LoadPlan plan() const;
    /// Shows the plan of a run that was started elsewhere.
    void setPlan(const load::LoadPlan& plan);
    /// Empty when the plan can run; otherwise a sentence with the remedy.
    const QString& problem() const { return problem_; }
    void focusProblem();
    /// A running test keeps the plan it started with.
    void setLocked(bool locked);
    /// Takes the names anew, keeps what is chosen if it is still there.
    void reloadTargets();
    /// Reads the prompts of `path`; what is wrong with it becomes the form's problem.
    void usePromptFile(const QString& path);
    void setPreview(const PlanPreview& preview);
    double costLimit() const; ///< USD above which a start asks first
    ModelPart* model() const { return model_; }
    PromptPart* prompts() const { return prompts_; }
    UrlPart* url() const { return url_; }

Q_SIGNALS:
    void changed();

private:
    QWidget* makeTarget();
    void refresh();
    void showWords();
    FormPart::Problem findProblem() const;
    load::TargetKind kind() const;
    std::vector<FormPart*> shownParts() const;

    load::LoadControl& control_;
    Segments* target_;
    QComboBox* name_;
    QLabel *nameLabel_, *preview_, *error_;
    ModelPart* model_;
    PromptPart* prompts_;
    RulesPart* rules_;
    UrlPart* url_;
    std::vector<FormPart*> parts_;
    QWidget* problemField_ = nullptr;
    QString problem_;
};

} // namespace sg::ui
