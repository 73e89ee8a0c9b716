// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/cache_form.h"

#include "ui/edit/field_rows.h"
#include "ui/format/format.h"

#include <QBoxLayout>
#include <QLabel>

namespace sg::ui {

using chain::CacheSpec;

namespace {
constexpr double kMiB = 1024.0 * 1024.0;
} // namespace

CacheForm::CacheForm(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , fields_(
          context,
          [this](const QString& words, const QString& key, const Fields::Change& c) {
              c(value_);
              refresh();
              Q_EMIT edited(words, key);
          },
          [this] { Q_EMIT left(); })
    , rows_(new FieldRows)
{
    setAccessibleName(tr("Cache"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(rows_);
    build();
    auto* note =
        wrappedLabel("caption", tr("Complete answers only. Equal means: same model, messages, tools, sampling and "
                                   "answer format. Equal requests under way share one call."));
    column->addWidget(note);
    refresh();
}

void CacheForm::build()
{
    using Number = Fields::Number;
    ttl_ = fields_.number(
        QStringLiteral("ttl_ms"), tr("Answers are kept for"),
        {QStringLiteral("s"), 0, 30 * 86400.0, 3, 60, false, {}, false},
        [](const CacheSpec& c) { return Number(secondsOf(c.ttl)); },
        [](CacheSpec& c, Number n) { c.ttl = nanosOf(*n); });
    rows_->addRow({{tr("Kept for"), ttl_}});
    auto* entries = fields_.number(
        QStringLiteral("max_entries"), tr("Answers at most"), {{}, 1, 1e8, 0, 100, false, {}, true},
        [](const CacheSpec& c) { return Number(static_cast<double>(c.maxEntries)); },
        [](CacheSpec& c, Number n) { c.maxEntries = static_cast<std::size_t>(*n); });
    auto* bytes = fields_.number(
        QStringLiteral("max_bytes"), tr("Memory at most"), {tr("MiB"), 0, 1e6, 3, 16, false, {}, false},
        [](const CacheSpec& c) { return Number(std::round(static_cast<double>(c.maxBytes) / kMiB * 1000) / 1000); },
        [](CacheSpec& c, Number n) { c.maxBytes = static_cast<std::size_t>(std::llround(*n * kMiB)); });
    rows_->addRow({{tr("Answers at most"), entries}, {tr("Memory at most"), bytes}});
}

void CacheForm::setCache(const CacheSpec& value)
{
    value_ = value;
    refresh();
}

void CacheForm::refresh()
{
    fields_.show(value_);
    const double ms = toMs(value_.ttl);
    rows_->setCaption(ttl_, ms >= 60e3 ? tr("Kept for, %1").arg(format::duration(ms)) : tr("Kept for"));
}

} // namespace sg::ui
