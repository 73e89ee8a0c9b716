// SPDX-License-Identifier: GPL-3.0-or-later
// What most tests of ui include one way or another.
#pragma once
#include "tests/support/test_pch.h"
#include "ui/theme/theme.h"
#include "ui/ui_pch.h"
#include <QtCore/QAbstractItemModel>
#include <QtWidgets/QStyleOption>
