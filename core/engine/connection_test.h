// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/model.h"

#include <QStringList>

#include <functional>

namespace sg::engine {

/// What a free test of a connection says.
struct ConnectionResult
{
    enum class Kind { Works, KeyRefused, NoAnswer, NoList, NotTested };
    Kind kind = Kind::NotTested;
    QString words;  ///< a sentence for people; never holds a key
    QString remedy; ///< a sentence: the way on; may be empty
    std::optional<double> tookMs;
    QStringList models;   ///< what the provider lists; empty where it does not say
    bool hasModel = true; ///< the endpoint's model is in the list, or there is no list
    QString certificate;  ///< "CN=…, until 2027-01-02", of https; may be empty
};

/// Asks an endpoint's provider for its models: costs no tokens, feeds no breaker and counts for no limit. The endpoint
/// need not be applied. GUI thread; `done` once, there; cancelled by destroying the tester.
class ConnectionTester
{
public:
    virtual ~ConnectionTester() = default;
    virtual void test(const workspace::WorkspacePtr& workspace, const std::string& endpoint,
                      std::function<void(const ConnectionResult&)> done) = 0;
};

} // namespace sg::engine
