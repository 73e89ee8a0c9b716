// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_files.h"
#include "core/history/cut_off_run.h"
#include "core/provider/mask.h"
#include "core/workspace/replace_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace sg::history {

namespace {

const QString kFormat = QStringLiteral("switchgear-run/1");
const QString kBegunFormat = QStringLiteral("switchgear-begun/1");
const QString kSuffix = QStringLiteral(".run.json");
const QString kBegunSuffix = QStringLiteral(".begun.json");
const QString kRowsSuffix = QStringLiteral(".csv");
const QString kIndex = QStringLiteral("runs.sqlite");
const QString kDamaged = QStringLiteral(".damaged-");
constexpr qsizetype kMostName = 200;
constexpr qsizetype kMostNote = 4000;
constexpr qint64 kMostBytes = 64 * 1024 * 1024;
constexpr QFileDevice::Permissions kOwnerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

/// Ends where somebody says so.
class StoppableFile final : public QFile
{
public:
    StoppableFile(const QString& path, const std::function<bool()>& isOver)
        : QFile(path)
        , isOver_(isOver)
    {
    }

protected:
    qint64 readData(char* data, qint64 most) override
    {
        return isOver_ && isOver_() ? -1 : QFile::readData(data, most);
    }

private:
    const std::function<bool()>& isOver_;
};

QString shortText(const QString& text, qsizetype most)
{
    return provider::maskSecrets(text.left(most));
}

QByteArray toJson(const RunRecord& run, const QString& format)
{
    const RunSummary& summary = run.summary;
    const QJsonObject json{
        {QStringLiteral("format"), format},
        {QStringLiteral("id"), summary.id},
        {QStringLiteral("started"), summary.started.toUTC().toString(Qt::ISODateWithMs)},
        {QStringLiteral("name"), summary.name},
        {QStringLiteral("target"), summary.target},
        {QStringLiteral("verdict"), summary.verdict},
        {QStringLiteral("note"), summary.note},
        {QStringLiteral("baseline"), summary.isBaseline},
        {QStringLiteral("pinned"), summary.isPinned},
        {QStringLiteral("figures"), summary.figures},
        {QStringLiteral("plan"), run.plan},
        {QStringLiteral("report"), run.report},
    };
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

RunRecord fromJson(const QJsonObject& json)
{
    RunRecord run;
    const auto text = [&](const char* name) { return json.value(QLatin1String(name)).toString(); };
    run.summary.id = text("id");
    run.summary.started = QDateTime::fromString(text("started"), Qt::ISODateWithMs).toUTC();
    run.summary.name = text("name");
    run.summary.target = text("target");
    run.summary.verdict = text("verdict");
    run.summary.note = text("note");
    run.summary.isBaseline = json.value(QLatin1String("baseline")).toBool();
    run.summary.isPinned = json.value(QLatin1String("pinned")).toBool();
    run.summary.figures = json.value(QLatin1String("figures")).toObject();
    run.plan = json.value(QLatin1String("plan")).toObject();
    run.report = json.value(QLatin1String("report")).toObject();
    return run;
}

HistoryError noSuchRun(const QString& id)
{
    return {HistoryFault::NotFound, QStringLiteral("There is no run \"%1\".").arg(id.left(40)),
            QStringLiteral("Look it up in the list of runs; it may have been deleted.")};
}

HistoryError unreadable(const QString& path, const QString& why)
{
    return {HistoryFault::Damaged, QStringLiteral("%1 cannot be read: %2.").arg(path, why),
            QStringLiteral("Restore it from a copy, or delete the run.")};
}

HistoryError unwritable(const QString& path, const QString& why)
{
    return {HistoryFault::ReadOnly, QStringLiteral("%1 could not be written: %2.").arg(path, why),
            QStringLiteral("Free some space there, or check who may write there.")};
}

HistoryResult<RunRecord> readRecord(const QString& path, const QString& id, const QString& format)
{
    QFile file(path);
    if (!file.exists())
        return tl::unexpected(noSuchRun(id));
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(unreadable(path, file.errorString()));
    if (file.size() > kMostBytes)
        return tl::unexpected(unreadable(path, QStringLiteral("it is larger than 64 MiB")));
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    RunRecord run = fromJson(json);
    if (json.value(QLatin1String("format")).toString() != format || run.summary.id != id ||
        !run.summary.started.isValid())
        return tl::unexpected(unreadable(path, QStringLiteral("it is no run of this version")));
    return run;
}

HistoryResult<void> canKeep(const RunRecord& run, const QString& folder)
{
    if (!isRunId(run.summary.id) || !run.summary.started.isValid())
        return tl::unexpected(HistoryError{HistoryFault::Invalid, QStringLiteral("The run has no id or no time."),
                                           QStringLiteral("Give it an id when it begins.")});
    if (!makePrivateFolder(folder))
        return tl::unexpected(unwritable(folder, QStringLiteral("the folder cannot be made")));
    return {};
}

QStringList idsWith(const QString& suffix, const QString& folder)
{
    QStringList ids;
    const QStringList names = QDir(folder).entryList({QLatin1Char('*') + suffix}, QDir::Files);
    for (const QString& name : names)
        if (const QString id = name.chopped(suffix.size()); isRunId(id))
            ids.append(id);
    return ids;
}

} // namespace

bool makePrivateFolder(const QString& folder)
{
    const bool isNew = !QFileInfo::exists(folder);
    if (!QDir().mkpath(folder))
        return false;
    if (isNew)
        QFile::setPermissions(folder, kOwnerOnly | QFileDevice::ExeOwner);
    return true;
}

RunRecord cleaned(RunRecord run)
{
    RunSummary& summary = run.summary;
    summary.started = QDateTime::fromMSecsSinceEpoch(summary.started.toMSecsSinceEpoch(), Qt::UTC);
    summary.name = shortText(summary.name, kMostName);
    summary.target = shortText(summary.target, kMostName);
    summary.verdict = shortText(summary.verdict, kMostName);
    summary.note = cleanNote(summary.note);
    summary.figures = provider::masked(summary.figures).toObject();
    run.plan = provider::masked(run.plan).toObject();
    run.report = provider::masked(run.report).toObject();
    return run;
}

QString cleanNote(const QString& note)
{
    return shortText(note, kMostNote);
}

RunFiles::RunFiles(QString folder)
    : folder_(std::move(folder))
{
}

QString RunFiles::indexPath() const
{
    return folder_ + QLatin1Char('/') + kIndex;
}

QString RunFiles::damagedPath() const
{
    return indexPath() + kDamaged + QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd'T'HHmmsszzz"));
}

void RunFiles::removeDamaged() const
{
    QDir folder(folder_);
    const QStringList names = folder.entryList({kIndex + kDamaged + QLatin1Char('*')}, QDir::Files);
    for (const QString& name : names)
        folder.remove(name);
}

QString RunFiles::pathOf(const QString& id) const
{
    return folder_ + QLatin1Char('/') + id + kSuffix;
}

QString RunFiles::begunPathOf(const QString& id) const
{
    return folder_ + QLatin1Char('/') + id + kBegunSuffix;
}

QString RunFiles::requestsPathOf(const QString& id) const
{
    return folder_ + QLatin1Char('/') + id + kRowsSuffix;
}

HistoryResult<void> RunFiles::write(const RunRecord& run)
{
    if (const auto can = canKeep(run, folder_); !can)
        return can;
    const QString path = pathOf(run.summary.id);
    const auto done = workspace::replaceFile(path, toJson(cleaned(run), kFormat), kOwnerOnly);
    if (!done)
        return tl::unexpected(unwritable(path, done.error()));
    QFile::remove(begunPathOf(run.summary.id));
    return {};
}

HistoryResult<RunLock> RunFiles::begin(const RunRecord& run) const
{
    if (const auto can = canKeep(run, folder_); !can)
        return tl::unexpected(can.error());
    const QString path = begunPathOf(run.summary.id);
    auto [lock, why] = RunLock::create(path, toJson(cleaned(run), kBegunFormat));
    if (!lock)
        return tl::unexpected(unwritable(path, why));
    return std::move(lock);
}

HistoryResult<RunRecord> RunFiles::read(const QString& id) const
{
    if (!isRunId(id))
        return tl::unexpected(noSuchRun(id));
    return readRecord(pathOf(id), id, kFormat);
}

QStringList RunFiles::ids() const
{
    QStringList ids = idsWith(kSuffix, folder_);
    std::sort(ids.rbegin(), ids.rend());
    return ids;
}

QStringList RunFiles::cutOffIds() const
{
    QStringList ids = idsWith(kBegunSuffix, folder_) + idsWith(kRowsSuffix, folder_);
    ids.removeDuplicates();
    ids.removeIf([this](const QString& id) {
        return QFileInfo::exists(pathOf(id)) || RunLock::isHeld(begunPathOf(id)) || RunLock::isHeld(requestsPathOf(id));
    });
    return ids;
}

std::optional<RunRecord> RunFiles::cutOff(const QString& id, const std::function<bool()>& isOver) const
{
    const RunRecord begun = readRecord(begunPathOf(id), id, kBegunFormat).value_or(unknownRun(id));
    StoppableFile csv(requestsPathOf(id), isOver);
    RunRecord run = cutOffRun(begun, csv.open(QIODevice::ReadOnly) ? &csv : nullptr);
    if (isOver && isOver()) // it may have been read in part only
        return std::nullopt;
    return run;
}

HistoryResult<void> RunFiles::remove(const QString& id)
{
    if (!isRunId(id))
        return tl::unexpected(noSuchRun(id));
    // The requests first: without them the run is still one that can be deleted.
    for (const QString& path : {requestsPathOf(id), begunPathOf(id), pathOf(id)}) {
        QFile file(path);
        if (file.exists() && !file.remove())
            return tl::unexpected(unwritable(path, file.errorString()));
    }
    return {};
}

std::int64_t RunFiles::bytes() const
{
    std::int64_t bytes = 0;
    const QFileInfoList files =
        QDir(folder_).entryInfoList({QLatin1Char('*') + kSuffix, QLatin1Char('*') + kBegunSuffix,
                                     QLatin1Char('*') + kRowsSuffix, kIndex + QLatin1Char('*')},
                                    QDir::Files);
    for (const QFileInfo& file : files)
        bytes += file.size();
    return bytes;
}

std::int64_t RunFiles::bytesOf(const QString& id) const
{
    std::int64_t bytes = 0;
    for (const QString& path : {requestsPathOf(id), begunPathOf(id), pathOf(id)})
        bytes += QFileInfo(path).size();
    return bytes;
}

} // namespace sg::history
