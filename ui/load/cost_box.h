// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/load_words.h"
#include "ui/theme/theme.h"

#include <QWidget>

namespace sg::ui {

/// What a run costs: two amounts and a sentence.
class CostBox : public QWidget
{
    Q_OBJECT
public:
    CostBox(ThemeContext& context, QWidget* parent = nullptr);

    struct Content
    {
        QString name, value, secondName, secondValue, note;
        bool operator==(const Content&) const = default;
    };
    void setContent(Content content);
    const Content& content() const { return content_; }

    QSize sizeHint() const override { return {292, 80}; }
    QSize minimumSizeHint() const override { return {200, 80}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
    Content content_;
};

CostBox::Content costBeforeStart(const loadwords::EstimateWords& estimate);
/// While a run is on and after it: what was charged, beside what had been estimated for it.
CostBox::Content costOfRun(const load::RunProgress& progress, const loadwords::EstimateWords& estimate);

} // namespace sg::ui
