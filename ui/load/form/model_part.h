// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/form/form_part.h"
#include "ui/load/form/prompt_reading.h"
#include "ui/theme/theme.h"

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace sg::ui {

class Segments;
class StagesEditor;

/// When the requests begin: users who wait (closed), a rate over time (open), a sweep over rates, or a recorded
/// schedule.
class ModelPart : public FormPart
{
    Q_OBJECT
public:
    explicit ModelPart(ThemeContext& context, QWidget* parent = nullptr);

    void write(load::LoadPlan& plan) const override;
    void show(const load::LoadPlan& plan) override;
    Problem problem() const override;
    std::vector<Mend> mends() const override;
    void setLocked(bool locked);
    /// How far a run of these stages has come; empty: none is on.
    void setNow(std::optional<double> second);
    StagesEditor* stages() const { return stages_; }
    /// Until it is read, beside this thread, that is the form's problem.
    void useScheduleFile(const QString& path);

    /// Asks for the file with the schedule; empty = none. Tests put their own.
    std::function<QString(QWidget*)> askScheduleFile;

private:
    enum Model { Users, Rate, Sweep, Replay };
    enum Shape { Constant, Ramp, Spike, Steps };

    QWidget* makeUsers();
    QWidget* makeRate(ThemeContext& context);
    QWidget* makeSweep();
    QWidget* makeReplay();
    QWidget* makeOpen();
    Model model() const;
    void takeShape(Shape shape);
    void takeFile(PromptReading::Read file);
    void onEdited();
    void showWords();
    load::LoadModel modelNow() const;
    load::Arrivals arrivalsNow() const;

    Segments *model_, *amount_, *arrivals_;
    QWidget *users_, *rate_, *sweep_, *replay_, *open_;
    QSpinBox *concurrency_, *ramp_, *requests_, *seconds_, *inFlight_;
    QLineEdit *think_, *steps_, *speed_;
    QLabel *amountLabel_, *words_, *scheduleNote_;
    StagesEditor* stages_;
    QPushButton* chooseSchedule_;
    std::shared_ptr<const std::vector<Nanos>> offsets_;
    QString schedulePath_, scheduleProblem_;
    PromptReading reading_;
};

} // namespace sg::ui
