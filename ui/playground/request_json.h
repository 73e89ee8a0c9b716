// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <tl/expected.hpp>

/// A request as the JSON body that people know from OpenAI, to be edited by hand.
namespace sg::ui::requestjson {

struct Problem
{
    int line = 0; ///< from 1; 0: of the whole
    QString words;
    bool operator==(const Problem&) const = default;
};

/// Indented; without "model", which the chain or the endpoint says.
QString write(const provider::ChatRequest& request);
/// "model" and "stream_options" are left out: Switchgear says them itself.
tl::expected<provider::ChatRequest, Problem> read(const QString& text);

} // namespace sg::ui::requestjson
