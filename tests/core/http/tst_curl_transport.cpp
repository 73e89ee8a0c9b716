// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/transport_contract.h"

#include <QCoreApplication>
#include <QTest>

/// The contract, run against the transport over libcurl.
int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    sg::testing::TransportContract contract(&sg::http::makeCurlTransport);
    return QTest::qExec(&contract, argc, argv);
}
