// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/secrets/key_control.h"
#include "core/workspace/key_ref.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace sg::ui {

class ChoiceField;
class FieldRows;
class TextLine;

/// Where the gateway's token is, and how it is; takes a new one. What is typed here goes to where keys are kept and
/// nowhere else.
class GatewayToken : public QWidget
{
    Q_OBJECT
public:
    GatewayToken(ThemeContext& context, secrets::KeyControl& keys, QWidget* parent = nullptr);

    void showToken(const workspace::KeyRef& token);
    void setProblem(const QString& words); ///< what findings say of it
    QString problem() const;
    void focus();

Q_SIGNALS:
    void edited(const QString& words, const sg::workspace::KeyRef& token);

private:
    void makeWhere();
    void makeEntry();
    void choose(workspace::KeySource source);
    void leaveName();
    QString nameProblem(const QString& name) const;
    void checkEntry();
    void store();
    void showState();

    ThemeContext& context_;
    secrets::KeyControl& keys_;
    workspace::KeyRef token_;
    FieldRows* rows_;
    ChoiceField* where_ = nullptr;
    TextLine* name_ = nullptr;
    QLineEdit* entry_ = nullptr;
    QPushButton* store_ = nullptr;
    QLabel *mark_ = nullptr, *state_ = nullptr;
    QString refused_; ///< why the last one was not kept
    bool isStoring_ = false;
};

} // namespace sg::ui
