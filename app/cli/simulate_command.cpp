// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/session/interrupt.h"
#include "app/session/session.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QTimer>

namespace sg::app {

int simulateCommand(const QStringList& arguments)
{
    const QString name = QStringLiteral("simulate");
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Runs the provider simulator until Ctrl+C."));
    parser.addOptions({
        {QStringLiteral("script"), QStringLiteral("A script file, as SCRIPT."), QStringLiteral("FILE")},
        {QStringLiteral("port"), QStringLiteral("Port on 127.0.0.1 (default: a free one)."), QStringLiteral("N")},
        {QStringLiteral("seed"), QStringLiteral("Seed of every draw (default: the script's)."), QStringLiteral("S")},
        {QStringLiteral("for"), QStringLiteral("Stop by itself after so many seconds."), QStringLiteral("SECONDS")},
        {QStringLiteral("json"), QStringLiteral("Print the addresses, and at the end the statistics, as JSON.")},
    });
    parser.addPositionalArgument(QStringLiteral("SCRIPT"),
                                 QStringLiteral("A script file (default: the practice script)."),
                                 QStringLiteral("[SCRIPT]"));
    if (const auto code = parseArguments(parser, name, arguments))
        return *code;
    const QStringList files = parser.positionalArguments() + parser.values(QStringLiteral("script"));
    if (files.size() > 1)
        return usageError(QStringLiteral("simulate takes one script."), name);
    bool ok = true;
    const uint port = parser.isSet(QStringLiteral("port")) ? parser.value(QStringLiteral("port")).toUInt(&ok) : 0;
    if (!ok || port > 65535)
        return usageError(QStringLiteral("--port takes a number from 0 to 65535."), name);
    const double seconds = parser.isSet(QStringLiteral("for")) ? parser.value(QStringLiteral("for")).toDouble(&ok) : 0;
    if (!ok || !(seconds >= 0 && seconds < 1e6))
        return usageError(QStringLiteral("--for takes a number of seconds."), name);
    const qulonglong seed =
        parser.isSet(QStringLiteral("seed")) ? parser.value(QStringLiteral("seed")).toULongLong(&ok) : 0;
    if (!ok)
        return usageError(QStringLiteral("--seed takes a whole number."), name);

    const QString path = files.value(0, QStringLiteral(":/practice/script.json"));
    const auto bytes = readFile(path);
    if (!bytes) {
        printError(bytes.error());
        return kBadUsage;
    }
    auto script = simulator::parseScript(*bytes);
    if (!script) {
        for (const QString& line : linesOf(script.error(), path))
            printError(line);
        return kBadUsage;
    }
    if (parser.isSet(QStringLiteral("seed")))
        script->seed = seed;

    Interrupt interrupt([] { QCoreApplication::quit(); });
    simulator::Simulator simulator(std::move(*script));
    const auto listening = simulator.start(static_cast<quint16>(port));
    if (!listening) {
        printError(listening.error());
        return kBadUsage;
    }
    const bool json = parser.isSet(QStringLiteral("json"));
    QJsonObject addresses;
    for (const simulator::EndpointScript& endpoint : simulator.script().endpoints) {
        const QString url = simulator.baseUrl(endpoint.name).toString();
        addresses.insert(endpoint.name, url);
        if (!json)
            printOut(QStringLiteral("%1  %2").arg(endpoint.name, url));
    }
    const QString stats = QStringLiteral("http://127.0.0.1:%1/stats").arg(simulator.port());
    if (json)
        printJson({{QStringLiteral("port"), simulator.port()},
                   {QStringLiteral("endpoints"), addresses},
                   {QStringLiteral("stats"), stats}});
    else
        printOut(QStringLiteral("Ground truth: %1. Ctrl+C stops.").arg(stats));
    if (seconds > 0)
        QTimer::singleShot(std::chrono::duration_cast<std::chrono::milliseconds>(fromMs(seconds * 1000)),
                           QCoreApplication::instance(), &QCoreApplication::quit);
    QCoreApplication::exec();
    if (json)
        printJson(simulator.stats());
    return kFine;
}

} // namespace sg::app
