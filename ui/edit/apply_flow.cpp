// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/apply_flow.h"

#include "core/workspace/compare.h"
#include "core/workspace/lint.h"
#include "ui/format/format.h"
#include "ui/overview/command_question.h"
#include "ui/widgets/banner.h"

#include <QDateTime>

namespace sg::ui {

namespace {

constexpr int kBackAfterMinutes = 15;
constexpr std::size_t kErrorsSaid = 3;

} // namespace

QString versionWords(const workspace::VersionInfo& version)
{
    return version.number > 0 ? ApplyFlow::tr("v%1").arg(version.number) : ApplyFlow::tr("the file as it was opened");
}

QString changesWords(int count)
{
    return count == 1 ? ApplyFlow::tr("1 change") : ApplyFlow::tr("%1 changes").arg(count);
}

ApplyFlow::ApplyFlow(ThemeContext& context, Draft& draft, ServingControl& serving, Banner& banner)
    : context_(context)
    , draft_(draft)
    , serving_(serving)
    , banner_(banner)
{
    back_.setSingleShot(true);
    connect(&back_, &QTimer::timeout, this, [this] {
        if (serving_.version().number == backFrom_)
            rollBack();
    });
}

int ApplyFlow::versionBefore() const
{
    const int now = serving_.version().number;
    for (const workspace::VersionInfo& version : serving_.versions()) { // newest first
        if (version.number < now)
            return version.number;
    }
    return 0;
}

void ApplyFlow::apply(const QString& note)
{
    if (isBusy_ || !hasChanges())
        return;
    draft_.closeMerge();
    workspace::Findings errors = workspace::lint(draft_.workspace(), serving_.lintFacts());
    std::erase_if(errors, [](const workspace::Finding& f) { return f.level != workspace::FindingLevel::Error; });
    if (!errors.empty())
        return sayErrors(errors);
    if (isProduction(draft_.workspace().environment.toStdString()))
        return ask(note);
    send(note, std::nullopt);
}

void ApplyFlow::sayErrors(const workspace::Findings& errors)
{
    QStringList lines{tr("Not applied: mend this first.")};
    for (std::size_t i = 0; i < std::min(errors.size(), kErrorsSaid); ++i)
        lines.append(QStringLiteral("• %1. %2").arg(errors[i].problem, errors[i].remedy));
    if (errors.size() > kErrorsSaid)
        lines.append(tr("… and %n more", nullptr, static_cast<int>(errors.size() - kErrorsSaid)));
    banner_.say(lines.join(QLatin1Char('\n')));
}

void ApplyFlow::ask(const QString& note)
{
    const auto differences = workspace::compare(*serving_.serving(), draft_.workspace());
    ConfirmDialog::Question q;
    q.title = tr("Apply to %1?").arg(draft_.workspace().environment);
    QStringList effect{tr("<b>%1</b> at once.").arg(changesWords(static_cast<int>(differences.size()))) +
                       QLatin1Char(' ') + tr("Requests under way end on the old chain.")};
    if (snapshot_ && snapshot_->requestsTotal > 0) {
        const double perMinute = snapshot_->tiles.requestsPerSecond * 60;
        const auto perHour = snapshot_->tiles.costPerHourUsd;
        effect.append(perHour ? tr("About <b>%1 requests a minute</b> and <b>%2 an hour</b> take the new way.")
                                    .arg(format::number(perMinute, 0), format::money(perHour))
                              : tr("About <b>%1 requests a minute</b> take the new way; what they cost is not known.")
                                    .arg(format::number(perMinute, 0)));
    } else {
        effect.append(tr("How many requests take the new way is not known."));
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(differences.size(), 4); ++i)
        effect.append(QStringLiteral("• ") + workspace::inWords(differences[i]).toHtmlEscaped());
    if (differences.size() > 4)
        effect.append(QStringLiteral("…"));
    q.effect = effect.join(QStringLiteral("<br>"));
    q.action = tr("Apply");
    q.blade.state = policy::BreakerState::Closed;
    q.needsReason = true;
    q.undoMinutes = kBackAfterMinutes;
    q.undoLabel = tr("Roll back by itself after");
    auto* dialog = new ConfirmDialog(context_, q, banner_.window());
    connect(dialog, &ConfirmDialog::confirmed, this, [this, note](const ConfirmDialog::Answer& answer) {
        send(note.isEmpty() ? answer.reason : note + QStringLiteral(" – ") + answer.reason, answer.undoAfter);
    });
    dialog->open();
}

void ApplyFlow::send(const QString& note, std::optional<std::chrono::minutes> backAfter)
{
    isBusy_ = true;
    Q_EMIT changed();
    serving_.apply(draft_.pointer(), note,
                   [self = QPointer(this), backAfter](const tl::expected<workspace::VersionInfo, QString>& result) {
                       if (self)
                           self->onDone(result, backAfter);
                   });
}

void ApplyFlow::onDone(const tl::expected<workspace::VersionInfo, QString>& result,
                       std::optional<std::chrono::minutes> backAfter)
{
    isBusy_ = false;
    if (result) {
        back_.stop();
        backFrom_ = result->number;
        if (backAfter)
            back_.start(*backAfter);
        sayApplied(*result);
        Q_EMIT applied(*result);
    } else {
        banner_.say(tr("Not applied: %1").arg(result.error()));
    }
    Q_EMIT changed();
}

void ApplyFlow::sayApplied(const workspace::VersionInfo& version)
{
    const QString since = format::clock(version.applied.toMSecsSinceEpoch());
    QString words = tr("%1 serves since %2.").arg(versionWords(version), since);
    if (back_.isActive())
        words +=
            QLatin1Char(' ') + tr("It goes back by itself at %1.")
                                   .arg(format::clock(QDateTime::currentMSecsSinceEpoch() + back_.remainingTime()));
    if (serving_.file().isEmpty())
        words += QLatin1Char(' ') + tr("It is not saved: this workspace has no file yet.");
    std::vector<Banner::Way> ways;
    if (versionBefore() > 0)
        ways.push_back({tr("Roll back"), [this] { rollBack(); }});
    if (back_.isActive())
        ways.push_back({tr("Keep it"), [this] {
                            back_.stop();
                            sayApplied(serving_.version());
                        }});
    banner_.say(words, ways, Banner::Tone::Notice);
}

void ApplyFlow::rollBackTo(int number)
{
    if (isBusy_ || number <= 0)
        return;
    const auto known = serving_.read(number);
    if (!known)
        return banner_.say(known.error());
    back_.stop();
    draft_.replace(tr("Roll back to v%1").arg(number), *known);
    if (!hasChanges())
        return banner_.say(tr("v%1 is what serves now.").arg(number), {}, Banner::Tone::Notice);
    // It has served before: nothing is asked and nothing checked while the way back is wanted.
    send(tr("Rolled back to v%1").arg(number), std::nullopt);
}

} // namespace sg::ui
