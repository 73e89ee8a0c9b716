// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/control.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace sg::ui {

class Segments;

/// The fields of a load plan, filled in with defaults that run as they are. Says at once, at the field, what is wrong.
class PlanForm : public QWidget
{
    Q_OBJECT
public:
    PlanForm(load::LoadControl& control, QWidget* parent = nullptr);

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

    /// Asks for the file with the prompts; empty = none. Tests put their own.
    std::function<QString(QWidget*)> askPromptFile;

Q_SIGNALS:
    void changed();

private:
    enum Field { Target, Amount, Concurrency, Seed, Prompts, Repeats, MaxTokens, FieldCount };

    void buildTarget(QGridLayout* grid);
    void buildAmount(QGridLayout* grid);
    void buildLoad(QGridLayout* grid);
    void buildPrompts(QGridLayout* grid);
    void choosePromptFile();
    void refresh();
    void showWords();
    void markProblem(QWidget* field, bool isWrong);
    std::pair<Field, QString> findProblem() const;
    QWidget* widgetOf(Field field) const;
    QString promptWords() const;

    load::LoadControl& control_;
    Segments *target_, *amount_, *prompts_, *answers_;
    QComboBox* name_;
    QLabel *nameLabel_, *amountLabel_, *closed_, *promptNote_, *error_;
    QSpinBox *requests_, *seconds_, *concurrency_, *repeats_, *maxTokens_;
    QLineEdit* seed_;
    QPushButton* choose_;
    std::vector<QString> promptLines_;
    QString promptPath_, promptProblem_, problem_;
    Field problemField_ = Target;
};

} // namespace sg::ui
