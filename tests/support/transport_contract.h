// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"
#include "tests/support/misbehaving_server.h"
#include "tests/support/recorder.h"

#include <QObject>

#include <functional>
#include <memory>

namespace sg::testing {

/// What every transport has to do, whatever library is behind it. Run with QTest::qExec on an instance.
class TransportContract : public QObject
{
    Q_OBJECT
public:
    using Factory = std::function<std::unique_ptr<http::Transport>(http::TransportOptions)>;
    explicit TransportContract(Factory factory)
        : factory_(std::move(factory))
    {
    }

private Q_SLOTS:
    void init();
    void cleanup();

    void deliversAnswerAndMoments();
    void sendsMethodHeadersAndBody_data();
    void sendsMethodHeadersAndBody();
    void reusesConnections();
    void statusDecides_data();
    void statusDecides();
    void answersWithoutBody_data();
    void answersWithoutBody();
    void compressedBytesArriveUntouched();
    void bodyUntilClose();
    void everyBodyUntilCloseIsWhole();
    void resetsOfOthersFailNobody();
    void interimAnswerIsSkipped();
    void interimAnswersLeaveNothingForOthers();

    void oneRequestIsOneRequest_data();
    void oneRequestIsOneRequest();
    void redirectsAreNotFollowed();
    void challengesAreNotAnswered();

    void brokenAnswers_data();
    void brokenAnswers();
    void unreachable_data();
    void unreachable();
    void headerWithLineBreak();
    void detailsKeepSecrets();
    void earlyAnswer();

    void limits_data();
    void limits();
    void connectLimit();
    void drippingIsNotIdle();
    void limitsAllowWhatIsInTime();
    void totalRunsInTheQueue();

    void headersWithoutEnd();
    void floodAgainstAPause();
    void finishedWaitsForThePause();
    void anUploadThatStandsStillEndsByTheFirstByte();
    void idleDoesNotRunWhilePaused();
    void errorBody_data();
    void errorBody();
    void errorBodyInTime();
    void bodyTooLarge_data();
    void bodyTooLarge();

    void cancelAnywhere_data();
    void cancelAnywhere();
    void cancelOnItsWay();
    void cancelWhileMuchIsSent();
    void startsFromFinished();
    void droppedHandleDoesNotCancel();
    void destroyedTransportFinishes();
    void capAndOrder();
    void concurrencyKeepsTheServersTruth();

    void oddAnswers_data();
    void oddAnswers();
    void ambiguousAnswers_data();
    void ambiguousAnswers();
    void bytesBehindAnAnswerAreNoOtherAnswer();

    void certificates_data();
    void certificates();

private:
    using Recording = std::shared_ptr<Recorder>;
    http::Request post(const QByteArray& body = "{}") const;
    Recording start(http::Request request, std::shared_ptr<http::Exchange>* handle = nullptr);
    void restart(int connections);

    Factory factory_;
    std::unique_ptr<MisbehavingServer> server_;
    std::unique_ptr<http::Transport> transport_;
};

} // namespace sg::testing
