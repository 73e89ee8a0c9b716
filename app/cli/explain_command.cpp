// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/session/session.h"
#include "core/cost/catalogue_prices.h"
#include "core/policy/http_date.h"
#include "core/provider/explain.h"

#include <QCommandLineParser>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>

#include <cstdio>

namespace sg::app {

namespace {

const QString kName = QStringLiteral("explain");
constexpr qint64 kMostBytes = 64 * 1024 * 1024;

const char* const kDescription =
    R"(Says as one JSON document how Switchgear understands a recorded answer: what was said, what it used and cost, whether
it is an error and which, and what the chain would do with it. FILE holds a HTTP answer as curl -i saves it, a bare
event stream, or a bare body; - reads standard input.

  curl -isN https://api.openai.com/v1/chat/completions ... > answer.http
  switchgear-cli explain answer.http
  switchgear-cli explain stream.sse --dialect anthropic --cuts every-byte
  switchgear-cli explain answer.http --now 2026-11-30T12:00:00Z --prices prices.json

Exit codes: 0 explained (also an answer that is an error), 1 with --fail when it is not complete, 2 bad usage, or a
file that cannot be read. docs/explain.md describes the fields.)";

/// At most one byte more than is allowed: a pipe does not say how long it is.
tl::expected<QByteArray, QString> readInput()
{
    const QString name = QStringLiteral("Standard input");
    QFile file;
    if (!file.open(stdin, QIODevice::ReadOnly))
        return tl::unexpected(QStringLiteral("%1 cannot be read. Name a file.").arg(name));
    QByteArray bytes;
    while (bytes.size() <= kMostBytes) {
        const QByteArray more = file.read(1024 * 1024);
        if (more.isEmpty())
            break;
        bytes += more;
    }
    if (bytes.size() > kMostBytes)
        return tl::unexpected(QStringLiteral("%1: larger than 64 MiB, more than one answer can be. Give the recording "
                                             "of a single answer.")
                                  .arg(name));
    if (file.error() != QFileDevice::NoError)
        return tl::unexpected(QStringLiteral("%1: cannot be read: %2. Check it.").arg(name, file.errorString()));
    return bytes;
}

tl::expected<QByteArray, QString> readRecording(const QString& path)
{
    return path == QLatin1String("-") ? readInput() : readFile(path);
}

/// ISO 8601, a HTTP date, or seconds or milliseconds since 1970, in Unix ms.
std::optional<std::int64_t> readMoment(const QString& text)
{
    constexpr qint64 kFirstMs = 100'000'000'000; // as for reset headers: smaller numbers are seconds
    bool isNumber = false;
    const qint64 number = text.toLongLong(&isNumber);
    if (isNumber)
        return number <= 0 ? std::nullopt : std::optional(number < kFirstMs ? number * 1000 : number);
    if (const auto seconds = policy::parseHttpDate(text.trimmed().toStdString(), 0))
        return *seconds * 1000;
    QDateTime moment = QDateTime::fromString(text.trimmed(), Qt::ISODateWithMs);
    if (moment.isValid() && moment.timeSpec() == Qt::LocalTime)
        moment.setTimeSpec(Qt::UTC); // a time without a zone must mean the same everywhere
    return moment.isValid() ? std::optional<std::int64_t>(moment.toMSecsSinceEpoch()) : std::nullopt;
}

bool readCuts(const QString& text, provider::Cuts& cuts)
{
    using Kind = provider::Cuts::Kind;
    bool isSeed = false;
    const uint seed = text.toUInt(&isSeed);
    if (isSeed)
        cuts = {Kind::Random, seed};
    else if (text == QLatin1String("every-byte"))
        cuts = {Kind::EveryByte, 0};
    else if (text == QLatin1String("whole"))
        cuts = {Kind::Whole, 0};
    else
        return false;
    return true;
}

/// Whole milliseconds from 0 up; nothing where the option is not given.
bool readMs(const QCommandLineParser& parser, const QString& option, std::optional<Nanos>& out)
{
    if (!parser.isSet(option))
        return true;
    bool ok = false;
    const qlonglong ms = parser.value(option).toLongLong(&ok);
    constexpr qlonglong kMost = 365LL * 86'400'000;
    if (!ok || ms < 0 || ms > kMost)
        return false;
    out = Millis(ms);
    return true;
}

void addOptions(QCommandLineParser& parser)
{
    const auto add = [&](const char* name, const QString& words, const char* value) {
        parser.addOption({QString::fromLatin1(name), words, QString::fromLatin1(value)});
    };
    parser.setApplicationDescription(QString::fromLatin1(kDescription));
    add("dialect",
        QStringLiteral(
            "In which dialect the answer is written, or which provider sent it: %1. Found out by itself when "
            "not given.")
            .arg(provider::dialectNames().join(QLatin1String(", "))),
        "NAME");
    add("now",
        QStringLiteral("When the answer came: ISO 8601, a HTTP date, or seconds or milliseconds since 1970. The "
                       "answer's own Date header goes before it. Default: the clock."),
        "TIME");
    add("cuts",
        QStringLiteral("Feed a stream byte by byte (every-byte) or in random pieces (a seed). The result is the same."),
        "CUTS");
    add("prices", QStringLiteral("A price book, for the cost."), "FILE");
    add("model", QStringLiteral("Price this model instead of the one that the answer names."), "MODEL");
    add("own-backoff-ms", QStringLiteral("The own backoff, to which x-amz-retry-after is held."), "MS");
    add("max-server-wait-ms", QStringLiteral("The longest wait that is slept through. Default: 60000."), "MS");
    parser.addOption({QStringLiteral("fail"), QStringLiteral("Exit code 1 when the answer is not complete.")});
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("The recording, or - for standard input."));
}

/// The options as given, or a sentence with what is wrong.
tl::expected<provider::ExplainOptions, QString> readOptions(const QCommandLineParser& parser)
{
    provider::ExplainOptions options;
    const auto value = [&](const char* name) { return parser.value(QString::fromLatin1(name)); };
    const auto isSet = [&](const char* name) { return parser.isSet(QString::fromLatin1(name)); };
    if (isSet("dialect") && !provider::setDialect(options, value("dialect")))
        return tl::unexpected(QStringLiteral("--dialect: \"%1\" is not known. Use one of %2.")
                                  .arg(value("dialect"), provider::dialectNames().join(QLatin1String(", "))));
    options.nowUnixMs = QDateTime::currentMSecsSinceEpoch();
    if (isSet("now")) {
        const auto now = readMoment(value("now"));
        if (!now)
            return tl::unexpected(
                QStringLiteral("--now: \"%1\" is no time. Write it as 2026-11-30T12:00:00Z, as a HTTP "
                               "date, or in seconds or milliseconds since 1970.")
                    .arg(value("now")));
        options.nowUnixMs = *now;
    }
    if (isSet("cuts") && !readCuts(value("cuts"), options.cuts))
        return tl::unexpected(
            QStringLiteral("--cuts: \"%1\" is neither every-byte nor a seed. Give a whole number from 0 up.")
                .arg(value("cuts")));
    std::optional<Nanos> maxWait;
    for (const auto& [name, out] : {std::pair{QStringLiteral("own-backoff-ms"), &options.ownBackoff},
                                    std::pair{QStringLiteral("max-server-wait-ms"), &maxWait}}) {
        if (!readMs(parser, name, *out))
            return tl::unexpected(QStringLiteral("--%1: \"%2\" is no span. Give whole milliseconds, at most a year.")
                                      .arg(name, parser.value(name)));
    }
    options.maxServerWait = maxWait.value_or(options.maxServerWait);
    options.model = value("model").toStdString();
    return options;
}

tl::expected<cost::PriceBook, QString> readPrices(const QString& path)
{
    const auto bytes = readFile(path);
    if (!bytes)
        return tl::unexpected(bytes.error());
    cost::PriceBook::Loaded loaded = cost::PriceBook::load(*bytes);
    if (loaded.book.entries().empty()) {
        cost::PriceBook::Loaded listing = cost::pricesOfCatalogue(*bytes, QFileInfo(path).fileName(), {});
        if (!listing.book.entries().empty())
            loaded = std::move(listing);
    }
    if (loaded.book.entries().empty())
        return tl::unexpected(
            QStringLiteral(
                "%1: %2 Give a price book, or a model listing with prices, as docs/prices.md describes them.")
                .arg(path, loaded.findings.value(0, QStringLiteral("It has no entry."))));
    for (const QString& finding : std::as_const(loaded.findings))
        printError(QStringLiteral("Warning: %1: %2").arg(path, finding));
    return std::move(loaded.book);
}

/// A wrong file is better named than explained as a broken answer.
bool isBinary(const provider::RecordedAnswer& recorded)
{
    return recorded.form == provider::RecordedForm::Body &&
           recorded.body.first(std::min<qsizetype>(recorded.body.size(), 4096)).contains('\0');
}
} // namespace

int explainCommand(const QStringList& arguments)
{
    QCommandLineParser parser;
    addOptions(parser);
    if (const auto code = parseOne(parser, kName, arguments, QStringLiteral("one file, or - for standard input")))
        return *code;
    auto options = readOptions(parser);
    if (!options)
        return usageError(options.error(), kName);
    const auto refuse = [](const QString& line) {
        printError(line);
        return kBadUsage;
    };
    cost::PriceBook prices;
    if (parser.isSet(QStringLiteral("prices"))) {
        auto read = readPrices(parser.value(QStringLiteral("prices")));
        if (!read)
            return refuse(read.error());
        prices = std::move(*read);
        options->prices = &prices;
    }
    const QString path = parser.positionalArguments().first();
    const auto bytes = readRecording(path);
    if (!bytes)
        return refuse(bytes.error());
    const provider::RecordedAnswer recorded = provider::readRecorded(*bytes);
    if (isBinary(recorded))
        return refuse(
            QStringLiteral("%1: this is binary data, not a recorded answer. Record one with curl -i.").arg(path));
    const provider::Explanation explanation = provider::explain(recorded, *options);
    printJson(provider::toJson(explanation));
    const bool complete = explanation.status == provider::AnswerStatus::Complete;
    return parser.isSet(QStringLiteral("fail")) && !complete ? kResultSaysNo : kFine;
}

} // namespace sg::app
