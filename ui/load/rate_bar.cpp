// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/rate_bar.h"

#include "ui/format/format.h"
#include "ui/load/form/form_fields.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kMostRate = 100'000, kMostUsers = 10'000; ///< as LoadControl takes them

} // namespace

RateBar::RateBar(QWidget* parent)
    : QWidget(parent)
    , caption_(new QLabel)
    , now_(new QLabel)
    , value_(formfields::line({}, tr("New rate")))
    , set_(new QPushButton(tr("Change")))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 12, 8);
    row->setSpacing(8);
    now_->setProperty("role", QStringLiteral("secondary"));
    value_->setFixedWidth(76);
    set_->setAutoDefault(false);
    row->addWidget(caption_);
    row->addWidget(now_, 1);
    row->addWidget(value_);
    row->addWidget(set_);
    connect(set_, &QPushButton::clicked, this, &RateBar::apply);
    connect(value_, &QLineEdit::returnPressed, this, &RateBar::apply);
    connect(value_, &QLineEdit::textChanged, this, [this] {
        const bool isFine = typed().has_value();
        set_->setEnabled(isFine);
        formfields::mark(value_, isFine || value_->text().isEmpty() ? QString()
                                 : isClosed_                        ? tr("From 1 to 10,000 users.")
                                                                    : tr("From 0 to 100,000 requests a second."));
    });
    set_->setEnabled(false);
    hide();
}

std::optional<double> RateBar::typed() const
{
    const auto value = format::numberIn(value_->text());
    if (!value || (isClosed_ && (*value < 1 || *value > kMostUsers || *value != std::floor(*value))) ||
        (!isClosed_ && (*value < 0 || *value > kMostRate)))
        return std::nullopt;
    return value;
}

void RateBar::setRun(const load::RunProgress* run)
{
    const bool isOn = run && run->state == load::RunState::Running;
    isClosed_ = run && std::holds_alternative<load::ClosedModel>(run->plan.model);
    const bool canChange = isOn && (isClosed_ || run->rateNow.has_value());
    setVisible(canChange);
    if (!canChange)
        return;
    caption_->setText(isClosed_ ? tr("Users") : tr("Rate now"));
    now_->setText(isClosed_ ? QString() : format::rate(*run->rateNow) + QStringLiteral("\u202F/s"));
    value_->setAccessibleName(isClosed_ ? tr("New number of users") : tr("New rate in requests a second"));
    value_->setPlaceholderText(isClosed_ ? tr("users") : tr("req\u202F/s"));
}

void RateBar::apply()
{
    const double wanted = typed().value_or(-1);
    if (wanted < 0)
        return;
    value_->clear();
    if (isClosed_)
        Q_EMIT usersWanted(static_cast<int>(wanted));
    else
        Q_EMIT rateWanted(wanted);
}

} // namespace sg::ui
