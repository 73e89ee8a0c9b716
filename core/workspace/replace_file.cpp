// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/replace_file.h"

#include <QFileInfo>
#include <QSaveFile>
#include <QTemporaryFile>

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace sg::workspace {

tl::expected<void, QString> replaceFile(const QString& path, const QByteArray& bytes,
                                        std::optional<QFileDevice::Permissions> permissions)
{
    // Saving renames a finished file over the old name: done to a device or a folder, that would destroy it.
    if (const QFileInfo info(path); info.exists() && !info.isFile())
        return tl::unexpected(QStringLiteral("there is something else of that name"));
    QSaveFile file(path);
    file.setDirectWriteFallback(false);
    // Unbuffered: a buffer that cannot be flushed any more does not fail commit() (Qt 6.4), and half a file would win.
    if (!file.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        return tl::unexpected(file.errorString());
    // Before anything is in it: what is not for others is never theirs, not even for a moment.
    const bool isOurs = !permissions || file.setPermissions(*permissions);
    if (isOurs && file.write(bytes) == bytes.size() && file.commit())
        return {};
    const QString why = file.errorString();
    file.cancelWriting();
    return tl::unexpected(why);
}

tl::expected<void, QString> createFile(const QString& path, const QByteArray& bytes)
{
    QTemporaryFile file(path + QStringLiteral(".XXXXXX"));
    if (!file.open() || file.write(bytes) != bytes.size() || !file.flush())
        return tl::unexpected(file.errorString());
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ReadGroup |
                        QFileDevice::ReadOther);
    // A second name for the finished file: unlike a rename this never takes the place of another.
    if (::link(QFile::encodeName(file.fileName()).constData(), QFile::encodeName(path).constData()) == 0)
        return {};
    return tl::unexpected(QString::fromLocal8Bit(std::strerror(errno)));
}

} // namespace sg::workspace
