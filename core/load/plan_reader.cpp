// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/plan_json.h"
#include "core/load/plan_parts.h"
#include "core/workspace/json_reader.h"

namespace sg::load {

namespace {

using stats::Distribution;
using workspace::Findings;
using workspace::ObjectReader;

constexpr auto kUnknown = workspace::FindingLevel::Error; // left out it would be another run
constexpr double kMostMs = 1e15;
const workspace::Bounds kShare{0, 1};

std::optional<Distribution> readDistribution(ObjectReader& parent, const QString& name)
{
    const auto object = parent.object(name);
    if (!object)
        return std::nullopt;
    ObjectReader in(*object, parent.place(name), parent.findings(), kUnknown);
    using Kind = Distribution::Kind;
    const auto kind = in.choice<Kind>(QStringLiteral("kind"), {{QStringLiteral("constant"), Kind::Constant},
                                                               {QStringLiteral("uniform"), Kind::Uniform},
                                                               {QStringLiteral("lognormal"), Kind::Lognormal},
                                                               {QStringLiteral("two_humped"), Kind::TwoHumped}});
    if (!kind)
        in.missing(QStringLiteral("kind"), QStringLiteral("Name the distribution"));
    const auto number = [&](const char* field) { return in.number(QLatin1String(field)).value_or(0); };
    Distribution read;
    read.kind = kind.value_or(Kind::Constant);
    if (read.kind == Kind::Constant)
        read.value = number("value");
    if (read.kind == Kind::Uniform) {
        read.low = number("low");
        read.high = number("high");
    }
    if (read.kind == Kind::Lognormal || read.kind == Kind::TwoHumped) {
        read.median = number("median");
        read.sigma = number("sigma");
    }
    if (read.kind == Kind::TwoHumped) {
        read.secondMedian = number("second_median");
        read.secondShare = in.number(QStringLiteral("second_share"), kShare).value_or(0);
    }
    read.most = in.number(QStringLiteral("most"));
    in.finish();
    return read;
}

Arrivals readArrivals(ObjectReader& in)
{
    return in
        .choice<Arrivals>(QStringLiteral("arrivals"), {{QStringLiteral("constant"), Arrivals::Constant},
                                                       {QStringLiteral("poisson"), Arrivals::Poisson}})
        .value_or(Arrivals::Poisson);
}

int readMostInFlight(ObjectReader& in)
{
    return static_cast<int>(in.integer(QStringLiteral("most_in_flight"), 1, 1'000'000).value_or(kMostInFlight));
}

Nanos readSpan(ObjectReader& in, const char* name)
{
    return in.millis(QLatin1String(name), {0, kMostMs}).value_or(Nanos(0));
}

std::vector<Stage> readStages(ObjectReader& parent)
{
    std::vector<Stage> stages;
    const QString name = QStringLiteral("stages");
    const QJsonArray list = parent.array(name).value_or(QJsonArray());
    for (qsizetype i = 0; i < list.size(); ++i) {
        ObjectReader in(list.at(i).toObject(), parent.place(name, i), parent.findings(), kUnknown);
        stages.push_back({readSpan(in, "length_ms"), in.number(QStringLiteral("from_rps")).value_or(0),
                          in.number(QStringLiteral("to_rps")).value_or(0)});
        in.finish();
    }
    return stages;
}

/// A list that is written down, or given and the same; `what` has a name and its verb.
template <typename List>
std::optional<List> readList(ObjectReader& in, const QString& name, const List& given, const QString& what,
                             const QString& option, List (*fromJson)(const QJsonArray&))
{
    const auto count = in.integer(name + QStringLiteral("_count"), 0, 1'000'000'000);
    const auto hash = in.text(name + QStringLiteral("_sha256"));
    const auto list = in.array(name + QStringLiteral("_list"));
    List read = list ? fromJson(*list) : given;
    if (read.empty()) {
        in.error(name + QStringLiteral("_list"), QStringLiteral("%1 %2 not in it").arg(count.value_or(0)).arg(what),
                 QStringLiteral("Give their file too (switchgear-cli load --plan … %1 FILE)").arg(option));
        return std::nullopt;
    }
    if (hash && planparts::hashOf(planparts::jsonOf(read)) != *hash) {
        in.error(name + QStringLiteral("_sha256"), QStringLiteral("%1 other than those it was written with").arg(what),
                 QStringLiteral("Give the file that the run had; what looks like a key is masked in a kept run"));
        return std::nullopt;
    }
    return read;
}

std::vector<Nanos> offsetsOf(const QJsonArray& list)
{
    std::vector<Nanos> offsets;
    for (const QJsonValue& offset : list)
        offsets.push_back(fromMs(offset.toDouble()));
    return offsets;
}

std::vector<Prompt> promptsOf(const QJsonArray& list)
{
    std::vector<Prompt> prompts;
    for (const QJsonValue& entry : list) {
        const QJsonObject object = entry.toObject();
        Prompt prompt{object.value(QLatin1String("text")).toString(), {}, {}};
        if (const QJsonValue most = object.value(QLatin1String("max_tokens")); most.isDouble())
            prompt.maxTokens = most.toInt();
        const QJsonArray messages = object.value(QLatin1String("messages")).toArray();
        for (const QJsonValue& message : messages)
            prompt.messages.push_back({message[QLatin1String("role")].toString().toStdString(),
                                       message[QLatin1String("text")].toString(),
                                       message[QLatin1String("fields")].toObject()});
        prompts.push_back(std::move(prompt));
    }
    return prompts;
}

LoadModel readReplay(ObjectReader& in, const PromptFile& given)
{
    ReplayModel replay;
    replay.speed = in.number(QStringLiteral("speed")).value_or(1);
    replay.mostInFlight = readMostInFlight(in);
    auto offsets =
        readList<std::vector<Nanos>>(in, QStringLiteral("offset"), given.offsets,
                                     QStringLiteral("recorded arrivals are"), QStringLiteral("--replay"), offsetsOf);
    if (offsets)
        replay.offsets = std::make_shared<const std::vector<Nanos>>(*std::move(offsets));
    return replay;
}

LoadModel readModel(ObjectReader& parent, const PromptFile& given)
{
    const QString name = QStringLiteral("model");
    const auto object = parent.object(name);
    if (!object) {
        parent.missing(name, QStringLiteral("Say when the requests begin"));
        return ClosedModel{};
    }
    ObjectReader in(*object, parent.place(name), parent.findings(), kUnknown);
    for (const char* derived : {"words", "length_ms"})
        in.any(QLatin1String(derived));
    const QString kind = in.text(QStringLiteral("kind")).value_or(QString());
    LoadModel model;
    if (kind == QLatin1String("closed")) {
        in.any(QStringLiteral("most_in_flight"));
        ClosedModel closed;
        closed.users = static_cast<int>(in.integer(QStringLiteral("users"), 1, 1'000'000).value_or(10));
        closed.ramp = readSpan(in, "ramp_ms");
        closed.think = readDistribution(in, QStringLiteral("think_ms")).value_or(closed.think);
        model = closed;
    } else if (kind == QLatin1String("open")) {
        model = OpenModel{readStages(in), readArrivals(in), readMostInFlight(in)};
    } else if (kind == QLatin1String("sweep")) {
        in.any(QStringLiteral("stages"));
        const auto number = [&](const char* field) { return in.number(QLatin1String(field)).value_or(0); };
        model = SweepModel{number("from_rps"),      number("to_rps"), number("factor"),
                           readSpan(in, "each_ms"), readArrivals(in), readMostInFlight(in)};
    } else if (kind == QLatin1String("replay")) {
        model = readReplay(in, given);
    } else {
        in.error(QStringLiteral("kind"), QStringLiteral("\"%1\" is no load").arg(kind.left(40)),
                 QStringLiteral("Use closed, open, sweep or replay, or a newer version"));
        return model;
    }
    in.finish();
    return model;
}

void readTarget(ObjectReader& in, LoadPlan& plan)
{
    const auto chain = in.text(QStringLiteral("chain")), endpoint = in.text(QStringLiteral("endpoint"));
    const auto url = in.object(QStringLiteral("url"));
    if (url && !chain && !endpoint) {
        if (const auto read = urlTargetOf(*url))
            return aimAt(plan, *read);
        return in.error(QStringLiteral("url"), QStringLiteral("this is no address with its model"),
                        QStringLiteral("Write its base_url and model"));
    }
    plan.targetKind = endpoint ? TargetKind::Endpoint : TargetKind::Chain;
    plan.target = endpoint.value_or(chain.value_or(QString())).toStdString();
    if ((chain && endpoint) || url)
        in.error(QStringLiteral("chain"), QStringLiteral("there is another target, too"),
                 QStringLiteral("Leave one of them"));
}

void readStop(ObjectReader& in, LoadPlan& plan)
{
    StopRules& stop = plan.stop;
    stop.requests = in.integer(QStringLiteral("requests"), 1, 1'000'000'000);
    stop.duration = in.millis(QStringLiteral("duration_ms"), {0, kMostMs});
    stop.errorShare = in.number(QStringLiteral("stop_at_error_share"), kShare);
    stop.budgetUsd = in.number(QStringLiteral("budget_usd"));
    stop.objectivesBrokenFor = in.millis(QStringLiteral("stop_after_broken_ms"), {0, kMostMs});
    stop.whenSaturated = in.flag(QStringLiteral("stop_when_saturated")).value_or(false);
    plan.warmUp = readSpan(in, "warm_up_ms");
    plan.coolDown = readSpan(in, "cool_down_ms");
    const QString name = QStringLiteral("objectives");
    const QJsonArray objectives = in.array(name).value_or(QJsonArray());
    for (qsizetype i = 0; i < objectives.size(); ++i) {
        const std::string words = objectives.at(i).toString().toStdString();
        if (const auto read = measure::parseObjectives(words); read && read->size() == 1)
            plan.objectives.push_back(read->front());
        else
            in.findings().push_back({workspace::FindingLevel::Error, in.place(name, i),
                                     QStringLiteral("this is no objective"),
                                     QStringLiteral("Write one such as \"p95<2s\"")});
    }
}

std::uint64_t readSeed(ObjectReader& in)
{
    const QString name = QStringLiteral("seed");
    const QJsonValue seed = in.any(name).value_or(QJsonValue(1));
    bool isFine = true;
    const std::uint64_t read =
        seed.isString() ? seed.toString().toULongLong(&isFine) : static_cast<std::uint64_t>(seed.toInteger(-1));
    if (!isFine || (!seed.isString() && seed.toInteger(-1) < 0))
        in.error(name, QStringLiteral("it is no whole number"), QStringLiteral("Write one from 0 up"));
    return read;
}

void readPrompts(ObjectReader& in, LoadPlan& plan, const PromptFile& given)
{
    plan.seed = readSeed(in);
    plan.stream = in.flag(QStringLiteral("stream")).value_or(true);
    plan.repeatShare = in.number(QStringLiteral("repeat_share"), kShare).value_or(0);
    plan.maxTokens = static_cast<int>(in.integer(QStringLiteral("max_tokens"), 1, 1'000'000).value_or(200));
    if (const auto object = in.object(QStringLiteral("synthetic"))) {
        ObjectReader made(*object, in.place(QStringLiteral("synthetic")), in.findings(), kUnknown);
        SyntheticPrompts synthetic;
        synthetic.inputTokens = readDistribution(made, QStringLiteral("input_tokens")).value_or(synthetic.inputTokens);
        synthetic.outputTokens = readDistribution(made, QStringLiteral("output_tokens"));
        synthetic.sharedPrefixTokens =
            static_cast<int>(made.integer(QStringLiteral("shared_prefix_tokens"), 0, 1'000'000).value_or(0));
        made.finish();
        plan.synthetic = synthetic;
    }
    const QString kind = in.text(QStringLiteral("prompts")).value_or(QStringLiteral("built-in"));
    if (kind != QLatin1String("given"))
        return;
    auto prompts = readList<std::vector<Prompt>>(in, QStringLiteral("prompt"), given.prompts,
                                                 QStringLiteral("prompts are"), QStringLiteral("--prompts"), promptsOf);
    if (prompts)
        plan.prompts = *std::move(prompts);
}

QString sentences(const Findings& findings)
{
    constexpr std::size_t kMostSaid = 3;
    QStringList said;
    for (std::size_t i = 0; i < std::min(kMostSaid, findings.size()); ++i)
        said.append(findings[i].toText(QStringLiteral("The plan")));
    if (findings.size() > kMostSaid)
        said.append(QStringLiteral("%1 more are wrong.").arg(findings.size() - kMostSaid));
    return said.join(QLatin1Char(' '));
}

} // namespace

tl::expected<LoadPlan, QString> readPlan(const QJsonObject& json, const PromptFile& given)
{
    Findings findings;
    ObjectReader in(json, {}, findings, kUnknown);
    const QString format = in.text(QStringLiteral("format")).value_or(QString());
    if (format.isEmpty())
        return tl::unexpected(QStringLiteral("It holds no whole plan: runs of older versions kept only a part of it. "
                                             "Set the plan again from the settings in its report."));
    if (format != planparts::kFormat)
        return tl::unexpected(QStringLiteral("Its plan is of the format \"%1\"; this version reads %2. Use the version "
                                             "that wrote it.")
                                  .arg(format.left(40), planparts::kFormat));
    LoadPlan plan;
    in.any(QStringLiteral("concurrency")); // follows from the model
    readTarget(in, plan);
    plan.model = readModel(in, given);
    readStop(in, plan);
    readPrompts(in, plan, given);
    in.finish();
    if (workspace::hasErrors(findings))
        return tl::unexpected(sentences(findings));
    if (const QString problem = checkPlan(plan); !problem.isEmpty())
        return tl::unexpected(problem);
    return plan;
}

} // namespace sg::load
