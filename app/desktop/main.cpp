// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop.h"
#include "app/session/terminal_text.h"
#include "ui/theme/letter_scale.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCommandLineParser>

#include <cstdio>

namespace sg::app {

namespace {

int complain(const QString& problem)
{
    const QByteArray line = terminalText(problem).toUtf8() + '\n';
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
        {QStringLiteral("environment"), QStringLiteral("The file's environment to work on (default: its own)."),
         QStringLiteral("NAME")},
        {QStringLiteral("new"), QStringLiteral("Make a new empty workspace in this file and open it."),
         QStringLiteral("FILE")},
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
    if (parser.isSet(QStringLiteral("new"))) {
        files.append(parser.value(QStringLiteral("new")));
        options.isNew = true;
    }
    const bool demo = parser.isSet(QStringLiteral("demo"));
    if (files.size() > 1 || (demo && !files.isEmpty()))
        return tl::unexpected(QStringLiteral("Give one workspace, or --demo. See: switchgear --help"));
    if (!files.isEmpty())
        options.session.workspaceFile = files.first();
    options.practiceTraffic = files.isEmpty();
    options.session.environment = parser.value(QStringLiteral("environment"));
    if (!options.session.environment.isEmpty() && (files.isEmpty() || options.isNew))
        return tl::unexpected(
            QStringLiteral("--environment says which part of a file counts; name the file. See: switchgear --help"));

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

/// Without a display Qt would abort; offscreen it can at least read its arguments, take pictures and say what is wrong.
bool goOffscreenWithoutDisplay(int argc, char** argv)
{
    const bool isChosen =
        qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || std::any_of(argv, argv + argc, [](const char* argument) {
            return qstrcmp(argument, "-platform") == 0 || qstrcmp(argument, "--platform") == 0;
        });
    const bool isThere = !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
    if (isChosen || isThere)
        return false;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    return true;
}

bool isSeen()
{
    const QString platform = QGuiApplication::platformName();
    return platform != QLatin1String("offscreen") && platform != QLatin1String("minimal");
}

} // namespace
} // namespace sg::app

int main(int argc, char** argv)
{
    using namespace sg::app;
    const bool hasNoDisplay = goOffscreenWithoutDisplay(argc, argv);
    sg::ui::scaleWithLetters();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("switchgear"));
    QApplication::setApplicationDisplayName(QStringLiteral("Switchgear"));
    QApplication::setOrganizationName(QStringLiteral("switchgear"));
    QApplication::setApplicationVersion(QStringLiteral(SWITCHGEAR_VERSION));
    sg::ui::prepareApplication(application);

    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(QApplication::arguments()))
        return complain(parser.errorText() + QStringLiteral(" See: switchgear --help"));
    if (parser.isSet(QStringLiteral("help")) || parser.isSet(QStringLiteral("version")))
        parser.process(application); // prints and exits
    auto options = readOptions(parser);
    if (!options)
        return complain(options.error());
    if (hasNoDisplay && !options->shotsDirectory)
        return complain(QStringLiteral("There is no display. Start it in a desktop session, use switchgear-cli, or let "
                                       "--shots DIR write every page as a picture."));
    if (options->isNew) {
        if (const auto made = Desktop::createFile(*options->session.workspaceFile); !made)
            return complain(made.error());
    }
    options->showsProblems = isSeen() && !options->shotsDirectory;
    return runDesktop(*options);
}
