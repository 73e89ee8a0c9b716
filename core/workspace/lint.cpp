// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/lint.h"

#include "core/policy/loopback.h"
#include "core/provider/mask.h"
#include "core/workspace/lint_rules.h"
#include "core/workspace/lint_run.h"
#include "core/workspace/workspace_read.h"

#include <QUrl>

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

namespace sg::workspace {

namespace {

enum Part : std::size_t { kWhole, kEndpoints, kChains, kGateway };

template <typename Visit>
void forEachFamily(Visit visit)
{
    visit(namingRules());
    visit(tierNameRules());
    visit(endpointFieldRules());
    visit(pastedKeyRules());
    visit(accessRules());
    visit(endpointTimeRules());
    visit(breakerRules());
    visit(chainFieldRules());
    visit(chainTimeRules());
    visit(worstCaseRules());
    visit(fallbackRules());
    visit(reachRules());
    visit(routeRules());
    visit(gatewayRules());
}

template <typename Scope>
void apply(std::span<const Rule<Scope>> rules, const Scope& scope, const Told& start, bool reading,
           std::vector<Told>& told)
{
    for (const Rule<Scope>& rule : rules) {
        if (reading && !rule.whenReading)
            continue;
        Told next = start;
        next.finding.level = rule.level;
        next.finding.rule = QLatin1String(rule.id);
        rule.check(scope, Tell(told, next));
    }
}

bool isRemote(const Workspace& workspace, const Endpoint& endpoint)
{
    const QString base = endpoint.baseUrl.trimmed();
    if (base.startsWith(QLatin1String("sim:")))
        return false;
    const QUrl url(base.isEmpty() ? workspace.profileOf(endpoint).baseUrl : base);
    return url.scheme().startsWith(QLatin1String("http")) && !url.host().isEmpty() && !policy::isLoopback(url.host());
}

ChainScope scopeOf(const Workspace& workspace, const LintFacts& facts, const Index& index, std::size_t at)
{
    const Chain& chain = workspace.chains[at];
    ChainScope scope{workspace, chain, chain.spec, at, {}, {}, {}, worstCaseOf(chain.spec, workspace, facts.prices)};
    scope.reach = reachOf(chain.spec);
    for (const chain::TierSpec& tier : chain.spec.tiers) {
        const auto found =
            tier.kind == chain::TierKind::Endpoint ? index.endpoints.find(tier.endpoint) : index.endpoints.end();
        scope.endpoints.push_back(found == index.endpoints.end() ? nullptr : &workspace.endpoints[found->second]);
        const std::size_t i = scope.endpoints.size() - 1;
        if (scope.reach[i].isReached && scope.endpoints[i])
            scope.calling.push_back(i);
    }
    return scope;
}

std::vector<Told> run(const Workspace& workspace, const LintFacts& facts, bool reading)
{
    std::vector<Told> told;
    const Index index(workspace);
    for (const auto& rules : {namingRules(), pastedKeyRules()})
        apply(rules, WholeScope{workspace, facts, index}, {{}, kWhole, 0, 0}, reading, told);
    for (std::size_t i = 0; i < workspace.endpoints.size(); ++i) {
        const Endpoint& endpoint = workspace.endpoints[i];
        const EndpointScope scope{workspace, facts, endpoint, i, index.longestCall[i], isRemote(workspace, endpoint)};
        Told start{{}, kEndpoints, i, 0};
        start.finding.place = placeOf("endpoints", i);
        start.finding.subject.endpoint = endpoint.spec.name;
        for (const auto& rules : {endpointFieldRules(), accessRules(), endpointTimeRules(), breakerRules()})
            apply(rules, scope, start, reading, told);
    }
    for (std::size_t i = 0; i < workspace.chains.size(); ++i) {
        const ChainScope scope = scopeOf(workspace, facts, index, i);
        Told start{{}, kChains, i, 0};
        start.finding.place = placeOf("chains", i);
        start.finding.subject.chain = scope.spec.name;
        for (const auto& rules : {tierNameRules(), chainFieldRules(), chainTimeRules(), worstCaseRules(),
                                  fallbackRules(), reachRules(), routeRules()})
            apply(rules, scope, start, reading, told);
    }
    Told start{{}, kGateway, 0, 0};
    start.finding.place = QStringLiteral("gateway");
    apply(gatewayRules(), WholeScope{workspace, facts, index}, start, reading, told);
    return told;
}

Findings inOrder(std::vector<Told> told)
{
    std::stable_sort(told.begin(), told.end(), [](const Told& a, const Told& b) {
        return std::tuple(a.finding.level, a.part, a.at, a.tier) < std::tuple(b.finding.level, b.part, b.at, b.tier);
    });
    Findings findings;
    findings.reserve(told.size());
    for (Told& each : told)
        findings.push_back(std::move(each.finding));
    return findings;
}

/// Names and models are repeated, and any text may hold a key by mistake.
void mask(Finding& finding)
{
    for (QString* text : {&finding.place, &finding.problem, &finding.why, &finding.remedy})
        *text = provider::maskSecrets(*text);
    if (finding.fix)
        finding.fix->label = provider::maskSecrets(finding.fix->label);
}

Chain* find(Workspace& workspace, std::size_t at, const std::string& name)
{
    if (at < workspace.chains.size() && workspace.chains[at].spec.name == name)
        return &workspace.chains[at];
    return workspace.chain(name);
}

} // namespace

Findings lint(const Workspace& workspace, const LintFacts& facts)
{
    Findings findings = inOrder(run(workspace, facts, false));
    for (Finding& finding : findings)
        mask(finding);
    return findings;
}

void checkWhole(const Workspace& workspace, Findings& findings)
{
    Findings found = inOrder(run(workspace, {}, true));
    findings.insert(findings.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
}

Findings withLint(Findings read, Findings linted)
{
    // What could not be read has its default in the workspace, and that is not what its author meant.
    std::set<QString> wrong, places;
    for (const Finding& finding : read)
        if (finding.level == FindingLevel::Error && finding.rule.isEmpty())
            wrong.insert(finding.place);
    std::erase_if(linted, [&](const Finding& finding) { return wrong.contains(finding.place); });
    for (const Finding& finding : linted)
        places.insert(finding.place);
    // A key in another environment's part is in no workspace that could be linted.
    std::erase_if(read, [&](const Finding& finding) {
        const bool isSaidAgain = !finding.rule.isEmpty() && finding.rule != QLatin1String(kPastedKeyRule);
        return isSaidAgain || places.contains(finding.place);
    });
    linted.insert(linted.begin(), std::make_move_iterator(read.begin()), std::make_move_iterator(read.end()));
    std::stable_sort(linted.begin(), linted.end(),
                     [](const Finding& a, const Finding& b) { return a.level < b.level; });
    return linted;
}

std::vector<LintRule> lintRules()
{
    std::vector<LintRule> all;
    forEachFamily([&](const auto& rules) {
        for (const auto& rule : rules)
            all.push_back({QString::fromUtf8(rule.id), rule.level, QString::fromUtf8(rule.line)});
    });
    return all;
}

Index::Index(const Workspace& workspace)
    : longestCall(workspace.endpoints.size(), Nanos::zero())
{
    for (std::size_t i = 0; i < workspace.endpoints.size(); ++i)
        endpoints.try_emplace(workspace.endpoints[i].spec.name, i);
    for (const Chain& chain : workspace.chains)
        for (const chain::TierSpec& tier : chain.spec.tiers) {
            const auto found = endpoints.find(tier.endpoint);
            if (!tier.enabled || tier.kind != chain::TierKind::Endpoint || found == endpoints.end())
                continue;
            Nanos& longest = longestCall[found->second];
            longest = std::max(longest, longestAttempt(chain.spec, tier, &workspace.endpoints[found->second]));
        }
}

// ---- fixes find what they change by place and name: between finding and pressing the button the draft may move on

Fix EndpointScope::fix(const QString& label, std::function<void(Endpoint&)> change) const
{
    return {label, [index = at, name = endpoint.spec.name, change = std::move(change)](Workspace& changed) {
                if (index < changed.endpoints.size() && changed.endpoints[index].spec.name == name)
                    return change(changed.endpoints[index]);
                if (Endpoint* found = changed.endpoint(name))
                    change(*found);
            }};
}

Fix ChainScope::fix(const QString& label, std::function<void(chain::ChainSpec&)> change) const
{
    return {label, [index = at, name = spec.name, change = std::move(change)](Workspace& changed) {
                if (Chain* found = find(changed, index, name))
                    change(found->spec);
            }};
}

Fix ChainScope::tierFix(std::size_t tier, const QString& label, std::function<void(chain::TierSpec&)> change) const
{
    return fix(label, [tier, name = spec.tiers[tier].name, change = std::move(change)](chain::ChainSpec& changed) {
        if (tier < changed.tiers.size() && changed.tiers[tier].name == name)
            return change(changed.tiers[tier]);
        const auto found = std::ranges::find(changed.tiers, name, [](const chain::TierSpec& t) { return t.name; });
        if (found != changed.tiers.end())
            change(*found);
    });
}

// ---- telling

Tell::Tell(std::vector<Told>& told, Told start)
    : told_(told)
    , start_(std::move(start))
{
}

void Tell::operator()(const QString& field, const Words& words, std::optional<Fix> fix) const
{
    Told one = start_;
    if (!field.isEmpty())
        one.finding.place += (one.finding.place.isEmpty() ? QString() : QStringLiteral(".")) + field;
    one.finding.problem = words.problem;
    one.finding.why = words.why;
    one.finding.remedy = words.remedy;
    one.finding.fix = std::move(fix);
    told_.push_back(std::move(one));
}

void Tell::about(Subject subject, const QString& field, const Words& words) const
{
    (*this)(field, words);
    told_.back().finding.subject = std::move(subject);
}

void Tell::tier(std::size_t tier, const QString& field, const Words& words, std::optional<Fix> fix) const
{
    const QString place = placeOf("tiers", tier);
    (*this)(field.isEmpty() ? place : place + QLatin1Char('.') + field, words, std::move(fix));
    told_.back().finding.subject.tier = int(tier);
    told_.back().tier = tier + 1;
}

// ---- words

QString quoted(const std::string& name)
{
    return QLatin1Char('"') + QString::fromStdString(name) + QLatin1Char('"');
}

QString named(const char* kind, const std::string& name, std::size_t at)
{
    const bool isBlank = QString::fromStdString(name).trimmed().isEmpty();
    return QLatin1String(kind) + QLatin1Char(' ') + (isBlank ? QString::number(at + 1) : quoted(name));
}

QString fieldWords(const QString& field)
{
    QString words = field;
    for (const char* part : {"limits.", "capabilities."})
        if (words.startsWith(QLatin1String(part)))
            words.remove(0, qsizetype(std::strlen(part)));
    if (words.startsWith(QLatin1String("timeouts.")))
        words = words.mid(9) + QStringLiteral(" timeout");
    words.remove(QLatin1String("_ms")).remove(QLatin1String("_usd"));
    return words.replace(QLatin1Char('_'), QLatin1Char(' ')).replace(QLatin1Char('.'), QLatin1Char(' '));
}

QString spanWords(Nanos span)
{
    const double seconds = toMs(span) / 1000;
    const auto number = [](double value) {
        return QString::number(value < 10 ? std::round(value * 10) / 10 : std::round(value));
    };
    if (seconds < 1)
        return QStringLiteral("%1 ms").arg(QString::number(std::round(toMs(span))));
    if (seconds < 600)
        return number(seconds) + QStringLiteral(" s");
    if (seconds < 7200)
        return number(seconds / 60) + QStringLiteral(" min");
    return number(seconds / 3600) + QStringLiteral(" h");
}

QString countWords(std::int64_t count)
{
    QString digits = QString::number(count);
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, QChar(0x2009));
    return digits;
}

QString withoutStop(QString words)
{
    if (words.endsWith(QLatin1Char('.')))
        words.chop(1);
    return words;
}

QString clause(QString words)
{
    words = withoutStop(std::move(words));
    for (const char* first : {"The ", "This ", "No ", "Keys "})
        if (words.startsWith(QLatin1String(first)))
            words[0] = words[0].toLower();
    return words;
}

QString listWords(const QStringList& names)
{
    constexpr qsizetype kNamed = 3;
    if (names.size() <= 1)
        return names.join(QString());
    const bool more = names.size() > kNamed + 1;
    const QString last = more ? QStringLiteral("%1 more").arg(names.size() - kNamed) : names.back();
    const QStringList first = names.mid(0, more ? kNamed : names.size() - 1);
    return first.join(QStringLiteral(", ")) + QStringLiteral(" and ") + last;
}

QString placeOf(const char* list, std::size_t index)
{
    return QStringLiteral("%1[%2]").arg(QLatin1String(list)).arg(index);
}

QString tierName(const ChainScope& scope, std::size_t tier)
{
    return quoted(scope.spec.tiers[tier].name);
}

} // namespace sg::workspace
