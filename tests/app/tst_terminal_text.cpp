// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/terminal_text.h"
#include "tests/app/cli_process.h"

using namespace sg;

namespace {

class TestTerminalText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wordsStayAsTheyAre()
    {
        const QString text = QStringLiteral("p50\t12 ms · 5 µs → กขค 😀\nnext \"line\"");
        QCOMPARE(app::terminalText(text), text);
    }

    void whatMovesTheCursorIsSpelledOut()
    {
        QCOMPARE(app::terminalText(QStringLiteral("a\u001b[2Jb\rc\u009bd\u007f")),
                 QStringLiteral("a\\u001b[2Jb\\u000dc\\u009bd\\u007f"));
        QCOMPARE(app::terminalText(QStringLiteral("x\u202eexe.y\u2066")), QStringLiteral("x\\u202eexe.y\\u2066"));
    }

    void aWorkspaceCannotWriteToTheTerminal()
    {
        const test::Cli cli;
        const QString file =
            cli.write(QStringLiteral("w.json"),
                      test::workspaceWith(QStringLiteral("http://127.0.0.1:1"), ",\"\\u001b[2J\":1,\"\\u202e\":2"));
        const test::CliResult result = cli.run({QStringLiteral("check"), file});
        QCOMPARE(result.code, 0);
        QVERIFY2(result.told().contains("\\u001b[2J") && result.told().contains("\\u202e"), result.told().constData());
        QVERIFY2(!result.told().contains('\x1b'), result.told().constData());
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestTerminalText)
#include "tst_terminal_text.moc"
