// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/model.h"

namespace sg::workspace {

const PolicyLibrary& PolicyLibrary::builtIn()
{
    static const PolicyLibrary library;
    return library;
}

} // namespace sg::workspace
