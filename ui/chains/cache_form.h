// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"
#include "ui/edit/bound_fields.h"

#include <QWidget>

class QLabel;

namespace sg::ui {

class FieldRows;

/// How long answers are kept, and how many. Seconds and MiB on screen.
class CacheForm : public QWidget
{
    Q_OBJECT
public:
    explicit CacheForm(ThemeContext& context, QWidget* parent = nullptr);

    void setCache(const chain::CacheSpec& value);
    const chain::CacheSpec& cache() const { return value_; }

Q_SIGNALS:
    void edited(const QString& words, const QString& field); ///< as BreakerForm::edited
    void left();

private:
    using Fields = BoundFields<chain::CacheSpec>;
    void build();
    void refresh();

    Fields fields_;
    chain::CacheSpec value_;
    FieldRows* rows_;
    QuantityField* ttl_ = nullptr;
};

} // namespace sg::ui
