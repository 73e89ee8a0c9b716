// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_read.h"

#include <QRegularExpression>

namespace sg::workspace {

namespace {

/// The variable that a placeholder stands for, in the forms of shells, LiteLLM, opencode and templates.
std::optional<QString> variableIn(const QString& placeholder)
{
    static const QRegularExpression forms(QStringLiteral(
        R"re(^(?:\$\{(?:env:)?(\w+)\}|\$(\w+)|\{\{\s*(\w+)\s*\}\}|\{env:(\w+)\}|os\.environ/(\w+)|env:(\w+))$)re"));
    static const QRegularExpression name(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    const auto match = forms.match(placeholder.trimmed());
    const QString last = match.captured(match.lastCapturedIndex());
    return match.hasMatch() && name.match(last).hasMatch() ? std::optional(last) : std::nullopt;
}

/// A key written as a text: a placeholder is understood, anything else has no place in a file.
KeyRef keyFromText(ObjectReader& owner, const QString& part, const QString& text)
{
    if (const auto variable = variableIn(text))
        return {KeySource::Environment, *variable, false};
    if (part == QLatin1String("token")) { // of the gateway
        owner.error(part, QStringLiteral("this does not say where the token is kept"),
                    QStringLiteral("Write \"${SWITCHGEAR_TOKEN}\" for a variable, or {\"source\": \"keychain\", "
                                   "\"name\": \"switchgear-gateway\"}"));
        return {};
    }
    owner.error(part, QStringLiteral("a file never holds a key"),
                QStringLiteral("Say where the key is kept, as in {\"source\": \"keychain\", \"name\": \"openai\"}"));
    return {};
}

void checkVariable(ObjectReader& reader, const QString& name)
{
    static const QRegularExpression variable(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    if (name.isEmpty() || variable.match(name).hasMatch())
        return;
    const auto meant = variableIn(name);
    reader.error(QStringLiteral("name"), QStringLiteral("this cannot be the name of an environment variable"),
                 meant ? QStringLiteral("Write only its name: %1").arg(*meant)
                       : QStringLiteral("Use letters, digits and underscores, as in OPENAI_API_KEY"));
}

} // namespace

bool isPlaceholder(const QString& text)
{
    return variableIn(text).has_value();
}

std::optional<ObjectReader> partReader(ObjectReader& owner, const QString& part)
{
    const auto object = owner.object(part);
    if (!object)
        return std::nullopt;
    return ObjectReader(*object, owner.place(part), owner.findings(), owner.unknownLevel());
}

KeyRef readKey(ObjectReader& owner, const QString& part, QJsonObject& unknown)
{
    if (const QJsonValue text = owner.any(part).value_or(QJsonValue()); text.isString())
        return keyFromText(owner, part, text.toString());
    auto reader = partReader(owner, part);
    if (!reader)
        return {};
    KeyRef key;
    key.source =
        reader
            ->choice<KeySource>(QStringLiteral("source"), {{QStringLiteral("none"), KeySource::None},
                                                           {QStringLiteral("environment"), KeySource::Environment},
                                                           {QStringLiteral("keychain"), KeySource::Keychain},
                                                           {QStringLiteral("session"), KeySource::Session}})
            .value_or(KeySource::None);
    key.saysNone = reader->has(QStringLiteral("source")) && key.source == KeySource::None;
    key.name = reader->text(QStringLiteral("name")).value_or(QString());
    if (!reader->has(QStringLiteral("source")))
        reader->missing(QStringLiteral("source"), QStringLiteral("Write environment, keychain, session or none"));
    if (key.source != KeySource::None && key.name.isEmpty())
        reader->missing(QStringLiteral("name"), key.source == KeySource::Environment
                                                    ? QStringLiteral("Name the variable, as in OPENAI_API_KEY")
                                                    : QStringLiteral("Name the entry, as in openai"));
    if (key.source == KeySource::Environment)
        checkVariable(*reader, key.name);
    keepUnknown(unknown, part, reader->finish());
    return key;
}

void readProviders(ObjectReader& owner, Workspace& workspace)
{
    const QString field = QStringLiteral("providers");
    workspace.providers = owner.array(field).value_or(QJsonArray());
    QStringList names;
    for (qsizetype i = 0; i < workspace.providers.size(); ++i) {
        const QString place = owner.place(field, i);
        std::vector<provider::ProfileFinding> found;
        auto profile = workspace.catalogue.read(workspace.providers.at(i).toObject(), found);
        for (const provider::ProfileFinding& finding : found)
            owner.findings().push_back({finding.isFatal ? FindingLevel::Error : FindingLevel::Warning,
                                        place + QLatin1Char('.') + finding.field, finding.problem, finding.remedy});
        if (!profile)
            continue;
        if (names.contains(profile->id))
            owner.findings().push_back({FindingLevel::Error, place + QStringLiteral(".id"),
                                        QStringLiteral("the name \"%1\" is there twice").arg(profile->id),
                                        QStringLiteral("Give each its own name")});
        names << profile->id;
        workspace.catalogue.add(*std::move(profile));
    }
}

} // namespace sg::workspace
