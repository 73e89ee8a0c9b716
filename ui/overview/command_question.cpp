// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/command_question.h"
#include "core/workspace/model.h"
#include "ui/format/format.h"

#include <QCoreApplication>

namespace sg::ui {

using observe::BreakerCommand;
using policy::BreakerState;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::CommandQuestion)
};

QString trafficNow(const observe::EndpointView& endpoint)
{
    if (!endpoint.rpmUsed)
        return Words::tr("How many requests it takes now is unknown.");
    if (*endpoint.rpmUsed < 0.5)
        return Words::tr("No request went to it in the last minute.");
    return Words::tr("About <b>%1 requests a minute</b> will move to the next tiers at once.")
        .arg(format::number(*endpoint.rpmUsed, 0));
}

QString titled(const QString& pattern, const QString& name, const std::string& environment)
{
    const QString where =
        environment.empty() ? QString() : Words::tr(" in %1").arg(QString::fromStdString(environment).left(24));
    const QString shortName = name.size() > 40 ? name.left(39) + QChar(0x2026) : name;
    return pattern.arg(shortName, where);
}

} // namespace

std::optional<ConfirmDialog::Question> questionBefore(BreakerCommand command, const observe::EndpointView& endpoint,
                                                      const std::string& environment)
{
    const bool isProd = workspace::isProduction(QString::fromStdString(environment));
    const QString name = QString::fromStdString(endpoint.name);
    ConfirmDialog::Question q;
    q.needsReason = isProd;
    q.blade.state = BreakerState::Closed;
    switch (command) {
    case BreakerCommand::ProbeNow:
        return std::nullopt;
    case BreakerCommand::ForceOpen:
        q.title = titled(Words::tr("Lock %1 open%2?"), name, environment);
        q.effect = trafficNow(endpoint) + QLatin1Char(' ') + Words::tr("No probes run until the lock is removed.");
        q.action = Words::tr("Lock open");
        q.blade.state = BreakerState::ForcedOpen;
        q.undoMinutes = 30;
        q.undoLabel = Words::tr("Remove the lock after");
        return q;
    case BreakerCommand::ForceClosed:
        q.title = titled(Words::tr("Lock %1 closed%2?"), name, environment);
        q.effect = Words::tr("Requests go to it <b>even while it fails</b>. The breaker will not trip until the lock "
                             "is removed.");
        q.action = Words::tr("Lock closed");
        q.blade.state = BreakerState::ForcedClosed;
        q.undoMinutes = 30;
        q.undoLabel = Words::tr("Remove the lock after");
        return q;
    case BreakerCommand::Reset:
        q.title = titled(Words::tr("Reset the breaker of %1%2?"), name, environment);
        q.effect = Words::tr("It closes, and its counted failures and its wait are forgotten. All its traffic comes "
                             "back <b>without a probe</b>.");
        q.action = Words::tr("Reset");
        return q;
    case BreakerCommand::Release:
        break;
    }
    if (!isProd)
        return std::nullopt;
    q.title = titled(Words::tr("Remove the lock of %1%2?"), name, environment);
    q.effect = Words::tr("The breaker decides again by itself. Requests may go to this endpoint at once.");
    q.action = Words::tr("Remove lock");
    q.needsReason = false;
    return q;
}

} // namespace sg::ui
