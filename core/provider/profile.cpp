// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/profile.h"
#include "core/provider/request_writer.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

/// Resources of a static library are linked only when somebody asks for them; the macro wants no namespace around it.
static void initResources()
{
    Q_INIT_RESOURCE(providers);
}

namespace sg::provider {

namespace {
constexpr QLatin1String kFormat("switchgear-providers/1");

/// Reads the fields of one object and remembers which were asked for.
class Fields
{
public:
    Fields(const QJsonObject& object, const QString& prefix, std::vector<ProfileFinding>& findings)
        : object_(object)
        , prefix_(prefix)
        , findings_(findings)
    {
    }

    bool has(QLatin1String name)
    {
        known_ << name;
        return !object_[name].isUndefined() && !object_[name].isNull();
    }
    void text(QLatin1String name, QString& into)
    {
        if (!has(name))
            return;
        if (!object_[name].isString())
            return fatal(name, QStringLiteral("this must be a text in quotes"),
                         QStringLiteral("Write a text in quotes here"));
        into = object_[name].toString().trimmed();
    }
    void flag(QLatin1String name, bool& into)
    {
        if (!has(name))
            return;
        if (!object_[name].isBool())
            return fatal(name, QStringLiteral("this must be true or false"), QStringLiteral("Write true or false"));
        into = object_[name].toBool();
    }
    void texts(QLatin1String name, QStringList& into)
    {
        if (!has(name))
            return;
        const QJsonArray list = object_[name].toArray();
        const bool fine = object_[name].isArray() &&
                          std::all_of(list.begin(), list.end(), [](const QJsonValue& v) { return v.isString(); });
        if (!fine)
            return fatal(name, QStringLiteral("this must be a list of texts"),
                         QStringLiteral("Write it as in [\"sk-\"]"));
        into.clear();
        for (const QJsonValue& value : list)
            into << value.toString();
    }
    QJsonObject object(QLatin1String name)
    {
        if (!has(name))
            return {};
        if (!object_[name].isObject())
            fatal(name, QStringLiteral("this must be an object in { }"), QStringLiteral("Write it in { }"));
        return object_[name].toObject();
    }

    void fatal(const QString& name, const QString& problem, const QString& remedy)
    {
        findings_.push_back({true, prefix_ + name, problem, remedy});
    }
    void finish()
    {
        for (auto field = object_.constBegin(); field != object_.constEnd(); ++field)
            if (!known_.contains(field.key()))
                findings_.push_back(
                    {false, prefix_ + field.key(), QStringLiteral("unknown field"),
                     QStringLiteral("It has no effect; known are: %1").arg(known_.join(QStringLiteral(", ")))});
    }

private:
    const QJsonObject object_;
    QString prefix_;
    std::vector<ProfileFinding>& findings_;
    QStringList known_;
};

bool isHeaderName(const QString& text)
{
    static const QRegularExpression token(QStringLiteral("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"));
    return token.match(text).hasMatch();
}

bool isHeaderValue(const QString& text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= 0x20 && c.unicode() < 0x7f; });
}

void readHeaders(Fields& fields, ProviderProfile& profile)
{
    const QJsonObject headers = fields.object(QLatin1String("headers"));
    if (!headers.isEmpty())
        profile.headers.clear();
    for (auto header = headers.constBegin(); header != headers.constEnd(); ++header) {
        if (isHeaderName(header.key()) && header->isString() && isHeaderValue(header->toString()))
            profile.headers.emplace_back(header.key().toLatin1(), header->toString().toLatin1());
        else
            fields.fatal(QStringLiteral("headers.") + header.key(), QStringLiteral("this cannot be sent as a header"),
                         QStringLiteral("Use a plain name and a text of plain characters"));
    }
}

void readQuirks(const QJsonObject& json, Quirks& quirks, std::vector<ProfileFinding>& findings)
{
    Fields fields(json, QStringLiteral("quirks."), findings);
    fields.text(QLatin1String("max_tokens_field"), quirks.maxTokensField);
    static const QStringList names{QString(), QStringLiteral("max_tokens"), QStringLiteral("max_completion_tokens")};
    if (!names.contains(quirks.maxTokensField))
        fields.fatal(QStringLiteral("max_tokens_field"),
                     QStringLiteral("\"%1\" is not known here").arg(quirks.maxTokensField),
                     QStringLiteral("Write max_tokens or max_completion_tokens"));
    fields.flag(QLatin1String("stream_usage"), quirks.streamUsage);
    fields.flag(QLatin1String("json_mode"), quirks.jsonMode);
    fields.flag(QLatin1String("short_call_ids"), quirks.shortCallIds);
    fields.flag(QLatin1String("developer_role"), quirks.developerRole);
    fields.finish();
}

/// How the dialect is spoken, without what belongs to the provider whose dialect it is: its address and its keys.
ProviderProfile speaking(Dialect dialect, const Catalogue& known)
{
    ProviderProfile profile;
    profile.dialect = dialect;
    profile.needsKey = false;
    const ProviderProfile* model = known.find(toString(dialect));
    if (dialect == Dialect::OpenAi || !model)
        return profile;
    profile.keyHeader = model->keyHeader;
    profile.keyScheme = model->keyScheme;
    profile.headers = model->headers;
    profile.chatPath = model->chatPath;
    profile.modelsPath = model->modelsPath;
    profile.apiVersion = model->apiVersion;
    profile.quirks = model->quirks;
    return profile;
}

QString idsOf(const Catalogue& catalogue)
{
    QStringList ids;
    for (const ProviderProfile& profile : catalogue.all())
        ids << profile.id;
    return ids.join(QStringLiteral(", "));
}

/// What an entry begins with: the entry it extends, or its dialect.
ProviderProfile startOf(Fields& fields, const Catalogue& known)
{
    QString extends, word = QStringLiteral("openai");
    fields.text(QLatin1String("extends"), extends);
    const bool saysDialect = fields.has(QLatin1String("dialect"));
    fields.text(QLatin1String("dialect"), word);
    const auto dialect = dialectFromString(word.toStdString());
    if (!dialect)
        fields.fatal(QStringLiteral("dialect"), QStringLiteral("\"%1\" is not spoken here").arg(word),
                     QStringLiteral("Write openai, azure, anthropic or gemini"));
    if (extends.isEmpty())
        return speaking(dialect.value_or(Dialect::OpenAi), known);
    const ProviderProfile* base = known.find(extends.toStdString());
    if (!base) {
        fields.fatal(QStringLiteral("extends"),
                     QStringLiteral("there is no provider \"%1\" before this one").arg(extends),
                     QStringLiteral("Name one of: %1").arg(idsOf(known)));
        return {};
    }
    ProviderProfile profile = *base;
    if (saysDialect && dialect && *dialect != base->dialect)
        fields.fatal(QStringLiteral("dialect"), QStringLiteral("\"%1\" speaks another dialect").arg(extends),
                     QStringLiteral("Leave out \"dialect\" or \"extends\""));
    return profile;
}

void checkWhole(Fields& fields, const ProviderProfile& profile)
{
    static const QRegularExpression id(QStringLiteral("^[a-z0-9][a-z0-9._-]*$"));
    if (!id.match(profile.id).hasMatch())
        fields.fatal(QStringLiteral("id"),
                     profile.id.isEmpty() ? QStringLiteral("the field is missing")
                                          : QStringLiteral("\"%1\" cannot be a name").arg(profile.id),
                     QStringLiteral("Use small letters, digits, dots and dashes, as in \"my-gateway\""));
    if (!profile.baseUrl.isEmpty())
        if (const QString problem = addressProblem(profile.baseUrl); !problem.isEmpty())
            fields.fatal(QStringLiteral("base_url"), QStringLiteral("the address cannot be used"), problem.chopped(1));
    if (!isHeaderName(profile.keyHeader))
        fields.fatal(QStringLiteral("key_header"), QStringLiteral("this cannot be the name of a header"),
                     QStringLiteral("Write it as in Authorization"));
    if (!isHeaderValue(profile.keyScheme))
        fields.fatal(QStringLiteral("key_scheme"), QStringLiteral("this cannot be sent in a header"),
                     QStringLiteral("Write it as in \"Bearer\""));
    if (profile.chatPath.isEmpty())
        fields.fatal(QStringLiteral("chat_path"), QStringLiteral("without it no request can be sent"),
                     QStringLiteral("Write it as in chat/completions, or leave it out"));
}
} // namespace

std::optional<ProviderProfile> Catalogue::read(const QJsonObject& entry, std::vector<ProfileFinding>& findings) const
{
    const std::size_t before = findings.size();
    Fields fields(entry, QString(), findings);
    ProviderProfile profile = startOf(fields, *this);
    profile.id.clear();
    fields.text(QLatin1String("id"), profile.id);
    fields.text(QLatin1String("title"), profile.title);
    if (!fields.has(QLatin1String("title")))
        profile.title = profile.id;
    fields.text(QLatin1String("base_url"), profile.baseUrl);
    fields.text(QLatin1String("key_header"), profile.keyHeader);
    fields.text(QLatin1String("key_scheme"), profile.keyScheme);
    if (!profile.keyScheme.isEmpty() && !profile.keyScheme.endsWith(QLatin1Char(' ')))
        profile.keyScheme += QLatin1Char(' ');
    fields.texts(QLatin1String("key_prefixes"), profile.keyPrefixes);
    fields.text(QLatin1String("key_variable"), profile.keyVariable);
    fields.flag(QLatin1String("needs_key"), profile.needsKey);
    readHeaders(fields, profile);
    fields.text(QLatin1String("chat_path"), profile.chatPath);
    fields.text(QLatin1String("models_path"), profile.modelsPath);
    fields.text(QLatin1String("api_version"), profile.apiVersion);
    readQuirks(fields.object(QLatin1String("quirks")), profile.quirks, findings);
    checkWhole(fields, profile);
    fields.finish();
    const bool usable = std::none_of(findings.begin() + std::ptrdiff_t(before), findings.end(),
                                     [](const ProfileFinding& finding) { return finding.isFatal; });
    return usable ? std::optional(std::move(profile)) : std::nullopt;
}

Catalogue::Loaded Catalogue::load(const QByteArray& json)
{
    Loaded loaded;
    QJsonParseError error{};
    const QJsonObject root = QJsonDocument::fromJson(json, &error).object();
    if (root[QLatin1String("format")].toString() != kFormat) {
        loaded.findings << (error.error == QJsonParseError::NoError
                                ? QStringLiteral("This is no list of providers: its format is not %1.").arg(kFormat)
                                : QStringLiteral("This is no list of providers: %1.").arg(error.errorString()));
        return loaded;
    }
    const QJsonArray entries = root[QLatin1String("providers")].toArray();
    for (qsizetype i = 0; i < entries.size(); ++i) {
        std::vector<ProfileFinding> findings;
        if (auto profile = loaded.catalogue.read(entries.at(i).toObject(), findings))
            loaded.catalogue.add(*std::move(profile));
        for (const ProfileFinding& finding : findings)
            loaded.findings << QStringLiteral("providers[%1].%2: %3. %4.")
                                   .arg(i)
                                   .arg(finding.field, finding.problem, finding.remedy);
    }
    return loaded;
}

const Catalogue& Catalogue::builtIn()
{
    static const Catalogue all = [] {
        initResources();
        QFile file(QStringLiteral(":/providers/providers.json"));
        return file.open(QIODevice::ReadOnly) ? load(file.readAll()).catalogue : Catalogue();
    }();
    return all;
}

const ProviderProfile* Catalogue::find(std::string_view id) const
{
    const QLatin1String wanted(id.data(), qsizetype(id.size()));
    const auto found =
        std::ranges::find_if(profiles_, [&](const ProviderProfile& profile) { return profile.id == wanted; });
    return found == profiles_.end() ? nullptr : &*found;
}

void Catalogue::add(ProviderProfile profile)
{
    const auto same =
        std::ranges::find_if(profiles_, [&](const ProviderProfile& known) { return known.id == profile.id; });
    if (same != profiles_.end())
        *same = std::move(profile);
    else
        profiles_.push_back(std::move(profile));
}

} // namespace sg::provider
