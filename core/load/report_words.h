// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/plan.h"

#include <QJsonObject>
#include <QString>

/// Parts of a report (switchgear-load/2) as documents for people have them. Pure; numbers know no locale.
namespace sg::load {

/// "12.3 ms", "99.5 %", "8.25/s", "–" for what is no number.
QString valueWords(const QJsonValue& value, const QString& unit);
/// Of one of "metrics" with one value a run; "at least 20 tokens/s" where only that is known.
QString figureWords(const QJsonObject& metric);

struct VerdictWords
{
    QString word; ///< "INVALID", "missed", "passed", "valid"
    QString mark; ///< one character of its own for each word, so that colour is never alone
    QString kind; ///< "bad", "good", "plain"
    QStringList reasons;
};
VerdictWords verdictWords(const QJsonObject& report);

/// The field of a report's plan that says what it aims at: "chain", "endpoint" or "url".
std::pair<QString, QJsonValue> targetOf(const LoadPlan& plan);
/// What a report's plan aims at: "main", of a URL "main at 127.0.0.1:8787".
QString targetNameIn(const QJsonObject& plan);
QString targetWords(const QJsonObject& plan); ///< with its kind: "chain main", "URL main at 127.0.0.1:8787"

QString seedWords(const QJsonObject& plan); ///< whole: above 2^53 the file has it as a text

/// What was run, in a line: "chain main: open, Poisson, 10/s for 60s".
QString planWords(const QJsonObject& report);

/// "12 failed · 3 cut off", in the report's order; empty without any.
QString countWords(const QJsonObject& counts);

} // namespace sg::load
