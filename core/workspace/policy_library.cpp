// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_file.h"
#include "core/workspace/workspace_read.h"

#include <QFile>

/// Resources of a static library are linked only when somebody asks for them; the macro wants no namespace around it.
static void initResources()
{
    Q_INIT_RESOURCE(workspace);
}

namespace sg::workspace {

namespace {

template <typename Policy>
using ByName = std::map<std::string, Policy>;

template <typename Policy>
using From = Policy (*)(ObjectReader& reader, QJsonObject& unknown);

template <typename Policy>
const Policy* find(const PolicyLibrary& own, ByName<Policy> PolicyLibrary::*kind, const std::string& name)
{
    for (const PolicyLibrary* library : {&own, &PolicyLibrary::builtIn()}) {
        const ByName<Policy>& policies = library->*kind;
        if (const auto found = policies.find(name); found != policies.end())
            return &found->second;
    }
    return nullptr;
}

template <typename Policy>
QStringList namesOf(const PolicyLibrary& own, ByName<Policy> PolicyLibrary::*kind)
{
    QStringList names;
    for (const PolicyLibrary* library : {&own, &PolicyLibrary::builtIn()})
        for (const auto& [name, policy] : library->*kind)
            names << QString::fromStdString(name);
    names.removeDuplicates();
    return names;
}

template <typename Policy>
ByName<Policy> readKind(ObjectReader& owner, const QString& part, From<Policy> from, QJsonObject& unknown)
{
    ByName<Policy> policies;
    const auto object = owner.object(part);
    if (!object)
        return policies;
    ObjectReader reader(*object, owner.place(part), owner.findings(), owner.unknownLevel());
    QJsonObject kept;
    const QStringList names = object->keys();
    for (const QString& name : names) {
        if (name.trimmed().isEmpty())
            reader.error(name, QStringLiteral("a policy's name is empty"), QStringLiteral("Give it a name"));
        auto policy = partReader(reader, name);
        if (!policy)
            continue;
        QJsonObject unread;
        policies.emplace(name.toStdString(), from(*policy, unread));
        keepUnknown(kept, name, unread);
    }
    keepUnknown(unknown, part, kept);
    return policies;
}

template <typename Policy>
std::optional<Policy> readPolicy(ObjectReader& owner, const QString& part, const PolicyLibrary& own,
                                 ByName<Policy> PolicyLibrary::*kind, From<Policy> from, std::string& name,
                                 QJsonObject& unknown)
{
    if (const auto value = owner.any(part); value && value->isString()) {
        const std::string wanted = value->toString().toStdString();
        if (const Policy* policy = find(own, kind, wanted)) {
            name = wanted;
            return *policy;
        }
        reportUnknownName(owner, part, QStringLiteral("policy"), value->toString(), namesOf(own, kind),
                          QStringLiteral("Write it out, add it under policies.%1s").arg(part));
        return std::nullopt;
    }
    auto reader = partReader(owner, part);
    if (!reader)
        return std::nullopt;
    QJsonObject unread;
    const Policy policy = from(*reader, unread);
    keepUnknown(unknown, part, unread);
    return policy;
}

PolicyLibrary libraryFrom(ObjectReader& reader, QJsonObject& unknown)
{
    PolicyLibrary library;
    library.backoffs = readKind(reader, QStringLiteral("backoffs"), backoffFrom, unknown);
    library.breakers = readKind(reader, QStringLiteral("breakers"), breakerFrom, unknown);
    library.limiters = readKind(reader, QStringLiteral("limiters"), limiterFrom, unknown);
    joinUnknown(unknown, reader.finish());
    return library;
}

QByteArray resource(const QString& name)
{
    initResources();
    QFile file(QStringLiteral(":/workspace/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

PolicyLibrary readBuiltIn()
{
    const auto object = readJsonObject(resource(QStringLiteral("policies.json")));
    Findings findings;
    ObjectReader reader(object.value_or(QJsonObject()), QString(), findings, FindingLevel::Error);
    reader.text(QStringLiteral("format"));
    QJsonObject unknown;
    return libraryFrom(reader, unknown);
}

} // namespace

QByteArray workspaceSchema()
{
    return resource(QStringLiteral("workspace.schema.json"));
}

const PolicyLibrary& PolicyLibrary::builtIn()
{
    static const PolicyLibrary library = readBuiltIn();
    return library;
}

const policy::BackoffPolicy* Workspace::findBackoff(const std::string& wanted) const
{
    return find(policies, &PolicyLibrary::backoffs, wanted);
}

const policy::BreakerConfig* Workspace::findBreaker(const std::string& wanted) const
{
    return find(policies, &PolicyLibrary::breakers, wanted);
}

const chain::LimiterSpec* Workspace::findLimiter(const std::string& wanted) const
{
    return find(policies, &PolicyLibrary::limiters, wanted);
}

PolicyLibrary readPolicies(ObjectReader& owner, QJsonObject& unknown)
{
    const QString part = QStringLiteral("policies");
    auto reader = partReader(owner, part);
    if (!reader)
        return {};
    QJsonObject nested;
    PolicyLibrary library = libraryFrom(*reader, nested);
    keepUnknown(unknown, part, nested);
    return library;
}

std::optional<policy::BackoffPolicy> readBackoff(ObjectReader& owner, const Workspace& workspace, std::string& name,
                                                 QJsonObject& unknown)
{
    return readPolicy(owner, QStringLiteral("backoff"), workspace.policies, &PolicyLibrary::backoffs, backoffFrom, name,
                      unknown);
}

std::optional<policy::BreakerConfig> readBreaker(ObjectReader& owner, const Workspace& workspace, std::string& name,
                                                 QJsonObject& unknown)
{
    return readPolicy(owner, QStringLiteral("breaker"), workspace.policies, &PolicyLibrary::breakers, breakerFrom, name,
                      unknown);
}

std::optional<chain::LimiterSpec> readLimiter(ObjectReader& owner, const Workspace& workspace, std::string& name,
                                              QJsonObject& unknown)
{
    return readPolicy(owner, QStringLiteral("limiter"), workspace.policies, &PolicyLibrary::limiters, limiterFrom, name,
                      unknown);
}

void reportUnknownName(ObjectReader& reader, const QString& field, const QString& thing, const QString& name,
                       const QStringList& known, const QString& add)
{
    const auto nearest = nearestName(name, known);
    reader.error(field, QStringLiteral("there is no %1 \"%2\"").arg(thing, name),
                 nearest ? QStringLiteral("Did you mean \"%1\"?").arg(*nearest)
                         : QStringLiteral("%1, or name one of: %2").arg(add, known.join(QStringLiteral(", "))));
}

} // namespace sg::workspace
