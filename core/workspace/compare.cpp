// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/compare.h"
#include "core/workspace/compare_values.h"

namespace sg::workspace {

namespace {

using Kind = Difference::Kind;
using Differences = std::vector<Difference>;

/// The differences of one thing, all at one place.
class Place
{
public:
    Place(Differences& all, QString place)
        : all_(all)
        , place_(std::move(place))
        , before_(all.size())
    {
    }
    template <typename T, typename Say>
    void value(const char* what, const T& from, const T& to, Say say)
    {
        if (!(from == to))
            add(Kind::Changed, QString::fromUtf8(what), say(from), say(to));
    }
    template <typename T, typename Say>
    void optional(const char* what, const std::optional<T>& from, const std::optional<T>& to, Say say,
                  const QString& none = QStringLiteral("none"))
    {
        value(what, from, to, [&](const std::optional<T>& value) { return words::optional(value, say, none); });
    }
    void flag(const char* what, bool from, bool to) { value(what, from, to, words::flag); }
    void text(const char* what, const QString& from, const QString& to)
    {
        value(what, from, to, [](const QString& text) { return words::text(text); });
    }
    void text(const char* what, const std::string& from, const std::string& to)
    {
        value(what, from, to, [](const std::string& text) { return words::text(text); });
    }
    void number(const char* what, double from, double to) { value(what, from, to, words::number); }
    void span(const char* what, Nanos from, Nanos to) { value(what, from, to, words::span); }
    void add(Kind kind, const QString& what = {}, const QString& from = {}, const QString& to = {})
    {
        all_.push_back({kind, place_, what, from, to});
    }
    /// For what differs without a word of its own here.
    void orElse(bool isEqual, const char* what)
    {
        if (!isEqual && all_.size() == before_)
            add(Kind::Changed, QString::fromUtf8(what));
    }

private:
    Differences& all_;
    QString place_;
    std::size_t before_;
};

const QString& noLimit()
{
    static const QString words = QStringLiteral("no limit");
    return words;
}

QString unset()
{
    return QStringLiteral("not set");
}

QString count(std::int64_t value)
{
    return QString::number(value);
}

template <typename Number>
QString integer(Number value)
{
    return count(static_cast<std::int64_t>(value));
}

void compareBreakers(Place& at, const policy::BreakerConfig& a, const policy::BreakerConfig& b)
{
    at.optional("breaker: trips at failures in a row", a.consecutiveFailures, b.consecutiveFailures, integer<int>,
                unset());
    at.optional("breaker: trips at a share of failures", a.failureRate, b.failureRate, words::percent, unset());
    at.optional("breaker: trips at a share of 429", a.rateLimitedShare, b.rateLimitedShare, words::percent, unset());
    at.optional("breaker: trips at a share of slow calls", a.slowRate, b.slowRate, words::percent, unset());
    at.optional("breaker: slow is more than", a.slowCall, b.slowCall, words::span, unset());
    at.value("breaker: least calls", a.minimumCalls, b.minimumCalls, integer<int>);
    if (!(a.window == b.window))
        at.add(Kind::Changed, QStringLiteral("breaker: window"), words::window(a), words::window(b));
    at.value("breaker: a 429 counts as", a.rateLimitedCountsAs, b.rateLimitedCountsAs, words::countsAs);
    at.span("breaker: open for", a.open, b.open);
    at.number("breaker: open time grows by", a.openMultiplier, b.openMultiplier);
    at.span("breaker: open at most", a.maxOpen, b.maxOpen);
    at.value("breaker: jitter of the open time", a.openJitter, b.openJitter, words::percent);
    at.optional("breaker: call timeout", a.callTimeout, b.callTimeout, words::span);
    at.value("breaker: probes at a time", a.halfOpenMaxProbes, b.halfOpenMaxProbes, integer<int>);
    at.value("breaker: probes to close", a.halfOpenSuccesses, b.halfOpenSuccesses, integer<int>);
    at.optional("breaker: probe deadline", a.halfOpenDeadline, b.halfOpenDeadline, words::span, unset());
    at.flag("breaker: only measures", a.metricsOnly, b.metricsOnly);
}

void compareEndpoints(Differences& all, const Endpoint& a, const Endpoint& b)
{
    Place at(all, QStringLiteral("Endpoint ") + QString::fromStdString(b.spec.name));
    at.text("provider", a.provider, b.provider);
    at.text("address", a.baseUrl, b.baseUrl);
    at.text("model", a.model, b.model);
    at.value("key", a.key, b.key, words::key);
    at.span("connect within", a.timeouts.connect, b.timeouts.connect);
    at.optional("first byte within", a.timeouts.firstByte, b.timeouts.firstByte, words::span, noLimit());
    at.optional("first token within", a.timeouts.tokens.firstToken, b.timeouts.tokens.firstToken, words::span,
                noLimit());
    at.optional("longest pause", a.timeouts.idle, b.timeouts.idle, words::span, noLimit());
    at.span("whole reply within", a.timeouts.total, b.timeouts.total);
    at.optional("timeout by task", a.timeouts.byTask, b.timeouts.byTask, words::taskTimeout);
    at.optional("slowest answer", a.timeouts.tokens.slowest, b.timeouts.tokens.slowest, words::rateFloor);
    at.flag("ends slow streams", a.timeouts.tokens.abortsSlowStreams, b.timeouts.tokens.abortsSlowStreams);
    at.optional("price", a.price, b.price, words::price, QStringLiteral("as in the price book"));
    at.optional("requests a minute", a.spec.requestsPerMinute, b.spec.requestsPerMinute, words::number, noLimit());
    at.optional("tokens a minute", a.spec.tokensPerMinute, b.spec.tokensPerMinute, words::number, noLimit());
    at.optional("in flight at most", a.spec.maxInFlight, b.spec.maxInFlight, integer<int>, noLimit());
    at.text("quota group", a.spec.quotaGroup, b.spec.quotaGroup);
    at.text("shares its key as", a.spec.credential, b.spec.credential);
    at.optional(
        "context window", a.spec.capabilities.contextWindow, b.spec.capabilities.contextWindow,
        [](std::int64_t tokens) { return count(tokens) + QStringLiteral(" tokens"); }, QStringLiteral("unknown"));
    at.flag("tools", a.spec.capabilities.tools, b.spec.capabilities.tools);
    at.flag("images", a.spec.capabilities.images, b.spec.capabilities.images);
    at.flag("JSON mode", a.spec.capabilities.jsonMode, b.spec.capabilities.jsonMode);
    compareBreakers(at, a.spec.breaker, b.spec.breaker);
    at.text("breaker policy", a.breakerPolicy, b.breakerPolicy);
    at.text("proxy", a.proxy, b.proxy);
    at.value("proxy's password", a.proxyKey, b.proxyKey, words::key);
    at.text("private CA", a.caFile, b.caFile);
    at.value("HTTP version", a.httpVersion, b.httpVersion, [](HttpVersion version) {
        return version == HttpVersion::Http1   ? QStringLiteral("1.1")
               : version == HttpVersion::Http2 ? QStringLiteral("2")
                                               : QStringLiteral("2 where offered");
    });
    at.orElse(a == b, "other fields");
}

template <typename Part, typename Compare>
void comparePart(Differences& all, const QString& place, const std::optional<Part>& a, const std::optional<Part>& b,
                 Compare compareFields)
{
    Place at(all, place);
    if (a && b)
        return compareFields(at, *a, *b);
    if (a || b)
        at.add(b ? Kind::Added : Kind::Removed);
}

void compareLimiters(Place& at, const chain::LimiterSpec& a, const chain::LimiterSpec& b)
{
    const auto rate = [](double perSecond) {
        return perSecond > 0 ? words::number(perSecond) + QStringLiteral(" requests/s") : noLimit();
    };
    at.value("rate", a.ratePerSecond, b.ratePerSecond, rate);
    at.number("burst", a.burst, b.burst);
    at.span("waits at most", a.maxWait, b.maxWait);
    at.optional("requests in the window", a.windowLimit, b.windowLimit, count, noLimit());
    at.span("window", a.window, b.window);
}

void compareCaches(Place& at, const chain::CacheSpec& a, const chain::CacheSpec& b)
{
    at.value("most entries", a.maxEntries, b.maxEntries, integer<std::size_t>);
    at.value("most memory", a.maxBytes, b.maxBytes, words::bytes);
    at.span("keeps answers for", a.ttl, b.ttl);
}

void compareRouters(Place& at, const chain::RouterSpec& a, const chain::RouterSpec& b)
{
    const auto find = [](const chain::RouterSpec& in, const std::string& name) {
        const auto found = std::ranges::find(in.classes, name, &chain::RouteClass::name);
        return found == in.classes.end() ? std::optional<chain::RouteClass>() : *found;
    };
    const auto differ = [&](const std::string& name) {
        const QByteArray what = "class " + QByteArray::fromStdString(name);
        at.optional(what.constData(), find(a, name), find(b, name), words::routeClass);
    };
    for (const chain::RouteClass& before : a.classes)
        differ(before.name);
    for (const chain::RouteClass& now : b.classes) {
        if (!find(a, now.name))
            differ(now.name);
    }
    at.orElse(a == b, "order of the classes");
}

void compareTiers(Place& at, const chain::TierSpec& a, const chain::TierSpec& b)
{
    at.flag("in use", a.enabled, b.enabled);
    if (a.kind != b.kind)
        at.add(Kind::Changed, QStringLiteral("kind"));
    at.text("endpoint", a.endpoint, b.endpoint);
    at.value("tries", a.maxAttempts, b.maxAttempts, integer<int>);
    at.optional("one try within", a.attemptTimeout, b.attemptTimeout, words::span,
                QStringLiteral("as its endpoint says"));
    at.value("waits before a retry", a.backoff, b.backoff, words::backoff);
    at.text("backoff policy", a.backoffPolicy, b.backoffPolicy);
    at.text("split", a.split, b.split);
    at.number("weight", a.weight, b.weight);
    at.value("rules", a.rules, b.rules, words::rules);
    at.flag("moves on at a 429", a.movesOn.rateLimited, b.movesOn.rateLimited);
    at.flag("moves on at 5xx", a.movesOn.serverError, b.movesOn.serverError);
    at.flag("moves on at a timeout", a.movesOn.timeout, b.movesOn.timeout);
    at.flag("moves on at an open breaker", a.movesOn.openBreaker, b.movesOn.openBreaker);
    at.flag("moves on at a context too long", a.movesOn.contextTooLong, b.movesOn.contextTooLong);
    at.flag("moves on at a content filter", a.movesOn.contentPolicy, b.movesOn.contentPolicy);
    at.orElse(a == b, "other fields");
}

/// Names that both have and that stand in another order now; as few as explain it.
std::vector<std::string> movedNames(const std::vector<std::string>& before, const std::vector<std::string>& now)
{
    std::vector<std::string> old, fresh, moved;
    std::ranges::copy_if(before, std::back_inserter(old),
                         [&](const std::string& name) { return std::ranges::find(now, name) != now.end(); });
    std::ranges::copy_if(now, std::back_inserter(fresh),
                         [&](const std::string& name) { return std::ranges::find(before, name) != before.end(); });
    // The longest common run of names in order stays; what is not in it has moved.
    const std::size_t n = old.size(), m = fresh.size();
    std::vector<std::vector<std::size_t>> longest(n + 1, std::vector<std::size_t>(m + 1, 0));
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = m; j-- > 0;)
            longest[i][j] =
                old[i] == fresh[j] ? longest[i + 1][j + 1] + 1 : std::max(longest[i + 1][j], longest[i][j + 1]);
    }
    for (std::size_t i = 0, j = 0; j < m;) {
        if (i < n && old[i] == fresh[j]) {
            ++i;
            ++j;
        } else if (i < n && longest[i + 1][j] >= longest[i][j + 1]) {
            ++i;
        } else {
            moved.push_back(fresh[j++]);
        }
    }
    return moved;
}

std::vector<std::string> tierNames(const chain::ChainSpec& chain)
{
    std::vector<std::string> names;
    for (const chain::TierSpec& tier : chain.tiers)
        names.push_back(tier.name);
    return names;
}

std::size_t placeOf(const std::vector<std::string>& names, const std::string& name)
{
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

void compareTierLists(Differences& all, const QString& chain, const chain::ChainSpec& a, const chain::ChainSpec& b)
{
    const std::vector<std::string> before = tierNames(a), now = tierNames(b);
    const std::vector<std::string> moved = movedNames(before, now);
    const auto placed = [&](std::size_t index, const std::string& name) {
        return QStringLiteral("%1, tier %2 %3").arg(chain).arg(index + 1).arg(QString::fromStdString(name));
    };
    for (std::size_t i = 0; i < a.tiers.size(); ++i) {
        if (placeOf(now, before[i]) == now.size())
            Place(all, placed(i, before[i])).add(Kind::Removed);
    }
    for (std::size_t i = 0; i < b.tiers.size(); ++i) {
        Place at(all, placed(i, now[i]));
        const std::size_t was = placeOf(before, now[i]);
        if (was == before.size()) {
            at.add(Kind::Added);
            continue;
        }
        if (std::ranges::find(moved, now[i]) != moved.end())
            at.add(Kind::Moved, QStringLiteral("place"), count(static_cast<std::int64_t>(was) + 1),
                   count(static_cast<std::int64_t>(i) + 1));
        compareTiers(at, a.tiers[was], b.tiers[i]);
    }
}

void compareCallers(Place& at, const Caller& a, const Caller& b)
{
    at.optional("the caller waits", a.waits, b.waits, words::span, QStringLiteral("unknown"));
    at.optional("the caller retries", a.retries, b.retries, integer<int>, QStringLiteral("unknown"));
    at.optional(
        "a request may cost", a.pays, b.pays,
        [](cost::NanoDollars usd) {
            return QStringLiteral("$") + words::number(static_cast<double>(usd.count()) / 1e9);
        },
        QStringLiteral("unknown"));
}

void compareChains(Differences& all, const Chain& a, const Chain& b)
{
    const QString name = QStringLiteral("Chain ") + QString::fromStdString(b.spec.name);
    Place at(all, name);
    at.span("deadline", a.spec.deadline, b.spec.deadline);
    at.value("attempts at most", a.spec.attemptBudget, b.spec.attemptBudget, integer<int>);
    at.span("waits for a server at most", a.spec.maxServerWait, b.spec.maxServerWait);
    at.text("limiter policy", a.spec.limiterPolicy, b.spec.limiterPolicy);
    compareCallers(at, a.caller, b.caller);
    comparePart(all, name + QStringLiteral(", limiter"), a.spec.limiter, b.spec.limiter, compareLimiters);
    comparePart(all, name + QStringLiteral(", cache"), a.spec.cache, b.spec.cache, compareCaches);
    comparePart(all, name + QStringLiteral(", router"), a.spec.router, b.spec.router, compareRouters);
    compareTierLists(all, name, a.spec, b.spec);
    at.orElse(a == b, "other fields");
}

void compareGateways(Differences& all, const GatewaySettings& a, const GatewaySettings& b)
{
    const auto list = [](const QStringList& names) {
        return names.isEmpty() ? QStringLiteral("none") : names.join(QStringLiteral(", "));
    };
    Place at(all, QStringLiteral("Gateway"));
    at.text("address", a.address, b.address);
    at.value("port", a.port, b.port, integer<quint16>);
    at.value("token", a.token, b.token, words::key);
    at.value("other names", a.hosts, b.hosts, list);
    at.value("pages that may call", a.origins, b.origins, list);
    at.optional("begins a stream after", a.beginAfter, b.beginAfter, words::span, QStringLiteral("never"));
    at.span("keeps streams alive every", a.keepAlive, b.keepAlive);
    at.span("drains for", a.drain, b.drain);
    at.value("in flight at most", a.maxInFlight, b.maxInFlight, integer<int>);
    at.value("queued at most", a.maxQueued, b.maxQueued, integer<int>);
    at.span("queued no longer than", a.maxQueueWait, b.maxQueueWait);
}

template <typename Thing, typename Compare>
void compareNamed(Differences& all, const QString& kind, const std::vector<Thing>& before,
                  const std::vector<Thing>& now, Compare compareThings)
{
    const auto find = [](const std::vector<Thing>& in, const std::string& name) {
        const auto found = std::ranges::find_if(in, [&](const Thing& thing) { return thing.spec.name == name; });
        return found == in.end() ? nullptr : &*found;
    };
    const auto place = [&](const Thing& thing) { return kind + QString::fromStdString(thing.spec.name); };
    for (const Thing& thing : before) {
        if (!find(now, thing.spec.name))
            Place(all, place(thing)).add(Kind::Removed);
    }
    for (const Thing& thing : now) {
        if (const Thing* old = find(before, thing.spec.name))
            compareThings(all, *old, thing);
        else
            Place(all, place(thing)).add(Kind::Added);
    }
}

} // namespace

std::vector<Difference> compare(const Workspace& before, const Workspace& now)
{
    Differences all;
    Place at(all, QStringLiteral("Workspace"));
    at.text("name", before.name, now.name);
    at.text("environment", before.environment, now.environment);
    if (before.simulator != now.simulator)
        at.add(Kind::Changed, QStringLiteral("simulator script"));
    if (before.providers != now.providers)
        at.add(Kind::Changed, QStringLiteral("own providers"));
    if (!(before.policies == now.policies))
        at.add(Kind::Changed, QStringLiteral("own policies"));
    compareGateways(all, before.gateway, now.gateway);
    compareNamed(all, QStringLiteral("Endpoint "), before.endpoints, now.endpoints, compareEndpoints);
    compareNamed(all, QStringLiteral("Chain "), before.chains, now.chains, compareChains);
    at.orElse(before == now, "order or other fields");
    return all;
}

QString inWords(const Difference& difference)
{
    QString said = difference.place;
    if (!difference.what.isEmpty())
        said += QStringLiteral(": ") + difference.what;
    if (difference.kind == Kind::Added)
        return said + QStringLiteral(" added");
    if (difference.kind == Kind::Removed)
        return said + QStringLiteral(" removed");
    if (difference.from.isEmpty() && difference.to.isEmpty())
        return said + QStringLiteral(" changed");
    return QStringLiteral("%1 %2 → %3").arg(said, difference.from, difference.to);
}

} // namespace sg::workspace
