// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/session/session.h"
#include "core/http/mailbox.h"

#include <QCommandLineParser>
#include <QEventLoop>

namespace sg::app {

namespace {

const QString kName = QStringLiteral("models");

struct Asked
{
    const workspace::Endpoint* endpoint = nullptr;
    engine::ModelsResult models = tl::unexpected(QString());
};

void awaitKeychain(Session& session)
{
    QEventLoop loop;
    bool done = false;
    session.readKeychain([&] {
        done = true;
        loop.quit();
    });
    if (!done)
        loop.exec();
}

/// All at once: each has its own time limit, and one that does not answer holds up no other.
void askAll(Session& session, std::vector<Asked>& asked)
{
    QEventLoop loop;
    http::Mailbox here;
    std::size_t left = asked.size();
    session.engine().post([&](engine::EngineCore& core) {
        for (Asked& one : asked)
            core.listModels(one.endpoint->spec.name, [&](const engine::ModelsResult& models) {
                here.post([&, models] {
                    one.models = models;
                    if (--left == 0)
                        loop.quit();
                });
            });
    });
    loop.exec();
}

bool lacksItsModel(const Asked& one, const workspace::Workspace& workspace)
{
    return !engine::listsModel(workspace.profileOf(*one.endpoint).dialect, *one.models, one.endpoint->model);
}

QString lineOf(const provider::ListedModel& model)
{
    QStringList facts;
    if (model.title != model.id)
        facts << model.title;
    if (model.contextWindow)
        facts << QStringLiteral("window %1 tokens").arg(*model.contextWindow);
    if (model.maxOutput)
        facts << QStringLiteral("output up to %1").arg(*model.maxOutput);
    return QStringLiteral("  ") + model.id + (facts.isEmpty() ? QString() : QStringLiteral("  ")) +
           facts.join(QStringLiteral(", "));
}

QJsonObject toJson(const Asked& one, const workspace::Workspace& workspace)
{
    QJsonObject object{{QStringLiteral("endpoint"), QString::fromStdString(one.endpoint->spec.name)},
                       {QStringLiteral("provider"), workspace.profileOf(*one.endpoint).id},
                       {QStringLiteral("model"), one.endpoint->model}};
    if (!one.models) {
        object.insert(QStringLiteral("error"), one.models.error());
        return object;
    }
    QJsonArray list;
    for (const provider::ListedModel& model : *one.models) {
        QJsonObject entry{{QStringLiteral("id"), model.id}, {QStringLiteral("title"), model.title}};
        if (model.contextWindow)
            entry.insert(QStringLiteral("context_window"), qint64(*model.contextWindow));
        if (model.maxOutput)
            entry.insert(QStringLiteral("max_output"), qint64(*model.maxOutput));
        list.append(entry);
    }
    object.insert(QStringLiteral("models"), list);
    return object;
}

void print(const Asked& one, const workspace::Workspace& workspace)
{
    const QString who = QStringLiteral("%1 (%2)").arg(QString::fromStdString(one.endpoint->spec.name),
                                                      workspace.profileOf(*one.endpoint).title);
    if (!one.models)
        return printError(QStringLiteral("%1: %2").arg(who, one.models.error()));
    printOut(QStringLiteral("%1: %2 models").arg(who).arg(one.models->size()));
    for (const provider::ListedModel& model : *one.models)
        printOut(lineOf(model));
    if (lacksItsModel(one, workspace))
        printError(QStringLiteral("%1: The endpoint's model \"%2\" is not among them.").arg(who, one.endpoint->model));
}

/// The endpoints to ask, or what is wrong with the name.
tl::expected<std::vector<Asked>, QString> choose(const workspace::Workspace& workspace, const QString& name)
{
    std::vector<Asked> chosen;
    QStringList names;
    for (const workspace::Endpoint& endpoint : workspace.endpoints) {
        names << QString::fromStdString(endpoint.spec.name);
        if (name.isEmpty() || names.constLast() == name)
            chosen.push_back({&endpoint, tl::unexpected(QString())});
    }
    if (!chosen.empty())
        return chosen;
    if (names.isEmpty())
        return tl::unexpected(QStringLiteral("The workspace has no endpoints."));
    return tl::unexpected(QStringLiteral("There is no endpoint \"%1\". Its endpoints are: %2.")
                              .arg(name, names.join(QStringLiteral(", "))));
}

int tell(const std::vector<Asked>& asked, const workspace::Workspace& workspace, bool json)
{
    QJsonArray list;
    for (const Asked& one : asked)
        json ? list.append(toJson(one, workspace)) : print(one, workspace);
    if (json)
        printJson({{QStringLiteral("endpoints"), list}});
    return std::ranges::all_of(asked, [](const Asked& one) { return one.models.has_value(); }) ? kFine : kResultSaysNo;
}

} // namespace

int modelsCommand(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Lists the models that the providers of a workspace have. Costs no tokens. Exit code 0: all "
                       "answered, 1: at least one did not."));
    parser.addOptions({
        {QStringLiteral("endpoint"), QStringLiteral("Ask only this endpoint's provider."), QStringLiteral("NAME")},
        {QStringLiteral("environment"), QStringLiteral("The file's environment (default: its own)."),
         QStringLiteral("NAME")},
        {QStringLiteral("json"), QStringLiteral("Print the lists as JSON.")},
    });
    parser.addPositionalArgument(QStringLiteral("WORKSPACE"), QStringLiteral("The workspace file."));
    if (const auto code = parseOne(parser, kName, arguments, QStringLiteral("one workspace")))
        return *code;

    SessionOptions options;
    options.workspaceFile = parser.positionalArguments().constFirst();
    options.environment = parser.value(QStringLiteral("environment"));
    auto session = Session::open(options);
    if (!session) {
        for (const QString& line : session.error())
            printError(line);
        return kBadUsage;
    }
    auto asked = choose((*session)->workspace(), parser.value(QStringLiteral("endpoint")));
    if (!asked)
        return usageError(asked.error(), kName);
    awaitKeychain(**session);
    for (const KeyProblem& odd : (*session)->keyWarnings())
        printError(QStringLiteral("Warning: ") + odd.line);
    askAll(**session, *asked);
    return tell(*asked, (*session)->workspace(), parser.isSet(QStringLiteral("json")));
}

} // namespace sg::app
