// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/fake_load_control.h"
#include "ui/load/load_page.h"

#include <QTest>

class TestLoadPage : public QObject
{
    Q_OBJECT
};

QTEST_MAIN(TestLoadPage)
#include "tst_load_page.moc"
