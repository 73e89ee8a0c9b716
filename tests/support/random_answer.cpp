// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_answer.h"

#include "core/provider/finish_reason.h"

#include <algorithm>

namespace sg::test {

using namespace sg::provider;

namespace {
using Random = policy::SeededRandom;

int below(Random& random, int limit)
{
    return static_cast<int>(random.next() % static_cast<std::uint64_t>(limit));
}

bool chance(Random& random, double share)
{
    return random.uniform() < share;
}

char32_t randomPoint(Random& random)
{
    static constexpr char32_t kOdd[] = {0,      '"',    '\\',   '/',     '\n',    '\r',    '\t',
                                        0x1F,   0x7F,   0x85,   0x2028,  0x2029,  0xFEFF,  0xFFFD,
                                        0xFFFF, 0xD7FF, 0xE000, 0x10000, 0x1F600, 0x10FFFF};
    switch (below(random, 6)) {
    case 0:
        return kOdd[below(random, static_cast<int>(std::size(kOdd)))];
    case 1:
        return static_cast<char32_t>(0x80 + below(random, 0x780));
    case 2:
        return static_cast<char32_t>(0x800 + below(random, 0xD000));
    case 3:
        return static_cast<char32_t>(0x10000 + below(random, 0x100000));
    default:
        return static_cast<char32_t>(0x20 + below(random, 0x5F));
    }
}

std::string randomName(Random& random)
{
    return randomText(random, 12).toStdString();
}

std::int64_t randomCount(Random& random)
{
    switch (below(random, 4)) {
    case 0:
        return 0;
    case 1:
        return 4'000'000'000'000'000 - below(random, 1000); // two of them are still a count
    default:
        return below(random, 200'000);
    }
}

using Count = std::optional<std::int64_t>;

/// A share of the whole, sometimes all of it; never known when the whole is not.
Count randomPart(Random& random, Count whole)
{
    if (!whole || chance(random, 0.4))
        return std::nullopt;
    return chance(random, 0.2) ? *whole / 2 : static_cast<std::int64_t>(random.uniform() * 0.4 * double(*whole));
}

Usage randomUsage(Random& random)
{
    Usage usage;
    if (chance(random, 0.2))
        return usage;
    if (chance(random, 0.9))
        usage.inputTokens = randomCount(random);
    if (chance(random, 0.9))
        usage.outputTokens = randomCount(random);
    usage.cachedInputTokens = randomPart(random, usage.inputTokens);
    usage.cacheWriteTokens = randomPart(random, usage.inputTokens);
    if (chance(random, 0.3))
        usage.cacheWriteHourTokens = usage.cacheWriteTokens;
    usage.estimated = usage != Usage() && chance(random, 0.1);
    usage.audioInputTokens = randomPart(random, usage.inputTokens);
    usage.reasoningTokens = randomPart(random, usage.outputTokens);
    usage.audioOutputTokens = randomPart(random, usage.outputTokens);
    if (chance(random, 0.3))
        usage.reportedCost = cost::NanoDollars(static_cast<std::int64_t>(random.next() % 1'000'000'000'000));
    return usage;
}

QJsonObject signedBy(const QString& signature, QJsonObject call)
{
    const QJsonObject google{{QStringLiteral("thought_signature"), signature}};
    call.insert(QLatin1String("extra_content"), QJsonObject{{QStringLiteral("google"), google}});
    return call;
}

QJsonArray randomCalls(Random& random)
{
    QJsonArray calls;
    const int count = chance(random, 0.1) ? 40 : below(random, 4);
    for (int index = 0; index < count; ++index) {
        const QString made = QStringLiteral("call_%1").arg(index);
        const QString id = chance(random, 0.3) ? made : QStringLiteral("id-%1-").arg(index) + randomText(random, 8);
        const QString name = chance(random, 0.1) ? QString() : randomText(random, 20);
        const QJsonObject call{
            {QStringLiteral("id"), id},
            {QStringLiteral("type"), QStringLiteral("function")},
            {QStringLiteral("function"),
             QJsonObject{{QStringLiteral("name"), name}, {QStringLiteral("arguments"), randomText(random, 60)}}}};
        calls += chance(random, 0.2) ? signedBy(QStringLiteral("c2ln") + randomText(random, 20), call) : call;
    }
    return calls;
}

/// As AnswerBuilder leaves them.
void setFinish(Answer& answer, Random& random)
{
    static const char* const kSent[] = {"stop", "length",   "tool_calls", "content_filter", "MAX_TOKENS", "end_turn",
                                        "STOP", "tool_use", "SAFETY",     "refusal",        "new word",   "pause_turn",
                                        ""};
    const QString sent = QString::fromUtf8(kSent[below(random, static_cast<int>(std::size(kSent)))]);
    answer.finishReason = normalFinishReason(sent);
    answer.finishReasonSent = sent.toStdString();
    if (answer.finishReason == "stop" && !answer.toolCalls.isEmpty())
        answer.finishReason = "tool_calls";
}

/// What is still to be said of one text.
struct Rest
{
    QString text;
    QString cut(Random& random)
    {
        const QString piece = text.first(std::min<qsizetype>(text.size(), 1 + below(random, 20)));
        text = text.sliced(piece.size());
        return piece;
    }
};

struct CallRest
{
    QString id, name, signature;
    Rest arguments;
    bool mentioned = false;
    bool isOver() const
    {
        return mentioned && id.isEmpty() && name.isEmpty() && signature.isEmpty() && arguments.text.isEmpty();
    }
};

CallRest restOf(const QJsonValue& call, int index, Random& random)
{
    const QJsonValue function = call[QLatin1String("function")];
    CallRest rest{
        call[QLatin1String("id")].toString(),
        function[QLatin1String("name")].toString(),
        call[QLatin1String("extra_content")][QLatin1String("google")][QLatin1String("thought_signature")].toString(),
        {function[QLatin1String("arguments")].toString()}};
    if (rest.id == QStringLiteral("call_%1").arg(index) && chance(random, 0.5))
        rest.id.clear();
    return rest;
}

ToolCallPiece cutCall(CallRest& rest, int index, Random& random)
{
    ToolCallPiece piece{index, {}, {}, {}};
    const bool last = rest.arguments.text.isEmpty();
    if (last || chance(random, 0.7))
        piece.id = std::exchange(rest.id, {});
    if (last || chance(random, 0.7))
        piece.name = std::exchange(rest.name, {});
    if (last || chance(random, 0.5))
        piece.signature = std::exchange(rest.signature, {});
    if (!last && chance(random, 0.9))
        piece.arguments = rest.arguments.cut(random);
    rest.mentioned = true;
    return piece;
}
} // namespace

QString randomText(Random& random, int maxUnits)
{
    QString text;
    for (int units = below(random, maxUnits + 1); text.size() + 2 <= units;)
        text += QString::fromUcs4(std::array{randomPoint(random)}.data(), 1);
    return text;
}

Answer randomAnswer(Random& random)
{
    Answer answer;
    if (chance(random, 0.8))
        answer.text = randomText(random, chance(random, 0.05) ? 20'000 : 200);
    if (chance(random, 0.3))
        answer.reasoning = randomText(random, 200);
    if (chance(random, 0.4))
        answer.toolCalls = randomCalls(random);
    setFinish(answer, random);
    answer.model = randomName(random);
    answer.id = randomName(random);
    answer.usage = randomUsage(random);
    return answer;
}

std::vector<Delta> randomDeltas(const Answer& answer, Random& random)
{
    std::vector<Delta> deltas;
    Rest text{answer.text}, reasoning{answer.reasoning};
    std::vector<CallRest> calls;
    for (const QJsonValue& call : answer.toolCalls)
        calls.push_back(restOf(call, static_cast<int>(calls.size()), random));
    std::size_t begun = 0;
    const auto isOver = [&] {
        return text.text.isEmpty() && reasoning.text.isEmpty() && std::ranges::all_of(calls, &CallRest::isOver);
    };
    while (!isOver()) {
        Delta delta;
        if (chance(random, 0.5))
            delta.reasoning = reasoning.cut(random);
        if (chance(random, 0.5))
            delta.text = text.cut(random);
        if (begun < calls.size() && chance(random, 0.5))
            ++begun;
        for (std::size_t index = 0; index < begun; ++index)
            if (!calls[index].isOver() && (!calls[index].mentioned || chance(random, 0.5)))
                delta.toolCalls.push_back(cutCall(calls[index], static_cast<int>(index), random));
        if (delta.isCommit())
            deltas.push_back(std::move(delta));
    }
    return deltas;
}

QString difference(const Answer& one, const Answer& other)
{
    QStringList names;
    const auto compare = [&](const char* name, auto field) {
        if (one.*field != other.*field)
            names += QString::fromUtf8(name);
    };
    compare("text", &Answer::text);
    compare("reasoning", &Answer::reasoning);
    compare("toolCalls", &Answer::toolCalls);
    compare("finishReason", &Answer::finishReason);
    compare("finishReasonSent", &Answer::finishReasonSent);
    compare("model", &Answer::model);
    compare("id", &Answer::id);
    Usage usage = one.usage, otherUsage = other.usage;
    usage.inconsistent = otherUsage.inconsistent = false;
    if (usage != otherUsage)
        names += QStringLiteral("usage");
    return names.join(QLatin1Char(' '));
}

} // namespace sg::test
