// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/bodies.h"
#include "core/simulator/script.h"
#include "core/workspace/json_reader.h"

#include <QJsonDocument>
#include <QRegularExpression>

namespace sg::simulator {

namespace {

using workspace::FindingLevel;
using workspace::Findings;
using workspace::ObjectReader;

constexpr double kDayMs = 86400000;

ObjectReader readerFor(const QJsonObject& object, const QString& place, Findings& findings)
{
    return ObjectReader(object, place, findings, FindingLevel::Error);
}

/// Fields are "median_ms" for times and "median" for tokens.
std::optional<Distribution> readDistribution(ObjectReader& parent, const QString& field, const QString& suffix)
{
    const auto object = parent.object(field);
    if (!object)
        return std::nullopt;
    auto reader = readerFor(*object, parent.place(field), parent.findings());
    using Kind = Distribution::Kind;
    const auto kind = reader.choice<Kind>(QStringLiteral("kind"), {{QStringLiteral("constant"), Kind::Constant},
                                                                   {QStringLiteral("uniform"), Kind::Uniform},
                                                                   {QStringLiteral("lognormal"), Kind::Lognormal},
                                                                   {QStringLiteral("two_humped"), Kind::TwoHumped}});
    if (!kind) {
        if (!reader.has(QStringLiteral("kind")))
            reader.missing(QStringLiteral("kind"), QStringLiteral("Write \"constant\", \"uniform\", \"lognormal\" or "
                                                                  "\"two_humped\""));
        return std::nullopt;
    }
    Distribution result;
    result.kind = *kind;
    const auto need = [&](const QString& name, double& target, workspace::Bounds bounds) {
        if (!reader.has(name))
            reader.missing(name, QStringLiteral("A distribution of this kind needs it"));
        target = reader.number(name, bounds).value_or(0);
    };
    if (*kind == Kind::Constant)
        need(suffix.isEmpty() ? QStringLiteral("tokens") : QStringLiteral("ms"), result.value, {0, kDayMs});
    if (*kind == Kind::Uniform) {
        need(QStringLiteral("min") + suffix, result.low, {0, kDayMs});
        need(QStringLiteral("max") + suffix, result.high, {0, kDayMs});
        if (result.low > result.high)
            reader.error(QStringLiteral("min") + suffix, QStringLiteral("the least is above the most"),
                         QStringLiteral("Exchange the two"));
    }
    if (*kind == Kind::Lognormal || *kind == Kind::TwoHumped) {
        need(QStringLiteral("median") + suffix, result.median, {0, kDayMs, false});
        need(QStringLiteral("sigma"), result.sigma, {0, 5});
        result.most = reader.number(QStringLiteral("max") + suffix, {0, kDayMs});
        if (result.most && *result.most < result.median)
            reader.error(QStringLiteral("max") + suffix, QStringLiteral("the most is below the median"),
                         QStringLiteral("Raise it above the median or leave it out"));
    }
    if (*kind == Kind::TwoHumped) {
        need(QStringLiteral("second_median") + suffix, result.secondMedian, {0, kDayMs, false});
        need(QStringLiteral("second_share"), result.secondShare, {0, 1});
    }
    reader.finish();
    return result;
}

void readHeaders(ObjectReader& reader, Fault& fault)
{
    const QString field = QStringLiteral("headers");
    const auto object = reader.object(field);
    if (!object)
        return;
    for (auto header = object->constBegin(); header != object->constEnd(); ++header) {
        const QJsonArray values = header.value().isArray() ? header.value().toArray() : QJsonArray{header.value()};
        for (const QJsonValue& value : values) {
            if (!value.isString() && !value.isDouble()) {
                reader.error(field + QLatin1Char('.') + header.key(),
                             QStringLiteral("a header is a text or a number, or a list of them"),
                             QStringLiteral("Put the value in quotes"));
                continue;
            }
            const QString text = value.isString() ? value.toString() : QString::number(value.toDouble(), 'g', 15);
            if (const auto problem = headerTemplateProblem(text))
                reader.error(field + QLatin1Char('.') + header.key(), *problem,
                             QStringLiteral("Write {date+5s}, {unix+5s}, {unix_ms+5s} or {iso+5s}"));
            fault.headers.emplace_back(header.key().toLatin1(), text.toLatin1());
        }
    }
}

void readBody(ObjectReader& reader, Fault& fault)
{
    const QString field = QStringLiteral("body");
    const auto value = reader.any(field);
    if (!value)
        return;
    if (value->isObject()) {
        fault.body = QJsonDocument(value->toObject()).toJson(QJsonDocument::Compact);
        return;
    }
    if (!value->isString()) {
        reader.error(field, QStringLiteral("a body is a text, an object or the name of a known body"),
                     QStringLiteral("Write one of: %1").arg(knownBodyNames().join(QStringLiteral(", "))));
        return;
    }
    const QString text = value->toString();
    if (const auto known = knownBody(text)) {
        fault.body = known->text;
        return;
    }
    static const QRegularExpression likeAName(QStringLiteral("^[a-z]+(_[a-z0-9]+)+$"));
    if (likeAName.match(text).hasMatch()) {
        const auto nearest = workspace::nearestName(text, knownBodyNames());
        reader.error(field, QStringLiteral("there is no known body \"%1\"").arg(text),
                     nearest ? QStringLiteral("Did you mean \"%1\"?").arg(*nearest)
                             : QStringLiteral("Write one of: %1").arg(knownBodyNames().join(QStringLiteral(", "))));
    }
    fault.body = text.toUtf8();
}

Fault readFault(const QJsonObject& object, const QString& place, Findings& findings)
{
    auto reader = readerFor(object, place, findings);
    Fault fault;
    std::vector<std::pair<QString, FaultKind>> kinds;
    for (int i = 0; i <= int(FaultKind::Garbage); ++i)
        kinds.emplace_back(QString::fromLatin1(toString(FaultKind(i))), FaultKind(i));
    const QString kindField = QStringLiteral("kind");
    if (!reader.has(kindField))
        reader.missing(kindField, QStringLiteral("Say which fault it is, as in \"kind\": \"status\""));
    const auto kind = reader.choice<FaultKind>(kindField, kinds);
    fault.share = reader.number(QStringLiteral("share"), {0, 1}).value_or(1);
    if (!kind)
        return fault; // the other fields depend on it
    fault.kind = *kind;
    const bool isStatus = *kind == FaultKind::Status;
    if (isStatus) {
        if (!reader.has(QStringLiteral("status")))
            reader.missing(QStringLiteral("status"), QStringLiteral("Write the HTTP status, as in 429"));
        fault.status = int(reader.integer(QStringLiteral("status"), 300, 599).value_or(500));
        readHeaders(reader, fault);
    }
    if (isStatus || *kind == FaultKind::ErrorEvent || *kind == FaultKind::Garbage)
        readBody(reader, fault);
    if (*kind == FaultKind::DropMidStream || *kind == FaultKind::Stall || *kind == FaultKind::ErrorEvent)
        fault.afterTokens = int(reader.integer(QStringLiteral("after_tokens"), 0, 1000000)
                                    .value_or(*kind == FaultKind::DropMidStream ? 1 : 0));
    if (*kind == FaultKind::Slow) {
        if (!reader.has(QStringLiteral("factor")))
            reader.missing(QStringLiteral("factor"), QStringLiteral("Say how many times slower, as in 5"));
        fault.factor = reader.number(QStringLiteral("factor"), {0, 1000}).value_or(1);
    } else {
        fault.delayMs = reader.number(QStringLiteral("delay_ms"), {0, kDayMs}).value_or(0);
    }
    reader.finish();
    return fault;
}

void readFaults(ObjectReader& reader, Behaviour& behaviour)
{
    const QString field = QStringLiteral("faults");
    const auto list = reader.array(field);
    if (!list)
        return;
    double shares = 0;
    for (qsizetype i = 0; i < list->size(); ++i) {
        if (!list->at(i).isObject()) {
            reader.error(QStringLiteral("faults[%1]").arg(i), QStringLiteral("a fault is an object"),
                         QStringLiteral("Write it in { }"));
            continue;
        }
        behaviour.faults.push_back(readFault(list->at(i).toObject(), reader.place(field, i), reader.findings()));
        shares += behaviour.faults.back().share;
    }
    if (shares > 1 + 1e-9)
        reader.error(field, QStringLiteral("the shares add up to %1, more than all requests").arg(shares),
                     QStringLiteral("Lower them so that they add up to 1 at most"));
}

void checkTimes(ObjectReader& reader, const Behaviour& behaviour)
{
    const bool latencyNamed = reader.has(QStringLiteral("latency"));
    const bool ttftNamed = reader.has(QStringLiteral("ttft"));
    const int begins = int(behaviour.ttft.has_value()) + int(behaviour.ttftShare.has_value()) +
                       int(behaviour.tokensPerSecond.has_value());
    if (latencyNamed && begins > 1)
        reader.error(QStringLiteral("latency"),
                     QStringLiteral("latency is the whole time, and more than one of ttft, ttft_share and "
                                    "tokens_per_second says when it begins"),
                     QStringLiteral("Keep one of the three, or leave latency out and keep ttft with "
                                    "tokens_per_second"));
    if (!latencyNamed && !(ttftNamed && reader.has(QStringLiteral("tokens_per_second"))))
        reader.missing(QStringLiteral("latency"),
                       QStringLiteral("Say how long an answer takes, as in {\"kind\": \"constant\", \"ms\": 500}, or "
                                      "give ttft and tokens_per_second"));
}

std::optional<ToolCall> readToolCall(ObjectReader& parent)
{
    const QString field = QStringLiteral("tool_call"), nameField = QStringLiteral("name");
    const auto object = parent.object(field);
    if (!object)
        return std::nullopt;
    auto reader = readerFor(*object, parent.place(field), parent.findings());
    if (!reader.has(nameField))
        reader.missing(nameField, QStringLiteral("Name the tool that is called"));
    ToolCall call;
    call.name = quotedJson(reader.text(nameField).value_or(QString()));
    call.arguments = QJsonDocument(reader.object(QStringLiteral("arguments")).value_or(QJsonObject()))
                         .toJson(QJsonDocument::Compact);
    reader.finish();
    return call;
}

std::optional<Quota> readQuota(ObjectReader& parent)
{
    const QString field = QStringLiteral("quota");
    const auto perMinute = parent.integer(QStringLiteral("rpm"), 1, 100000000);
    const auto object = parent.object(field);
    if (perMinute && object)
        parent.error(field, QStringLiteral("rpm and quota say the same"), QStringLiteral("Keep one of them"));
    if (!object)
        return perMinute ? std::optional(Quota{int(*perMinute)}) : std::nullopt;
    auto reader = readerFor(*object, parent.place(field), parent.findings());
    Quota quota;
    if (!reader.has(QStringLiteral("requests")))
        reader.missing(QStringLiteral("requests"), QStringLiteral("Say how many requests pass in a window"));
    quota.requests = int(reader.integer(QStringLiteral("requests"), 1, 100000000).value_or(1));
    quota.windowMs = reader.number(QStringLiteral("window_ms"), {1, kDayMs}).value_or(quota.windowMs);
    quota.first = reader.integer(QStringLiteral("first"), 0, 100000000).value_or(0);
    quota.countsRefused = reader.flag(QStringLiteral("counts_refused")).value_or(false);
    quota.saysWhen = reader.flag(QStringLiteral("says_when")).value_or(true);
    reader.finish();
    return quota;
}

Behaviour readBehaviour(ObjectReader& reader)
{
    Behaviour behaviour;
    behaviour.latency = readDistribution(reader, QStringLiteral("latency"), QStringLiteral("_ms"));
    behaviour.ttft = readDistribution(reader, QStringLiteral("ttft"), QStringLiteral("_ms"));
    behaviour.ttftShare = reader.number(QStringLiteral("ttft_share"), {0, 1});
    behaviour.tokensPerSecond = reader.number(QStringLiteral("tokens_per_second"), {0, 1e6, false});
    if (const auto tokens = readDistribution(reader, QStringLiteral("output_tokens"), QString()))
        behaviour.outputTokens = *tokens;
    behaviour.chunkTokens = int(reader.integer(QStringLiteral("chunk_tokens"), 1, 100000).value_or(4));
    if (const auto workers = reader.integer(QStringLiteral("workers"), 1, 1000000))
        behaviour.workers = int(*workers);
    behaviour.quota = readQuota(reader);
    behaviour.frozen = reader.flag(QStringLiteral("frozen")).value_or(false);
    behaviour.text = reader
                         .choice<TextKind>(QStringLiteral("text"), {{QStringLiteral("words"), TextKind::Words},
                                                                    {QStringLiteral("echo"), TextKind::Echo},
                                                                    {QStringLiteral("time"), TextKind::Time}})
                         .value_or(TextKind::Words);
    behaviour.toolCall = readToolCall(reader);
    readFaults(reader, behaviour);
    checkTimes(reader, behaviour);
    return behaviour;
}

/// The endpoint's fields with the phase's laid over them. A new statement about time replaces the old ones it would
/// contradict.
QJsonObject overlay(QJsonObject base, const QJsonObject& phase)
{
    const QStringList starts{QStringLiteral("ttft"), QStringLiteral("ttft_share"), QStringLiteral("tokens_per_second")};
    const bool saysStart =
        std::any_of(starts.begin(), starts.end(), [&](const QString& f) { return phase.contains(f); });
    const QString latency = QStringLiteral("latency");
    const bool replacesStart = base.contains(latency) ? saysStart : phase.contains(latency);
    if (replacesStart)
        for (const QString& field : starts)
            base.remove(field);
    if (phase.contains(QStringLiteral("ttft")) && phase.contains(QStringLiteral("tokens_per_second")))
        base.remove(latency);
    for (const QString& own : {QStringLiteral("name"), QStringLiteral("model"), QStringLiteral("phases")})
        base.remove(own);
    for (auto field = phase.constBegin(); field != phase.constEnd(); ++field)
        base.insert(field.key(), field.value());
    return base;
}

/// Findings about fields that the phase inherits are the endpoint's and already told there.
void keepOwnFindings(Findings& findings, std::size_t from, const QJsonObject& phase, const QString& place)
{
    const auto inherited = [&](const workspace::Finding& finding) {
        const QString rest = finding.place.mid(place.size() + 1);
        const QString field = rest.section(QRegularExpression(QStringLiteral("[.\\[]")), 0, 0);
        return !phase.contains(field) && field != QStringLiteral("from_ms") && field != QStringLiteral("to_ms");
    };
    findings.erase(std::remove_if(findings.begin() + std::ptrdiff_t(from), findings.end(), inherited), findings.end());
}

Phase readPhase(const QJsonObject& endpoint, const QJsonObject& object, const QString& place, Findings& findings,
                std::optional<double> loopMs)
{
    const std::size_t before = findings.size();
    auto reader = readerFor(overlay(endpoint, object), place, findings);
    Phase phase;
    for (const QString& field : {QStringLiteral("from_ms"), QStringLiteral("to_ms")})
        if (!reader.has(field))
            reader.missing(field, QStringLiteral("A phase has a beginning and an end in script time"));
    phase.fromMs = reader.number(QStringLiteral("from_ms"), {0, kDayMs}).value_or(0);
    phase.toMs = reader.number(QStringLiteral("to_ms"), {0, kDayMs}).value_or(0);
    phase.label = reader.text(QStringLiteral("label")).value_or(QString());
    phase.behaviour = readBehaviour(reader);
    if (reader.has(QStringLiteral("to_ms")) && phase.toMs <= phase.fromMs)
        reader.error(QStringLiteral("to_ms"), QStringLiteral("the phase ends before it begins"),
                     QStringLiteral("Make to_ms larger than from_ms"));
    if (loopMs && phase.toMs > *loopMs)
        reader.error(QStringLiteral("to_ms"), QStringLiteral("the phase ends after the script has started again"),
                     QStringLiteral("Make it at most loop_ms (%1) or raise loop_ms").arg(*loopMs));
    reader.finish();
    keepOwnFindings(findings, before, object, place);
    return phase;
}

void readPhases(ObjectReader& reader, const QJsonObject& endpoint, EndpointScript& result, std::optional<double> loopMs)
{
    const QString field = QStringLiteral("phases");
    const auto list = reader.array(field);
    if (!list)
        return;
    for (qsizetype i = 0; i < list->size(); ++i) {
        const QString place = reader.place(field, i);
        if (!list->at(i).isObject()) {
            reader.error(QStringLiteral("phases[%1]").arg(i), QStringLiteral("a phase is an object"),
                         QStringLiteral("Write it in { }"));
            continue;
        }
        result.phases.push_back(readPhase(endpoint, list->at(i).toObject(), place, reader.findings(), loopMs));
    }
    auto& phases = result.phases;
    std::stable_sort(phases.begin(), phases.end(), [](const Phase& a, const Phase& b) { return a.fromMs < b.fromMs; });
    for (std::size_t i = 1; i < phases.size(); ++i)
        if (phases[i].fromMs < phases[i - 1].toMs)
            reader.error(field, QStringLiteral("two phases overlap at %1 ms").arg(phases[i].fromMs),
                         QStringLiteral("Let one end where the next begins"));
}

EndpointScript readEndpoint(const QJsonObject& object, const QString& place, Findings& findings,
                            std::optional<double> loopMs)
{
    auto reader = readerFor(object, place, findings);
    EndpointScript result;
    const QString nameField = QStringLiteral("name");
    if (!reader.has(nameField))
        reader.missing(nameField, QStringLiteral("Give the endpoint a name; it becomes part of its address"));
    result.name = reader.text(nameField).value_or(QString());
    static const QRegularExpression usable(QStringLiteral("^[A-Za-z0-9._:-]+$"));
    static const QStringList taken{QStringLiteral("stats"), QStringLiteral("health"), QStringLiteral("reset")};
    if (reader.has(nameField) && (!usable.match(result.name).hasMatch() || taken.contains(result.name)))
        reader.error(nameField, QStringLiteral("\"%1\" cannot be part of an address here").arg(result.name),
                     QStringLiteral("Use letters, digits, '.', '-', '_' and ':', and not stats, health or reset"));
    result.model = reader.text(QStringLiteral("model")).value_or(QString());
    result.usual = readBehaviour(reader);
    readPhases(reader, object, result, loopMs);
    reader.finish();
    return result;
}

void readEndpoints(ObjectReader& reader, Script& script)
{
    const QString field = QStringLiteral("endpoints");
    const auto list = reader.array(field);
    if (!list || list->isEmpty()) {
        if (list || !reader.has(field))
            reader.error(field, QStringLiteral("the script has no endpoint"),
                         QStringLiteral("Add one, as in {\"name\": \"steady\", \"latency\": {\"kind\": \"constant\", "
                                        "\"ms\": 500}}"));
        return;
    }
    QStringList names;
    for (qsizetype i = 0; i < list->size(); ++i) {
        const QString place = QStringLiteral("%1[%2]").arg(field).arg(i);
        if (!list->at(i).isObject()) {
            reader.error(place, QStringLiteral("an endpoint is an object"), QStringLiteral("Write it in { }"));
            continue;
        }
        script.endpoints.push_back(readEndpoint(list->at(i).toObject(), place, reader.findings(), script.loopMs));
        const QString& name = script.endpoints.back().name;
        if (!name.isEmpty() && names.contains(name))
            reader.error(place + QStringLiteral(".name"), QStringLiteral("\"%1\" is there twice").arg(name),
                         QStringLiteral("Give each endpoint its own name"));
        names << name;
    }
}

} // namespace

ScriptResult parseScript(const QByteArray& json)
{
    const auto object = workspace::readJsonObject(json);
    if (!object)
        return tl::unexpected(Findings{object.error()});
    return parseScript(*object);
}

ScriptResult parseScript(const QJsonObject& object)
{
    Findings findings;
    auto reader = readerFor(object, QString(), findings);
    if (!workspace::checkVersion(reader, kScriptVersion, QStringLiteral("the script")))
        return tl::unexpected(findings); // a newer file would only give misleading findings
    Script script;
    if (const auto seed = reader.integer(QStringLiteral("seed"), 0, qint64(1) << 53))
        script.seed = std::uint64_t(*seed);
    script.loopMs = reader.number(QStringLiteral("loop_ms"), {0, kDayMs, false});
    readEndpoints(reader, script);
    reader.finish();
    if (workspace::hasErrors(findings))
        return tl::unexpected(findings);
    return script;
}

} // namespace sg::simulator
