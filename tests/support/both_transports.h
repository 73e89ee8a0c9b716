// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport_kind.h"

#include <QCoreApplication>
#include <QTest>

namespace sg::testing {

/// main() of a test that says the same of both transports: `Test` takes the kind, and runs once for each.
template <typename Test>
int runForBoth(int argc, char** argv)
{
    const QCoreApplication app(argc, argv);
    int failed = 0;
    for (const auto kind : {http::TransportKind::Qnam, http::TransportKind::Curl}) {
        qInfo("with %s", http::toString(kind));
        Test test(kind);
        failed += QTest::qExec(&test, argc, argv);
    }
    return failed;
}

} // namespace sg::testing
