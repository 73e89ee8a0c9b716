// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop.h"

#include <QApplication>
#include <QCommandLineParser>

#include <cstdio>

namespace sg::app {

namespace {

int complain(const QString& problem)
{
    const QByteArray line = problem.toUtf8() + '\n';
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), stderr);
    return 2;
}

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral("The operator's desk for LLM API traffic."));
    parser.addOptions({
        {QStringLiteral("demo"),
         QStringLiteral("The practice workspace on the built-in simulator, with traffic (default without a file).")},
        {QStringLiteral("workspace"), QStringLiteral("Open this workspace file."), QStringLiteral("FILE")},
        {QStringLiteral("shots"), QStringLiteral("Write every page as PAGE-THEME.png into this directory and exit."),
         QStringLiteral("DIR")},
        {QStringLiteral("after"), QStringLiteral("Seconds to run before --shots (default 20)."),
         QStringLiteral("SECONDS"), QStringLiteral("20")},
        {QStringLiteral("seed"), QStringLiteral("Seed of every draw (default 1)."), QStringLiteral("S"),
         QStringLiteral("1")},
    });
    QCommandLineOption measureStart(QStringLiteral("measure-start"));
    measureStart.setFlags(QCommandLineOption::HiddenFromHelp); // for tests/bench/bench_ui_start
    parser.addOption(measureStart);
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("A workspace file, as --workspace."),
                                 QStringLiteral("[FILE]"));
    parser.addHelpOption();
    parser.addVersionOption();
}

tl::expected<DesktopOptions, QString> readOptions(const QCommandLineParser& parser)
{
    DesktopOptions options;
    QStringList files = parser.positionalArguments();
    if (parser.isSet(QStringLiteral("workspace")))
        files.append(parser.value(QStringLiteral("workspace")));
    const bool demo = parser.isSet(QStringLiteral("demo"));
    if (files.size() > 1 || (demo && !files.isEmpty()))
        return tl::unexpected(QStringLiteral("Give one workspace, or --demo. See: switchgear --help"));
    if (!files.isEmpty())
        options.session.workspaceFile = files.first();
    options.practiceTraffic = files.isEmpty();

    bool ok = false;
    options.session.engine.seed = parser.value(QStringLiteral("seed")).toULongLong(&ok);
    if (!ok)
        return tl::unexpected(QStringLiteral("--seed takes a whole number. See: switchgear --help"));
    options.shotsAfterSeconds = parser.value(QStringLiteral("after")).toDouble(&ok);
    if (!ok || !(options.shotsAfterSeconds >= 0 && options.shotsAfterSeconds <= 3600))
        return tl::unexpected(QStringLiteral("--after takes seconds from 0 to 3600. See: switchgear --help"));
    options.measureStart = parser.isSet(QStringLiteral("measure-start"));
    if (parser.isSet(QStringLiteral("shots")))
        options.shotsDirectory = parser.value(QStringLiteral("shots"));
    return options;
}

} // namespace
} // namespace sg::app

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("switchgear"));
    QApplication::setApplicationDisplayName(QStringLiteral("Switchgear"));
    QApplication::setOrganizationName(QStringLiteral("switchgear"));
    QApplication::setApplicationVersion(QStringLiteral(SWITCHGEAR_VERSION));

    QCommandLineParser parser;
    sg::app::addOptions(parser);
    parser.process(application);
    const auto options = sg::app::readOptions(parser);
    if (!options)
        return sg::app::complain(options.error());
    return sg::app::runDesktop(*options);
}
