// SPDX-License-Identifier: GPL-3.0-or-later
// Plays the specification's vectors: those of the repository, then those of the directory that the environment
// variable SWITCHGEAR_VECTORS names. One line a file, one a failing case; exit code 1 when anything failed.
#include "tests/support/vectors.h"

#include <QDir>
#include <QTextStream>

namespace {

int runDirectory(const QString& path, QTextStream& out)
{
    const QDir directory(path);
    const QStringList files = directory.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
    if (files.isEmpty()) {
        out << path << ": no vector files, 1 failed\n";
        return 1;
    }
    int failed = 0;
    for (const QString& file : files) {
        const auto outcome = sg::vectors::runVectorFile(directory.filePath(file), sg::vectors::vectorKinds());
        out << outcome.summary << '\n';
        for (const QString& failure : outcome.failures)
            out << "  " << failure << '\n';
        failed += static_cast<int>(outcome.failures.size());
    }
    return failed;
}

} // namespace

int main()
{
    QTextStream out(stdout);
    int failed = runDirectory(QStringLiteral(SWITCHGEAR_TEST_DATA "/vectors"), out);
    const QString more = qEnvironmentVariable("SWITCHGEAR_VECTORS");
    if (!more.isEmpty())
        failed += runDirectory(more, out);
    return failed == 0 ? 0 : 1;
}
