// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/keep_limits.h"

#include "core/history/run_files.h"
#include "core/workspace/json_reader.h"
#include "core/workspace/replace_file.h"

#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>

#include <cmath>

namespace sg::history {

namespace {

const QString kFormat = QStringLiteral("switchgear-limits/1");
constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};

QString pathIn(const QString& folder)
{
    return folder + QStringLiteral("/limits.json");
}

HistoryError unreadable(const QString& path, const QString& why)
{
    return {HistoryFault::Damaged, QStringLiteral("%1 cannot be read: %2.").arg(path, why),
            QStringLiteral("No run is deleted to make room. Set the limits again.")};
}

} // namespace

QString checkLimits(const KeepLimits& limits)
{
    if (limits.runs < 1 || limits.runs > KeepLimits::kMostRuns)
        return QStringLiteral("Keep from 1 to 100,000 runs.");
    for (const std::int64_t bytes : {limits.bytes, limits.bytesOfOne})
        if (bytes < KeepLimits::kFewestBytes || bytes > KeepLimits::kMostBytes)
            return QStringLiteral("A limit of space is from 1 MB to 1000 TB, such as 5 GB.");
    return {};
}

HistoryResult<KeepLimits> readLimits(const QString& folder)
{
    KeepLimits limits;
    QFile file(pathIn(folder));
    if (!file.exists())
        return limits;
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(unreadable(file.fileName(), file.errorString()));
    const auto json = workspace::readJsonObject(file.read(64 * 1024));
    if (!json)
        return tl::unexpected(unreadable(file.fileName(), json.error().problem));
    if (json->value(QLatin1String("format")).toString() != kFormat)
        return tl::unexpected(unreadable(file.fileName(), QStringLiteral("it is of another version")));
    limits.runs = json->value(QLatin1String("runs")).toInteger();
    limits.bytes = json->value(QLatin1String("bytes")).toInteger();
    limits.bytesOfOne = json->value(QLatin1String("bytes_of_one")).toInteger();
    limits.isSaid = json->value(QLatin1String("said")).toBool();
    if (const QString problem = checkLimits(limits); !problem.isEmpty())
        return tl::unexpected(unreadable(file.fileName(), QStringLiteral("a limit is out of its range")));
    return limits;
}

HistoryResult<void> writeLimits(const QString& folder, const KeepLimits& limits)
{
    if (const QString problem = checkLimits(limits); !problem.isEmpty())
        return tl::unexpected(HistoryError{HistoryFault::Invalid, problem, {}});
    makePrivateFolder(folder);
    const QJsonObject json{{QStringLiteral("format"), kFormat},
                           {QStringLiteral("runs"), static_cast<qint64>(limits.runs)},
                           {QStringLiteral("bytes"), static_cast<qint64>(limits.bytes)},
                           {QStringLiteral("bytes_of_one"), static_cast<qint64>(limits.bytesOfOne)},
                           {QStringLiteral("said"), limits.isSaid}};
    const auto written = workspace::replaceFile(pathIn(folder), QJsonDocument(json).toJson(),
                                                QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    if (written)
        return {};
    return tl::unexpected(HistoryError{
        HistoryFault::ReadOnly, QStringLiteral("%1 could not be written: %2.").arg(pathIn(folder), written.error()),
        QStringLiteral("Free some space there, or check who may write there.")});
}

QString bytesText(std::int64_t bytes)
{
    double number = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; number >= 999.95 && unit + 1 < std::size(kUnits); ++unit)
        number /= 1000;
    QString digits = QString::number(number, 'f', unit == 0 || number >= 100 ? 0 : 1);
    if (digits.endsWith(QLatin1String(".0")))
        digits.chop(2);
    return digits + QLatin1Char(' ') + QLatin1String(kUnits[unit]);
}

std::optional<std::int64_t> readBytes(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("\\A\\s*([0-9]+(?:\\.[0-9]+)?)\\s*(B|kB|MB|GB|TB)\\s*\\z"),
                                         QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    double bytes = match.captured(1).toDouble();
    for (const char* unit : kUnits) {
        if (match.captured(2).compare(QLatin1String(unit), Qt::CaseInsensitive) == 0)
            break;
        bytes *= 1000;
    }
    return bytes <= static_cast<double>(KeepLimits::kMostBytes) ? std::optional(std::llround(bytes)) : std::nullopt;
}

} // namespace sg::history
