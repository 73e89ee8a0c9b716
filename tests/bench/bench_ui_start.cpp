// SPDX-License-Identifier: GPL-3.0-or-later
// Time from the start of the process to the first complete paint of the window: `switchgear --demo --measure-start`,
// the program that lies beside this one, run again and again without a screen.
//   bench_ui_start [times]
#include "tests/support/bench_loop.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTextStream>

#include <algorithm>

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const int times = argc > 1 ? std::max(1, QByteArray(argv[1]).toInt()) : 10;
    const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/switchgear");
    QTextStream out(stdout);
    std::vector<double> spent;
    for (int i = 0; i < times; ++i) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        process.setProcessEnvironment(environment);
        process.start(program, {QStringLiteral("--demo"), QStringLiteral("--measure-start")});
        if (!process.waitForFinished(30000) || process.exitCode() != 0) {
            out << program << ": " << process.errorString() << "\n" << process.readAllStandardError() << Qt::endl;
            return 1;
        }
        // "first paint after N ms"
        spent.push_back(process.readAllStandardOutput().simplified().split(' ').value(3).toDouble());
    }
    out << times << " starts, first paint after: median "
        << QString::asprintf("%.0f ms, least %.0f, most %.0f", sg::test::percentile(spent, 50),
                             *std::ranges::min_element(spent), *std::ranges::max_element(spent))
        << Qt::endl;
    return 0;
}
