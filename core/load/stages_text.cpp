// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/stages_text.h"

#include "core/policy/text.h"

namespace sg::load {

namespace {

using measure::Parsed;
using measure::Speller;

/// Reads stages one after another and remembers the rate and the time so far.
class StageReader
{
public:
    explicit StageReader(std::string_view text)
        : in_(text)
    {
    }

    Parsed<std::vector<Stage>> all()
    {
        do {
            in_.scan().skipBlanks();
            if (const auto read = one(); !read)
                return tl::unexpected(read.error());
            in_.scan().skipBlanks();
        } while (in_.scan().skip(","));
        if (!in_.scan().atEnd())
            return in_.wrong(QStringLiteral("A comma or the end is expected here."));
        return std::move(stages_);
    }

private:
    Parsed<void> one()
    {
        if (in_.skipWord("ramp"))
            return ramp();
        if (in_.skipWord("spike"))
            return spike();
        if (in_.skipWord("hold"))
            return hold();
        if (in_.skipWord("pause"))
            return pause();
        if (!policy::isDigit(in_.scan().peek()))
            return in_.wrong(QStringLiteral("A stage is expected here: 0-60s 10/s, 60s at 10/s, ramp 60s to 50/s, "
                                            "spike 200/s for 5s, hold 60s or pause 10s."));
        return plain();
    }

    /// "0-60s 10/s" and "60s at 10/s". The first number of a range may leave its unit to the second.
    Parsed<void> plain()
    {
        const std::size_t begin = in_.at();
        const std::string_view rest = in_.scan().rest();
        const std::string_view item = rest.substr(0, rest.find_first_of(" ,"));
        const auto dash = item.find('-');
        if (dash == std::string_view::npos) {
            const auto length = in_.span();
            return length ? withRate(*length) : wrong(length.error());
        }
        const auto from = rangeStart(item);
        if (!from)
            return wrong(from.error());
        if (!in_.scan().skip("-"))
            return in_.wrong(QStringLiteral("A range is written like 0-60s."));
        const auto to = in_.span();
        if (!to)
            return wrong(to.error());
        if (*from != at_)
            return Speller::wrongAt(
                begin,
                QStringLiteral("This stage has to begin at %1, where the last one ends.").arg(measure::spanText(at_)));
        if (*to <= *from)
            return Speller::wrongAt(begin, QStringLiteral("A range ends after its beginning."));
        return withRate(*to - *from);
    }

    Parsed<Nanos> rangeStart(std::string_view item)
    {
        const std::size_t begin = in_.at();
        const auto amount = in_.number();
        if (!amount)
            return tl::unexpected(amount.error());
        if (in_.scan().peek() != '-') { // it has its own unit: read it once more as a time
            in_ = Speller(in_.all());
            in_.scan().take(begin);
            return in_.span();
        }
        std::size_t unit = item.size();
        while (unit > 0 && policy::isLetter(item[unit - 1]))
            --unit;
        const std::string written = std::string(item.substr(0, item.find('-'))) + std::string(item.substr(unit));
        const auto start = Speller(written).span();
        return start ? start : Speller::wrongAt(begin, start.error().problem);
    }

    Parsed<void> withRate(Nanos length)
    {
        blanks();
        if (in_.skipWord("at"))
            blanks();
        const auto rate = in_.ratePerSecond();
        if (!rate)
            return wrong(rate.error());
        return add(length, *rate, *rate);
    }

    Parsed<void> hold()
    {
        const auto length = spanHere();
        if (!length)
            return wrong(length.error());
        in_.scan().skipBlanks();
        if (in_.skipWord("at"))
            return withRate(*length);
        return add(*length, rate_, rate_);
    }

    Parsed<void> pause()
    {
        const auto length = spanHere();
        return length ? addApart(*length, 0) : wrong(length.error());
    }

    Parsed<void> ramp()
    {
        const auto length = spanHere();
        if (!length)
            return wrong(length.error());
        blanks();
        double from = rate_;
        if (in_.skipWord("from")) {
            blanks();
            const auto rate = in_.ratePerSecond();
            if (!rate)
                return wrong(rate.error());
            from = *rate;
            blanks();
        }
        if (!in_.skipWord("to"))
            return in_.wrong(QStringLiteral("A ramp needs its end: ramp 60s to 50/s."));
        blanks();
        const auto to = in_.ratePerSecond();
        return to ? add(*length, from, *to) : wrong(to.error());
    }

    Parsed<void> spike()
    {
        blanks();
        const auto rate = in_.ratePerSecond();
        if (!rate)
            return wrong(rate.error());
        blanks();
        if (!in_.skipWord("for"))
            return in_.wrong(QStringLiteral("A spike needs its length: spike 200/s for 5s."));
        const auto length = spanHere();
        if (!length)
            return wrong(length.error());
        return length ? addApart(*length, *rate) : wrong(length.error());
    }

    /// After it the rate before it counts again.
    Parsed<void> addApart(Nanos length, double rate)
    {
        const double before = rate_;
        const auto added = add(length, rate, rate);
        rate_ = before;
        return added;
    }

    Parsed<Nanos> spanHere()
    {
        blanks();
        return in_.span();
    }

    Parsed<void> add(Nanos length, double from, double to)
    {
        if (length <= Nanos(0))
            return in_.wrong(QStringLiteral("A stage lasts longer than 0."));
        stages_.push_back({length, from, to});
        at_ += length;
        rate_ = to;
        return {};
    }

    void blanks() { in_.scan().skipBlanks(); }
    static tl::unexpected<measure::ParseError> wrong(const measure::ParseError& error) { return tl::unexpected(error); }

    Speller in_;
    std::vector<Stage> stages_;
    Nanos at_{0};
    double rate_ = 0;
};

Parsed<double> amount(Speller& in, bool isTime)
{
    in.scan().skipBlanks();
    if (!isTime)
        return in.number();
    const auto span = in.span();
    return span ? Parsed<double>(toMs(*span)) : tl::unexpected(span.error());
}

} // namespace

Parsed<std::vector<Stage>> parseStages(std::string_view text)
{
    return StageReader(text).all();
}

QString textOf(const std::vector<Stage>& stages)
{
    using measure::rateText;
    using measure::spanText;
    QStringList parts;
    for (const Stage& stage : stages)
        parts.append(stage.from == stage.to
                         ? QStringLiteral("%1 at %2").arg(spanText(stage.length), rateText(stage.from))
                         : QStringLiteral("ramp %1 from %2 to %3")
                               .arg(spanText(stage.length), rateText(stage.from), rateText(stage.to)));
    return parts.join(QStringLiteral(", "));
}

Parsed<SweepModel> parseSweep(std::string_view text)
{
    Speller in(text);
    const auto blanks = [&] { in.scan().skipBlanks(); };
    SweepModel sweep;
    blanks();
    const auto from = in.ratePerSecond();
    if (!from)
        return tl::unexpected(from.error());
    blanks();
    if (!in.skipWord("to"))
        return in.wrong(QStringLiteral("A sweep is written like 1/s to 200/s each 10s by 1.5."));
    blanks();
    const auto to = in.ratePerSecond();
    if (!to)
        return tl::unexpected(to.error());
    sweep.from = *from;
    sweep.to = *to;
    blanks();
    if (in.skipWord("each")) {
        blanks();
        const auto each = in.span();
        if (!each)
            return tl::unexpected(each.error());
        sweep.each = *each;
        blanks();
    }
    if (in.skipWord("by")) {
        blanks();
        const auto factor = in.number();
        if (!factor)
            return tl::unexpected(factor.error());
        sweep.factor = *factor;
        blanks();
    }
    if (!in.scan().atEnd())
        return in.wrong(
            QStringLiteral("The end is expected here; a sweep is written like 1/s to 200/s each 10s by 1.5."));
    return sweep;
}

Parsed<stats::Distribution> parseDistribution(std::string_view text, bool isTime)
{
    using Kind = stats::Distribution::Kind;
    Speller in(policy::trimmed(text));
    stats::Distribution made;
    if (in.skipWord("lognormal")) {
        made.kind = Kind::Lognormal;
        const auto median = amount(in, isTime);
        const auto sigma = median ? amount(in, false) : median;
        if (!sigma)
            return tl::unexpected(sigma.error());
        made.median = *median;
        made.sigma = *sigma;
    } else {
        const auto first = amount(in, isTime);
        if (!first)
            return tl::unexpected(first.error());
        made.value = *first;
        if (in.scan().skip("-")) {
            const auto high = amount(in, isTime);
            if (!high)
                return tl::unexpected(high.error());
            if (*high < *first)
                return in.wrong(QStringLiteral("A range goes upwards."));
            made = {Kind::Uniform, 0, *first, *high, 0, 0, 0, 0, {}};
        }
    }
    if (!in.scan().atEnd())
        return in.wrong(QStringLiteral("The end is expected here. Written like 500, 200-800 or lognormal 500 0.6."));
    return made;
}

} // namespace sg::load
