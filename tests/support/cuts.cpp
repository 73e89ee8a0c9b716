// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cuts.h"

#include "core/policy/random.h"

#include <algorithm>

namespace sg::test {

using namespace provider;

namespace {
QString toText(const Delta& delta)
{
    QString text = delta.text + QLatin1Char('|') + delta.reasoning + QLatin1Char('|');
    for (const ToolCallPiece& piece : delta.toolCalls)
        text += QStringLiteral("%1,%2,%3,%4;").arg(QString::number(piece.index), piece.id, piece.name, piece.arguments);
    return text;
}

void take(StreamOutcome& outcome, const Answer& answer)
{
    outcome.text = answer.text;
    outcome.reasoning = answer.reasoning;
    outcome.toolCalls = answer.toolCalls;
    outcome.finishReason = answer.finishReason;
    outcome.finishReasonSent = answer.finishReasonSent;
    outcome.model = answer.model;
    outcome.id = answer.id;
    outcome.usage = answer.usage;
    outcome.usageSent = answer.usageSent;
    outcome.warnings = answer.warnings;
}
} // namespace

AnswerContext contextOf(Dialect dialect)
{
    AnswerContext context;
    context.provider = toString(dialect);
    context.dialect = dialect;
    return context;
}

StreamOutcome readStream(const QByteArray& stream, Dialect dialect, const NextCut& nextCut)
{
    StreamOutcome outcome;
    StreamReader reader([&outcome](const Delta& delta) { outcome.deltas += toText(delta); }, contextOf(dialect));
    bool going = true;
    for (qsizetype at = 0; at < stream.size() && going;) {
        // A copy of its own: a read beyond the bytes given is then seen by the sanitizer.
        const QByteArray piece = stream.mid(at, std::max<qsizetype>(nextCut(), 1));
        going = reader.feed(piece);
        at += piece.size();
    }
    const auto result = reader.finish();
    take(outcome, result ? *result : reader.partial());
    outcome.committed = reader.committed();
    outcome.terminal = reader.terminalSeen();
    outcome.done = reader.doneSeen();
    if (!result) {
        outcome.error = result.error().disposition;
        outcome.code = result.error().code;
        outcome.message = result.error().message;
    }
    return outcome;
}

StreamOutcome readStream(const QByteArray& stream, Dialect dialect)
{
    return readStream(stream, dialect, [&stream] { return stream.size(); });
}

QString differingCuts(const QByteArray& stream, Dialect dialect)
{
    const StreamOutcome whole = readStream(stream, dialect);
    if (readStream(stream, dialect, [] { return 1; }) != whole)
        return QStringLiteral("byte by byte");
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        policy::SeededRandom random(seed);
        const auto nextCut = [&random] { return static_cast<qsizetype>(1 + random.next() % 40); };
        if (readStream(stream, dialect, nextCut) != whole)
            return QStringLiteral("random cuts of seed %1").arg(seed);
    }
    return {};
}

} // namespace sg::test
