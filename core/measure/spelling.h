// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/text_scan.h"
#include "core/policy/time.h"

#include <QString>

#include <tl/expected.hpp>

/// The small languages of a run's description: how numbers, spans and rates are read, and how an error shows its place.
namespace sg::measure {

struct ParseError
{
    std::size_t at = 0; ///< bytes from the beginning of the text
    QString problem;    ///< with the remedy
    bool operator==(const ParseError&) const = default;
};
/// The problem, the text, and a mark below the place.
QString shown(const ParseError& error, std::string_view text);

template <typename T>
using Parsed = tl::expected<T, ParseError>;

/// Reads one text; knows where it is.
class Speller
{
public:
    explicit Speller(std::string_view text)
        : all_(text)
        , scan_(text)
    {
    }
    policy::TextScan& scan() { return scan_; }
    std::size_t at() const { return all_.size() - scan_.rest().size(); }
    std::string_view all() const { return all_; }
    tl::unexpected<ParseError> wrong(QString problem) const { return wrongAt(at(), std::move(problem)); }
    static tl::unexpected<ParseError> wrongAt(std::size_t at, QString problem)
    {
        return tl::unexpected(ParseError{at, std::move(problem)});
    }

    /// Letters and underscores, maybe none.
    std::string_view word();
    bool skipWord(std::string_view word); ///< only as a whole word
    Parsed<double> number();              ///< decimal, not negative
    Parsed<Nanos> span();                 ///< "800ms", "1.5s", "2min", "1h", "1m30s"; the unit is needed
    Parsed<double> ratePerSecond();       ///< "10/s", "600/min", "5rps", "100/h"

private:
    std::string_view all_;
    policy::TextScan scan_;
};

QString spanText(Nanos span);       ///< shortest that reads back as the same: "90s", "1500ms"
QString rateText(double perSecond); ///< "10/s"

} // namespace sg::measure
