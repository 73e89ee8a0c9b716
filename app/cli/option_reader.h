// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/measure/spelling.h"

#include <QCommandLineParser>

#include <cmath>
#include <optional>

namespace sg::app {

/// Collects the first problem, so that options are read one after another without asking each time.
class OptionReader
{
public:
    explicit OptionReader(const QCommandLineParser& parser)
        : parser_(parser)
    {
    }

    bool isSet(const char* name) const { return parser_.isSet(QString::fromLatin1(name)); }
    std::optional<QString> value(const char* name) const
    {
        return isSet(name) ? std::optional(parser_.value(QString::fromLatin1(name))) : std::nullopt;
    }
    /// Keeps the first.
    void problem(const QString& problem)
    {
        if (problem_.isEmpty())
            problem_ = problem;
    }
    const QString& problem() const { return problem_; }

    template <typename Number>
    std::optional<Number> number(const char* name, double low, double high)
    {
        const auto given = value(name);
        if (!given)
            return std::nullopt;
        bool ok = false;
        const double read = given->toDouble(&ok);
        const bool whole = std::is_floating_point_v<Number> || read == std::floor(read);
        if (ok && whole && read >= low && read <= high)
            return static_cast<Number>(read);
        problem(QStringLiteral("--%1 takes a %2number from %3 to %4, not \"%5\".")
                    .arg(QString::fromLatin1(name),
                         whole && std::is_floating_point_v<Number> ? QString() : QStringLiteral("whole "))
                    .arg(low, 0, 'g', 16)
                    .arg(high, 0, 'g', 16)
                    .arg(*given));
        return std::nullopt;
    }

    /// `parse` takes the value; a bare number gets `unit` put behind it.
    template <typename Parse>
    auto parsed(const char* name, Parse parse, const char* unit = "")
        -> std::optional<std::decay_t<decltype(*parse(std::string_view()))>>
    {
        const auto given = value(name);
        if (!given)
            return std::nullopt;
        bool bare = false;
        given->toDouble(&bare);
        const std::string text = (bare ? *given + QString::fromLatin1(unit) : *given).trimmed().toStdString();
        auto read = parse(std::string_view(text));
        if (read)
            return *std::move(read);
        problem(QStringLiteral("--%1: %2").arg(QString::fromLatin1(name), measure::shown(read.error(), text)));
        return std::nullopt;
    }

    std::optional<Nanos> span(const char* name)
    {
        return parsed(
            name,
            [](std::string_view text) {
                measure::Speller in(text);
                auto span = in.span();
                return span && !in.scan().atEnd() ? in.wrong(QStringLiteral("The end is expected here.")) : span;
            },
            "s");
    }

private:
    const QCommandLineParser& parser_;
    QString problem_;
};

} // namespace sg::app
