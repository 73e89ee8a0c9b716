// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/load_delivery.h"
#include "app/cli/command.h"
#include "app/session/run_folder.h"
#include "core/history/run_archive.h"
#include "core/load/kept_run.h"
#include "core/load/report.h"
#include "core/load/report_documents.h"
#include "core/provider/mask.h"
#include "core/workspace/replace_file.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>

#include <limits>
#include <map>

#include <sys/stat.h>

namespace sg::app {

namespace {

bool isPipe(const QString& path)
{
    struct stat facts = {};
    return ::stat(QFile::encodeName(path).constData(), &facts) == 0 && S_ISFIFO(facts.st_mode);
}

tl::expected<void, QString> checkFile(const QString& path, const QString& option)
{
    const QFileInfo file(path);
    const QFileInfo folder(file.absolutePath());
    if (file.isDir())
        return tl::unexpected(QStringLiteral("%1: this is a folder. Name a file in it with --%2.").arg(path, option));
    if (isPipe(path))
        return tl::unexpected(
            QStringLiteral("%1: this is a pipe, whose reader the run would wait for. Name a file with --%2.")
                .arg(path, option));
    if (!folder.isDir())
        return tl::unexpected(QStringLiteral("%1: there is no folder %2. Make it, or name another file with --%3.")
                                  .arg(path, folder.filePath(), option));
    if (file.exists() ? !file.isWritable() : !folder.isWritable())
        return tl::unexpected(
            QStringLiteral("%1: cannot be written. Check its permissions, or name another file with --%2.")
                .arg(path, option));
    return {};
}

tl::expected<void, QString> writeThrough(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && file.write(bytes) == bytes.size())
        return {};
    return tl::unexpected(file.errorString());
}

tl::expected<void, QString> writeFile(const QString& path, const QByteArray& bytes, const QString& option)
{
    const QFileInfo file(path);
    const bool isOther = file.exists() && !file.isFile(); // a pipe or device
    const auto written = isOther ? writeThrough(path, bytes) : workspace::replaceFile(path, bytes);
    if (written)
        return {};
    const QString kept = file.isFile() ? QStringLiteral(" The file that was there is unchanged.") : QString();
    return tl::unexpected(QStringLiteral("%1: the report cannot be written: %2.%3 Free some space or name another file "
                                         "with --%4.")
                              .arg(path, written.error(), kept, option));
}

} // namespace

tl::expected<void, QString> checkOutputs(const LoadOutputs& outputs, const QStringList& inputs)
{
    const std::pair<const std::optional<QString>&, const char*> files[] = {
        {outputs.report, "report"}, {outputs.html, "html"}, {outputs.markdown, "markdown"}, {outputs.csv, "csv"}};
    std::map<QString, QString> taken; // file to what it is for
    for (const QString& input : inputs)
        if (const QFileInfo file(input); file.isFile())
            taken.emplace(file.canonicalFilePath(), QStringLiteral("is read by this load"));
    for (const auto& [path, option] : files) {
        if (!path)
            continue;
        if (const auto fine = checkFile(*path, QLatin1String(option)); !fine)
            return fine;
        const QFileInfo file(*path);
        if (file.exists() && !file.isFile())
            continue; // a device may take several
        const QString place = QDir(QFileInfo(file.absolutePath()).canonicalFilePath()).filePath(file.fileName());
        const auto [other, isFree] = taken.emplace(file.exists() ? file.canonicalFilePath() : place,
                                                   QStringLiteral("is written by --%1").arg(QLatin1String(option)));
        if (!isFree)
            return tl::unexpected(
                QStringLiteral("%1 %2. Name another file with --%3.").arg(*path, other->second, QLatin1String(option)));
    }
    return {};
}

RequestLogs RequestLogs::begin(const LoadOptions& options)
{
    const LoadOutputs& outputs = options.outputs;
    RequestLogs logs;
    logs.began_ = QDateTime::currentDateTimeUtc();
    logs.id_ = history::newRunId(logs.began_);
    if (outputs.csv) {
        history::SampleLogLimits whole;
        whole.file = std::numeric_limits<std::int64_t>::max(); // the caller's own file
        logs.logs_.push_back(history::SampleLog::create(*outputs.csv, whole));
    }
    if (outputs.keptAs) {
        const history::RunFiles files(runFolder());
        logs.logs_.push_back(history::SampleLog::createFor(files, logs.id_));
        // When it cannot be written its rows cannot either, which is said.
        if (auto begun = files.begin(load::begunRun(options.plan, logs.id_, logs.began_, *outputs.keptAs)))
            logs.lock_ = *std::move(begun);
    }
    for (const auto& log : logs.logs_) {
        log->waitForFile(); // what is wrong is said before an hour of load
        logs.say(log->problem());
    }
    return logs;
}

void RequestLogs::say(const QString& problem)
{
    if (problem.isEmpty() || said_.contains(problem))
        return;
    said_.append(problem);
    printError(problem);
}

void RequestLogs::add(const measure::Sample& sample, Instant start)
{
    for (const auto& log : logs_)
        log->add(sample, start);
}

bool RequestLogs::finish(QJsonObject& report)
{
    bool isWhole = true;
    for (const auto& log : logs_) {
        const history::SampleLogEnd end = log->finish();
        report.insert(QStringLiteral("rows"), history::rowsJson(end));
        isWhole = isWhole && end.dropped == 0;
        say(end.problem);
        if (end.dropped > 0)
            printError(QStringLiteral("%1 of the requests are not in the file.").arg(end.dropped));
        if (end.leftOut > 0)
            printError(
                QStringLiteral("%1 of the requests are not in the file, because it reached its limit; they are in "
                               "the figures all the same. The limit: switchgear-cli runs limit.")
                    .arg(end.leftOut));
    }
    return isWhole;
}

bool keepRun(history::RunRecord run)
{
    history::RunArchive archive(runFolder());
    const auto saved = archive.save(std::move(run));
    const auto& fault = saved ? archive.state().fault : std::optional(saved.error());
    if (fault)
        printError((saved ? QStringLiteral("Warning: ") : QStringLiteral("The run is not kept: ")) + fault->words +
                   QLatin1Char(' ') + fault->remedy);
    if (saved && !archive.state().notice.isEmpty())
        printError(QStringLiteral("Note: ") + archive.state().notice);
    return saved.has_value();
}

bool deliver(const LoadDocuments& documents, const LoadOptions& options)
{
    const LoadOutputs& outputs = options.outputs;
    if (options.json)
        printJson(documents.report);
    else
        printOut(documents.table());
    bool isFine = true, isSaved = true;
    const auto write = [&](const std::optional<QString>& path, const auto& bytes, const char* option) {
        if (!path)
            return true;
        const auto written = writeFile(*path, bytes(), QLatin1String(option));
        if (!written)
            printError(written.error());
        isFine = isFine && written;
        return written.has_value();
    };
    isSaved = write(
        outputs.report, [&] { return QJsonDocument(documents.report).toJson(); }, "report");
    write(
        outputs.html, [&] { return documents.html().toUtf8(); }, "html");
    write(
        outputs.markdown, [&] { return documents.markdown().toUtf8(); }, "markdown");
    if (!isSaved && !options.json) {
        printError(QStringLiteral("The report follows on standard output, so that it is not lost."));
        printJson(documents.report);
    }
    return isFine;
}

bool deliver(const QJsonObject& whole, const RequestLogs& logs, const LoadOptions& options)
{
    // Names and addresses are whatever somebody typed, and these files are passed on.
    const QJsonObject report = provider::masked(whole).toObject();
    const QString title = titleOf(options, logs.began());
    const bool isFine =
        deliver({report, [&] { return load::tableOf(report); }, [&] { return load::htmlOf(report, title); },
                 [&] { return load::markdownOf(report, title); }},
                options);
    return (!options.outputs.keptAs ||
            keepRun(load::keptRun(options.plan, report, logs.id(), logs.began(), *options.outputs.keptAs))) &&
           isFine;
}

QString titleOf(const LoadOptions& options, const QDateTime& began)
{
    return provider::maskSecrets(
        options.outputs.keptAs.value_or(QStringLiteral("Load test ") + began.toString(Qt::ISODate)));
}

} // namespace sg::app
