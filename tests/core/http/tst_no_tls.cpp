// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/transport.h"
#include "tests/support/recorder.h"

#include <QCoreApplication>
#include <QSslSocket>
#include <QTest>

using namespace sg;

/// A program of its own: Qt looks for its TLS plugins once.
class tst_no_tls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void httpsSaysWhatIsMissing()
    {
        QVERIFY(!QSslSocket::supportsSsl());
        const auto transport = http::makeQnamTransport();
        const auto got = std::make_shared<testing::Recorder>();
        http::Request request;
        request.url = QUrl(QStringLiteral("https://127.0.0.1:1/"));
        transport->start(request, got);
        QVERIFY(!got->outcome);
        QTRY_VERIFY(got->outcome);
        QCOMPARE(got->failure(), testing::named(http::FailureKind::NoTls));
        QVERIFY(got->outcome->detail.contains(QLatin1String("OpenSSL")));
        QCOMPARE(transport->figures().connectionsOpened, 0);
    }

    void libcurlBringsItsOwn()
    {
        const auto transport = http::makeCurlTransport();
        const auto got = std::make_shared<testing::Recorder>();
        http::Request request;
        request.url = QUrl(QStringLiteral("https://127.0.0.1:1/"));
        transport->start(request, got);
        QTRY_VERIFY(got->outcome);
        QCOMPARE(got->failure(), testing::named(http::FailureKind::ConnectionRefused));
    }
};

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    QCoreApplication::setLibraryPaths({}); // as on a machine without Qt's TLS plugins
    tst_no_tls test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_no_tls.moc"
