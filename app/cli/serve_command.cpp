// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/service_manager.h"
#include "app/cli/transport_option.h"
#include "app/session/gateway_host.h"
#include "app/session/interrupt.h"
#include "app/session/log_writer.h"
#include "app/session/terminal_text.h"
#include "core/gateway/failure.h"
#include "core/provider/mask.h"

#include <QCommandLineParser>
#include <QDateTime>
#include <QEventLoop>
#include <QJsonDocument>
#include <QPointer>

#include <thread>
#include <unistd.h>

namespace sg::app {

namespace {

using gateway::Phase;

const QString kName = QStringLiteral("serve");
const QString kNoNames =
    QStringLiteral("There is no chain, so nothing can be asked for: every request is 404. Add one to the file.");
constexpr std::chrono::seconds kLongestCutOff{5}; ///< after a second signal

struct ServeOptions
{
    SessionOptions session;
    GatewayOverrides overrides;
    bool json = false, log = false;
};

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral(
        "Serves a workspace's chains to applications, in OpenAI's form, until SIGTERM or Ctrl+C: then what is under "
        "way may end, and a second signal cuts it off. SIGHUP reads the workspace file and the keychain again. Exit "
        "codes: 0 stopped when asked to, 2 bad usage or input, or the port cannot be had."));
    parser.addOptions({
        {QStringLiteral("demo"), QStringLiteral("The practice workspace on the built-in simulator.")},
        {QStringLiteral("environment"), QStringLiteral("The workspace file's environment (default: its own)."),
         QStringLiteral("NAME")},
        {QStringLiteral("port"), QStringLiteral("Port to listen on (default: the workspace's, 8787; 0: a free one)."),
         QStringLiteral("N")},
        {QStringLiteral("listen"), QStringLiteral("Address to listen on (default: the workspace's, 127.0.0.1)."),
         QStringLiteral("ADDRESS")},
        {QStringLiteral("token-env"),
         QStringLiteral("The environment variable with the token that applications must send."), QStringLiteral("VAR")},
        {QStringLiteral("json"), QStringLiteral("One line of JSON when it is ready, for scripts.")},
        {QStringLiteral("log"),
         QStringLiteral("A line on standard error for each chat or embeddings that ended and each request refused.")},
    });
    addTransportOption(parser);
    parser.addPositionalArgument(QStringLiteral("WORKSPACE"), QStringLiteral("A workspace file."),
                                 QStringLiteral("[WORKSPACE]"));
}

tl::expected<ServeOptions, QString> readOptions(const QCommandLineParser& parser)
{
    ServeOptions options;
    const QStringList files = parser.positionalArguments();
    const bool demo = parser.isSet(QStringLiteral("demo"));
    if (demo != files.isEmpty() || files.size() > 1)
        return tl::unexpected(QStringLiteral("serve takes one workspace file, or --demo."));
    if (!demo)
        options.session.workspaceFile = files.first();
    options.session.environment = parser.value(QStringLiteral("environment"));
    if (demo && !options.session.environment.isEmpty())
        return tl::unexpected(QStringLiteral("--environment says which part of a file counts; leave out --demo."));
    if (parser.isSet(QStringLiteral("port"))) {
        bool ok = false;
        const uint port = parser.value(QStringLiteral("port")).toUInt(&ok);
        if (!ok || port > 65535)
            return tl::unexpected(QStringLiteral("--port takes a number from 0 to 65535."));
        options.overrides.port = static_cast<quint16>(port);
    }
    if (parser.isSet(QStringLiteral("listen")))
        options.overrides.address = parser.value(QStringLiteral("listen"));
    if (parser.isSet(QStringLiteral("token-env")))
        options.overrides.token =
            workspace::KeyRef{workspace::KeySource::Environment, parser.value(QStringLiteral("token-env"))};
    const auto transport = transportOption(parser);
    if (!transport)
        return tl::unexpected(transport.error());
    options.session.engine.transport = *transport;
    options.session.isGateway = true;
    options.json = parser.isSet(QStringLiteral("json"));
    options.log = parser.isSet(QStringLiteral("log"));
    return options;
}

// ---- the log

QString dollars(const gateway::Ended& ended)
{
    if (!ended.costNanoUsd)
        return QStringLiteral("-");
    const QString sum = QStringLiteral("$") + QString::number(double(*ended.costNanoUsd) / 1e9, 'f', 6);
    return (ended.costIsLowerBound ? QStringLiteral(">=") : QString()) +
           (ended.costIsEstimated ? QStringLiteral("~") : QString()) + sum;
}

QString tokens(const std::optional<std::int64_t>& count)
{
    return count ? QString::number(*count) : QStringLiteral("-");
}

QString sourceWord(chain::Source source)
{
    switch (source) {
    case chain::Source::Endpoint:
        return QStringLiteral("endpoint");
    case chain::Source::Cache:
        return QStringLiteral("cache");
    case chain::Source::SharedCall:
        return QStringLiteral("shared");
    case chain::Source::CannedReply:
        return QStringLiteral("canned");
    case chain::Source::None:
        break;
    }
    return QStringLiteral("-");
}

/// A name from a file or a path as one word of a line.
QString word(const QString& name)
{
    constexpr qsizetype kMost = 200;
    const QString text = name.left(kMost).simplified();
    return text.isEmpty() ? QStringLiteral("-") : QString(text).replace(QLatin1Char(' '), QLatin1Char('_'));
}

QString lineOf(const gateway::Ended& ended)
{
    const QStringList fields{
        QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs),
        QString::fromLatin1(ended.requestId),
        word(QString::fromUtf8(ended.path)),
        word(QString::fromStdString(ended.chain)),
        word(QString::fromStdString(ended.endpoint)),
        QString::number(ended.status),
        QStringLiteral("%1ms").arg(qRound64(toMs(ended.took))),
        QStringLiteral("%1+%2").arg(tokens(ended.usage.inputTokens), tokens(ended.usage.outputTokens)),
        dollars(ended),
        sourceWord(ended.source),
        word(ended.code)};
    return provider::maskSecrets(fields.join(QLatin1Char(' ')));
}

/// Where Qt's own warnings go while it serves: its handler is a function and no object.
LogWriter* warnings = nullptr;

void warned(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    warnings->write(terminalText(qFormatLogMessage(type, context, message)).toUtf8());
}

// ---- what is said

QString exampleOf(const gateway::Status& status, const workspace::KeyRef& token)
{
    const QString model = status.models.value(0);
    const QString variable =
        token.source == workspace::KeySource::Environment ? token.name : QStringLiteral("SWITCHGEAR_TOKEN");
    const QString body = QString::fromUtf8(
        QJsonDocument(QJsonObject{{QStringLiteral("model"), model},
                                  {QStringLiteral("messages"),
                                   QJsonArray{QJsonObject{{QStringLiteral("role"), QStringLiteral("user")},
                                                          {QStringLiteral("content"), QStringLiteral("Hello")}}}}})
            .toJson(QJsonDocument::Compact));
    return QStringLiteral("curl %1/chat/completions%2 -H 'Content-Type: application/json' -d '%3'")
        .arg(status.url,
             status.hasToken ? QStringLiteral(" -H \"Authorization: Bearer $%1\"").arg(variable) : QString(),
             QString(body).replace(QLatin1Char('\''), QLatin1String("'\\''")));
}

void tellReady(const GatewayHost& host, const Session& session, const ServeOptions& options)
{
    const gateway::Status status = host.status();
    if (options.json) {
        const QUrl url(status.url);
        printOut(QString::fromUtf8(
            QJsonDocument(QJsonObject{{QStringLiteral("url"), status.url},
                                      {QStringLiteral("port"), url.port()},
                                      {QStringLiteral("token"), status.hasToken},
                                      {QStringLiteral("models"), QJsonArray::fromStringList(status.models)}})
                .toJson(QJsonDocument::Compact)));
        return;
    }
    printOut(QStringLiteral("Serves %1 at %2").arg(session.workspace().name, status.url));
    const bool hasNames = !status.models.isEmpty();
    printOut(hasNames ? QStringLiteral("Models: %1").arg(status.models.join(QStringLiteral(", "))) : kNoNames);
    printOut(status.hasToken ? QStringLiteral("Token: asked for, as the API key of applications")
                             : QStringLiteral("Token: none is asked for; only this machine can call"));
    if (hasNames)
        printOut(QStringLiteral("Try: ") + exampleOf(status, host.settings().token));
    printOut(QStringLiteral("Ctrl+C stops: what is under way may end within %1 s; again: it is cut off.%2")
                 .arg(toMs(host.settings().drain) / 1000)
                 .arg(options.session.workspaceFile ? QStringLiteral(" SIGHUP reads the file again.") : QString()));
}

// ---- serving

/// One run of the command, from the opened session to the last request.
class Serving
{
public:
    Serving(Session& session, const ServeOptions& options, LogWriter& log)
        : session_(session)
        , options_(options)
        , log_(log)
        , host_(session, options.overrides)
    {
        QObject::connect(&host_, &gateway::Control::changed, &loop_, [this] { follow(); });
    }

    int run()
    {
        awaitKeys();
        if (!isStopping_) {
            tellKeys();
            host_.start();
            if (code_ < 0)
                loop_.exec();
        }
        return std::max(code_, int(kFine));
    }

    void stop()
    {
        if (quitWaiting_)
            quitWaiting_();
        if (!std::exchange(isStopping_, true))
            tellServiceManager("STOPPING=1\n");
        else
            endSoon();
        const gateway::Status status = host_.status();
        if (status.phase == Phase::Serving)
            say(QStringLiteral("Stopping: no new requests; those under way may finish. Again: cut them off."));
        host_.stop();
    }

    void reload()
    {
        if (isStopping_ || phase_ != Phase::Serving)
            return;
        url_ = host_.status().url;
        said_.clear(); // what is still so is said again
        session_.keys().readAgain();
        const auto& file = options_.session.workspaceFile;
        if (!file)
            return say(QStringLiteral("The practice workspace is in no file that could be read again."));
        tellServiceManager("RELOADING=1\n");
        const auto read = workspace::Document::open(*file, options_.session.environment);
        const auto applied =
            read ? session_.applyWorkspace(std::make_shared<const workspace::Workspace>(read->workspace()), {},
                                           [this] { reloaded(); })
                 : tl::unexpected(linesOf(read.error(), *file));
        if (applied) {
            for (const QString& line : linesOf(read->warnings(), *file))
                say(QStringLiteral("Warning: ") + line);
            return;
        }
        for (const QString& line : applied.error())
            say(line);
        say(QStringLiteral("The file was not taken over; what served before goes on."));
        tellServiceManager("READY=1\n");
    }

private:
    /// Never waits for who reads it, or signals would not be heard either.
    void say(const QString& text) { log_.write(terminalText(text).toUtf8()); }

    void tellKeys()
    {
        for (const auto& problems : {session_.keyProblems(), session_.keyWarnings()})
            for (const KeyProblem& problem : problems)
                say(QStringLiteral("Warning: ") + problem.line);
    }

    void awaitKeys()
    {
        QEventLoop waiting;
        bool done = false;
        quitWaiting_ = [&] { waiting.quit(); };
        session_.readKeychain([&] {
            done = true;
            waiting.quit();
        });
        if (!done && !isStopping_)
            waiting.exec();
        quitWaiting_ = {};
    }

    /// Whatever else hangs, a second signal ends the program.
    static void endSoon()
    {
        std::thread([] {
            std::this_thread::sleep_for(kLongestCutOff);
            ::_exit(kFine);
        }).detach();
    }

    void follow()
    {
        const gateway::Status status = host_.status();
        const bool isNew = std::exchange(phase_, status.phase) != status.phase;
        if (isNew && status.phase == Phase::Serving) {
            tellReady(host_, session_, options_);
            tellServiceManager("READY=1\nSTATUS=Serves at " + status.url.toUtf8() + '\n');
        } else if (isNew && status.phase == Phase::Failed) {
            const bool isPort = status.words.startsWith(QLatin1String("Port "));
            say(status.words + (isPort ? QStringLiteral(" Say which with --port N, where 0 takes a free one, or "
                                                        "with \"port\" of the workspace's \"gateway\".")
                                       : QString()));
            end(kBadUsage);
        } else if (isNew && status.phase == Phase::Off) {
            end(kFine);
        } else if (!isNew && status.phase == Phase::Serving) {
            tellChange(status);
        }
    }

    /// While it serves: another address, or what could not be taken over.
    void tellChange(const gateway::Status& status)
    {
        if (!status.words.isEmpty() && status.words != said_)
            say(status.words);
        said_ = status.words;
        if (!url_.isEmpty() && status.url != url_)
            say(QStringLiteral("Serves at %1 now.").arg(status.url));
        url_ = status.url;
    }

    void end(int code)
    {
        code_ = code;
        loop_.quit();
    }

    /// The gateway hears of it right after this, and of its token perhaps later; it may have to say that it cannot go
    /// along.
    void reloaded()
    {
        session_.readKeychain([this, loop = QPointer(&loop_)] {
            if (loop)
                QMetaObject::invokeMethod(
                    &loop_, [this] { tellReloaded(); }, Qt::QueuedConnection);
        });
    }

    void tellReloaded()
    {
        const gateway::Status status = host_.status();
        say(status.words.isEmpty() ? QStringLiteral("Read again: requests go by the file as it is now.")
                                   : QStringLiteral("Read again: chains and endpoints are as the file has them now, "
                                                    "not all of the gateway's own settings are."));
        if (const QString environment = session_.workspace().environment; environment != environment_)
            say(QStringLiteral("The environment is \"%1\" now, before it was \"%2\".")
                    .arg(environment, std::exchange(environment_, environment)));
        if (status.models.isEmpty())
            say(QStringLiteral("Warning: ") + kNoNames);
        tellChange(status);
        tellKeys();
        tellServiceManager("READY=1\n");
    }

    Session& session_;
    const ServeOptions& options_;
    LogWriter& log_;
    QEventLoop loop_;
    GatewayHost host_;
    bool isStopping_ = false;
    int code_ = -1;
    Phase phase_ = Phase::Off;
    QString url_, said_, environment_ = session_.workspace().environment;
    std::function<void()> quitWaiting_;
};

} // namespace

int serveCommand(const QStringList& arguments)
{
    QCommandLineParser parser;
    addOptions(parser);
    if (const auto code = parseArguments(parser, kName, arguments))
        return *code;
    auto options = readOptions(parser);
    if (!options)
        return usageError(options.error(), kName);
    LogWriter log(STDERR_FILENO); // outlives the session, whose engine's thread writes to it
    if (options->log)
        options->overrides.onEnded = [&log](const gateway::Ended& ended) {
            log.write(terminalText(lineOf(ended)).toUtf8());
        };
    Serving* serving = nullptr;
    bool isOver = false;
    // A signal counts from here on, also while the workspace is read.
    std::optional<Interrupt> stop(std::in_place, [&] { serving ? serving->stop() : void(isOver = true); });
    std::optional<Interrupt> reload(
        std::in_place, [&] { serving ? serving->reload() : void(); }, nullptr, std::vector<int>{SIGHUP});
    auto session = Session::open(options->session);
    if (isOver)
        return kFine;
    if (!session) {
        for (const QString& line : session.error())
            printError(line);
        return kBadUsage;
    }
    for (const QString& warning : (*session)->warnings())
        printError(QStringLiteral("Warning: ") + warning);
    warnings = &log;
    const QtMessageHandler before = qInstallMessageHandler(warned);
    int code = kFine;
    {
        Serving one(**session, *options, log);
        serving = &one;
        code = one.run();
    }
    stop.reset(); // should the rest hang, a signal ends it as it ends any program
    reload.reset();
    session->reset(); // while there is somebody to warn
    qInstallMessageHandler(before);
    return code;
}

} // namespace sg::app
