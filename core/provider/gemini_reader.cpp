// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/dialect_reader.h"

namespace sg::provider {

std::unique_ptr<DialectReader> makeGeminiReader()
{
    return makeOpenAiReader();
}

} // namespace sg::provider
