// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"
#include "core/provider/error.h"

#include <unordered_set>

namespace sg::engine {

/// What whole answers that are still arriving, or are being read, hold of memory in sum. Beyond half of the most only
/// those go on that have room to their ends; the others are read no further until there is room for them too. One
/// thread.
class AnswerBudget
{
public:
    explicit AnswerBudget(qint64 most)
        : most_(most)
    {
    }
    AnswerBudget(const AnswerBudget&) = delete;
    AnswerBudget& operator=(const AnswerBudget&) = delete;

    class Client
    {
    public:
        virtual ~Client() = default;
        virtual void setHeld(bool held) = 0; ///< reads no further meanwhile; must not call the budget
    };

    /// One answer's part; gives it back when it goes. Nothing before begin().
    class Share
    {
    public:
        Share() = default;
        ~Share() { end(); }
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;

        /// `most`: bytes that the answer has at the longest. May tell the client to wait.
        void begin(AnswerBudget& budget, Client& client, qint64 most);
        /// False: there is no room, and there will be none; nothing was taken. Before begin() nothing is counted.
        bool grow(qint64 bytes);
        void end(); ///< no-op when over; others may go on

    private:
        friend class AnswerBudget;
        qint64 left() const { return most_ - bytes_; }
        void hold(bool held);

        AnswerBudget* budget_ = nullptr;
        Client* client_ = nullptr;
        qint64 most_ = 0, bytes_ = 0;
        bool isHeld_ = false;
    };

    qint64 most() const { return most_; }
    qint64 bytes() const { return bytes_; }
    int waiting() const; ///< answers that are read no further now
    qint64 refusedTotal() const { return refused_; }

private:
    bool isTight() const { return bytes_ > most_ / 2; }
    void arrange();
    void releaseAll();

    const qint64 most_;
    qint64 bytes_ = 0, refused_ = 0;
    std::unordered_set<Share*> shares_;
};

/// 503's worth of words: it was given up here, which is no failure of the endpoint.
provider::ErrorFacts noRoom(const AnswerBudget& budget);
/// What an answer has at the longest: as it was announced, at most `most`.
qint64 longest(const http::Headers& headers, qint64 most);

} // namespace sg::engine
