// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/lean_threads.h"
#include "app/session/terminal_text.h"
#include "core/workspace/replace_file.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonDocument>

#include <cerrno>
#include <cstdio>

namespace sg::app {

namespace {
int firstOutputError = 0;
}

void printOut(const QString& text)
{
    const QByteArray line = terminalText(text).toUtf8() + '\n';
    const bool isWhole = std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), stdout) ==
                         static_cast<std::size_t>(line.size());
    if ((!isWhole || std::fflush(stdout) != 0) && firstOutputError == 0)
        firstOutputError = errno;
}

int outputError()
{
    return firstOutputError;
}

void printError(const QString& text)
{
    const QByteArray line = terminalText(text).toUtf8() + '\n';
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), stderr);
}

int usageError(const QString& problem, const QString& command)
{
    const bool isSentence = problem.endsWith(QLatin1Char('.')) || problem.endsWith(QLatin1Char('?'));
    printError(QStringLiteral("%1%2 See: switchgear-cli %3 --help")
                   .arg(problem, isSentence ? QString() : QStringLiteral("."), command));
    return kBadUsage;
}

/// Qt's usage line knows the program, not its command.
void printHelp(const QCommandLineParser& parser, const QString& command)
{
    QString text = parser.helpText().trimmed();
    const QString asQtSaysIt = QStringLiteral("Usage: ") + QCoreApplication::arguments().constFirst();
    if (text.startsWith(asQtSaysIt))
        text.replace(0, asQtSaysIt.size(), QStringLiteral("Usage: switchgear-cli ") + command);
    printOut(text);
}

std::optional<int> parseArguments(QCommandLineParser& parser, const QString& command, const QStringList& arguments)
{
    parser.addHelpOption();
    if (!parser.parse(QStringList{command} + arguments))
        return usageError(parser.errorText(), command);
    if (!parser.isSet(QStringLiteral("help")))
        return std::nullopt;
    printHelp(parser, command);
    return kFine;
}

std::optional<int> parseOne(QCommandLineParser& parser, const QString& command, const QStringList& arguments,
                            const QString& what)
{
    if (const auto code = parseArguments(parser, command, arguments))
        return code;
    if (parser.positionalArguments().size() == 1)
        return std::nullopt;
    return usageError(QStringLiteral("%1 takes %2.").arg(command, what), command);
}

int writeNewFile(const QString& path, const QByteArray& bytes)
{
    if (QFileInfo::exists(path)) {
        printError(QStringLiteral("%1 is there already and was not touched. Choose another name.").arg(path));
        return kBadUsage;
    }
    if (const auto written = workspace::createFile(path, bytes); !written) {
        printError(QStringLiteral("%1 was not written: %2.").arg(path, written.error()));
        return kBadUsage;
    }
    printError(QStringLiteral("%1 was written.").arg(path));
    return kFine;
}

void printJson(const QJsonObject& object)
{
    printOut(QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Indented).trimmed()));
}

namespace {

const char* const kHelp = R"(switchgear-cli: Switchgear without a window

  switchgear-cli serve     serve a workspace's chains to applications
  switchgear-cli load      send a load through a chain or to an endpoint, print the report
  switchgear-cli runs      list, show, compare, note and delete the load runs that are kept
  switchgear-cli simulate  run the provider simulator on a local port
  switchgear-cli check     check a workspace or a simulator script
  switchgear-cli explain   say how a recorded answer is understood
  switchgear-cli models    list the models of a workspace's providers
  switchgear-cli schema    print the JSON Schema of workspace files
  switchgear-cli new       write a workspace to begin with
  switchgear-cli import    make a workspace of a LiteLLM configuration
  switchgear-cli export    print a chain as LiteLLM configuration
  switchgear-cli prices    take LiteLLM's table of prices into the price book

switchgear-cli COMMAND --help says more. Exit codes: 0 fine, 1 the result says no, 2 bad usage or input,
3 run invalid.)";

int dispatch(const QStringList& arguments)
{
    const QString command = arguments.value(1);
    const QStringList rest = arguments.mid(2);
    if (command == QLatin1String("load"))
        return loadCommand(rest);
    if (command == QLatin1String("runs"))
        return runsCommand(rest);
    if (command == QLatin1String("serve"))
        return serveCommand(rest);
    if (command == QLatin1String("simulate"))
        return simulateCommand(rest);
    if (command == QLatin1String("check"))
        return checkCommand(rest);
    if (command == QLatin1String("explain"))
        return explainCommand(rest);
    if (command == QLatin1String("models"))
        return modelsCommand(rest);
    if (command == QLatin1String("schema"))
        return schemaCommand(rest);
    if (command == QLatin1String("new"))
        return newCommand(rest);
    if (command == QLatin1String("import"))
        return importCommand(rest);
    if (command == QLatin1String("export"))
        return exportCommand(rest);
    if (command == QLatin1String("prices"))
        return pricesCommand(rest);
    if (command == QLatin1String("--version")) {
        printOut(QStringLiteral("switchgear-cli %1").arg(QCoreApplication::applicationVersion()));
        return kFine;
    }
    if (command == QLatin1String("--help") || command == QLatin1String("-h")) {
        printOut(QString::fromUtf8(kHelp));
        return kFine;
    }
    if (!command.isEmpty())
        printError(QStringLiteral("There is no command \"%1\".").arg(command));
    printError(QString::fromUtf8(kHelp));
    return kBadUsage;
}

} // namespace
} // namespace sg::app

int main(int argc, char** argv)
{
    sg::app::useLeanThreads();
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("switchgear-cli"));
    QCoreApplication::setApplicationVersion(QStringLiteral(SWITCHGEAR_VERSION));
    const int code = sg::app::dispatch(application.arguments());
    // Whoever piped the result into a full disk must not take it for a result.
    if (sg::app::outputError() == 0)
        return code;
    sg::app::printError(QStringLiteral("Standard output: the result could not be written there: %1. Free some space or "
                                       "write it elsewhere.")
                            .arg(qt_error_string(sg::app::outputError())));
    return sg::app::kBadUsage;
}
