// SPDX-License-Identifier: GPL-3.0-or-later
// FC-G12: every page at fractional scales and with larger letters only. Qt reads the scale as a program starts: each
// row starts this program anew.
#include "tests/app/desktop_folder.h"
#include "tests/support/field_cases.h"
#include "tests/ui/text_fit.h"
#include "ui/main_window/main_window.h"
#include "ui/overview/overview_page.h"
#include "ui/theme/letter_scale.h"

#include <QJsonArray>
#include <QProcess>
#include <QScreen>

#include <cstdio>

using namespace sg;

namespace {
constexpr const char* kInside = "SWITCHGEAR_TEST_SCALED";
constexpr const char* kCut = "cut: ";
constexpr int kUsualDpi = 96, kLimitMs = 60'000;

class AcrossTheEdge : public QWidget
{
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).drawText(QPointF(2, 20), QStringLiteral("painted words")); }
};
} // namespace

class tst_desktop_scaling : public QObject, test::DesktopFolder
{
    Q_OBJECT

private Q_SLOTS:
    void init() { beginAnew(); }

    void whatIsCutIsFound()
    {
        QWidget window;
        window.resize(400, 200);
        QLabel label(QStringLiteral("wider than its place"), &window);
        QPushButton button(QStringLiteral("beyond the edge"), &window);
        AcrossTheEdge painted(&window);
        label.setGeometry(0, 0, 400, 40);
        button.setGeometry(0, 50, 200, 40);
        painted.setGeometry(0, 100, 400, 40);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(test::cutWords(window), QStringList());
        label.setGeometry(0, 0, 20, 40);
        QCOMPARE(test::cutWords(window).size(), 1);
        button.setGeometry(380, 50, 200, 40);
        QCOMPARE(test::cutWords(window).size(), 2);
        painted.setGeometry(0, 100, 20, 40);
        QCOMPARE(test::cutWords(window).size(), 3);
    }

    void noWordsAreCut_data()
    {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("value");
        if (qEnvironmentVariableIsSet(kInside)) {
            QTest::newRow("as started") << QString() << QString();
            return;
        }
        const QJsonObject given = test::fieldCase(QStringLiteral("FC-G12.json"));
        const QJsonArray scales = given[QLatin1String("scales")].toArray();
        QCOMPARE(scales.size(), 5);
        for (const QJsonValue& scale : scales)
            QTest::addRow("%g", scale.toDouble())
                << QStringLiteral("QT_SCALE_FACTOR") << QString::number(scale.toDouble());
        QTest::newRow("letters") << QStringLiteral("QT_FONT_DPI")
                                 << QString::number(qRound(kUsualDpi * given[QLatin1String("font_scale")].toDouble()));
    }
    void noWordsAreCut()
    {
        QFETCH(QString, variable);
        QFETCH(QString, value);
        if (variable.isEmpty())
            return lookAtAll();
        QProcess self;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QLatin1String(kInside), QStringLiteral("1"));
        environment.insert(variable, value);
        self.setProcessEnvironment(environment);
        self.start(QCoreApplication::applicationFilePath(), {QStringLiteral("noWordsAreCut")});
        QVERIFY(self.waitForFinished(kLimitMs));
        QByteArray said;
        for (const QByteArray& line : self.readAllStandardOutput().split('\n'))
            if (line.startsWith(kCut))
                said += line.mid(qstrlen(kCut)) + '\n';
        QVERIFY2(self.exitStatus() == QProcess::NormalExit && self.exitCode() == 0, said.constData());
    }

private:
    void lookAtAll()
    {
        app::DesktopOptions options;
        options.dataFolder = dataFolder;
        options.practiceTraffic = true;
        const double scale = qEnvironmentVariable("QT_SCALE_FACTOR", QStringLiteral("1")).toDouble();
        QCOMPARE(QGuiApplication::primaryScreen()->devicePixelRatio(), scale); // larger letters too
        app::Desktop desktop(options);
        QVERIFY(desktop.open());
        ui::MainWindow& window = *desktop.window();
        window.resize(1440, 900);
        QTRY_VERIFY_WITH_TIMEOUT(!desktop.overview()->isEmpty(), 10'000);
        QStringList cut;
        for (const auto& page : window.pages()) {
            window.showPage(page->id());
            window.tick();
            for (int i = 0; i < 3; ++i) // layouts ask for another round after the first
                QCoreApplication::processEvents();
            for (const QString& line : test::cutWords(window))
                cut << page->id() + QStringLiteral(" ") + line;
        }
        cut.removeDuplicates();
        for (const QString& line : std::as_const(cut))
            std::printf("%s%s\n", kCut, qPrintable(line));
        std::fflush(stdout);
        QCOMPARE(cut.size(), 0);
    }
};

int main(int argc, char** argv)
{
    ui::scaleWithLetters(); // as the program does
    return test::runDesktopTest<tst_desktop_scaling>(argc, argv);
}

#include "tst_desktop_scaling.moc"
