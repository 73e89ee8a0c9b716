// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_editor.h"
#include "ui/edit/bound_fields.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace sg::ui {

class BreakerForm;
class FieldRows;
class RetryForm;
class SectionHead;
class TextLine;

/// Everything about a tier that calls an endpoint: the endpoint's limits and breaker, the tier's retries, what moves
/// traffic on, its place in a split. Shows the tier that is selected in the editor.
class TierForm : public QWidget
{
    Q_OBJECT
public:
    TierForm(ThemeContext& context, ChainEditor& editor, QWidget* parent = nullptr);

    void refresh(); ///< only while a tier with an endpoint is selected
    RetryForm& retry() { return *retry_; }
    BreakerForm& breaker() { return *breaker_; }
    QString sharedWords() const; ///< "also used by 2 chains"; empty: by none

private:
    const chain::TierSpec* tier() const;
    std::string endpointName() const;
    template <class Change>
    void editTier(const QString& words, const QString& field, Change change);
    template <class Change>
    void editEndpoint(const QString& words, const QString& field, Change change);
    QWidget* buildLimits();
    QWidget* buildServerWait();
    QWidget* buildMovesOn();
    QWidget* buildPlace();
    void connectForms();
    void refreshShared();
    void refreshPlace();

    ThemeContext& context_;
    ChainEditor& editor_;
    BoundFields<workspace::Endpoint> endpointFields_;
    BoundFields<chain::TierSpec> tierFields_;
    BoundFields<workspace::Chain> chainFields_;
    QLabel* shared_;
    RetryForm* retry_;
    BreakerForm* breaker_;
    FieldRows *limits_ = nullptr, *place_ = nullptr;
    SectionHead* placeHead_ = nullptr;
    TextLine* name_ = nullptr;
    QuantityField *weight_ = nullptr, *serverWait_ = nullptr;
};

} // namespace sg::ui
