// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/wait_hint.h"
#include "tests/support/vectors.h"
#include "tests/support/vectors_runners.h"

#include <QDateTime>
#include <QJsonArray>

namespace sg::vectors {

using namespace sg::policy;

namespace {

HeaderList readHeaders(const VectorFields& fields)
{
    HeaderList headers;
    const QJsonArray list = fields.array("headers");
    for (const QJsonValue& header : list) {
        const QJsonArray pair = header.toArray();
        if (pair.size() != 2 || !pair[0].isString() || !pair[1].isString())
            fields.fail(QStringLiteral("a header must be a pair of strings"));
        headers.emplace_back(pair[0].toString().toStdString(), pair[1].toString().toStdString());
    }
    return headers;
}

QString word(HintAction action)
{
    switch (action) {
    case HintAction::Backoff:
        return QStringLiteral("backoff");
    case HintAction::Wait:
        return QStringLiteral("wait");
    case HintAction::Failover:
        return QStringLiteral("failover");
    case HintAction::Stop:
        return QStringLiteral("stop");
    }
    return {};
}

} // namespace

void runWaitHintCase(const QJsonObject& testCase)
{
    const VectorFields fields(testCase);
    const QDateTime now = QDateTime::fromString(fields.text("now"), Qt::ISODateWithMs);
    if (!now.isValid())
        fields.fail(QStringLiteral("field now must be a date"));
    const HeaderList headers = readHeaders(fields);
    const std::string body = fields.text("body").toStdString();
    HintInput input{now.toMSecsSinceEpoch(), fields.integer("status"), headers, body, {}};
    if (const auto ms = fields.optionalNumber("own_backoff_ms"))
        input.ownBackoff = fromMs(*ms);
    if (const auto ms = fields.optionalNumber("max_server_wait_ms"))
        input.maxServerWait = fromMs(*ms);

    const VectorFields expected(fields.object("expect"));
    const WaitHint hint = readWaitHint(input);
    fields.equal(QStringLiteral("action"), word(hint.action), expected.text("action"));
    const bool waits = hint.action == HintAction::Wait || hint.action == HintAction::Failover;
    fields.near(QStringLiteral("ms"), waits ? std::optional(toMs(hint.wait)) : std::nullopt,
                expected.optionalNumber("ms"), 0);
}

} // namespace sg::vectors
