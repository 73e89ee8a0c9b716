// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/dialect.h"

#include <QByteArray>

#include <vector>

/// Complete streams as the providers send them.
namespace sg::test {

struct SampleStream
{
    const char* name;
    provider::Dialect dialect;
    QByteArray bytes;
};
/// Text, reasoning, tool calls, usage in all its forms, unknown fields and events: every one is a good answer.
std::vector<SampleStream> sampleStreams();

/// A stream of `tokens` events of one short word each, with head and end; the chunks are as large as the real ones.
QByteArray tokenStream(provider::Dialect dialect, int tokens);

} // namespace sg::test
