// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>

namespace sg::vectors {

void runBreakerCase(const QJsonObject& testCase);
void runBreakerConfigCase(const QJsonObject& testCase);
void runBackoffCase(const QJsonObject& testCase);
void runWaitHintCase(const QJsonObject& testCase);
void runLimiterCase(const QJsonObject& testCase);

} // namespace sg::vectors
