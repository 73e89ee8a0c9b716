// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/load_files.h"
#include "core/workspace/replace_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStringDecoder>

namespace sg::ui::loadfiles {

namespace {

// Prompts are held in memory, and written with each run that is kept.
constexpr qint64 kMaxPromptBytes = 16 * 1024 * 1024;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::loadfiles)
};

QString shown(const QString& path)
{
    return QDir::toNativeSeparators(path);
}

/// From 1; 0: all of it is.
int firstLineNotUtf8(const QByteArray& bytes)
{
    int number = 0;
    for (const QByteArray& line : bytes.split('\n')) {
        ++number;
        QStringDecoder decoder(QStringDecoder::Utf8);
        const QString text = decoder(line + '\n'); // a sequence that ends too early shows only by what follows
        if (decoder.hasError())
            return number;
    }
    return 0;
}

} // namespace

tl::expected<load::PromptFile, QString> readPrompts(const QString& path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile())
        return tl::unexpected(
            Words::tr("%1 is not a file. Choose a text file with one prompt a line.").arg(shown(path)));
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(Words::tr("Cannot read %1: %2. Check its permissions or choose another file.")
                                  .arg(shown(path), file.errorString()));
    if (file.size() > kMaxPromptBytes)
        return tl::unexpected(Words::tr("%1 is larger than 16 MiB. Use a part of it: a run repeats its prompts when "
                                        "it needs more.")
                                  .arg(shown(path)));
    const QByteArray bytes = file.readAll();
    if (const int line = firstLineNotUtf8(bytes))
        return tl::unexpected(
            Words::tr("%1, line %2 is not UTF-8 text. Save the file as UTF-8.").arg(shown(path)).arg(line));
    auto read = load::readPromptFile(QFileInfo(path).fileName(), bytes);
    if (!read)
        return tl::unexpected(Words::tr("%1: %2. Mend it or choose another file.").arg(shown(path), read.error()));
    if (read->prompts.empty() && read->offsets.empty())
        return tl::unexpected(Words::tr("%1 has no prompts. Write one prompt a line.").arg(shown(path)));
    return read;
}

QString saveReport(const QJsonObject& report, const QString& path)
{
    // Saving renames a finished file over the old name: done to a device or a pipe, that would replace it.
    if (const QFileInfo target(path); target.exists() && !target.isFile())
        return Words::tr("The report was not saved: %1 is not an ordinary file. Choose another name.").arg(shown(path));
    const auto replaced = workspace::replaceFile(path, QJsonDocument(report).toJson(QJsonDocument::Indented));
    if (replaced)
        return {};
    const QString kept = QFileInfo::exists(path) ? Words::tr(" The file that was there is unchanged.") : QString();
    return Words::tr("The report was not saved to %1: %2.%3 Free some space or choose another folder; the report stays "
                     "here until the next run.")
        .arg(shown(path), replaced.error(), kept);
}

} // namespace sg::ui::loadfiles
