// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>

class QCommandLineParser;

/// The commands of switchgear-cli. Each takes the arguments after its name and answers with an exit code.
namespace sg::app {

enum ExitCode { kFine = 0, kResultSaysNo = 1, kBadUsage = 2, kRunInvalid = 3 };

int loadCommand(const QStringList& arguments);
int runsCommand(const QStringList& arguments);
int serveCommand(const QStringList& arguments);
int simulateCommand(const QStringList& arguments);
int checkCommand(const QStringList& arguments);
int explainCommand(const QStringList& arguments);
int modelsCommand(const QStringList& arguments);
int newCommand(const QStringList& arguments);
int importCommand(const QStringList& arguments);
int exportCommand(const QStringList& arguments);
int pricesCommand(const QStringList& arguments);
int schemaCommand(const QStringList& arguments);

void printOut(const QString& text);   ///< one line to standard output
int outputError();                    ///< errno of the first failure of printOut, 0 when there was none
void printError(const QString& text); ///< one line to standard error
int usageError(const QString& problem, const QString& command); ///< says it and where to read more; kBadUsage
void printHelp(const QCommandLineParser& parser, const QString& command);
/// Adds --help and parses. An exit code when the command is over with that: help was printed, or it was called wrongly.
std::optional<int> parseArguments(QCommandLineParser& parser, const QString& command, const QStringList& arguments);
/// The same for a command that takes one thing: "one file".
std::optional<int> parseOne(QCommandLineParser& parser, const QString& command, const QStringList& arguments,
                            const QString& what);
void printJson(const QJsonObject& object);
/// Never in the place of a file that is there. Says where it is, or why not; an exit code.
int writeNewFile(const QString& path, const QByteArray& bytes);

} // namespace sg::app
