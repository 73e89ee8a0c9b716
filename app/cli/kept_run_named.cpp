// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kept_run_named.h"

namespace sg::app {

using namespace history;

HistoryResult<RunRecord> keptRunNamed(RunArchive& archive, const QString& name)
{
    bool isNumber = false;
    const int number = name.toInt(&isNumber);
    if (!isNumber || number < 1)
        return archive.get(name);
    const auto page = archive.list(number - 1, 1);
    if (!page)
        return tl::unexpected(page.error());
    return archive.get(page->runs.empty() ? name : page->runs.front().id);
}

} // namespace sg::app
