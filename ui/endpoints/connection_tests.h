// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/connection_test.h"
#include "ui/edit/draft.h"

#include <QElapsedTimer>
#include <QObject>

#include <map>

namespace sg::ui {

/// The tests of connections that run or have ended, by endpoint. What was tested is kept with the result: one that was
/// changed since has none. GUI thread.
class ConnectionTests : public QObject
{
    Q_OBJECT
public:
    /// Both outlive it.
    ConnectionTests(Draft& draft, engine::ConnectionTester& tester, QObject* parent = nullptr);

    void start(const std::string& endpoint); ///< again: the answer before counts no more
    void startAll();
    void cancel(); ///< answers that still come are not looked at
    bool isRunning(const std::string& endpoint) const { return running_.count(endpoint) > 0; }
    int running() const { return static_cast<int>(running_.size()); }
    std::optional<engine::ConnectionResult> resultOf(const workspace::Endpoint& endpoint) const;
    /// "4 of 5 work, 1 refused" of the draft's endpoints that were tested; empty: none.
    QString summary() const;

Q_SIGNALS:
    void changed();

private:
    struct Ended
    {
        workspace::Endpoint tested;
        engine::ConnectionResult result;
    };
    void finish(const std::string& endpoint, int number, const workspace::Endpoint& tested,
                const engine::ConnectionResult& result);

    Draft& draft_;
    engine::ConnectionTester& tester_;
    int lastNumber_ = 0;
    std::map<std::string, int> running_; ///< with its number: an older answer is not the one waited for
    std::map<std::string, Ended> ended_;
};

} // namespace sg::ui
