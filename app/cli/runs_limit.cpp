// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runs_limit.h"

#include "app/cli/command.h"

#include <QCommandLineParser>

namespace sg::app {

using namespace history;

namespace {

const QString kRuns = QStringLiteral("runs"), kBytes = QStringLiteral("bytes"), kOne = QStringLiteral("bytes-of-one");

/// False: it is no size.
bool readSize(const QCommandLineParser& parser, const QString& option, std::int64_t& into)
{
    if (!parser.isSet(option))
        return true;
    const auto bytes = readBytes(parser.value(option));
    into = bytes.value_or(into);
    return bytes.has_value();
}

} // namespace

void addLimitOptions(QCommandLineParser& parser)
{
    parser.addOptions({
        {kRuns, QStringLiteral("limit: keep so many runs at most."), QStringLiteral("N")},
        {kBytes, QStringLiteral("limit: so much space for all of them, such as \"5 GB\"."), QStringLiteral("SIZE")},
        {kOne, QStringLiteral("limit: so much for the requests of one run."), QStringLiteral("SIZE")},
    });
}

QString roomWords(const HistoryState& state)
{
    if (state.mostRuns == 0)
        return QStringLiteral("%1 runs.").arg(state.runs);
    return QStringLiteral("%1 of at most %2 runs, %3 of %4.")
        .arg(state.runs)
        .arg(state.mostRuns)
        .arg(bytesText(state.bytes), bytesText(state.mostBytes));
}

int limitRuns(RunArchive& archive, const QCommandLineParser& parser)
{
    const bool isSetting = parser.isSet(kRuns) || parser.isSet(kBytes) || parser.isSet(kOne);
    const auto known = archive.limits();
    if (!known && !isSetting) {
        printError(known.error().words + QLatin1Char(' ') + known.error().remedy);
        return kBadUsage;
    }
    KeepLimits limits = known.value_or(KeepLimits());
    if (parser.isSet(kRuns))
        limits.runs = parser.value(kRuns).toLongLong();
    if (!readSize(parser, kBytes, limits.bytes) || !readSize(parser, kOne, limits.bytesOfOne))
        return usageError(QStringLiteral("A size is a number with its unit, such as \"500 MB\" or \"5 GB\"."), kRuns);
    if (isSetting)
        if (const auto done = archive.setLimits(limits); !done) {
            printError((done.error().words + QLatin1Char(' ') + done.error().remedy).trimmed());
            return kBadUsage;
        }
    printOut(QStringLiteral("At most %1 runs and %2 are kept, of one run's requests %3. The oldest go first, but no "
                            "baseline and none with a note or a pin.")
                 .arg(limits.runs)
                 .arg(bytesText(limits.bytes), bytesText(limits.bytesOfOne)));
    return kFine;
}

} // namespace sg::app
