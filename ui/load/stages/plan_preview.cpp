// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/stages/plan_preview.h"

#include "ui/format/format.h"
#include "ui/load/load_words.h"

#include <QCoreApplication>
#include <QStringList>

namespace sg::ui {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::PlanPreview)
};

QString lengthWords(double seconds)
{
    if (seconds < 60)
        return Words::tr("%1\u202Fs").arg(format::number(seconds, seconds < 10 && seconds != int(seconds) ? 1 : 0));
    if (seconds < 3600 && int(seconds) % 60 != 0)
        return Words::tr("%1 min").arg(loadwords::span(seconds));
    return format::duration(seconds * 1000);
}

} // namespace

QString previewLine(const PlanPreview& preview)
{
    QStringList parts;
    if (!preview.requests)
        parts << Words::tr("requests unknown");
    else
        parts << (*preview.requests == 1 ? Words::tr("1 request")
                                         : Words::tr("%1 requests").arg(format::count(*preview.requests)));
    parts << (preview.tokens ? Words::tr("%1 tokens").arg(format::shortCount(static_cast<double>(*preview.tokens), 1e4))
                             : Words::tr("tokens unknown"));
    parts << (preview.seconds ? lengthWords(*preview.seconds) : Words::tr("time unknown"));
    parts << (preview.worstUsd
                  ? Words::tr("worst-case cost %1").arg(loadwords::cost(preview.worstUsd, preview.costIsLowerBound))
                  : Words::tr("worst-case cost unknown"));
    return parts.join(QStringLiteral(" · "));
}

} // namespace sg::ui
