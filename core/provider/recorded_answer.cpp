// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/recorded_answer.h"

#include "core/provider/error_body.h"
#include "core/provider/recorded_framing.h"

#include <QString>

#include <algorithm>

namespace sg::provider {

namespace {
constexpr qsizetype kMostUnpacked = 64 * 1024 * 1024;
constexpr std::size_t kMostHeaders = 1000; ///< far more than any server sends

void warnOnce(RecordedAnswer& out, const QString& sentence)
{
    if (!out.warnings.contains(sentence))
        out.warnings += sentence;
}

std::string toStd(QByteArrayView bytes)
{
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

QByteArrayView withoutMark(QByteArrayView bytes)
{
    return bytes.startsWith("\xEF\xBB\xBF") ? bytes.sliced(3) : bytes;
}

QByteArrayView skipBlanks(QByteArrayView bytes)
{
    const auto* const start = std::find_if(bytes.begin(), bytes.end(),
                                           [](char c) { return c != '\r' && c != '\n' && c != ' ' && c != '\t'; });
    return bytes.sliced(start - bytes.begin());
}

/// "HTTP/1.1 200 OK", "HTTP/2 200": the status; empty when the line is none.
std::optional<int> statusOfLine(QByteArrayView line)
{
    if (!line.startsWith("HTTP/"))
        return std::nullopt;
    const qsizetype blank = line.indexOf(' ');
    if (blank < 6 || blank > 12)
        return std::nullopt;
    const QByteArrayView behind = line.sliced(blank + 1).trimmed();
    const QByteArrayView digits = behind.first(std::min<qsizetype>(3, behind.size()));
    bool ok = false;
    const int status = digits.toByteArray().toInt(&ok);
    return ok && digits.size() == 3 && status >= 100 ? std::optional(status) : std::nullopt;
}

QByteArrayView takeLine(QByteArrayView& rest)
{
    const qsizetype end = rest.indexOf('\n');
    QByteArrayView line = end < 0 ? rest : rest.first(end);
    rest = end < 0 ? QByteArrayView() : rest.sliced(end + 1);
    if (line.endsWith('\r'))
        line.chop(1);
    return line;
}

QByteArrayView lineAtStart(QByteArrayView rest)
{
    return takeLine(rest);
}

/// The token characters of RFC 9110, 5.6.2, or a name as HTTP/2 writes its own (":status").
bool isName(QByteArrayView name)
{
    return !name.isEmpty() && std::ranges::all_of(name, [](char c) {
        return c > ' ' && c < 0x7F && !QByteArrayView("\"(),/;<=>?@[\\]{}").contains(c);
    });
}

/// One head: status line and headers, up to and including the empty line. Whatever cannot be a header begins the body.
void readHead(QByteArrayView& rest, RecordedAnswer& out)
{
    out.headers.clear();
    out.status = statusOfLine(takeLine(rest));
    bool ended = false;
    while (!rest.isEmpty() && !ended) {
        const QByteArrayView before = rest;
        const QByteArrayView line = takeLine(rest);
        ended = line.isEmpty();
        if (ended)
            break;
        if ((line.front() == ' ' || line.front() == '\t') && !out.headers.empty()) { // folded, RFC 9112, 5.2
            out.headers.back().second += ' ' + toStd(line.trimmed());
            continue;
        }
        const qsizetype colon = line.indexOf(':', line.front() == ':' ? 1 : 0);
        const bool isHeader = colon > 0 && isName(line.first(colon).trimmed());
        if (!isHeader && QByteArrayView("{[<").contains(line.front())) {
            rest = before;
            warnOnce(out, QStringLiteral("There is no empty line between the head and the body"));
            return;
        }
        if (!isHeader)
            warnOnce(out, QStringLiteral("A line of the head is no header: left out"));
        else if (out.headers.size() >= kMostHeaders)
            warnOnce(out, QStringLiteral("More than %1 headers: the rest was left out").arg(kMostHeaders));
        else
            out.headers.emplace_back(toStd(line.first(colon).trimmed()), toStd(line.sliced(colon + 1).trimmed()));
    }
    if (!ended) {
        out.cut = true;
        out.warnings += QStringLiteral("The recording ends in the head");
    }
}

/// The body of an answer that another one follows (a redirect, a refused login), as its length says.
QByteArrayView behindBody(QByteArrayView rest, const policy::HeaderList& headers)
{
    const auto said = headerValue(headers, "content-length");
    bool ok = false;
    const qsizetype length = QByteArray::fromStdString(said.value_or(std::string())).toLongLong(&ok);
    return ok && length > 0 && length < rest.size() ? skipBlanks(rest.sliced(length)) : QByteArrayView();
}

/// Heads before the last: 100 Continue, a proxy's answer to CONNECT, redirects.
QByteArrayView readHeads(QByteArrayView rest, RecordedAnswer& out)
{
    for (;;) {
        readHead(rest, out);
        const QByteArrayView next = skipBlanks(rest);
        if (statusOfLine(lineAtStart(next))) {
            rest = next;
            continue;
        }
        const QByteArrayView later = behindBody(rest, out.headers);
        if (!statusOfLine(lineAtStart(later)))
            return rest;
        if (out.status && *out.status / 100 != 3 && *out.status != 401 && *out.status != 407)
            warnOnce(out, QStringLiteral("The file holds several answers: only the last is explained"));
        rest = later;
    }
}

bool saysHeader(const policy::HeaderList& headers, std::string_view name, const char* word)
{
    const auto value = headerValue(headers, name);
    return value && QByteArray::fromStdString(*value).toLower().contains(word);
}

void removeChunks(RecordedAnswer& out)
{
    const bool said = saysHeader(out.headers, "transfer-encoding", "chunked");
    auto undone = undoChunks(out.body);
    // Without the header only a body that is chunked to its very end counts.
    if (!undone || (!said && !undone->complete))
        return;
    if (!undone->complete) {
        out.cut = true;
        out.warnings += undone->missing > 0
                            ? QStringLiteral("The body ends inside a chunk: %1 bytes are missing").arg(undone->missing)
                            : QStringLiteral("The chunked body ends without its last chunk");
    }
    out.body = std::move(undone->body);
}

void checkLength(RecordedAnswer& out)
{
    const auto said = headerValue(out.headers, "content-length");
    bool ok = false;
    const qlonglong length = QByteArray::fromStdString(said.value_or(std::string())).toLongLong(&ok);
    // curl --compressed unpacks the body and leaves the length of the packed one.
    const bool unpackedBefore =
        headerValue(out.headers, "content-encoding").has_value() && packingOf(out.body) == Packing::None;
    if (!ok || unpackedBefore || headerValue(out.headers, "transfer-encoding"))
        return;
    if (length > out.body.size()) {
        out.cut = true;
        out.warnings += QStringLiteral("Content-Length says %1 bytes, %2 are there").arg(length).arg(out.body.size());
    } else if (length < out.body.trimmed().size()) {
        out.warnings += QStringLiteral("Content-Length says %1 bytes, %2 are there: all were read")
                            .arg(length)
                            .arg(out.body.size());
    }
}

bool looksLikeText(QByteArrayView body)
{
    const QByteArrayView start = body.first(std::min<qsizetype>(body.size(), 256));
    return std::ranges::none_of(start, [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
    });
}

void removePacking(RecordedAnswer& out)
{
    const Packing packing = packingOf(out.body);
    const std::string said = headerValue(out.headers, "content-encoding").value_or(std::string());
    if (auto unpacked = unpack(out.body, packing, kMostUnpacked)) {
        if (!unpacked->complete) {
            out.cut = true;
            out.warnings += unpacked->tooLarge ? QStringLiteral("The unpacked body is larger than 64 MiB: cut there")
                                               : QStringLiteral("The compressed body ends early or is damaged");
        }
        out.body = std::move(unpacked->body);
    } else if (!said.empty() && said != "identity" && !looksLikeText(out.body)) {
        out.warnings += QStringLiteral("The body is compressed (%1) and cannot be unpacked here: record it with "
                                       "curl --compressed")
                            .arg(QString::fromStdString(said).left(40));
    }
}

bool looksLikeStream(QByteArrayView body)
{
    const QByteArrayView start = skipBlanks(withoutMark(body));
    if (start.startsWith("data:") || start.startsWith("event:") || start.startsWith(':'))
        return true;
    if (!start.startsWith("id:") && !start.startsWith("retry:"))
        return false;
    const QByteArrayView beginning = start.first(std::min<qsizetype>(start.size(), 4096));
    return beginning.contains("\ndata:") || beginning.contains("\rdata:");
}

bool isStream(const RecordedAnswer& answer)
{
    if (looksLikeStream(answer.body))
        return true;
    // Some servers announce a stream and send an error as JSON or HTML, or nothing.
    const QByteArrayView start = skipBlanks(withoutMark(answer.body));
    return saysHeader(answer.headers, "content-type", "text/event-stream") && !start.isEmpty() &&
           !QByteArrayView("{[<").contains(start.front());
}

/// PowerShell writes what it is piped as UTF-16.
std::optional<QByteArray> fromUtf16(QByteArrayView bytes)
{
    if (!bytes.startsWith("\xFF\xFE") && !bytes.startsWith("\xFE\xFF"))
        return std::nullopt;
    const bool bigEnd = bytes.startsWith("\xFE\xFF");
    QString text;
    text.reserve(bytes.size() / 2);
    for (qsizetype at = 2; at + 1 < bytes.size(); at += 2) {
        const auto a = static_cast<unsigned char>(bytes[at]), b = static_cast<unsigned char>(bytes[at + 1]);
        text.append(QChar(static_cast<char16_t>(bigEnd ? a * 256 + b : b * 256 + a)));
    }
    return text.toUtf8();
}
} // namespace

RecordedAnswer readRecorded(QByteArrayView bytes)
{
    RecordedAnswer out;
    const auto converted = fromUtf16(bytes);
    if (converted) {
        out.warnings += QStringLiteral("The recording is UTF-16, as PowerShell writes it: read as text");
        bytes = *converted;
    }
    const QByteArrayView start = skipBlanks(withoutMark(bytes));
    if (statusOfLine(lineAtStart(start))) {
        out.form = RecordedForm::HttpAnswer;
        out.body = readHeads(start, out).toByteArray();
        checkLength(out);
        removeChunks(out);
    } else {
        out.body = bytes.toByteArray();
    }
    removePacking(out);
    out.isStream = isStream(out);
    if (out.isStream && out.form == RecordedForm::Body)
        out.form = RecordedForm::EventStream;
    return out;
}

} // namespace sg::provider
