// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"
#include "ui/theme/theme.h"

#include <QStringList>
#include <QWidget>

class QCheckBox;
class QPushButton;

namespace sg::ui {

class ChoiceField;
class FieldRows;
class OrderedList;
class QuantityField;
class TextLine;
class TryLine;
class WordsBox;

/// The classes of a router, in their order, and a line to try a sentence on them.
class RouterForm : public QWidget
{
    Q_OBJECT
public:
    explicit RouterForm(ThemeContext& context, QWidget* parent = nullptr);

    /// `tiers` are the names that a class can send to. Does not emit.
    void setRouter(const chain::RouterSpec& router, const QStringList& tiers);
    const chain::RouterSpec& router() const { return router_; }
    OrderedList& list() { return *list_; }
    QString trialWords() const;

Q_SIGNALS:
    void edited(const QString& words, const QString& field); ///< as BreakerForm::edited
    void left();

private:
    using Change = std::function<void(chain::RouteClass&)>;
    QWidget* buildClass(ThemeContext& context);
    chain::RouteClass* current();
    void editCurrent(const QString& words, const char* field, const Change& change);
    void commit(const QString& words, const QString& field = {});
    void add();
    void refresh();
    void showClass();
    void tryIt();

    chain::RouterSpec router_;
    QStringList tiers_;
    int decides_ = -1;
    OrderedList* list_;
    QWidget* class_;
    QPushButton* usual_;
    FieldRows* rows_;
    TextLine* name_;
    ChoiceField* tier_;
    WordsBox* words_;
    QuantityField* atLeast_;
    QCheckBox* earlier_;
    TryLine* trial_;
};

} // namespace sg::ui
