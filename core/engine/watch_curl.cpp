// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/watch.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace sg::engine {

namespace {

constexpr const char* kHidden = "***";

/// One word of a POSIX shell, whatever is in it.
QString quoted(QString word)
{
    word.replace(QLatin1Char('\''), QLatin1String("'\\''"));
    return QLatin1Char('\'') + word + QLatin1Char('\'');
}

/// The word with the shell's variable in the place of what is hidden.
QString withVariable(const QString& word, const QString& variable)
{
    QStringList parts;
    for (const QString& part : word.split(QLatin1String(kHidden)))
        parts += part.isEmpty() ? QString() : quoted(part);
    return parts.join(QStringLiteral("\"$%1\"").arg(variable));
}

/// Cookies are no key: what was in them cannot be given back.
bool canBeSent(const std::string& name)
{
    return QByteArray::fromStdString(name).toLower() != "cookie";
}

bool asksForStream(const AttemptTrace& trace)
{
    return QJsonDocument::fromJson(trace.requestBody)[QLatin1String("stream")].toBool() ||
           trace.url.find("streamGenerateContent") != std::string::npos;
}

} // namespace

QString toCurl(const WatchView& view, int number)
{
    const auto trace = std::ranges::find(view.traces, number, &AttemptTrace::number);
    if (trace == view.traces.end())
        return {};
    const QString variable =
        trace->keyVariable.empty() ? QStringLiteral("API_KEY") : QString::fromStdString(trace->keyVariable);
    QStringList words{asksForStream(*trace) ? QStringLiteral("curl -N") : QStringLiteral("curl")};
    words.last() += QLatin1Char(' ') + withVariable(QString::fromStdString(trace->url), variable);
    for (const auto& [name, value] : trace->requestHeaders)
        if (canBeSent(name))
            words += QStringLiteral("-H ") +
                     withVariable(QString::fromStdString(name) + QStringLiteral(": ") + QString::fromStdString(value),
                                  variable);
    words += QStringLiteral("--data-raw ") + quoted(QString::fromUtf8(trace->requestBody));
    return words.join(QStringLiteral(" \\\n  "));
}

} // namespace sg::engine
