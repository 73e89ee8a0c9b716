// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_edits.h"
#include "core/workspace/edits.h"

namespace sg::test {

using namespace workspace;

namespace {

class Editor
{
public:
    Editor(Workspace& workspace, policy::SeededRandom& random)
        : w_(workspace)
        , random_(random)
    {
    }

    void edit()
    {
        switch (below(5)) {
        case 0:
            return editList();
        case 1:
            return w_.chains.empty() ? void() : editChain(w_.chains[below(w_.chains.size())]);
        case 2:
            return w_.endpoints.empty() ? void() : editEndpoint(w_.endpoints[below(w_.endpoints.size())]);
        default:
            break;
        }
        if (w_.chains.empty())
            return;
        Chain& chain = w_.chains[below(w_.chains.size())];
        if (!chain.spec.tiers.empty() && below(2) == 0)
            return editTier(chain.spec.tiers[below(chain.spec.tiers.size())]);
        editTiers(chain.spec);
    }

private:
    std::size_t below(std::size_t n) { return n == 0 ? 0 : std::size_t(random_.next() % n); }
    std::string fresh() { return "n" + std::to_string(below(50)); }
    std::string someEndpoint()
    {
        return w_.endpoints.empty() ? "a" : w_.endpoints[below(w_.endpoints.size())].spec.name;
    }
    std::string someChain() { return w_.chains.empty() ? "main" : w_.chains[below(w_.chains.size())].spec.name; }
    template <typename T>
    static void move(std::vector<T>& list, std::size_t from, std::size_t to)
    {
        T one = list[from];
        list.erase(list.begin() + std::ptrdiff_t(from));
        list.insert(list.begin() + std::ptrdiff_t(to), std::move(one));
    }

    void editList()
    {
        Endpoint one;
        one.provider = QStringLiteral("openai-compatible");
        one.baseUrl = QStringLiteral("sim:x");
        one.model = QStringLiteral("x");
        one.spec.name = fresh();
        Chain chain;
        chain.spec.name = fresh();
        switch (below(12)) {
        case 0:
            w_.name = QString::fromStdString(fresh());
            break;
        case 1:
        case 2: {
            const std::string name = addEndpoint(w_, one);
            for (Endpoint& each : w_.endpoints)
                if (each.spec.name == name)
                    each.spec.quotaGroup = each.spec.credential = name;
            break;
        }
        case 3:
            removeEndpoint(w_, someEndpoint());
            break;
        case 4:
        case 5:
            renameEndpoint(w_, someEndpoint(), fresh());
            break;
        case 6:
            duplicateEndpoint(w_, someEndpoint());
            break;
        case 7:
            if (!w_.endpoints.empty())
                move(w_.endpoints, below(w_.endpoints.size()), below(w_.endpoints.size()));
            break;
        case 8:
            addChain(w_, chain);
            break;
        case 9:
            renameChain(w_, someChain(), fresh());
            break;
        case 10:
            duplicateChain(w_, someChain());
            break;
        default:
            if (below(2) == 0)
                removeChain(w_, someChain());
            else
                w_.policies.backoffs[fresh()] = {policy::BackoffKind::Fixed, double(below(900)), 2, 1000, {}};
            break;
        }
    }

    void editEndpoint(Endpoint& endpoint)
    {
        switch (below(10)) {
        case 0:
            endpoint.model = QString::fromStdString(fresh());
            break;
        case 1:
            endpoint.timeouts.total = Millis(std::int64_t(1000 + below(9000)));
            break;
        case 2:
            endpoint.timeouts.connect = Millis(std::int64_t(100 + below(900)));
            break;
        case 3:
            endpoint.key = below(2) ? KeyRef{KeySource::Keychain, QString::fromStdString(fresh())} : KeyRef();
            break;
        case 4:
            endpoint.spec.requestsPerMinute = below(2) ? std::optional(double(below(90) + 1)) : std::nullopt;
            break;
        case 5:
            endpoint.provider = below(2) ? QStringLiteral("perplexity") : QStringLiteral("openai");
            break;
        case 6:
            endpoint.spec.breaker.open = Millis(std::int64_t(1000 + below(9000)));
            endpoint.breakerPolicy.clear();
            break;
        case 7:
            if (below(2))
                endpoint.spec.breaker.window = policy::CountWindow{int(below(50) + 1)};
            else
                endpoint.spec.breaker.window =
                    policy::TimeWindow{Millis(std::int64_t(1000 * (1 + below(9)))), Millis(500)};
            endpoint.breakerPolicy.clear();
            break;
        case 8:
            endpoint.breakerPolicy = "s4";
            endpoint.spec.breaker = PolicyLibrary::builtIn().breakers.at("s4");
            break;
        default:
            endpoint.spec.quotaGroup = fresh();
            break;
        }
    }

    void editChain(Chain& chain)
    {
        switch (below(8)) {
        case 0:
            chain.spec.deadline = Millis(std::int64_t(1000 + below(9000)));
            break;
        case 1:
            chain.spec.limiter = chain::LimiterSpec();
            chain.spec.limiter->ratePerSecond = double(below(5) + 1);
            chain.spec.limiter->burst = double(below(9) + 1);
            chain.spec.limiterPolicy.clear();
            break;
        case 2:
            if (chain.spec.limiter && chain.spec.limiter->ratePerSecond > 0)
                chain.spec.limiter->ratePerSecond = double(below(5) + 1);
            chain.spec.limiterPolicy.clear();
            break;
        case 3:
            chain.spec.limiter.reset();
            chain.spec.limiterPolicy.clear();
            break;
        case 4:
            chain.spec.limiterPolicy = "s3-10-a-second";
            chain.spec.limiter = PolicyLibrary::builtIn().limiters.at("s3-10-a-second");
            break;
        case 5:
            chain.spec.cache = below(2) ? std::optional(chain::CacheSpec{below(90) + 1}) : std::nullopt;
            break;
        case 6:
            chain.caller.retries = int(below(4));
            break;
        default:
            chain.spec.router = below(2) ? std::optional(chain::RouterSpec{standardClasses()}) : std::nullopt;
            break;
        }
    }

    void editTier(chain::TierSpec& tier)
    {
        switch (below(7)) {
        case 0:
            tier.maxAttempts = int(below(5) + 1);
            break;
        case 1:
            tier.enabled = !tier.enabled;
            break;
        case 2:
            tier.movesOn.contentPolicy = !tier.movesOn.contentPolicy;
            break;
        case 3:
            tier.backoff.jitter = {policy::JitterType::Full};
            tier.backoffPolicy.clear();
            break;
        case 4:
            tier.split = below(2) ? fresh() : std::string();
            tier.weight = tier.split.empty() ? 1 : double(below(5));
            break;
        case 5:
            tier.rules = {{{fresh()}, fresh()}};
            break;
        default:
            tier.endpoint = someEndpoint();
            break;
        }
    }

    void editTiers(chain::ChainSpec& chain)
    {
        const std::size_t size = chain.tiers.size();
        switch (below(6)) {
        case 0:
            insertTier(chain, below(size + 1), tierFor(someEndpoint()));
            break;
        case 1:
            insertTier(chain, below(size + 1), cannedTier());
            break;
        case 2:
            removeTier(chain, below(size));
            break;
        case 3:
            duplicateTier(chain, below(size));
            break;
        case 4:
            renameTier(chain, below(size), fresh());
            break;
        default:
            moveTier(chain, below(size), below(size));
            break;
        }
    }

    Workspace& w_;
    policy::SeededRandom& random_;
};

} // namespace

void editAtRandom(Workspace& workspace, policy::SeededRandom& random)
{
    Editor(workspace, random).edit();
}

} // namespace sg::test
