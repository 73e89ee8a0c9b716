// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/plan_json.h"

#include "core/load/plan_parts.h"
#include "core/load/report_words.h"
#include "core/policy/text.h"

#include <QCryptographicHash>
#include <QJsonDocument>

#include <array>

namespace sg::load {

namespace planparts {

QJsonArray jsonOf(const std::vector<Prompt>& prompts)
{
    QJsonArray list;
    for (const Prompt& prompt : prompts) {
        QJsonObject object;
        if (!prompt.text.isEmpty())
            object.insert(QStringLiteral("text"), prompt.text);
        if (prompt.maxTokens)
            object.insert(QStringLiteral("max_tokens"), *prompt.maxTokens);
        QJsonArray messages;
        for (const provider::Message& message : prompt.messages) {
            QJsonObject one{{QStringLiteral("role"), text(message.role)}, {QStringLiteral("text"), message.text}};
            if (!message.fields.isEmpty())
                one.insert(QStringLiteral("fields"), message.fields);
            messages.append(one);
        }
        if (!messages.isEmpty())
            object.insert(QStringLiteral("messages"), messages);
        list.append(object);
    }
    return list;
}

QJsonArray jsonOf(const std::vector<Nanos>& offsets)
{
    QJsonArray list;
    for (const Nanos offset : offsets)
        list.append(toMs(offset));
    return list;
}

QString hashOf(const QJsonArray& list)
{
    return QString::fromLatin1(
        QCryptographicHash::hash(QJsonDocument(list).toJson(QJsonDocument::Compact), QCryptographicHash::Sha256)
            .toHex());
}

qint64 bytesOf(const QJsonArray& list)
{
    return QJsonDocument(list).toJson(QJsonDocument::Compact).size();
}

} // namespace planparts

namespace {

constexpr std::uint64_t kExactInDouble = std::uint64_t{1} << 53;

template <typename T>
QJsonValue orNull(const std::optional<T>& value)
{
    if constexpr (std::is_same_v<T, Nanos>)
        return value ? QJsonValue(toMs(*value)) : QJsonValue();
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return value ? QJsonValue(static_cast<qint64>(*value)) : QJsonValue();
    else
        return value ? QJsonValue(*value) : QJsonValue();
}

QJsonObject jsonOf(const stats::Distribution& distribution)
{
    using Kind = stats::Distribution::Kind;
    QJsonObject object;
    switch (distribution.kind) {
    case Kind::Constant:
        object = {{QStringLiteral("kind"), QStringLiteral("constant")}, {QStringLiteral("value"), distribution.value}};
        break;
    case Kind::Uniform:
        object = {{QStringLiteral("kind"), QStringLiteral("uniform")},
                  {QStringLiteral("low"), distribution.low},
                  {QStringLiteral("high"), distribution.high}};
        break;
    case Kind::Lognormal:
        object = {{QStringLiteral("kind"), QStringLiteral("lognormal")},
                  {QStringLiteral("median"), distribution.median},
                  {QStringLiteral("sigma"), distribution.sigma}};
        break;
    case Kind::TwoHumped:
        object = {{QStringLiteral("kind"), QStringLiteral("two_humped")},
                  {QStringLiteral("median"), distribution.median},
                  {QStringLiteral("sigma"), distribution.sigma},
                  {QStringLiteral("second_median"), distribution.secondMedian},
                  {QStringLiteral("second_share"), distribution.secondShare}};
        break;
    }
    if (distribution.most)
        object.insert(QStringLiteral("most"), *distribution.most);
    return object;
}

/// A list by its number and hash, and as it is where that is wanted and not too much.
void putList(QJsonObject& into, const QString& name, const QJsonArray& list, PlanDetail detail)
{
    into.insert(name + QStringLiteral("_count"), list.size());
    into.insert(name + QStringLiteral("_sha256"), planparts::hashOf(list));
    if (detail == PlanDetail::Whole && planparts::bytesOf(list) <= kMostInlineBytes)
        into.insert(name + QStringLiteral("_list"), list);
}

QJsonArray jsonOf(const std::vector<Stage>& stages)
{
    QJsonArray list;
    for (const Stage& stage : stages)
        list.append(QJsonObject{{QStringLiteral("length_ms"), toMs(stage.length)},
                                {QStringLiteral("from_rps"), stage.from},
                                {QStringLiteral("to_rps"), stage.to}});
    return list;
}

void putOwn(QJsonObject& into, const ClosedModel& closed, PlanDetail)
{
    into.insert(QStringLiteral("users"), closed.users);
    into.insert(QStringLiteral("ramp_ms"), toMs(closed.ramp));
    into.insert(QStringLiteral("think_ms"), jsonOf(closed.think));
}

void putOwn(QJsonObject& into, const OpenModel& open, PlanDetail)
{
    into.insert(QStringLiteral("arrivals"), text(toString(open.arrivals)));
}

void putOwn(QJsonObject& into, const SweepModel& sweep, PlanDetail)
{
    into.insert(QStringLiteral("arrivals"), text(toString(sweep.arrivals)));
    into.insert(QStringLiteral("from_rps"), sweep.from);
    into.insert(QStringLiteral("to_rps"), sweep.to);
    into.insert(QStringLiteral("factor"), sweep.factor);
    into.insert(QStringLiteral("each_ms"), toMs(sweep.each));
}

void putOwn(QJsonObject& into, const ReplayModel& replay, PlanDetail detail)
{
    into.insert(QStringLiteral("speed"), replay.speed);
    if (replay.offsets)
        putList(into, QStringLiteral("offset"), planparts::jsonOf(*replay.offsets), detail);
}

QJsonObject jsonOf(const LoadModel& model, PlanDetail detail)
{
    constexpr std::array kKinds{"closed", "open", "sweep", "replay"};
    QJsonObject object{{QStringLiteral("kind"), QString::fromLatin1(kKinds[model.index()])},
                       {QStringLiteral("words"), modelWords(model)},
                       {QStringLiteral("most_in_flight"), mostInFlightOf(model).value_or(0)},
                       {QStringLiteral("length_ms"), orNull(lengthOf(model))}};
    std::visit([&](const auto& one) { putOwn(object, one, detail); }, model);
    if (const QJsonArray stages = jsonOf(stagesOf(model)); !stages.isEmpty())
        object.insert(QStringLiteral("stages"), stages);
    return object;
}

QString promptKind(const LoadPlan& plan)
{
    if (!plan.prompts.empty())
        return QStringLiteral("given");
    return plan.synthetic ? QStringLiteral("synthetic") : QStringLiteral("built-in");
}

QJsonObject jsonOf(const SyntheticPrompts& synthetic)
{
    return {{QStringLiteral("input_tokens"), jsonOf(synthetic.inputTokens)},
            {QStringLiteral("output_tokens"),
             synthetic.outputTokens ? QJsonValue(jsonOf(*synthetic.outputTokens)) : QJsonValue()},
            {QStringLiteral("shared_prefix_tokens"), synthetic.sharedPrefixTokens}};
}

QJsonArray jsonOf(const std::vector<measure::Objective>& objectives)
{
    QJsonArray list;
    for (const measure::Objective& objective : objectives)
        list.append(measure::textOf(objective));
    return list;
}

void putTarget(QJsonObject& into, const LoadPlan& plan)
{
    const auto [kind, target] = targetOf(plan);
    into.insert(kind, target);
}

} // namespace

QJsonObject planJson(const LoadPlan& plan, PlanDetail detail)
{
    const StopRules& stop = plan.stop;
    QJsonObject object{
        {QStringLiteral("format"), planparts::kFormat},
        {QStringLiteral("model"), jsonOf(plan.model, detail)},
        {QStringLiteral("requests"), orNull(stop.requests)},
        {QStringLiteral("duration_ms"), orNull(stop.duration)},
        {QStringLiteral("stop_at_error_share"), orNull(stop.errorShare)},
        {QStringLiteral("budget_usd"), orNull(stop.budgetUsd)},
        {QStringLiteral("stop_after_broken_ms"), orNull(stop.objectivesBrokenFor)},
        {QStringLiteral("stop_when_saturated"), stop.whenSaturated},
        {QStringLiteral("warm_up_ms"), toMs(plan.warmUp)},
        {QStringLiteral("cool_down_ms"), toMs(plan.coolDown)},
        {QStringLiteral("objectives"), jsonOf(plan.objectives)},
        {QStringLiteral("concurrency"), concurrencyOf(plan)},
        // Beyond this a number of JSON is not exact everywhere.
        {QStringLiteral("seed"), plan.seed <= kExactInDouble ? QJsonValue(static_cast<qint64>(plan.seed))
                                                             : QJsonValue(QString::number(plan.seed))},
        {QStringLiteral("stream"), plan.stream},
        {QStringLiteral("prompts"), promptKind(plan)},
        {QStringLiteral("repeat_share"), plan.repeatShare},
        {QStringLiteral("max_tokens"), plan.maxTokens},
    };
    putTarget(object, plan);
    if (plan.synthetic)
        object.insert(QStringLiteral("synthetic"), jsonOf(*plan.synthetic));
    if (!plan.prompts.empty())
        putList(object, QStringLiteral("prompt"), planparts::jsonOf(plan.prompts.all()), detail);
    return object;
}

QJsonObject planIn(const QJsonObject& json)
{
    const QJsonValue plan = json.value(QLatin1String("plan"));
    return plan.isObject() ? plan.toObject() : json;
}

} // namespace sg::load
