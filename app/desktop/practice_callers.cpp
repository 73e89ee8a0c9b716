// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/practice_callers.h"

#include "core/provider/request_writer.h"

#include <cmath>

namespace sg::app {

namespace {

constexpr int kMostInFlight = 100;
/// One in so many, at a place of its own among them.
constexpr int kUnknownModel = 23, kForeignPage = 31, kLeaves = 61, kWhole = 3;
constexpr std::chrono::milliseconds kLeavesAfter{120};

/// Reads whatever comes.
struct Reader : http::Listener
{
    void onHeaders(int, const http::Headers&, Instant) override {}
    void onBody(QByteArrayView, Instant) override {}
    void onFinished(const http::Outcome&) override {}
};

} // namespace

PracticeCallers::PracticeCallers(engine::EngineCore& core, const QString& base, const load::LoadPlan& plan,
                                 double requestsPerSecond)
    : core_(core)
    , transport_(http::makeQnamTransport())
    , url_(base + QStringLiteral("/chat/completions"))
    , prompts_(plan)
    , model_(plan.target)
    , random_(plan.seed)
    , rate_(requestsPerSecond)
    , next_(http::steadyNow())
{
    arrive();
}

PracticeCallers::~PracticeCallers()
{
    core_.timers().cancel(timer_);
}

void PracticeCallers::arrive()
{
    if (transport_->figures().inFlight < kMostInFlight)
        send();
    next_ += fromMs(-std::log(1 - random_.uniform()) * 1000 / rate_);
    timer_ = core_.timers().at(next_, [this] { arrive(); });
}

void PracticeCallers::send()
{
    ++sent_;
    const auto isTurn = [this](int every) { return sent_ % every == every / 2; };
    provider::ChatRequest chat = prompts_.next();
    chat.stream = sent_ % kWhole != 0;
    http::Request request;
    request.url = url_;
    request.isStream = chat.stream;
    request.headers = {{"Content-Type", "application/json"}};
    if (isTurn(kForeignPage))
        request.headers.emplace_back("Origin", "https://page.example");
    const std::string model = isTurn(kUnknownModel) ? "gpt-9" : model_;
    request.body = provider::chatBody(*provider::Catalogue::builtIn().find("openai"), chat, model);
    const auto exchange = transport_->start(std::move(request), std::make_shared<Reader>());
    if (isTurn(kLeaves))
        core_.timers().at(later(http::steadyNow(), kLeavesAfter), [exchange] { exchange->cancel(); });
}

} // namespace sg::app
