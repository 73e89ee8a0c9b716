// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/watch.h"
#include "ui/playground/waterfall.h"
#include "ui/widgets/rows_model.h"

/// What the playground says in words and figures.
namespace sg::ui::words {

enum class Look { Idle, Running, Good, Warned, Failed, Cancelled, Neutral };

/// A tag: shape by look, and a word.
struct Status
{
    Look look = Look::Idle;
    QString word;
    bool operator==(const Status&) const = default;
};
Status statusOf(const engine::WatchView& view);

/// "612 tokens in · est. $0.0024 on gpt-4.1, at most $0.0095 on claude"
QString estimate(const std::vector<engine::WatchEstimate>& estimates, const provider::ChatRequest& request);
/// "≥ $0.0041", "≈ $0.0041" where a part is an estimate; unknown as a dash
QString cost(std::optional<std::int64_t> nanoUsd, bool isLowerBound, bool isEstimated = false);

/// Why a request has no whole answer. Empty title: it has one.
struct Failure
{
    QString title;    ///< "503: The provider has no capacity"
    QString provider; ///< the provider's code and words
    QString did;      ///< what Switchgear did about it
    bool isError = true;
    bool operator==(const Failure&) const = default;
};
Failure failureOf(const engine::WatchView& view);

/// A figure under the answer.
struct Figure
{
    QString name, value, tip;
    bool operator==(const Figure&) const = default;
};
/// `other` is what the same tokens would cost elsewhere; may be empty.
std::vector<Figure> figuresOf(const engine::WatchView& view, const std::optional<engine::WatchEstimate>& other);

/// Request headers, or response headers with the record's own lines among them.
std::vector<RowsModel::Row> headerRows(const engine::WatchView& view, int attempt, bool ofRequest);
/// What an attempt's answer said about waiting, and what came of it; may be empty.
QString hintSentence(const engine::WatchView& view, int attempt);
/// What of a request was not sent, or of its answer odd; may be empty.
QString oddities(const engine::WatchView& view, int attempt);

const engine::AttemptTrace* traceOf(const engine::WatchView& view, int attempt);
const chain::AttemptRecord* attemptOf(const engine::WatchView& view, int attempt);
/// The attempt to look at: the answering one, else the last; 0: none.
int mainAttempt(const engine::WatchView& view);
int attemptsOf(const engine::WatchView& view); ///< the one under way too

/// Text that a view can lay out at once: at most `most` characters, lines no longer than 2000. `note` says what was
/// changed; empty: nothing.
struct Shown
{
    QString text, note;
};
Shown shown(const QString& text, qsizetype most = 256 * 1024);

} // namespace sg::ui::words
