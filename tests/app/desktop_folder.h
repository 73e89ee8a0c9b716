// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/desktop/desk.h"
#include "app/desktop/desktop.h"
#include "tests/app/cli_process.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>

#include <memory>

namespace sg::test {

inline const QByteArray kEmpty = json("{'version':1,'name':'Nothing yet','endpoints':[],'chains':[]}");

inline void click(QWidget* in, const char* button)
{
    auto* found = in->findChild<QPushButton*>(QString::fromLatin1(button));
    QVERIFY2(found && found->isEnabled(), button);
    QTest::mouseClick(found, Qt::LeftButton);
}

inline QString textOf(QWidget* in)
{
    QStringList all;
    for (const QLabel* label : in->findChildren<QLabel*>())
        all.append(label->text());
    return all.join(QLatin1Char('\n'));
}

/// Files of one test, and a place for what the program keeps of them.
class DesktopFolder
{
protected:
    void beginAnew()
    {
        folder_ = std::make_unique<QTemporaryDir>();
        dataFolder = folder_->filePath(QStringLiteral("data"));
    }
    QString write(const char* name, const QByteArray& bytes) const
    {
        QFile file(folder_->filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("the test cannot write its own file");
        return file.fileName();
    }
    app::DesktopOptions optionsFor(const QString& file) const
    {
        app::DesktopOptions options;
        options.dataFolder = dataFolder;
        options.session.workspaceFile = file;
        return options;
    }

    std::unique_ptr<QTemporaryDir> folder_;
    QString dataFolder;
};

/// main() of a test of the desktop program.
template <typename Test>
int runDesktopTest(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    ui::prepareApplication(application);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace sg::test
