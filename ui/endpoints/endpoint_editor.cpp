// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/endpoint_editor.h"

#include "core/workspace/edits.h"
#include "core/workspace/lint.h"
#include "ui/endpoints/endpoint_words.h"

#include <algorithm>

namespace sg::ui {

namespace {

constexpr int kLintMs = 150; ///< after the last key: the lint of a large draft takes longer than one

// What the built-in simulator's script has ready.
const char* const kSimulated[] = {"gpt-4.1", "claude-sonnet-4.5", "gemini-2.5-flash", "deepseek-v3.2"};

std::vector<std::string> namesOf(const workspace::Workspace& workspace)
{
    std::vector<std::string> names;
    for (const workspace::Endpoint& each : workspace.endpoints)
        names.push_back(each.spec.name);
    return names;
}

bool has(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The name that is there now and was not; empty: none, or several.
std::string newOne(const std::vector<std::string>& before, const std::vector<std::string>& now)
{
    std::string found;
    for (const std::string& name : now) {
        if (has(before, name))
            continue;
        if (!found.empty())
            return {};
        found = name;
    }
    return found;
}

workspace::Endpoint freshEndpoint()
{
    workspace::Endpoint fresh;
    // Without a rule a breaker never trips.
    fresh.spec.breaker.consecutiveFailures = 5;
    fresh.timeouts.tokens.firstToken = std::chrono::seconds(15);
    fresh.timeouts.idle = std::chrono::seconds(20);
    return fresh;
}

QString simulatedName(const workspace::Workspace& workspace)
{
    for (const char* name : kSimulated) {
        const QString url = QStringLiteral("sim:") + QLatin1String(name);
        const bool isTaken = std::any_of(workspace.endpoints.begin(), workspace.endpoints.end(),
                                         [&](const workspace::Endpoint& each) { return each.baseUrl == url; });
        if (!isTaken)
            return QLatin1String(name);
    }
    return QLatin1String(kSimulated[0]);
}

/// A script of the workspace's own has only what it names: `name` is added there.
void addToScript(QJsonObject& script, const QString& name)
{
    if (script.isEmpty())
        return; // the built-in script has it
    const QString list = QStringLiteral("endpoints");
    QJsonArray endpoints = script.value(list).toArray();
    const bool isThere = std::any_of(endpoints.begin(), endpoints.end(), [&](const QJsonValue& each) {
        return each.toObject().value(QStringLiteral("name")).toString() == name;
    });
    if (isThere)
        return;
    const QJsonObject latency{{QStringLiteral("kind"), QStringLiteral("lognormal")},
                              {QStringLiteral("median_ms"), 700},
                              {QStringLiteral("sigma"), 0.35}};
    endpoints.append(QJsonObject{{QStringLiteral("name"), name}, {QStringLiteral("latency"), latency}});
    script.insert(list, endpoints);
}

} // namespace

EndpointEditor::EndpointEditor(Draft& draft, ServingControl& serving, secrets::KeyControl& keys, QObject* parent)
    : QObject(parent)
    , draft_(draft)
    , serving_(serving)
    , keys_(keys)
    , names_(namesOf(draft.workspace()))
{
    lint_.setSingleShot(true);
    lint_.setInterval(kLintMs);
    connect(&lint_, &QTimer::timeout, this, &EndpointEditor::lintNow);
    connect(&draft_, &Draft::changed, this, &EndpointEditor::onDraft);
    const auto onFacts = [this] {
        lintSoon();
        Q_EMIT changed();
    };
    connect(&serving_, &ServingControl::factsChanged, this, onFacts);
    connect(&keys_, &secrets::KeyControl::changed, this, onFacts);
    followSelection();
}

const workspace::Endpoint* EndpointEditor::selected() const
{
    return draft_.workspace().endpoint(selected_);
}

void EndpointEditor::select(const std::string& name)
{
    if (name == selected_ || !draft_.workspace().endpoint(name))
        return;
    draft_.closeMerge();
    selected_ = name;
    followSelection();
    Q_EMIT selectionChanged();
}

void EndpointEditor::followSelection()
{
    const auto& all = draft_.workspace().endpoints;
    const auto at = std::find_if(all.begin(), all.end(),
                                 [this](const workspace::Endpoint& each) { return each.spec.name == selected_; });
    if (at != all.end()) {
        selectedAt_ = static_cast<std::size_t>(at - all.begin());
        return;
    }
    // It is gone: its neighbour.
    selectedAt_ = all.empty() ? 0 : std::min(selectedAt_, all.size() - 1);
    selected_ = all.empty() ? std::string() : all[selectedAt_].spec.name;
}

void EndpointEditor::onDraft()
{
    const std::string before = selected_;
    std::vector<std::string> names = namesOf(draft_.workspace());
    // What came is what one wants to see, be it added, renamed or brought back by undo.
    if (const std::string came = newOne(names_, names); !came.empty())
        selected_ = came;
    names_ = std::move(names);
    followSelection();
    lintSoon();
    Q_EMIT changed();
    if (selected_ != before)
        Q_EMIT selectionChanged();
}

void EndpointEditor::edit(const QString& words, const QString& field,
                          const std::function<void(workspace::Endpoint&)>& change)
{
    const QString key =
        field.isEmpty() ? QString() : QStringLiteral("endpoint/%1/%2").arg(QString::fromStdString(selected_), field);
    draft_.edit(
        words,
        [&](workspace::Workspace& workspace) {
            for (workspace::Endpoint& each : workspace.endpoints)
                if (each.spec.name == selected_)
                    return change(each);
        },
        key);
}

QString EndpointEditor::nameProblem(const QString& name) const
{
    const std::string wanted = name.trimmed().toStdString();
    if (wanted.empty())
        return tr("An endpoint needs a name.");
    if (wanted != selected_ && draft_.workspace().endpoint(wanted))
        return tr("Another endpoint has this name.");
    return {};
}

void EndpointEditor::rename(const QString& name)
{
    const std::string to = name.trimmed().toStdString();
    if (to == selected_ || !nameProblem(name).isEmpty() || selected_.empty())
        return;
    const std::string from = selected_;
    draft_.closeMerge();
    draft_.edit(tr("Rename endpoint %1").arg(QString::fromStdString(from)),
                [&](workspace::Workspace& workspace) { workspace::renameEndpoint(workspace, from, to); });
}

workspace::KeyRef EndpointEditor::firstKeyOf(const provider::ProviderProfile& profile, const std::string& name) const
{
    using workspace::KeySource;
    workspace::KeyRef key;
    if (!profile.needsKey) {
        key.saysNone = true;
        return key;
    }
    const bool hasVariable =
        !profile.keyVariable.isEmpty() &&
        keys_.status(secrets::KeyHome::Environment, profile.keyVariable).state == secrets::KeyState::Ready;
    key.source = hasVariable || !keys_.keychainWorks() ? KeySource::Environment : KeySource::Keychain;
    key.name = endpointwords::usualKeyName(key.source, profile, QString::fromStdString(name));
    return key;
}

std::string EndpointEditor::addAndSelect(const QString& words, workspace::Endpoint endpoint)
{
    std::string name;
    draft_.closeMerge();
    draft_.edit(words, [&](workspace::Workspace& workspace) {
        if (endpoint.baseUrl.startsWith(QLatin1String("sim:")))
            addToScript(workspace.simulator, endpoint.baseUrl.mid(4));
        name = workspace::addEndpoint(workspace, endpoint);
    });
    select(name);
    return name;
}

std::string EndpointEditor::addOf(const QString& provider)
{
    const auto* known = draft_.workspace().catalogue.find(provider.toStdString());
    const provider::ProviderProfile profile = known ? *known : provider::ProviderProfile();
    workspace::Endpoint fresh = freshEndpoint();
    fresh.provider = provider;
    fresh.spec.name = workspace::freeEndpointName(draft_.workspace(), provider.toStdString());
    fresh.spec.quotaGroup = fresh.spec.credential = fresh.spec.name;
    fresh.spec.capabilities.jsonMode = profile.quirks.jsonMode;
    fresh.key = firstKeyOf(profile, fresh.spec.name);
    return addAndSelect(tr("Add endpoint %1").arg(QString::fromStdString(fresh.spec.name)), fresh);
}

std::string EndpointEditor::addSimulated()
{
    const QString simulated = simulatedName(draft_.workspace());
    workspace::Endpoint fresh = freshEndpoint();
    fresh.provider = QStringLiteral("openai");
    fresh.baseUrl = QStringLiteral("sim:") + simulated;
    fresh.model = simulated;
    fresh.key.saysNone = true;
    cost::Price free;
    free.input = free.output = cost::NanoDollars(0);
    fresh.price = free;
    fresh.spec.name =
        workspace::freeEndpointName(draft_.workspace(), QStringLiteral("sim %1").arg(simulated).toStdString());
    fresh.spec.quotaGroup = fresh.spec.credential = fresh.spec.name;
    return addAndSelect(tr("Add a simulated endpoint"), fresh);
}

std::string EndpointEditor::duplicate()
{
    if (!selected())
        return {};
    const std::string from = selected_;
    std::string name;
    draft_.closeMerge();
    draft_.edit(tr("Duplicate endpoint %1").arg(QString::fromStdString(from)),
                [&](workspace::Workspace& workspace) { name = workspace::duplicateEndpoint(workspace, from); });
    select(name);
    return name;
}

QString EndpointEditor::removalEffect() const
{
    QStringList chains;
    for (const std::string& chain : workspace::chainsUsing(draft_.workspace(), selected_))
        chains << QString::fromStdString(chain);
    if (chains.isEmpty())
        return {};
    if (chains.size() == 1)
        return tr("The chain %1 loses a tier.").arg(chains.first());
    const QString last = chains.takeLast();
    return tr("The chains %1 and %2 lose a tier each.").arg(chains.join(QStringLiteral(", ")), last);
}

QString EndpointEditor::remove()
{
    if (!selected())
        return {};
    const std::string name = selected_;
    const QString shown = QString::fromStdString(name);
    const QString effect = removalEffect();
    draft_.closeMerge();
    draft_.edit(tr("Remove endpoint %1").arg(shown),
                [&](workspace::Workspace& workspace) { workspace::removeEndpoint(workspace, name); });
    const QString gone = tr("%1 is removed.").arg(shown);
    return effect.isEmpty() ? gone : gone + QLatin1Char(' ') + effect;
}

void EndpointEditor::setActive(bool active)
{
    isActive_ = active;
    if (!active)
        lint_.stop();
    else if (needsLint_)
        lint_.start();
}

void EndpointEditor::lintSoon()
{
    needsLint_ = true;
    if (isActive_)
        lint_.start();
}

void EndpointEditor::lintNow()
{
    lint_.stop();
    needsLint_ = false;
    workspace::Findings found = workspace::lint(draft_.workspace(), serving_.lintFacts());
    if (found == findings_)
        return;
    findings_ = std::move(found);
    Q_EMIT findingsChanged();
}

void EndpointEditor::applyFix(const workspace::Finding& finding)
{
    if (!finding.fix)
        return;
    draft_.closeMerge();
    draft_.edit(finding.fix->label, finding.fix->change);
}

} // namespace sg::ui
