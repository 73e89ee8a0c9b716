// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"
#include "core/simulator/script.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace sg::simulator {

/// What an answer says, in pieces of one token each, escaped for JSON: words, unless made otherwise. Plain value.
class AnswerText
{
public:
    /// `id`, a blank, and what was asked: whoever reads the answer knows which one it is and whose.
    static AnswerText echo(const QByteArray& id, const QString& asked);
    /// The steady time in µs, then a blank, when the piece is made.
    static AnswerText time();
    /// A tool call's arguments.
    static AnswerText arguments(const QByteArray& json);

    void startAt(std::uint64_t start); ///< which words

    /// How many tokens it has; empty: as many as are wanted.
    std::optional<int> tokens() const;
    QByteArray part(int from, int count, Instant now) const;

private:
    TextKind kind_ = TextKind::Words;
    std::uint64_t start_ = 0;
    std::vector<QByteArray> pieces_;
};

} // namespace sg::simulator
