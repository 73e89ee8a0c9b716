// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/apply_flow.h"

#include "core/workspace/compare.h"
#include "core/workspace/lint.h"
#include "ui/format/format.h"
#include "ui/widgets/confirm_dialog.h"

#include <QDateTime>

namespace sg::ui {

namespace {

constexpr int kBackAfterMinutes = 15;
constexpr std::chrono::seconds kTryAgainAfter{1};
constexpr std::size_t kErrorsSaid = 3;

} // namespace

QString versionWords(const workspace::VersionInfo& version)
{
    if (version.number > 0)
        return ApplyFlow::tr("v%1").arg(version.number);
    return version.applied.isValid()
               ? ApplyFlow::tr("what was applied at %1").arg(format::clock(version.applied.toMSecsSinceEpoch()))
               : ApplyFlow::tr("the file as it was opened");
}

QString changesWords(int count)
{
    return count == 1 ? ApplyFlow::tr("1 change") : ApplyFlow::tr("%1 changes").arg(count);
}

QString errorsIn(const workspace::Workspace& workspace, const workspace::LintFacts& facts)
{
    workspace::Findings errors = workspace::lint(workspace, facts);
    std::erase_if(errors, [](const workspace::Finding& f) { return f.level != workspace::FindingLevel::Error; });
    QStringList lines;
    for (std::size_t i = 0; i < std::min(errors.size(), kErrorsSaid); ++i)
        lines.append(QStringLiteral("• %1. %2").arg(errors[i].problem, errors[i].remedy));
    if (errors.size() > kErrorsSaid)
        lines.append(ApplyFlow::tr("… and %n more", nullptr, static_cast<int>(errors.size() - kErrorsSaid)));
    return lines.join(QLatin1Char('\n'));
}

ApplyFlow::ApplyFlow(ThemeContext& context, Draft& draft, ServingControl& serving, Banner& banner)
    : context_(context)
    , draft_(draft)
    , serving_(serving)
    , banners_{&banner}
{
    back_.setParent(this);
    back_.setObjectName(QStringLiteral("goesBack"));
    back_.setSingleShot(true);
    connect(&back_, &QTimer::timeout, this, &ApplyFlow::goBackByItself);
    connect(&serving, &ServingControl::servingChanged, this, &ApplyFlow::follow);
}

void ApplyFlow::say(const QString& words, const std::vector<Banner::Way>& ways, Banner::Tone tone)
{
    for (const QPointer<Banner>& banner : banners_) {
        if (banner)
            banner->say(words, ways, tone);
    }
}

QString ApplyFlow::goesBackAt() const
{
    return back_.isActive() ? format::clock(QDateTime::currentMSecsSinceEpoch() + back_.remainingTime()) : QString();
}

int ApplyFlow::versionBefore() const
{
    const workspace::VersionInfo now = serving_.version();
    const bool isNotKept = now.number == 0 && now.applied.isValid();    // then it comes after all of them
    for (const workspace::VersionInfo& version : serving_.versions()) { // newest first
        if (isNotKept || version.number < now.number)
            return version.number;
    }
    return 0;
}

void ApplyFlow::apply(const QString& note)
{
    if (isBusy_ || !hasChanges())
        return;
    draft_.closeMerge();
    const QString errors = errorsIn(draft_.workspace(), serving_.lintFacts());
    if (!errors.isEmpty())
        return say(tr("Not applied: mend this first.") + QLatin1Char('\n') + errors);
    const QStringList alsoChanged = serving_.environmentsChangedBy(draft_.workspace());
    if (workspace::isProduction(serving_.environment()) || needsQuestion(alsoChanged))
        return ask(note, alsoChanged);
    send(draft_.pointer(), note, std::nullopt);
}

bool ApplyFlow::needsQuestion(const QStringList& alsoChanged) const
{
    // The file's own environment, its first, is where what all share is edited; in another one it is likely a slip.
    const QStringList all = serving_.environments();
    if (all.isEmpty() || serving_.environment() == all.constFirst())
        return false;
    return std::any_of(alsoChanged.begin(), alsoChanged.end(), workspace::isProduction);
}

void ApplyFlow::ask(const QString& note, const QStringList& alsoChanged)
{
    const QString here = serving_.environment();
    const auto differences = workspace::compare(*serving_.serving(), draft_.workspace());
    ConfirmDialog::Question q;
    q.title = alsoChanged.isEmpty() ? tr("Apply to %1?").arg(here)
                                    : tr("Apply to %1 and %2?").arg(here, alsoChanged.join(QStringLiteral(", ")));
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
    if (!alsoChanged.isEmpty())
        effect.append(tr("<b>%1</b> becomes another in the file too, because all environments share what is changed. "
                         "“Only in %2” leaves it as it is.")
                          .arg(alsoChanged.join(QStringLiteral(", ")).toHtmlEscaped(), here.toHtmlEscaped()));
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
    auto* dialog = new ConfirmDialog(context_, q, banners_.front() ? banners_.front()->window() : nullptr);
    connect(dialog, &ConfirmDialog::confirmed, this, [this, note](const ConfirmDialog::Answer& answer) {
        send(draft_.pointer(), note.isEmpty() ? answer.reason : note + QStringLiteral(" – ") + answer.reason,
             answer.undoAfter);
    });
    dialog->open();
}

void ApplyFlow::send(workspace::WorkspacePtr what, const QString& note, std::optional<std::chrono::minutes> backAfter)
{
    if (isBusy_)
        return;
    isBusy_ = true;
    Q_EMIT changed();
    serving_.apply(std::move(what), note,
                   [self = QPointer(this), backAfter](const tl::expected<ServingControl::Applied, QString>& result) {
                       if (self)
                           self->onDone(result, backAfter);
                   });
}

void ApplyFlow::onDone(const tl::expected<ServingControl::Applied, QString>& result,
                       std::optional<std::chrono::minutes> backAfter)
{
    isBusy_ = false;
    if (result) {
        back_.stop();
        backFrom_ = serving_.serving();
        if (backAfter && versionBefore() > 0)
            back_.start(*backAfter);
        sayApplied(*result);
        Q_EMIT applied(result->version);
    } else {
        say(tr("Not applied: %1").arg(result.error()));
    }
    Q_EMIT changed();
}

void ApplyFlow::follow()
{
    if (back_.isActive() && serving_.serving() != backFrom_)
        back_.stop();
}

void ApplyFlow::sayApplied(const ServingControl::Applied& applied)
{
    const QString since = format::clock(applied.version.applied.toMSecsSinceEpoch());
    QStringList words{
        applied.notKept.isEmpty()
            ? tr("%1 serves since %2.").arg(versionWords(applied.version), since)
            : tr("Applied, but not kept as a version: %1 It serves since %2.").arg(applied.notKept, since)};
    if (back_.isActive())
        words.append(tr("It goes back by itself at %1, unless it is kept, something else is applied, or this workspace "
                        "is closed before.")
                         .arg(goesBackAt()));
    if (serving_.file().isEmpty())
        words.append(tr("It is not saved: this workspace has no file yet."));
    if (hasChanges())
        words.append(tr("The draft is left as it was."));
    std::vector<Banner::Way> ways;
    if (versionBefore() > 0)
        ways.push_back({tr("Roll back"), [this] { rollBack(); }});
    if (back_.isActive())
        ways.push_back({tr("Keep it"), [this, applied] {
                            back_.stop();
                            sayApplied(applied);
                        }});
    say(words.join(QLatin1Char(' ')), ways, applied.notKept.isEmpty() ? Banner::Tone::Notice : Banner::Tone::Alarm);
}

void ApplyFlow::rollBackTo(int number)
{
    if (isBusy_ || number <= 0)
        return;
    const auto known = serving_.read(number);
    if (!known)
        return say(known.error());
    draft_.replace(tr("Roll back to v%1").arg(number), *known);
    if (!hasChanges())
        return say(tr("v%1 is what serves now.").arg(number), {}, Banner::Tone::Notice);
    const QString note = tr("Rolled back to v%1").arg(number);
    const QStringList alsoChanged = serving_.environmentsChangedBy(**known);
    // It has served here before: nothing is asked and nothing checked while the way back is wanted.
    if (needsQuestion(alsoChanged))
        return ask(note, alsoChanged);
    send(*known, note, std::nullopt);
}

void ApplyFlow::goBackByItself()
{
    if (serving_.serving() != backFrom_)
        return;
    if (isBusy_)
        return back_.start(kTryAgainAfter);
    const int number = versionBefore();
    const auto known = serving_.read(number);
    if (!known)
        return say(tr("It did not go back by itself: %1").arg(known.error()));
    // Whoever is editing goes on with the draft; only one that says what serves goes along.
    if (!hasChanges())
        draft_.replace(tr("Roll back to v%1").arg(number), *known);
    send(*known, tr("Rolled back to v%1 by itself").arg(number), std::nullopt);
}

} // namespace sg::ui
