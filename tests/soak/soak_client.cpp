// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/soak/soak_client.h"

#include "core/simulator/bodies.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <cerrno>
#include <map>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sg::soak {

namespace {

using test::AnswerWire;
using test::steadyUs;

constexpr std::int64_t kMostUs = 30'000'000; ///< that a request may take: well above the chain's deadline
constexpr std::size_t kViolationsKept = 20;
constexpr int kCachedPrompts = 40;
const std::array<const char*, Ledger::kKinds> kNames{"whole",  "streamed",        "tools",      "streamed tools",
                                                     "cached", "streamed cached", "small chat", "embeddings"};

bool isStream(Ledger::Kind kind)
{
    return kind == Ledger::Streamed || kind == Ledger::StreamedTools || kind == Ledger::StreamedCached;
}
bool hasTools(Ledger::Kind kind)
{
    return kind == Ledger::Tools || kind == Ledger::StreamedTools;
}
bool isCached(Ledger::Kind kind)
{
    return kind == Ledger::Cached || kind == Ledger::StreamedCached;
}

std::string bodyOf(Ledger::Kind kind, const std::string& prompt)
{
    if (kind == Ledger::Embeddings)
        return R"({"model":"model-b","input":")" + prompt + "\"}";
    if (kind == Ledger::Small)
        return R"({"model":"main","message":")" + prompt + "\"}";
    std::string body = "{\"model\":\"";
    body += isCached(kind) ? "cached" : "main";
    body += "\",\"messages\":[{\"role\":\"user\",\"content\":\"" + prompt + "\"}]";
    if (isStream(kind))
        body += ",\"stream\":true";
    if (hasTools(kind))
        body += R"(,"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object"}}}])";
    return body + '}';
}

const char* pathOf(Ledger::Kind kind)
{
    if (kind == Ledger::Small)
        return "/chat";
    return kind == Ledger::Embeddings ? "/v1/embeddings" : "/v1/chat/completions";
}

/// Lays the deltas of a stream over each other.
void merge(QJsonObject& message, const QJsonObject& delta)
{
    const QString content = QStringLiteral("content"), calls = QStringLiteral("tool_calls");
    message[content] = message[content].toString() + delta[content].toString();
    const QJsonArray pieces = delta[calls].toArray();
    for (const QJsonValue& piece : pieces) {
        QJsonObject call = message[calls].toArray().first().toObject();
        QJsonObject function = call[QStringLiteral("function")].toObject();
        for (const QString& field : {QStringLiteral("name"), QStringLiteral("arguments")})
            function[field] = function[field].toString() + piece[QStringLiteral("function")][field].toString();
        call[QStringLiteral("function")] = function;
        call[QStringLiteral("id")] = call[QStringLiteral("id")].toString() + piece[QStringLiteral("id")].toString();
        message[calls] = QJsonArray{call};
    }
}

} // namespace

void Ledger::asked(Kind kind)
{
    const std::scoped_lock lock(mutex_);
    ++counts_[kind].asked;
}
void Ledger::left(Kind kind)
{
    const std::scoped_lock lock(mutex_);
    ++counts_[kind].left;
}
void Ledger::refused(Kind kind, int status)
{
    const std::scoped_lock lock(mutex_);
    ++counts_[kind].refused;
    ++statuses_[status];
}
void Ledger::brokenStream(Kind kind)
{
    const std::scoped_lock lock(mutex_);
    ++counts_[kind].brokenStreams;
}
void Ledger::answered(Kind kind, const std::string& answer, bool isOwn)
{
    bool isNew = true;
    {
        const std::scoped_lock lock(mutex_);
        ++counts_[kind].answered;
        if (isOwn)
            isNew = answers_.insert(answer).second;
        else
            ++counts_[kind].fromCache;
    }
    if (!isNew)
        violation("the provider's answer " + answer + " was given to two requests");
}
void Ledger::answeredUnnamed(Kind kind)
{
    const std::scoped_lock lock(mutex_);
    ++counts_[kind].answered;
}
void Ledger::violation(const std::string& words)
{
    const std::scoped_lock lock(mutex_);
    ++violationCount_;
    if (violations_.size() < kViolationsKept)
        violations_.push_back(words);
}
Ledger::Counts Ledger::total() const
{
    Counts sum;
    for (const Counts& counts : byKind()) {
        sum.asked += counts.asked;
        sum.answered += counts.answered;
        sum.left += counts.left;
        sum.refused += counts.refused;
        sum.brokenStreams += counts.brokenStreams;
        sum.fromCache += counts.fromCache;
    }
    return sum;
}
std::array<Ledger::Counts, Ledger::kKinds> Ledger::byKind() const
{
    const std::scoped_lock lock(mutex_);
    return counts_;
}
std::map<int, std::int64_t> Ledger::refusedByStatus() const
{
    const std::scoped_lock lock(mutex_);
    return statuses_;
}
std::size_t Ledger::distinctAnswers() const
{
    const std::scoped_lock lock(mutex_);
    return answers_.size();
}
std::vector<std::string> Ledger::violations() const
{
    const std::scoped_lock lock(mutex_);
    return violations_;
}
std::int64_t Ledger::violationCount() const
{
    const std::scoped_lock lock(mutex_);
    return violationCount_;
}

Client::Client(std::uint16_t port, int number, unsigned seed, Ledger& ledger, const std::atomic<bool>& stop)
    : port_(port)
    , number_(number)
    , random_(seed + unsigned(number) * 7919U)
    , ledger_(ledger)
    , stop_(stop)
{
}

Client::~Client()
{
    disconnect();
}

void Client::run()
{
    while (!stop_) {
        one();
        think();
    }
}

/// Ends early when the server closes the connection, which the next request must not meet.
void Client::think()
{
    pollfd idle{fd_, POLLIN, 0}; // one that is not open is passed over
    if (::poll(&idle, 1, draw(30)) > 0)
        disconnect();
}

void Client::disconnect()
{
    if (fd_ >= 0)
        ::close(fd_);
    fd_ = -1;
    wire_ = AnswerWire();
}

std::string Client::about(Ledger::Kind kind, const std::string& prompt, const std::string& problem) const
{
    return std::string(kNames[kind]) + " \"" + prompt + "\": " + problem + "\n" + wire_.head() +
           wire_.body().substr(wire_.body().size() > 600 ? wire_.body().size() - 600 : 0);
}

void Client::one()
{
    const auto kind =
        Ledger::Kind(std::array{Ledger::Whole, Ledger::Whole, Ledger::Whole, Ledger::Streamed, Ledger::Streamed,
                                Ledger::Streamed, Ledger::Tools, Ledger::StreamedTools, Ledger::Cached,
                                Ledger::StreamedCached, Ledger::Small, Ledger::Embeddings}[std::size_t(draw(12))]);
    const std::string prompt = (isCached(kind) ? "id-shared-" + std::to_string(draw(kCachedPrompts))
                                               : "id-" + std::to_string(number_) + '-' + std::to_string(++count_)) +
                               " and a few words more so that a stream has pieces";
    if (fd_ < 0)
        fd_ = test::connectTo(port_);
    ledger_.asked(kind);
    wire_.restart();
    const std::string bytes = test::requestBytes("POST", pathOf(kind), "", bodyOf(kind, prompt));
    if (fd_ < 0 || ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) != ssize_t(bytes.size())) {
        ledger_.violation(about(kind, prompt, "the request could not be sent"));
        disconnect();
        return;
    }
    const bool leaves = draw(10) == 0;
    readAnswer(kind, prompt, leaves ? steadyUs() + draw(120'000) : 0);
}

void Client::readAnswer(Ledger::Kind kind, const std::string& prompt, std::int64_t leaveAtUs)
{
    const std::int64_t until = steadyUs() + kMostUs;
    std::array<char, 16384> buffer;
    auto state = wire_.state();
    while (state == AnswerWire::State::Head || state == AnswerWire::State::Body) {
        const std::int64_t now = steadyUs();
        if (leaveAtUs && now >= leaveAtUs) {
            ledger_.left(kind);
            disconnect();
            return;
        }
        if (now > until) {
            ledger_.violation(about(kind, prompt, "it did not end"));
            disconnect();
            return;
        }
        pollfd poll{fd_, POLLIN, 0};
        const std::int64_t wait = (leaveAtUs ? leaveAtUs - now : 100'000) / 1000 + 1;
        if (::poll(&poll, 1, int(wait)) <= 0)
            continue;
        const auto count = ::recv(fd_, buffer.data(), buffer.size(), 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        state = count > 0 ? wire_.feed({buffer.data(), std::size_t(count)}) : wire_.feedEnd();
    }
    if (state == AnswerWire::State::Broken)
        ledger_.violation(about(kind, prompt, wire_.problem()));
    else if (wire_.status() == 200 && isStream(kind))
        checkStream(kind, prompt);
    else if (wire_.status() == 200 && kind == Ledger::Small)
        checkSmall(prompt);
    else if (wire_.status() == 200 && kind == Ledger::Embeddings)
        checkEmbeddings(prompt);
    else
        checkWhole(kind, prompt);
    if (state == AnswerWire::State::Broken || !wire_.keepsAlive())
        disconnect();
}

void Client::checkWhole(Ledger::Kind kind, const std::string& prompt)
{
    const QJsonObject answer = QJsonDocument::fromJson(QByteArray::fromStdString(wire_.body())).object();
    const int status = wire_.status();
    if (status != 200) {
        const QJsonValue error = answer[QStringLiteral("error")];
        const bool isShaped = !error[QStringLiteral("message")].toString().isEmpty() ||
                              (kind == Ledger::Small && !answer[QStringLiteral("reason")].toString().isEmpty());
        // Every request is right: whatever goes wrong is not the caller's mistake.
        if (isShaped && (status == 429 || status >= 500))
            ledger_.refused(kind, status);
        else
            ledger_.violation(about(kind, prompt, "status " + std::to_string(status)));
        return;
    }
    const QJsonValue choice = answer[QStringLiteral("choices")][0];
    checkAnswer(kind, prompt, choice[QStringLiteral("message")].toObject(),
                choice[QStringLiteral("finish_reason")].toString().toStdString());
}

void Client::checkStream(Ledger::Kind kind, const std::string& prompt)
{
    QJsonObject message;
    std::string finish;
    bool done = false, failed = false;
    const QList<QByteArray> lines = QByteArray::fromStdString(wire_.body()).split('\n');
    for (const QByteArray& line : lines) {
        if (!line.startsWith("data: "))
            continue;
        if (done)
            ledger_.violation(about(kind, prompt, "it goes on behind [DONE]"));
        done = line == "data: [DONE]";
        const QJsonObject event = QJsonDocument::fromJson(line.mid(6)).object();
        failed = failed || event.contains(QStringLiteral("error"));
        const QJsonValue choice = event[QStringLiteral("choices")][0];
        merge(message, choice[QStringLiteral("delta")].toObject());
        if (choice[QStringLiteral("finish_reason")].isString())
            finish = choice[QStringLiteral("finish_reason")].toString().toStdString();
    }
    if (!failed && !done) {
        ledger_.violation(about(kind, prompt, "cut off without an error event"));
    } else if (failed) {
        const std::string said = message[QStringLiteral("content")].toString().toStdString();
        const auto blank = said.find(' ');
        if (blank != std::string::npos && prompt.compare(0, said.size() - blank - 1, said, blank + 1) != 0)
            ledger_.violation(about(kind, prompt, "what it said before the error is not its own"));
        ledger_.brokenStream(kind);
    } else {
        checkAnswer(kind, prompt, message, finish);
    }
}

void Client::checkSmall(const std::string& prompt)
{
    const QJsonObject answer = QJsonDocument::fromJson(QByteArray::fromStdString(wire_.body())).object();
    checkText(Ledger::Small, prompt, answer[QStringLiteral("response")].toString().toStdString());
}

void Client::checkEmbeddings(const std::string& prompt)
{
    const auto vectorOf = [](const QByteArray& answer) {
        return QJsonDocument::fromJson(answer).object()[QStringLiteral("data")][0][QStringLiteral("embedding")];
    };
    const QByteArray right =
        simulator::embeddings(QByteArrayLiteral("\"model-b\""), {QString::fromStdString(prompt)}, false);
    if (vectorOf(QByteArray::fromStdString(wire_.body())) == vectorOf(right))
        ledger_.answeredUnnamed(Ledger::Embeddings);
    else
        ledger_.violation(about(Ledger::Embeddings, prompt, "another vector"));
}

/// An echo with the provider's own number before it.
void Client::checkText(Ledger::Kind kind, const std::string& prompt, const std::string& content)
{
    const std::string cache = wire_.header("x-switchgear-cache");
    const auto blank = content.find(' ');
    if (blank == std::string::npos || content.substr(blank + 1) != prompt)
        ledger_.violation(about(kind, prompt, "another answer: " + content));
    else
        ledger_.answered(kind, content.substr(0, blank), cache != "hit" && cache != "shared");
}

void Client::checkAnswer(Ledger::Kind kind, const std::string& prompt, const QJsonObject& message,
                         const std::string& finish)
{
    if (!hasTools(kind)) {
        if (finish != "stop")
            ledger_.violation(about(kind, prompt, "it ended with " + finish));
        return checkText(kind, prompt, message[QStringLiteral("content")].toString().toStdString());
    }
    const std::string cache = wire_.header("x-switchgear-cache");
    const bool isOwn = cache != "hit" && cache != "shared";
    const QJsonArray calls = message[QStringLiteral("tool_calls")].toArray();
    const QJsonValue function = calls.first()[QStringLiteral("function")];
    const QByteArray id = calls.first()[QStringLiteral("id")].toString().toUtf8(); // "call-chatcmpl-sim-a-17"
    const auto dash = id.lastIndexOf('-');
    if (finish != "tool_calls" || calls.size() != 1 || !id.startsWith("call-chatcmpl-sim-") ||
        function[QStringLiteral("name")].toString() != QLatin1String("look") ||
        function[QStringLiteral("arguments")].toString() != QLatin1String("{\"at\":\"the sky\"}"))
        ledger_.violation(about(kind, prompt, "another tool call"));
    else
        ledger_.answered(kind, (id.mid(18, dash - 18) + '#' + id.mid(dash + 1)).toStdString(), isOwn);
}

} // namespace sg::soak
