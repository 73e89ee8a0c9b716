// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/http_wire.h"

#include <QJsonObject>

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

/// Traffic for a long time, of which every answer is checked.
namespace sg::soak {

/// What all clients found. Thread-safe.
class Ledger
{
public:
    enum Kind { Whole, Streamed, Tools, StreamedTools, Cached, StreamedCached, Small, Embeddings, kKinds };
    struct Counts
    {
        std::int64_t asked = 0, answered = 0, left = 0;
        std::int64_t refused = 0;       ///< an error status in the right shape
        std::int64_t brokenStreams = 0; ///< that said so with an error event
        std::int64_t fromCache = 0;     ///< answered by an earlier or a shared call
    };

    void asked(Kind kind);
    void left(Kind kind);
    void refused(Kind kind, int status);
    void brokenStream(Kind kind);
    /// `answer` names the provider's answer, "a#17"; `isOwn`: nobody else may get the same.
    void answered(Kind kind, const std::string& answer, bool isOwn);
    void answeredUnnamed(Kind kind); ///< rightly, by an answer without a name: it may be lost or doubled unseen
    void violation(const std::string& words);

    Counts total() const;
    std::array<Counts, kKinds> byKind() const;
    std::map<int, std::int64_t> refusedByStatus() const;
    std::size_t distinctAnswers() const;
    std::vector<std::string> violations() const; ///< the first of them
    std::int64_t violationCount() const;

private:
    mutable std::mutex mutex_;
    std::array<Counts, kKinds> counts_{};
    std::map<int, std::int64_t> statuses_;
    std::set<std::string> answers_;
    std::vector<std::string> violations_;
    std::int64_t violationCount_ = 0;
};

/// One client that asks one request after the other, in its own thread.
class Client
{
public:
    Client(std::uint16_t port, int number, unsigned seed, Ledger& ledger, const std::atomic<bool>& stop);
    ~Client();
    void run();

private:
    void one();
    void think(); ///< up to 30 ms between two requests
    void readAnswer(Ledger::Kind kind, const std::string& prompt, std::int64_t leaveAtUs);
    void checkWhole(Ledger::Kind kind, const std::string& prompt);
    void checkStream(Ledger::Kind kind, const std::string& prompt);
    void checkSmall(const std::string& prompt);
    void checkEmbeddings(const std::string& prompt);
    void checkText(Ledger::Kind kind, const std::string& prompt, const std::string& content);
    void checkAnswer(Ledger::Kind kind, const std::string& prompt, const QJsonObject& message,
                     const std::string& finish);
    void disconnect();
    int draw(int below) { return int(random_() % unsigned(below)); }
    std::string about(Ledger::Kind kind, const std::string& prompt, const std::string& problem) const;

    std::uint16_t port_;
    int number_, count_ = 0, fd_ = -1;
    std::mt19937 random_;
    Ledger& ledger_;
    const std::atomic<bool>& stop_;
    test::AnswerWire wire_;
};

} // namespace sg::soak
