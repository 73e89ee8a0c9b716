// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/explain.h"

#include "core/policy/http_date.h"
#include "core/provider/dialect_guess.h"
#include "core/provider/dialect_reader.h"
#include "core/provider/error_body.h"
#include "core/provider/explain_feed.h"
#include "core/provider/explain_parts.h"
#include "core/provider/json_pieces.h"
#include "core/provider/page_message.h"
#include "core/provider/profile.h"

#include <QJsonDocument>

#include <algorithm>

namespace sg::provider {

namespace {

constexpr std::size_t kMostGuessed = 6;
constexpr qsizetype kGuessStep = 64 * 1024;

std::string_view view(QByteArrayView bytes)
{
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

bool isSuccess(int status)
{
    return status >= 200 && status < 300;
}

bool saysAnything(const Answer& answer)
{
    return !answer.text.isEmpty() || !answer.reasoning.isEmpty() || !answer.toolCalls.isEmpty();
}

/// OpenAI's dialect and Azure's are read by the same reader.
bool sameReader(Dialect a, Dialect b)
{
    const auto plain = [](Dialect d) { return d == Dialect::Azure ? Dialect::OpenAi : d; };
    return plain(a) == plain(b);
}

QJsonObject objectIn(QByteArrayView bytes)
{
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromRawData(bytes.data(), bytes.size()));
    return document.isArray() ? document.array().first().toObject() : document.object();
}

/// The first objects of a stream, and whether OpenRouter's keep-alives are in it.
std::vector<QJsonObject> firstEvents(QByteArrayView body)
{
    std::vector<QJsonObject> objects;
    SseParser parser([&](const SseEvent& event) {
        const QJsonObject object = QJsonDocument::fromJson(event.data.toByteArray()).object();
        if (!object.isEmpty() && objects.size() < kMostGuessed)
            objects.push_back(object);
    });
    while (!body.isEmpty() && objects.size() < kMostGuessed) {
        const QByteArrayView step = body.first(std::min(kGuessStep, body.size()));
        if (!parser.feed(step))
            break;
        body = body.sliced(step.size());
    }
    parser.feed("\n\n");
    return objects;
}

/// The wall clock for hints: the caller's, else the server's own.
std::int64_t momentOf(const policy::HeaderList& headers, std::int64_t nowUnixMs)
{
    if (nowUnixMs != 0)
        return nowUnixMs;
    const auto date = headerValue(headers, "date");
    const auto seconds = date ? policy::parseHttpDate(*date, 0) : std::nullopt;
    return seconds.value_or(0) * 1000;
}

class Explainer
{
public:
    Explainer(const RecordedAnswer& recorded, const ExplainOptions& options)
        : recorded_(recorded)
        , options_(options)
        , pieces_(recorded.isStream ? JsonPieces() : splitObjects(recorded.body))
    {
    }

    Explanation run()
    {
        out_.httpStatus = recorded_.status;
        out_.isStream = recorded_.isStream;
        out_.warnings = recorded_.warnings;
        out_.stream.bytes = recorded_.body.size();
        findDialect();
        if (recorded_.status && !isSuccess(*recorded_.status))
            readErrorAnswer();
        else if (recorded_.body.trimmed().isEmpty())
            readNothing();
        else if (recorded_.isStream || isChunked())
            readStream();
        else
            readWhole();
        conclude();
        return std::move(out_);
    }

private:
    /// Several objects, or a list of them that has not ended: the chunks of a stream without events.
    bool isChunked() const
    {
        return pieces_.objects.size() > 1 || (pieces_.isList && pieces_.unfinished && !pieces_.objects.empty());
    }

    QByteArrayView piece(std::size_t i) const
    {
        const auto [from, to] = pieces_.objects.at(i);
        return QByteArrayView(recorded_.body).sliced(from, to - from);
    }

    std::vector<QJsonObject> firstObjects() const
    {
        if (recorded_.isStream)
            return firstEvents(recorded_.body);
        std::vector<QJsonObject> objects;
        for (std::size_t i = 0; i < std::min(pieces_.objects.size(), kMostGuessed); ++i)
            objects.push_back(objectIn(piece(i)));
        return objects;
    }

    void findDialect()
    {
        DialectGuess found = guess(recorded_.headers, firstObjects());
        if (found.provider.empty() && recorded_.isStream && recorded_.body.contains(": OPENROUTER PROCESSING"))
            found.provider = "openrouter";
        out_.dialect = options_.dialect.value_or(found.dialect.value_or(Dialect::OpenAi));
        out_.dialectSource = options_.dialect ? QStringLiteral("given")
                             : found.dialect  ? found.source
                                              : QStringLiteral("nothing gives it away: OpenAI's is assumed");
        if (options_.dialect && found.dialect && !sameReader(*options_.dialect, *found.dialect))
            warn(
                QStringLiteral("The answer looks like %1's, but is read as %2's")
                    .arg(QLatin1String(toString(*found.dialect).data()), QLatin1String(toString(out_.dialect).data())));
        out_.provider = !options_.provider.empty() ? options_.provider : found.provider;
        context_ = {out_.provider.empty() ? "openai" : out_.provider,
                    recorded_.headers,
                    momentOf(recorded_.headers, options_.nowUnixMs),
                    options_.maxServerWait,
                    out_.dialect,
                    options_.ownBackoff};
    }

    void warn(const QString& sentence)
    {
        if (!out_.warnings.contains(sentence))
            out_.warnings += sentence;
    }

    void failWith(AnswerStatus status, ErrorFacts facts)
    {
        out_.status = status;
        out_.error = std::move(facts);
        out_.cause = out_.error.disposition.error;
    }

    /// The provider's code with the type it was sent with.
    void noteCode(const BodyFacts& read)
    {
        if (out_.error.code.empty())
            return;
        out_.errorCode = read.code.isDouble() ? read.code : QJsonValue(QString::fromStdString(out_.error.code));
    }

    /// An answer that HTTP calls an error. Its body may be an event all the same.
    void readErrorAnswer()
    {
        QByteArray body = recorded_.body;
        if (recorded_.isStream) {
            const std::vector<QJsonObject> events = firstEvents(body);
            if (!events.empty())
                body = QJsonDocument(events.front()).toJson(QJsonDocument::Compact);
        }
        const BodyFacts read = readBody(recorded_.headers, view(body));
        failWith(AnswerStatus::Error, classifyRead(context_, *recorded_.status, view(body), read));
        noteCode(read);
        root_ = read.root;
        filterObjects_.append(root_);
        if (recorded_.cut && pieces_.unfinished)
            warn(QStringLiteral("The error's body ends early"));
    }

    void readNothing()
    {
        const BodyFacts read = readBody(recorded_.headers, {});
        ErrorFacts facts = classifyRead(context_, recorded_.status.value_or(200), {}, read);
        facts.message = "The answer is empty";
        failWith(AnswerStatus::Empty, std::move(facts));
    }

    void readStream()
    {
        StreamFeed feed(context_, options_.cuts);
        if (recorded_.isStream)
            feed.readStream(recorded_.body);
        else
            feed.readObjects(recorded_.body, pieces_.objects);
        auto result = feed.finish();
        out_.stream = feed.facts();
        out_.answer = result ? std::move(*result) : feed.partial();
        out_.isStream = true;
        filterObjects_ = feed.filterObjects();
        if (!result)
            readBrokenStream(feed, std::move(result.error()));
    }

    void readBrokenStream(const StreamFeed& feed, ErrorFacts facts)
    {
        if (feed.failed()) {
            root_ = objectIn(feed.lastEvent());
            filterObjects_.append(root_);
            failWith(AnswerStatus::Error, std::move(facts));
            if (feed.committed())
                out_.cause = classifyStreamError(context_, view(feed.lastEventName()), view(feed.lastEvent()), false)
                                 .disposition.error;
            return noteCode(readBody(recorded_.headers, view(feed.lastEvent())));
        }
        if (!feed.strayError().isEmpty() && !feed.facts().terminalSeen)
            return readStrayError(feed);
        const bool said = facts.disposition.error == ErrorClass::ContentFiltered;
        failWith(said                        ? AnswerStatus::Error
                 : feed.facts().terminalSeen ? AnswerStatus::Empty
                                             : AnswerStatus::Truncated,
                 std::move(facts));
    }

    void readStrayError(const StreamFeed& feed)
    {
        const std::string_view error = view(feed.strayError());
        warn(QStringLiteral("An error stands in the stream without being an event"));
        root_ = objectIn(feed.strayError());
        failWith(AnswerStatus::Error, classifyStreamError(context_, {}, error, feed.committed()));
        out_.cause = classifyStreamError(context_, {}, error, false).disposition.error;
        noteCode(readBody(recorded_.headers, error));
    }

    void readWhole()
    {
        const BodyFacts read = readBody(recorded_.headers, view(recorded_.body));
        root_ = read.root;
        filterObjects_.append(root_);
        auto result = parseWhole(recorded_.body, context_);
        if (result) {
            out_.answer = std::move(*result);
            return;
        }
        if (read.isJson) {
            AnswerBuilder partial(context_, {});
            makeReader(out_.dialect)->onWhole(read.root, partial);
            out_.answer = partial.answer();
        }
        ErrorFacts facts = std::move(result.error());
        const bool isCut = pieces_.unfinished && !read.isJson;
        if (isCut)
            facts.message = "The answer ends before its JSON does";
        failWith(isCut ? AnswerStatus::Truncated : AnswerStatus::Error, std::move(facts));
        noteCode(read);
    }

    void conclude()
    {
        out_.warnings += out_.answer.warnings;
        out_.partial = out_.failed() && saysAnything(out_.answer);
        if (!out_.failed() && out_.answer.finishReason == "content_filter" && saysAnything(out_.answer)) {
            out_.partial = true;
            warn(QStringLiteral("A content filter ended the answer"));
        }
        checkToolCalls();
        if (!out_.failed() && !saysAnything(out_.answer))
            warn(QStringLiteral("The answer holds no words"));
        out_.quota = quotaMeaning(out_.error);
        out_.charge = chargeFor(out_.answer, out_.failed(), options_);
        out_.filters = readFilters(filterObjects_);
        out_.retryAfter = headerValue(recorded_.headers, "retry-after");
        noteStaleWait();
        out_.requestId = requestIdOf(recorded_.headers, root_);
        out_.rayId = rayId(recorded_.headers, out_.failed() ? view(recorded_.body) : std::string_view());
        if (out_.failed())
            out_.limits = readLimits(QString::fromStdString(out_.error.message));
    }

    /// A recording without a Date header is read against the clock, which may be a day ahead of it.
    void noteStaleWait()
    {
        if (out_.failed() && out_.retryAfter && !out_.error.hint.asked() &&
            policy::parseHttpDate(*out_.retryAfter, context_.nowUnixMs / 1000))
            warn(QStringLiteral("Retry-After names a moment that is past: say with --now when the answer came"));
    }

    void checkToolCalls()
    {
        for (const QJsonValue& call : std::as_const(out_.answer.toolCalls)) {
            const QString arguments = call[QLatin1String("function")][QLatin1String("arguments")].toString().trimmed();
            if (!out_.partial && !arguments.isEmpty() && QJsonDocument::fromJson(arguments.toUtf8()).isNull())
                warn(QStringLiteral("The arguments of a tool call are not JSON"));
        }
    }

    const RecordedAnswer& recorded_;
    const ExplainOptions& options_;
    const JsonPieces pieces_;
    AnswerContext context_;
    QJsonObject root_; ///< the whole answer, or the event that failed
    QJsonArray filterObjects_;
    Explanation out_;
};

/// Providers that answer in ways of their own, but are not called through a profile.
constexpr std::string_view kBedrock = "bedrock";
/// What people also call them.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"claude", "anthropic"},   {"google", "gemini"},      {"vertex", "gemini"},
    {"azure-openai", "azure"}, {"llamacpp", "llama.cpp"}, {"aws", "bedrock"}};
} // namespace

bool setDialect(ExplainOptions& options, const QString& name)
{
    std::string wanted = name.trimmed().toLower().toStdString();
    for (const auto& [other, usual] : kOtherNames)
        wanted = wanted == other ? std::string(usual) : wanted;
    const ProviderProfile* const profile = Catalogue::builtIn().find(wanted);
    const auto dialect = dialectFromString(wanted);
    if (!dialect && !profile && wanted != kBedrock)
        return false;
    options.dialect = dialect ? *dialect : profile ? profile->dialect : Dialect::OpenAi;
    options.provider = wanted;
    return true;
}

QStringList dialectNames()
{
    QStringList names{QStringLiteral("openai"), QStringLiteral("azure"), QStringLiteral("anthropic"),
                      QStringLiteral("gemini")};
    for (const ProviderProfile& profile : Catalogue::builtIn().all()) {
        if (!names.contains(profile.id))
            names += profile.id;
    }
    return names << QString::fromLatin1(kBedrock.data(), static_cast<qsizetype>(kBedrock.size()));
}

std::string_view toString(AnswerStatus status)
{
    switch (status) {
    case AnswerStatus::Complete:
        return "complete";
    case AnswerStatus::Truncated:
        return "truncated";
    case AnswerStatus::Error:
        return "error";
    case AnswerStatus::Empty:
        break;
    }
    return "empty";
}

Explanation explain(const RecordedAnswer& recorded, const ExplainOptions& options)
{
    return Explainer(recorded, options).run();
}

} // namespace sg::provider
