// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/reply_head.h"

#include "core/http/header_text.h"

#include <QDateTime>
#include <QLocale>

#include <array>
#include <cstring>
#include <ctime>

namespace sg::http {
namespace {

bool isFraming(const QByteArray& name)
{
    return sameName(name, "Content-Length") || sameName(name, "Transfer-Encoding") || sameName(name, "Connection");
}

const QByteArray& dateLine()
{
    static thread_local std::time_t second = 0;
    static thread_local QByteArray line;
    const std::time_t now = std::time(nullptr);
    if (now != second) {
        second = now;
        const QDateTime utc = QDateTime::fromSecsSinceEpoch(now).toUTC();
        line =
            "Date: " + QLocale::c().toString(utc, QStringLiteral("ddd, dd MMM yyyy HH:mm:ss")).toLatin1() + " GMT\r\n";
    }
    return line;
}

} // namespace

QByteArray reasonOf(int status)
{
    struct Name
    {
        int status;
        const char* text;
    };
    static constexpr std::array names{
        Name{200, "OK"},
        Name{201, "Created"},
        Name{202, "Accepted"},
        Name{204, "No Content"},
        Name{301, "Moved Permanently"},
        Name{302, "Found"},
        Name{303, "See Other"},
        Name{304, "Not Modified"},
        Name{307, "Temporary Redirect"},
        Name{308, "Permanent Redirect"},
        Name{400, "Bad Request"},
        Name{401, "Unauthorized"},
        Name{402, "Payment Required"},
        Name{403, "Forbidden"},
        Name{404, "Not Found"},
        Name{405, "Method Not Allowed"},
        Name{408, "Request Timeout"},
        Name{409, "Conflict"},
        Name{413, "Content Too Large"},
        Name{414, "URI Too Long"},
        Name{415, "Unsupported Media Type"},
        Name{417, "Expectation Failed"},
        Name{421, "Misdirected Request"},
        Name{422, "Unprocessable Content"},
        Name{429, "Too Many Requests"},
        Name{431, "Request Header Fields Too Large"},
        Name{500, "Internal Server Error"},
        Name{501, "Not Implemented"},
        Name{502, "Bad Gateway"},
        Name{503, "Service Unavailable"},
        Name{504, "Gateway Timeout"},
        Name{505, "HTTP Version Not Supported"},
        Name{529, "Overloaded"},
    };
    for (const Name& name : names) {
        if (name.status == status)
            return QByteArray(name.text);
    }
    return QByteArrayLiteral("Status");
}

QByteArray replyHead(const ReplyShape& shape, const Headers& headers)
{
    QByteArray out;
    out.reserve(256);
    out += "HTTP/1.1 ";
    out += QByteArray::number(shape.status);
    out += ' ';
    out += reasonOf(shape.status);
    out += "\r\n";
    bool dated = false;
    for (const auto& [name, value] : headers) {
        if (isFraming(name) || name.isEmpty() || breaksLine(name) || breaksLine(value))
            continue;
        dated = dated || sameName(name, "Date");
        out += name;
        out += ": ";
        out += value;
        out += "\r\n";
    }
    if (!dated)
        out += dateLine();
    if (shape.chunked)
        out += "Transfer-Encoding: chunked\r\n";
    else if (shape.length >= 0)
        out += "Content-Length: " + QByteArray::number(shape.length) + "\r\n";
    if (!shape.keepAlive)
        out += "Connection: close\r\n";
    else if (shape.http10)
        out += "Connection: keep-alive\r\n";
    out += "\r\n";
    return out;
}

} // namespace sg::http
