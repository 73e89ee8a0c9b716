// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_files.h"
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
const QString kSuffix = QStringLiteral(".run.json");
constexpr qsizetype kMostName = 200;
constexpr qsizetype kMostNote = 4000;
constexpr qint64 kMostBytes = 64 * 1024 * 1024;
constexpr QFileDevice::Permissions kOwnerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

QJsonValue masked(const QJsonValue& value)
{
    if (value.isString())
        return provider::maskSecrets(value.toString());
    if (value.isArray()) {
        QJsonArray array;
        const QJsonArray old = value.toArray();
        for (const QJsonValue& entry : old)
            array.append(masked(entry));
        return array;
    }
    if (!value.isObject())
        return value;
    QJsonObject object;
    const QJsonObject old = value.toObject();
    for (auto it = old.begin(); it != old.end(); ++it)
        object.insert(provider::maskSecrets(it.key()), masked(it.value()));
    return object;
}

QString shortText(const QString& text, qsizetype most)
{
    return provider::maskSecrets(text.left(most));
}

QJsonObject toJson(const RunRecord& run)
{
    const RunSummary& summary = run.summary;
    return {
        {QStringLiteral("format"), kFormat},
        {QStringLiteral("id"), summary.id},
        {QStringLiteral("started"), summary.started.toUTC().toString(Qt::ISODateWithMs)},
        {QStringLiteral("name"), summary.name},
        {QStringLiteral("target"), summary.target},
        {QStringLiteral("verdict"), summary.verdict},
        {QStringLiteral("note"), summary.note},
        {QStringLiteral("baseline"), summary.isBaseline},
        {QStringLiteral("figures"), summary.figures},
        {QStringLiteral("plan"), run.plan},
        {QStringLiteral("report"), run.report},
    };
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
    summary.figures = masked(summary.figures).toObject();
    run.plan = masked(run.plan).toObject();
    run.report = masked(run.report).toObject();
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

QString RunFiles::pathOf(const QString& id) const
{
    return folder_ + QLatin1Char('/') + id + kSuffix;
}

QString RunFiles::requestsPathOf(const QString& id) const
{
    return folder_ + QLatin1Char('/') + id + QStringLiteral(".csv");
}

HistoryResult<void> RunFiles::write(const RunRecord& run)
{
    if (!isRunId(run.summary.id) || !run.summary.started.isValid())
        return tl::unexpected(HistoryError{HistoryFault::Invalid, QStringLiteral("The run has no id or no time."),
                                           QStringLiteral("Give it an id when it begins.")});
    if (!makePrivateFolder(folder_))
        return tl::unexpected(unwritable(folder_, QStringLiteral("the folder cannot be made")));
    const QString path = pathOf(run.summary.id);
    const auto done =
        workspace::replaceFile(path, QJsonDocument(toJson(cleaned(run))).toJson(QJsonDocument::Compact), kOwnerOnly);
    if (done)
        return {};
    return tl::unexpected(unwritable(path, done.error()));
}

HistoryResult<RunRecord> RunFiles::read(const QString& id) const
{
    QFile file(isRunId(id) ? pathOf(id) : QString());
    if (file.fileName().isEmpty() || !file.exists())
        return tl::unexpected(noSuchRun(id));
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(unreadable(file.fileName(), file.errorString()));
    if (file.size() > kMostBytes)
        return tl::unexpected(unreadable(file.fileName(), QStringLiteral("it is larger than 64 MiB")));
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    RunRecord run = fromJson(json);
    if (json.value(QLatin1String("format")).toString() != kFormat || run.summary.id != id ||
        !run.summary.started.isValid())
        return tl::unexpected(unreadable(file.fileName(), QStringLiteral("it is no run of this version")));
    return run;
}

QStringList RunFiles::ids() const
{
    QStringList ids;
    const QStringList names = QDir(folder_).entryList({QLatin1Char('*') + kSuffix}, QDir::Files);
    for (const QString& name : names)
        if (const QString id = name.chopped(kSuffix.size()); isRunId(id))
            ids.append(id);
    std::sort(ids.rbegin(), ids.rend());
    return ids;
}

HistoryResult<void> RunFiles::remove(const QString& id)
{
    if (!isRunId(id))
        return tl::unexpected(noSuchRun(id));
    // The requests first: without them the run is still one that can be deleted.
    for (const QString& path : {requestsPathOf(id), pathOf(id)}) {
        QFile file(path);
        if (file.exists() && !file.remove())
            return tl::unexpected(unwritable(path, file.errorString()));
    }
    return {};
}

} // namespace sg::history
