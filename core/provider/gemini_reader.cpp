// SPDX-License-Identifier: GPL-3.0-or-later
// Google's generateContent: GenerateContentResponse as its reference describes it. A stream sends the same object again
// and again, each with the parts that are new.
#include "core/provider/dialect_reader.h"
#include "core/provider/finish_reason.h"
#include "core/provider/mask.h"
#include "core/provider/openai_pieces.h"

#include <QJsonArray>

#include <algorithm>
#include <array>

namespace sg::provider {

namespace {
constexpr std::array kLostCalls{"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
                                "MALFORMED_RESPONSE"};

ErrorFacts factsOf(Disposition disposition, const QString& code, const QString& message)
{
    ErrorFacts facts;
    facts.disposition = disposition;
    facts.code = shortMessage(code);
    facts.message = message.isEmpty() ? std::string(inWords(disposition.error)) : shortMessage(message);
    return facts;
}

/// The service is healthy: it did what its filter asks for.
Disposition filtered()
{
    Disposition disposition = dispositionOf(ErrorClass::ContentFiltered);
    disposition.breaker = policy::CallOutcome::Success;
    return disposition;
}

/// What the model wrote cannot be used and the provider threw it away: chance, which another try may mend, and no fault
/// of the endpoint.
Disposition lost()
{
    return {ErrorClass::BadResponse, RetryAdvice::Once, policy::CallOutcome::Neutral, FallbackKind::Next};
}

QString named(const QJsonValue& holder, const char* name)
{
    return holder[QLatin1String(name)].toString();
}

class GeminiReader final : public DialectReader
{
public:
    void onEvent(std::string_view, const QJsonObject& chunk, AnswerBuilder& out) override
    {
        readHead(chunk, out);
        const QJsonValue candidate = firstCandidate(chunk);
        // First what spoils the answer: parts that came with it must not be delivered.
        readFailure(candidate, out);
        readPromptFeedback(chunk[QLatin1String("promptFeedback")], out);
        if (out.failed())
            return;
        readParts(candidate, out);
        readFinish(candidate, out);
    }

    void onWhole(const QJsonObject& root, AnswerBuilder& out) override
    {
        onEvent({}, root, out);
        if (out.failed())
            return;
        const QJsonValue candidate = firstCandidate(root);
        const QString reason = named(candidate, "finishReason");
        const std::string normal = normalFinishReason(reason);
        if (normal == "content_filter" && !out.committed())
            return out.fail(factsOf(filtered(), reason, named(candidate, "finishMessage")));
        // Thinking may use up the whole limit before the first part: an answer without words, which was billed.
        const QJsonArray parts = candidate[QLatin1String("content")][QLatin1String("parts")].toArray();
        if (!std::all_of(parts.begin(), parts.end(), isPart))
            return out.fail(ErrorClass::BadResponse, "A part of the answer's content cannot be read");
        if (parts.isEmpty() && normal != "length")
            out.fail(ErrorClass::BadResponse, "The answer holds no parts");
    }

private:
    static void readHead(const QJsonObject& root, AnswerBuilder& out)
    {
        if (!out.knowsHead()) {
            out.setId(named(root, "responseId"));
            out.setModel(named(root, "modelVersion"));
        }
        out.mergeUsage(root[QLatin1String("usageMetadata")].toObject());
    }

    /// The product never asks for more than one; 0 is not always written.
    static QJsonValue firstCandidate(const QJsonObject& root)
    {
        const QJsonArray candidates = root[QLatin1String("candidates")].toArray();
        const auto found = std::find_if(candidates.begin(), candidates.end(),
                                        [](const QJsonValue& c) { return c[QLatin1String("index")].toInt() == 0; });
        return found == candidates.end() ? QJsonValue() : QJsonValue(*found);
    }

    /// Read as if it were there, a text or call of another type would pass for an answer without words.
    static bool isPart(const QJsonValue& part)
    {
        const QJsonValue text = part[QLatin1String("text")], call = part[QLatin1String("functionCall")];
        const QJsonValue arguments = call[QLatin1String("args")];
        const bool textFits = text.isString() || text.isNull() || text.isUndefined();
        const bool callFits = call.isObject() || call.isNull() || call.isUndefined();
        return part.isObject() && textFits && callFits && !arguments.isDouble() && !arguments.isBool();
    }

    static void readParts(const QJsonValue& candidate, AnswerBuilder& out)
    {
        const QJsonArray parts = candidate[QLatin1String("content")][QLatin1String("parts")].toArray();
        for (const QJsonValue& part : parts) {
            if (part[QLatin1String("functionCall")].isObject())
                readCall(part, out);
            else if (part[QLatin1String("text")].isString())
                readText(part, out);
            else
                warnOf(part.toObject(), out);
        }
    }

    static void readText(const QJsonValue& part, AnswerBuilder& out)
    {
        const QString text = named(part, "text");
        if (part[QLatin1String("thought")].toBool())
            out.say({}, text);
        else
            out.say(text);
    }

    /// Calls come complete and without a number.
    static void readCall(const QJsonValue& part, AnswerBuilder& out)
    {
        const QJsonValue call = part[QLatin1String("functionCall")];
        const QString arguments = openai::argumentsText(call[QLatin1String("args")]);
        out.addToolCall(static_cast<int>(out.toolCalls().size()), named(call, "id"), named(call, "name"),
                        arguments.isEmpty() ? QStringLiteral("{}") : arguments, named(part, "thoughtSignature"));
        out.say({});
    }

    /// Code that ran on the provider's side, files, images: nothing that an answer can hold. A part with a signature
    /// alone is none of these.
    static void warnOf(const QJsonObject& part, AnswerBuilder& out)
    {
        for (auto field = part.constBegin(); field != part.constEnd(); ++field) {
            if (field->isObject())
                out.warn(QStringLiteral("A part of the kind \"%1\" was left out").arg(field.key().left(40)));
        }
    }

    static void readFailure(const QJsonValue& candidate, AnswerBuilder& out)
    {
        const QString reason = named(candidate, "finishReason");
        if (reason.isEmpty())
            return;
        const QString message = named(candidate, "finishMessage");
        // The call that the model meant is gone: what is left must not pass for its answer.
        if (std::ranges::any_of(kLostCalls, [&](const char* word) { return reason == QLatin1String(word); }))
            out.fail(factsOf(lost(), reason, message));
        // The history that was sent lacks a signature: the same request fails in the same way.
        if (reason == QLatin1String("MISSING_THOUGHT_SIGNATURE"))
            out.fail(factsOf(dispositionOf(ErrorClass::BadRequest), reason, message));
    }

    static void readFinish(const QJsonValue& candidate, AnswerBuilder& out)
    {
        const QString reason = named(candidate, "finishReason");
        if (reason.isEmpty() || reason == QLatin1String("FINISH_REASON_UNSPECIFIED"))
            return;
        out.finishWith(reason);
        out.setFinishReasonSent(reason); // older models say STOP in every chunk: the last word counts
    }

    static void readPromptFeedback(const QJsonValue& feedback, AnswerBuilder& out)
    {
        const QString reason = named(feedback, "blockReason");
        if (reason.isEmpty())
            return;
        if (!out.committed())
            return out.fail(factsOf(filtered(), reason, named(feedback, "blockReasonMessage")));
        out.finishWith(QStringLiteral("content_filter"));
        out.setFinishReasonSent(reason);
    }
};
} // namespace

std::unique_ptr<DialectReader> makeGeminiReader()
{
    return std::make_unique<GeminiReader>();
}

} // namespace sg::provider
