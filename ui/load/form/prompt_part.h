// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/form/form_part.h"
#include "ui/load/form/prompt_reading.h"

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace sg::ui {

class Segments;

/// What the requests ask: built-in prompts, made-up ones of given lengths, or those of a file; and how the answers
/// come.
class PromptPart : public FormPart
{
    Q_OBJECT
public:
    explicit PromptPart(QWidget* parent = nullptr);

    void write(load::LoadPlan& plan) const override;
    void show(const load::LoadPlan& plan) override;
    Problem problem() const override;
    std::vector<Mend> mends() const override;
    /// Until it is read, beside this thread, that is the form's problem.
    void usePromptFile(const QString& path);

    /// Asks for the file with the prompts; empty = none. Tests put their own.
    std::function<QString(QWidget*)> askPromptFile;

private:
    enum Source { BuiltIn, MadeUp, File };

    QWidget* makeMadeUp();
    void takeFile(PromptReading::Read file);
    void onEdited();
    void showWords();
    QString fileWords() const;

    Segments *source_, *answers_;
    QWidget *madeUp_, *file_;
    QPushButton* choose_;
    QLabel* note_;
    QLineEdit *input_, *output_;
    QSpinBox *prefix_, *repeats_, *maxTokens_;
    load::PromptList prompts_;
    QString path_, problem_;
    PromptReading reading_;
};

} // namespace sg::ui
