// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/loopback.h"
#include "core/workspace/lint_ranges.h"

#include <QRegularExpression>
#include <QUrl>

namespace sg::workspace {

namespace {

constexpr int kFirstFreePort = 1024;
/// What nginx, HAProxy and most load balancers wait for the next byte unless told otherwise is 60 s.
constexpr std::chrono::seconds kProxiesWait{60};

Fix fix(const QString& label, std::function<void(GatewaySettings&)> change)
{
    return {label, [change = std::move(change)](Workspace& changed) { change(changed.gateway); }};
}

QString quotedText(const QString& text)
{
    return quoted(text.toStdString());
}

// ---- where it listens

void badListenAddress(const WholeScope& scope, const Tell& tell)
{
    const QString& address = scope.workspace.gateway.address;
    if (policy::isLoopback(address) || !QHostAddress(address).isNull())
        return;
    tell(QStringLiteral("address"),
         {QStringLiteral("%1 is no address to listen on").arg(quotedText(address)),
          QStringLiteral("The gateway cannot start"),
          QStringLiteral("Write 127.0.0.1, an address of this machine, or 0.0.0.0 for all of them")});
}

void openWithoutToken(const WholeScope& scope, const Tell& tell)
{
    const GatewaySettings& gateway = scope.workspace.gateway;
    if (gateway.token.source != KeySource::None || QHostAddress(gateway.address).isNull() ||
        policy::isLoopback(gateway.address))
        return;
    tell(QStringLiteral("address"),
         {QStringLiteral("the gateway listens on %1, beyond this machine, without a token").arg(gateway.address),
          QStringLiteral("Everybody who reaches it could spend on your keys, so it does not start"),
          QStringLiteral("Add \"token\": {\"source\": \"environment\", \"name\": \"SWITCHGEAR_TOKEN\"}, or listen on "
                         "127.0.0.1")},
         fix(QStringLiteral("Listen on 127.0.0.1"),
             [](GatewaySettings& changed) { changed.address = QStringLiteral("127.0.0.1"); }));
}

void privilegedPort(const WholeScope& scope, const Tell& tell)
{
    const quint16 port = scope.workspace.gateway.port;
    if (port == 0 || port >= kFirstFreePort)
        return;
    tell(QStringLiteral("port"),
         {QStringLiteral("port %1 is one of the system's").arg(port),
          QStringLiteral("Programs without special rights cannot listen below 1024"),
          QStringLiteral("Choose a port from 1024 up, as in 8787")},
         fix(QStringLiteral("Use 8787"), [](GatewaySettings& changed) { changed.port = GatewaySettings().port; }));
}

void gatewayRanges(const WholeScope& scope, const Tell& tell)
{
    const GatewaySettings& gateway = scope.workspace.gateway;
    const auto begin = gateway.beginAfter ? std::optional(toMs(*gateway.beginAfter)) : std::nullopt;
    tellOutside(QStringLiteral("gateway"),
                {{"begin_after_ms", begin, 0, kDayMs},
                 {"keep_alive_ms", toMs(gateway.keepAlive), 100, kDayMs},
                 {"drain_ms", toMs(gateway.drain), 0, kDayMs},
                 {"max_in_flight", double(gateway.maxInFlight), 1, 1e6},
                 {"max_queued", double(gateway.maxQueued), 0, 1e6},
                 {"max_queue_wait_ms", toMs(gateway.maxQueueWait), 0, kDayMs}},
                tell);
}

// ---- who may call

void badToken(const WholeScope& scope, const Tell& tell)
{
    static const QRegularExpression variable(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    const KeyRef& token = scope.workspace.gateway.token;
    if (token.source == KeySource::None)
        return;
    const bool isVariable = token.source == KeySource::Environment;
    if (token.name.trimmed().isEmpty())
        tell(QStringLiteral("token.name"),
             {QStringLiteral("the gateway's token has no name"), QStringLiteral("The gateway cannot start"),
              isVariable ? QStringLiteral("Name the variable, as in SWITCHGEAR_TOKEN")
                         : QStringLiteral("Name the entry, as in switchgear-gateway")});
    else if (isVariable && !variable.match(token.name).hasMatch())
        tell(QStringLiteral("token.name"),
             {QStringLiteral("this cannot be the name of an environment variable"),
              QStringLiteral("The gateway cannot start"),
              QStringLiteral("Use letters, digits and underscores, as in SWITCHGEAR_TOKEN")});
}

void tokenUnusable(const WholeScope& scope, const Tell& tell)
{
    const auto& fact = scope.facts.gatewayToken;
    if (fact && !fact->isUsable)
        tell(QStringLiteral("token"),
             {fact->words.isEmpty() ? QStringLiteral("the gateway's token cannot be used") : clause(fact->words),
              QStringLiteral("The gateway does not start without it"), withoutStop(fact->remedy)});
}

void tokenOfProvider(const WholeScope& scope, const Tell& tell)
{
    const KeyRef& token = scope.workspace.gateway.token;
    if (token.source == KeySource::None || token.name.isEmpty())
        return;
    for (const Endpoint& endpoint : scope.workspace.endpoints) {
        if (endpoint.key != token && endpoint.proxyKey != token)
            continue;
        tell(QStringLiteral("token"),
             {QStringLiteral("the gateway's token is also the key of %1").arg(quoted(endpoint.spec.name)),
              QStringLiteral("Every application that may call the gateway would hold the provider's key"),
              QStringLiteral("Give the gateway a token of its own")});
        return;
    }
}

/// The host alone, if that is what can be made of it.
QString hostIn(const QString& text)
{
    const QUrl url(text.contains(QLatin1String("://")) ? text : QStringLiteral("http://") + text);
    return url.host();
}

void badHost(const WholeScope& scope, const Tell& tell)
{
    const QStringList& hosts = scope.workspace.gateway.hosts;
    for (qsizetype i = 0; i < hosts.size(); ++i) {
        const QString host = hosts.at(i).trimmed();
        const QString alone = hostIn(host);
        const bool isAddress = !QHostAddress(host).isNull();
        if (isAddress || (!alone.isEmpty() && alone.compare(host, Qt::CaseInsensitive) == 0))
            continue;
        std::optional<Fix> mend;
        if (!alone.isEmpty())
            mend = fix(QStringLiteral("Write %1").arg(alone), [i, text = hosts.at(i), alone](GatewaySettings& changed) {
                if (changed.hosts.value(i) == text)
                    changed.hosts[i] = alone;
            });
        tell(QStringLiteral("hosts[%1]").arg(i),
             {QStringLiteral("%1 is no name of a host").arg(quotedText(host)),
              QStringLiteral("No request is addressed to it, so those it was meant for are refused"),
              QStringLiteral("Write only the name or address, as in desk.example, without scheme, port and path")},
             std::move(mend));
    }
}

bool isOrigin(const QString& text)
{
    const QUrl url(text, QUrl::StrictMode);
    const bool isWeb = url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
    return isWeb && !url.host().isEmpty() &&
           text.compare(url.scheme() + QStringLiteral("://") + url.authority(QUrl::FullyEncoded),
                        Qt::CaseInsensitive) == 0 &&
           url.userInfo().isEmpty();
}

void badOrigin(const WholeScope& scope, const Tell& tell)
{
    const QStringList& origins = scope.workspace.gateway.origins;
    for (qsizetype i = 0; i < origins.size(); ++i) {
        const QString& origin = origins.at(i);
        if (origin == QLatin1String("*") || isOrigin(origin))
            continue;
        const QUrl url(origin);
        const QString alone = url.scheme() + QStringLiteral("://") + url.authority(QUrl::FullyEncoded);
        std::optional<Fix> mend;
        if (url.userInfo().isEmpty() && isOrigin(alone))
            mend = fix(QStringLiteral("Write %1").arg(alone), [i, origin, alone](GatewaySettings& changed) {
                if (changed.origins.value(i) == origin)
                    changed.origins[i] = alone;
            });
        tell(QStringLiteral("origins[%1]").arg(i),
             {QStringLiteral("%1 is no origin").arg(quotedText(origin)),
              QStringLiteral("Browsers never send it, so the page it was meant for is refused"),
              QStringLiteral("Write scheme, host and port alone, as in https://desk.example")},
             std::move(mend));
    }
}

void anyOrigin(const WholeScope& scope, const Tell& tell)
{
    const qsizetype at = scope.workspace.gateway.origins.indexOf(QStringLiteral("*"));
    if (at < 0)
        return;
    tell(QStringLiteral("origins[%1]").arg(at),
         {QStringLiteral("\"*\" would let every page in a browser call the gateway"),
          QStringLiteral("Any site that you visit could spend on your keys, so it is not followed"),
          QStringLiteral("Name the pages, as in https://desk.example")},
         fix(QStringLiteral("Remove it"),
             [](GatewaySettings& changed) { changed.origins.removeAll(QStringLiteral("*")); }));
}

// ---- waiting

void keepAliveLong(const WholeScope& scope, const Tell& tell)
{
    const Nanos keepAlive = scope.workspace.gateway.keepAlive;
    if (keepAlive <= kProxiesWait)
        return;
    tell(QStringLiteral("keep_alive_ms"),
         {QStringLiteral("a stream may say nothing for %1").arg(spanWords(keepAlive)),
          QStringLiteral("Proxies and clients give up on what is silent for 60 s"),
          QStringLiteral("Shorten it, to 10 s for instance")},
         fix(QStringLiteral("Shorten it to 10 s"),
             [](GatewaySettings& changed) { changed.keepAlive = GatewaySettings().keepAlive; }));
}

void queueOutlastsCallers(const WholeScope& scope, const Tell& tell)
{
    const Nanos wait = scope.workspace.gateway.maxQueueWait;
    const Chain* hasty = nullptr;
    for (const Chain& chain : scope.workspace.chains)
        if (chain.caller.waits && *chain.caller.waits <= wait && (!hasty || chain.caller.waits < hasty->caller.waits))
            hasty = &chain;
    // The usual wait is nobody's decision, so it is nobody's mistake either.
    if (!hasty || scope.workspace.gateway.maxQueued == 0 || wait == GatewaySettings().maxQueueWait)
        return;
    const Nanos callers = *hasty->caller.waits;
    tell(QStringLiteral("max_queue_wait_ms"),
         {QStringLiteral("requests may be queued for %1, and callers of %2 wait for %3")
              .arg(spanWords(wait), quoted(hasty->spec.name), spanWords(callers)),
          QStringLiteral("What has waited that long is answered to nobody"),
          QStringLiteral("Shorten it to well below what they wait")},
         fix(QStringLiteral("Shorten it to %1").arg(spanWords(callers / 2)),
             [callers](GatewaySettings& changed) { changed.maxQueueWait = callers / 2; }));
}

constexpr WholeRule kRules[] = {
    {"gateway_bad_address", FindingLevel::Error, "An address that nobody can listen on", badListenAddress, true},
    {"gateway_open_without_token", FindingLevel::Error, "A gateway that listens beyond this machine without a token",
     openWithoutToken},
    {"gateway_out_of_range", FindingLevel::Error, "A number of the gateway that no file may have", gatewayRanges},
    {"gateway_bad_token", FindingLevel::Error, "A token without a name, or with one that no variable can have",
     badToken},
    {"gateway_any_origin", FindingLevel::Error, "\"*\" among the pages that may call", anyOrigin, true},
    {"gateway_bad_origin", FindingLevel::Warning, "An origin with a path, without a scheme, or that is none", badOrigin,
     true},
    {"gateway_bad_host", FindingLevel::Warning, "A host with a scheme, a port or a path in it", badHost, true},
    {"gateway_privileged_port", FindingLevel::Warning, "A port below 1024", privilegedPort, true},
    {"gateway_token_unusable", FindingLevel::Warning, "A token that is missing or malformed", tokenUnusable},
    {"gateway_token_of_provider", FindingLevel::Warning, "A token that is also an endpoint's key", tokenOfProvider,
     true},
    {"gateway_keep_alive_long", FindingLevel::Warning, "Streams that may be silent for more than 60 s", keepAliveLong,
     true},
    {"gateway_queue_outlasts_callers", FindingLevel::Warning,
     "A queue in which requests wait longer than their callers", queueOutlastsCallers, true},
};

} // namespace

std::span<const WholeRule> gatewayRules()
{
    return kRules;
}

} // namespace sg::workspace
