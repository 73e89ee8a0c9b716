// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/history/room_settings.h"

#include "ui/edit/field_rows.h"
#include "ui/load/history/kept_runs.h"
#include "ui/widgets/fields_panel.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPointer>
#include <QSpinBox>
#include <QVBoxLayout>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kGb = 1e9;

QDoubleSpinBox* spaceBox(const QString& name)
{
    auto* box = new QDoubleSpinBox;
    box->setRange(history::KeepLimits::kFewestBytes / kGb, history::KeepLimits::kMostBytes / kGb);
    box->setDecimals(3);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setSuffix(RoomSettings::tr("\u202FGB"));
    box->setAccessibleName(name);
    box->setKeyboardTracking(false);
    return box;
}

std::int64_t bytesOf(const QDoubleSpinBox* box)
{
    return std::llround(box->value() * kGb);
}

} // namespace

RoomSettings::RoomSettings(ThemeContext& context, history::RunHistory& history, QWidget* parent)
    : QWidget(parent)
    , history_(history)
    , runs_(new QSpinBox)
    , space_(spaceBox(tr("Space for kept runs")))
    , spaceOfOne_(spaceBox(tr("Space for the requests of one run")))
    , words_(wrappedLabel("caption", {}))
{
    runs_->setRange(1, static_cast<int>(history::KeepLimits::kMostRuns));
    runs_->setAccessibleName(tr("Most kept runs"));
    runs_->setKeyboardTracking(false);
    runs_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    auto* panel = new FieldsPanel(context, tr("Kept load tests"), 8);
    panel->addField(tr("Most runs"), runs_);
    panel->addField(tr("Space for all"), space_);
    panel->addField(tr("Space for one run's requests"), spaceOfOne_);
    panel->addFoot(words_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(panel);
    connect(runs_, &QSpinBox::valueChanged, this, &RoomSettings::write);
    connect(space_, &QDoubleSpinBox::valueChanged, this, &RoomSettings::write);
    connect(spaceOfOne_, &QDoubleSpinBox::valueChanged, this, &RoomSettings::write);
    showLimits(history::KeepLimits());
}

void RoomSettings::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    read();
}

void RoomSettings::read()
{
    history_.limits([self = QPointer(this)](const history::HistoryResult<history::KeepLimits>& limits) {
        if (!self)
            return;
        if (limits)
            self->showLimits(*limits);
        self->say(limits ? nullptr : &limits.error());
    });
}

void RoomSettings::write()
{
    if (isShowing_)
        return;
    history::KeepLimits limits;
    limits.runs = runs_->value();
    limits.bytes = bytesOf(space_);
    limits.bytesOfOne = bytesOf(spaceOfOne_);
    history_.setLimits(limits, [self = QPointer(this)](const history::HistoryResult<void>& done) {
        if (self)
            self->say(done ? nullptr : &done.error());
    });
}

void RoomSettings::showLimits(const history::KeepLimits& limits)
{
    isShowing_ = true;
    runs_->setValue(static_cast<int>(limits.runs));
    space_->setValue(static_cast<double>(limits.bytes) / kGb);
    spaceOfOne_->setValue(static_cast<double>(limits.bytesOfOne) / kGb);
    isShowing_ = false;
}

void RoomSettings::say(const history::HistoryError* error)
{
    if (error)
        return words_->setText(error->words + QLatin1Char(' ') + error->remedy);
    const QString room = keptruns::roomWords(history_.state());
    const QString rule = tr("Beyond that the oldest are deleted, but no baseline and none with a note or a pin. The "
                            "first time it is said before.");
    words_->setText(room.isEmpty() ? rule : tr("Now: %1. %2").arg(room, rule));
}

} // namespace sg::ui
