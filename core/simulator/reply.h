// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/simulator/answer_text.h"
#include "core/simulator/bodies.h"
#include "core/simulator/service.h"

namespace sg::simulator {

/// What a chat request asked for, as far as it matters here.
struct Asked
{
    bool stream = false;
    bool includeUsage = false;
    QString model;
    int promptTokens = 0;
    QString lastText{}; ///< of the last message
    bool bringsTools = false;
    std::optional<int> maxTokens;
    provider::Dialect dialect = provider::Dialect::OpenAi;
};
/// Nothing when the body is no chat request in the dialect. Gemini says model and stream in the address only.
std::optional<Asked> readChatRequest(const QByteArray& body, provider::Dialect dialect);

/// One chat request's answer, from the draw of its fate to its last byte.
class Reply final : public Due, public std::enable_shared_from_this<Reply>
{
public:
    Reply(Service& service, Service::Endpoint& endpoint, const Behaviour& behaviour, Asked asked, Instant received,
          std::shared_ptr<http::Responder> responder, std::uint64_t seed);

    void start();           ///< to be called once, after construction
    void begin(Instant at); ///< service begins, behind a queue later than the request came
    void onDue() override;
    bool over() const { return over_; }
    Instant received() const { return received_; }

private:
    enum class Stage { Waiting, Fault, Whole, Streaming };
    void drawFate(std::uint64_t seed);
    void planText();
    void planTimes(policy::RandomSource& random);
    bool failsAtTheDoor() const; ///< without any work being done for it
    bool failsHere() const;      ///< so many tokens were to come before the fault
    void failNow();
    void sendStatus();
    void sendErrorEvent();
    void sendGarbage();
    void sendWhole();
    void stream();
    void letGo(); ///< a client that does not read
    QByteArray nextChunk();
    Instant chunkTime(int chunk) const;
    void open();
    void countStatus(int status);
    void complete(Instant now);
    void finish();
    void wakeAt(Instant when);

    Service& service_;
    Service::Endpoint& endpoint_;
    const Behaviour& behaviour_;
    Asked asked_;
    Instant received_; ///< last byte of the request read
    Instant begun_;
    std::shared_ptr<http::Responder> responder_;
    const Fault* fault_ = nullptr;
    AnswerFacts facts_;
    AnswerText text_;
    Nanos latency_{0}, ttft_{0};
    int chunks_ = 1, nextChunk_ = 0, sentTokens_ = 0;
    std::optional<Instant> firstToken_;
    Stage stage_ = Stage::Waiting;
    bool over_ = false, opened_ = false;
};

} // namespace sg::simulator
