// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;

namespace sg::ui {

class FieldRows;
class OrderedList;
class TextBox;
class TryLine;
class WordsBox;

/// The rules of a canned reply, in their order, and a line to try a sentence on them.
class CannedRulesEditor : public QWidget
{
    Q_OBJECT
public:
    explicit CannedRulesEditor(ThemeContext& context, QWidget* parent = nullptr);

    void setRules(const std::vector<chain::CannedRule>& rules); ///< does not emit
    const std::vector<chain::CannedRule>& rules() const { return rules_; }
    OrderedList& list() { return *list_; }
    QString trialWords() const;

Q_SIGNALS:
    void edited(const QString& words, const QString& field); ///< as BreakerForm::edited
    void left();

private:
    QWidget* buildRule();
    void buildActions();
    chain::CannedRule* current();
    void commit(const QString& words, const QString& field = {});
    QString keyOf(const char* field) const;
    void add();
    void refresh();
    void showRule();

    std::vector<chain::CannedRule> rules_;
    OrderedList* list_;
    QWidget* rule_;
    FieldRows* rows_;
    WordsBox* words_;
    TextBox* reply_;
    TryLine* trial_;
    QLabel* note_;
};

} // namespace sg::ui
