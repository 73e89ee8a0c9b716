// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/exposition_reader.h"

#include <QRegularExpression>
#include <QSet>

#include <cmath>

namespace sg::test {

namespace {

using observe::ExpositionFormat;

bool matches(const QString& text, const char* pattern)
{
    return QRegularExpression(QRegularExpression::anchoredPattern(QString::fromLatin1(pattern))).match(text).hasMatch();
}

/// After the grammar of OpenMetrics 1.0.0, section "Overall structure"; 0.0.4 is a part of it with other metadata.
class Reader
{
public:
    Reader(Exposed& to, ExpositionFormat format)
        : to_(to)
        , open_(format == ExpositionFormat::OpenMetrics100)
    {
    }

    void read(const QByteArray& page)
    {
        const QString text = QString::fromUtf8(page);
        if (text.toUtf8() != page)
            fault(QStringLiteral("the page is no UTF-8"));
        if (!text.endsWith(QLatin1Char('\n')))
            fault(QStringLiteral("the page ends within a line"));
        QStringList lines = text.split(QLatin1Char('\n'));
        lines.removeLast();
        if (open_ && (lines.isEmpty() || lines.takeLast() != QLatin1String("# EOF")))
            fault(QStringLiteral("no EOF at the end"));
        for (const QString& line : std::as_const(lines)) {
            line_ = line;
            if (line.startsWith(QLatin1Char('#')))
                metadata(line);
            else
                sample(line);
        }
        line_.clear();
        for (const ExposedFamily& family : std::as_const(to_.families))
            checkFamily(family);
    }

private:
    void fault(const QString& what)
    {
        to_.faults << (line_.isEmpty() ? what : QStringLiteral("%1: %2").arg(what, line_));
    }

    void metadata(const QString& line)
    {
        static const QRegularExpression form(QStringLiteral("^# (HELP|TYPE|UNIT) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$"));
        const auto match = form.match(line);
        if (!match.hasMatch())
            return fault(QStringLiteral("neither metadata nor a sample"));
        const QString what = match.captured(1), name = match.captured(2), text = match.captured(3);
        if (to_.families.isEmpty() || to_.families.last().name != name) {
            if (names_.contains(name))
                fault(QStringLiteral("a family is told twice"));
            names_.insert(name);
            to_.families.append({name, {}, {}, {}, {}});
        }
        ExposedFamily& family = to_.families.last();
        if (!family.samples.isEmpty())
            fault(QStringLiteral("metadata after samples"));
        QString& into = what == QLatin1String("HELP")   ? family.help
                        : what == QLatin1String("TYPE") ? family.type
                                                        : family.unit;
        if (!into.isEmpty())
            fault(QStringLiteral("metadata twice"));
        into = text;
        if (what == QLatin1String("UNIT") && (!open_ || !name.endsWith(QLatin1Char('_') + text)))
            fault(QStringLiteral("a unit that is not at the end of its family's name"));
        if (what == QLatin1String("HELP") &&
            !matches(text, open_ ? R"RE(([^\\"]|\\[\\n"])*)RE" : R"RE(([^\\]|\\[\\n])*)RE"))
            fault(QStringLiteral("a help text that is not escaped"));
        if (what == QLatin1String("TYPE") &&
            !matches(text, open_ ? "counter|gauge|histogram|info|stateset" : "counter|gauge|histogram"))
            fault(QStringLiteral("a type that is none"));
    }

    QStringList suffixes(const ExposedFamily& family) const
    {
        if (family.type == QLatin1String("histogram"))
            return {QStringLiteral("_bucket"), QStringLiteral("_sum"), QStringLiteral("_count")};
        if (open_ && family.type == QLatin1String("counter"))
            return {QStringLiteral("_total")};
        if (open_ && family.type == QLatin1String("info"))
            return {QStringLiteral("_info")};
        return {QString()};
    }

    void sample(const QString& line)
    {
        static const QRegularExpression form(
            QStringLiteral(R"RE(^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([-+0-9.eE]+|[+]Inf)$)RE"));
        const auto match = form.match(line);
        if (!match.hasMatch() || to_.families.isEmpty())
            return fault(QStringLiteral("no sample"));
        ExposedFamily& family = to_.families.last();
        ExposedSample one{match.captured(1), labels(match.captured(2)), 0};
        bool fine = matches(match.captured(3), R"RE([-+]?\d+(\.\d*)?([eE][-+]?\d+)?)RE");
        one.value = match.captured(3).toDouble(&fine);
        if (!fine || !std::isfinite(one.value))
            fault(QStringLiteral("a value that is no number"));
        QStringList allowed = suffixes(family);
        for (QString& suffix : allowed)
            suffix.prepend(family.name);
        if (!allowed.contains(one.name))
            fault(QStringLiteral("a sample of another family"));
        family.samples.append(one);
    }

    QMap<QString, QString> labels(const QString& text)
    {
        QMap<QString, QString> labels;
        static const QRegularExpression pair(
            QStringLiteral(R"RE(\G([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^\\"]|\\[\\n"])*)"(,|$))RE"));
        qsizetype at = 0;
        while (at < text.size()) {
            const auto match = pair.match(text, at);
            if (!match.hasMatch()) {
                fault(QStringLiteral("labels that cannot be read"));
                return labels;
            }
            if (labels.contains(match.captured(1)) || match.captured(1).startsWith(QLatin1String("__")))
                fault(QStringLiteral("a label twice, or one that is reserved"));
            labels.insert(match.captured(1), unescaped(match.captured(2)));
            at = match.capturedEnd();
        }
        if (text.endsWith(QLatin1Char(',')))
            fault(QStringLiteral("a comma after the last label"));
        return labels;
    }

    static QString unescaped(const QString& text)
    {
        QString plain;
        for (qsizetype i = 0; i < text.size(); ++i) {
            if (text[i] != QLatin1Char('\\')) {
                plain += text[i];
                continue;
            }
            ++i;
            plain += text[i] == QLatin1Char('n') ? QLatin1Char('\n') : text[i];
        }
        return plain;
    }

    void checkFamily(const ExposedFamily& family)
    {
        const auto bad = [&](const char* what) {
            fault(family.name + QStringLiteral(": ") + QString::fromLatin1(what));
        };
        if (family.type.isEmpty() || family.help.isEmpty())
            bad("without type or help");
        QSet<QString> seen;
        for (const ExposedSample& one : family.samples) {
            QString key = one.name;
            for (auto label = one.labels.begin(); label != one.labels.end(); ++label)
                key += QLatin1Char('\0') + label.key() + QLatin1Char('\0') + label.value();
            if (seen.contains(key))
                bad("a sample twice");
            seen.insert(key);
            if (family.type != QLatin1String("gauge") && one.value < 0)
                bad("a count below 0");
            if (family.type == QLatin1String("info") && one.value != 1)
                bad("an info that is not 1");
            if (one.labels.contains(QStringLiteral("le")) && family.type != QLatin1String("histogram"))
                bad("le outside a histogram");
        }
        if (family.type == QLatin1String("histogram"))
            checkHistogram(family);
        if (family.type == QLatin1String("stateset"))
            checkStates(family);
    }

    /// Series stand one after the other: its buckets, rising to +Inf and never falling, then sum and count.
    void checkHistogram(const ExposedFamily& family)
    {
        const auto bad = [&](const char* what) {
            fault(family.name + QStringLiteral(": ") + QString::fromLatin1(what));
        };
        double upTo = -INFINITY, below = 0;
        bool complete = false;
        QMap<QString, QString> series;
        bool within = false;
        for (const ExposedSample& one : family.samples) {
            QMap<QString, QString> labels = one.labels;
            const QString le = labels.take(QStringLiteral("le"));
            if (within && labels != series)
                bad("series that are mixed");
            series = labels;
            within = true;
            if (one.name.endsWith(QLatin1String("_bucket"))) {
                const double bound = le == QLatin1String("+Inf") ? INFINITY : le.toDouble();
                if (le != QLatin1String("+Inf") && !matches(le, R"RE(\d+\.\d+(e[-+]\d\d+)?)RE"))
                    bad("le in a spelling of its own");
                if (bound <= upTo || one.value < below)
                    bad("buckets that do not rise");
                upTo = bound;
                below = one.value;
                complete = std::isinf(bound);
            } else if (one.name.endsWith(QLatin1String("_count"))) {
                if (!complete || one.value != below)
                    bad("a count that is not that of +Inf");
                upTo = -INFINITY;
                below = 0;
                complete = within = false;
            }
        }
        if (within)
            bad("a series without count");
    }

    void checkStates(const ExposedFamily& family)
    {
        QMap<QString, int> on;
        for (const ExposedSample& one : family.samples) {
            if (!one.labels.contains(family.name) || (one.value != 0 && one.value != 1))
                fault(family.name + QStringLiteral(": no state"));
            QMap<QString, QString> labels = one.labels;
            labels.remove(family.name);
            on[labels.values().join(QLatin1Char('\0'))] += static_cast<int>(one.value);
        }
        for (const int many : std::as_const(on))
            if (many != 1)
                fault(family.name + QStringLiteral(": not in exactly one state"));
    }

    Exposed& to_;
    bool open_;
    QString line_;
    QSet<QString> names_;
};

} // namespace

const ExposedFamily* Exposed::family(const QString& name) const
{
    for (const ExposedFamily& one : families)
        if (one.name == name)
            return &one;
    return nullptr;
}

std::optional<double> Exposed::value(const QString& sample, const QMap<QString, QString>& labels) const
{
    for (const ExposedFamily& family : families)
        for (const ExposedSample& one : family.samples)
            if (one.name == sample && one.labels == labels)
                return one.value;
    return std::nullopt;
}

Exposed readExposition(const QByteArray& page, ExpositionFormat format)
{
    Exposed exposed;
    Reader(exposed, format).read(page);
    return exposed;
}

} // namespace sg::test
