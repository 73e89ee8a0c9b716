// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/wait_hint.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace sg::provider {

/// What a recording holds: a HTTP answer with its head, an event stream without one, or a body alone.
enum class RecordedForm { HttpAnswer, EventStream, Body };

/// An answer as somebody has saved it. A value type; any thread.
struct RecordedAnswer
{
    RecordedForm form = RecordedForm::Body;
    std::optional<int> status; ///< of the last head; empty without one
    policy::HeaderList headers;
    QByteArray body;       ///< chunked form and compression undone where that could be done
    bool isStream = false; ///< the body is an event stream
    bool cut = false;      ///< the framing says that bytes are missing: a chunk, a length, the end of compressed data
    QStringList warnings;  ///< sentences for people
};

/// Reads a raw HTTP answer as `curl -i` saves it (CRLF or LF; several heads, of which the last counts; the body as it
/// came or already without its chunks), a bare event stream or a bare body. Never fails: what is none of these is a
/// body. Time linear in the bytes; compressed bodies are unpacked up to 64 MiB.
RecordedAnswer readRecorded(QByteArrayView bytes);

} // namespace sg::provider
