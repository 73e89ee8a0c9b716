// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QTest>

/// Tests with a real secret service never meet the keychain of whoever runs them.
namespace sg::testing {

enum class Keyring {
    None,     ///< a bus without a secret service
    Unlocked, ///< its process id is in SG_KEYRING_PID
    Locked,   ///< made with a password, then served by a daemon that was not told it and has no screen to ask on
    NoBus,    ///< not even a bus
};

/// Runs the test function of this program on a private session bus, in a home of its own. The bus knows no service
/// files, so nothing is started behind the test's back. Its exit code; -1 when it did not end.
int runOnPrivateBus(const char* test, Keyring keyring);
bool isOnPrivateBus();
/// Why there can be no such bus here; empty when there can.
QString missingForPrivateBus(Keyring keyring);

} // namespace sg::testing

/// The body of a test that runs one of its program's on such a bus; skips where that cannot be.
#define RUN_ON_PRIVATE_BUS(test, keyring)                                                                              \
    do {                                                                                                               \
        if (sg::testing::isOnPrivateBus())                                                                             \
            QSKIP("the outer test only");                                                                              \
        if (const QString missing = sg::testing::missingForPrivateBus(keyring); !missing.isEmpty())                    \
            QSKIP(qPrintable(missing));                                                                                \
        QCOMPARE(sg::testing::runOnPrivateBus(test, keyring), 0);                                                      \
    } while (false)
#define ONLY_INSIDE                                                                                                    \
    if (!sg::testing::isOnPrivateBus())                                                                                \
    QSKIP("the inner test only")
