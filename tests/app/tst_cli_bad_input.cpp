// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_process.h"

#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace sg;
using test::Cli;
using test::CliResult;
using test::json;

namespace {

QStringList words(const QString& line)
{
    return line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

/// The same wrong file given to every command that reads such files.
struct WrongFile
{
    const char* name;
    QByteArray bytes;
    const char* place;
    const char* remedy;
};

} // namespace

class tst_cli_bad_input : public QObject
{
    Q_OBJECT

private:
    static void wrongFiles(const std::vector<WrongFile>& files, const QStringList& commands)
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("remedy");
        QTest::addColumn<QString>("command");
        for (const WrongFile& file : files)
            for (const QString& command : commands)
                QTest::addRow("%s: %s", file.name, qPrintable(command))
                    << file.bytes << QString::fromUtf8(file.place) << QString::fromUtf8(file.remedy) << command;
    }
    static void isRefused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, place);
        QFETCH(QString, remedy);
        QFETCH(QString, command);
        Cli cli;
        const QString file = cli.write(QStringLiteral("wrong.json"), bytes);
        const CliResult result = cli.run(words(command) << file);
        COMPARE_CODE(result, 2);
        const QString said = result.out + result.err;
        QVERIFY2(said.contains(file + QStringLiteral(": ") + place), result.told().constData());
        QVERIFY2(said.contains(remedy), result.told().constData());
        QCOMPARE(cli.read(file), bytes);
    }

private Q_SLOTS:
    void wrongWorkspace_data()
    {
        wrongFiles(
            {{"empty", "", "the file is empty", "start a new one"},
             {"cut", "{\"version\": 1,\n \"endpoints\": [ }", "line 2, column ", "Mend the text at this place"},
             {"no object", "[1]", "the file holds no JSON object", "Begin it with {"},
             {"not text", QByteArray::fromHex("00ff10e2"), "line 1, column 2", "Mend the text"},
             {"newer", json("{'version':9,'endpoints':[],'chains':[]}"), "version: the workspace has version 9",
              "Open it with a newer Switchgear"},
             {"no endpoint of that name",
              json("{'version':1,'endpoints':[{'name':'alpha','base_url':'http://127.0.0.1:1','model':'m'}],"
                   "'chains':[{'name':'c','tiers':[{'endpoint':'alhpa'}]}]}"),
              "chains[0].tiers[0].endpoint", "Did you mean \"alpha\"?"},
             {"twice",
              json("{'version':1,'chains':[],'endpoints':[{'name':'a','base_url':'http://127.0.0.1:1','model':'m'},"
                   "{'name':'a','base_url':'http://127.0.0.1:2','model':'m'}]}"),
              "endpoints[1].name", "Give each its own name"},
             {"key in the file",
              test::workspaceWith(QStringLiteral("http://127.0.0.1:1"), json(",'key':'sk-abcdefgh'")),
              "endpoints[0].key: a file never holds a key", "Say where the key is kept"},
             {"no address", test::workspaceWith(QStringLiteral("api.example.com")), "endpoints[0].base_url",
              "https://api.openai.com/v1"},
             {"other scheme", test::workspaceWith(QStringLiteral("ftp://example.com")), "endpoints[0].base_url",
              "https://api.openai.com/v1"},
             {"not in the practice script", test::workspaceWith(QStringLiteral("sim:gpt-4.2")),
              "endpoints[0].base_url: the simulator's script has no endpoint", "Did you mean \"sim:gpt-4.1\"?"},
             {"own script wrong",
              json("{'version':1,'chains':[],'endpoints':[{'name':'a','base_url':'sim:a','model':'m'}],"
                   "'simulator':{'version':1,'endpoints':[{'name':'a','latncy':{'kind':'constant','ms':5}}]}}"),
              "simulator.endpoints[0].latncy", "Did you mean \"latency\"?"},
             {"breaker contradicts itself",
              test::workspaceWith(QStringLiteral("http://127.0.0.1:1"), json(",'breaker':{'failure_rate':1.5}")),
              "endpoints[0].breaker.failure_rate", "0.5 is half of the calls"}},
            {QStringLiteral("load --requests 1 --workspace"), QStringLiteral("check")});
    }
    void wrongWorkspace() { isRefused(); }

    void wrongScript_data()
    {
        wrongFiles(
            {{"cut", json("{'version':1,'endpoints':[{'name':'a'"), "line 1, column ", "Mend the text"},
             {"newer", json("{'version':7,'endpoints':[]}"), "version: the script has version 7",
              "Open it with a newer Switchgear"},
             {"unknown field", json("{'version':1,'endpoints':[{'name':'a','latncy':{'kind':'constant','ms':5}}]}"),
              "endpoints[0].latncy: unknown field", "Did you mean \"latency\"?"},
             {"nothing in it", json("{'version':1,'endpoints':[]}"), "endpoints: the script has no endpoint",
              "Add one"},
             {"ends before it begins",
              json("{'version':1,'endpoints':[{'name':'a','latency':{'kind':'constant',"
                   "'ms':5},'phases':[{'from_ms':9,'to_ms':3}]}]}"),
              "endpoints[0].phases[0].to_ms", "Make to_ms larger"}},
            {QStringLiteral("load --requests 1 --simulate"), QStringLiteral("simulate --for 1"),
             QStringLiteral("check")});
    }
    void wrongScript() { isRefused(); }

    void missingFile_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command : {"load --workspace", "load --simulate", "simulate", "simulate --script", "check"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }
    void missingFile()
    {
        QFETCH(QString, command);
        const Cli cli;
        const CliResult missing = cli.run(words(command) << QStringLiteral("nowhere.json"));
        COMPARE_CODE(missing, 2);
        VERIFY_SAYS(missing, "nowhere.json: the file does not exist. Check the path");
        const CliResult folder = cli.run(words(command) << QStringLiteral("."));
        COMPARE_CODE(folder, 2);
        VERIFY_SAYS(folder, "folder");
    }

    void whatIsNotAFile_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command : {"load --workspace", "load --prompts", "load --simulate", "simulate", "check",
                                    "explain", "explain --prices", "serve", "import"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }
    void whatIsNotAFile()
    {
        QFETCH(QString, command);
        Cli cli;
        QStringList more;
        if (command.contains(QLatin1String("--prompts")))
            more << QStringLiteral("--demo");
        if (command.contains(QLatin1String("--prices")))
            more << cli.write(QStringLiteral("a.txt"), "x");
        const QString pipe = cli.folder.filePath(QStringLiteral("pipe"));
        QCOMPARE(mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        for (const QString& path : {pipe, QStringLiteral("/dev/zero")}) {
            const CliResult result = cli.run(words(command) << path << more);
            COMPARE_CODE(result, 2);
            VERIFY_SAYS(result, "this is not a file");
        }
    }

    void unknownFieldOfAWorkspaceIsAWarning()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), test::kQuick);
        cli.write(QStringLiteral("w.json"), test::workspaceWith(QStringLiteral("sim:quick"), json(",'limtis':{}")));
        const CliResult result =
            cli.run(words(QStringLiteral("load --workspace w.json --simulate s.json --requests 2")));
        COMPARE_LOAD_CODE(result, 0);
        VERIFY_SAYS(result, "Warning: w.json: endpoints[0].limtis: unknown field. Did you mean \"limits\"?\n");
    }

    void emptyWorkspaceHasNothingToLoad()
    {
        Cli cli;
        cli.write(QStringLiteral("w.json"), json("{'version':1,'endpoints':[],'chains':[]}"));
        COMPARE_CODE(cli.run(words(QStringLiteral("check w.json"))), 0);
        const CliResult result = cli.run(words(QStringLiteral("load --workspace w.json")));
        COMPARE_CODE(result, 2);
        VERIFY_SAYS(result, "w.json: The workspace has no endpoint and no chain. Add them");
    }

    void portInUse()
    {
        QTcpServer taken;
        QVERIFY(taken.listen(QHostAddress::LocalHost));
        const QString port = QString::number(taken.serverPort());
        const CliResult result = Cli().run({QStringLiteral("simulate"), QStringLiteral("--port"), port});
        COMPARE_CODE(result, 2);
        QVERIFY2(result.err.contains(port), result.told().constData());
        VERIFY_SAYS(result, "another port");
    }

    void unreachable_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("error");
        QTest::addColumn<QString>("why");
        const QString port = QString::number(test::closedPort());
        QTest::newRow("nobody listens") << QStringLiteral("http://127.0.0.1:") + port << QStringLiteral("connection")
                                        << QStringLiteral("the server refuses connections on this port");
        QTest::newRow("nobody listens, TLS")
            << QStringLiteral("https://127.0.0.1:") + port << QStringLiteral("connection")
            << QStringLiteral("the server refuses connections on this port");
        QTest::newRow("no such host") << QStringLiteral("https://switchgear-test.invalid/v1")
                                      << QStringLiteral("connection") << QStringLiteral("the host name has no address");
    }
    void unreachable()
    {
        QFETCH(QString, url);
        QFETCH(QString, error);
        QFETCH(QString, why);
        Cli cli;
        cli.write(QStringLiteral("w.json"), test::workspaceWith(url));
        for (const char* target : {"--chain c", "--endpoint x"}) {
            const CliResult result = cli.run(
                words(QStringLiteral("load --workspace w.json --requests 3 --json ") + QString::fromLatin1(target)));
            COMPARE_CODE(result, 2);
            QVERIFY2(result.err.contains(QStringLiteral("x: No connection to the provider: ") + why),
                     result.told().constData());
            VERIFY_SAYS(result, "Check the endpoint's base_url");
            const QJsonObject report = result.json();
            QCOMPARE(report.value(QLatin1String("failed")).toInt(), 3);
            QCOMPARE(report.value(QLatin1String("attempts_sent")).toInt(), 0);
            QVERIFY2(report.value(QLatin1String("attempts_by_error_class")).toObject().contains(error),
                     result.told().constData());
        }
    }

    void noTls()
    {
        // As on a machine without Qt's TLS plugins: a copy of the program beside a qt.conf that leads nowhere.
        Cli cli;
        const QString copy = cli.folder.filePath(QStringLiteral("switchgear-cli"));
        std::error_code failed;
        std::filesystem::create_hard_link(cli.program.toStdString(), copy.toStdString(), failed);
        if (failed)
            QVERIFY(QFile::copy(cli.program, copy));
        cli.write(QStringLiteral("qt.conf"), "[Paths]\nPlugins=nowhere\n");
        cli.write(QStringLiteral("w.json"),
                  test::workspaceWith(QStringLiteral("https://127.0.0.1:%1").arg(test::closedPort())));
        cli.program = copy;
        const CliResult result = cli.run(words(QStringLiteral("load --workspace w.json --requests 2 --json")));
        COMPARE_CODE(result, 2);
        VERIFY_SAYS(result, "No secure connection to the provider");
        VERIFY_SAYS(result, "OpenSSL");
        QCOMPARE(result.json().value(QLatin1String("by_error_class")).toObject().value(QLatin1String("tls")).toInt(),
                 2);
    }

    void badKey_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("problem");
        QTest::newRow("not set") << QByteArray() << QStringLiteral("The environment variable SG_TEST_KEY is not set");
        QTest::newRow("blank inside") << QByteArray("sk-abcd efghijklmn")
                                      << QStringLiteral("SG_TEST_KEY: The key holds a blank");
        QTest::newRow("newline inside") << QByteArray("sk-abcd\nefghijklmn")
                                        << QStringLiteral("SG_TEST_KEY: The key holds a line break");
        QTest::newRow("placeholder") << QByteArray("${OPENAI_API_KEY}")
                                     << QStringLiteral("SG_TEST_KEY: This is a placeholder");
        QTest::newRow("only blanks") << QByteArray("   ") << QStringLiteral("SG_TEST_KEY: The key is empty");
        QTest::newRow("accent") << QByteArray("sk-abcdéfghijklmn")
                                << QStringLiteral("SG_TEST_KEY: The key holds a character");
    }
    void badKey()
    {
        QFETCH(QByteArray, value);
        QFETCH(QString, problem);
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        Cli cli;
        cli.environment.remove(QStringLiteral("SG_TEST_KEY"));
        if (!value.isEmpty())
            cli.environment.insert(QStringLiteral("SG_TEST_KEY"), QString::fromUtf8(value));
        cli.write(QStringLiteral("w.json"),
                  test::workspaceWith(QStringLiteral("http://127.0.0.1:%1").arg(server.serverPort()),
                                      json(",'key':{'source':'environment','name':'SG_TEST_KEY'}")));
        for (const char* target : {"--chain c", "--endpoint x"}) {
            const CliResult result =
                cli.run(words(QStringLiteral("load --workspace w.json ") + QString::fromLatin1(target)));
            COMPARE_CODE(result, 2);
            QVERIFY2(result.err.startsWith(QStringLiteral("w.json: endpoints[0].key: ") + problem),
                     result.told().constData());
            if (!value.trimmed().isEmpty())
                QVERIFY2(!result.err.contains(QStringLiteral("sk-ab")), "the message shows the key");
            QVERIFY2(result.out.isEmpty(), result.told().constData());
        }
        QVERIFY2(!server.waitForNewConnection(0), "a request was sent");
    }

    void keyThatIsNotAskedForDoesNotMatter()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), test::kQuick);
        cli.write(QStringLiteral("w.json"),
                  json("{'version':1,'endpoints':["
                       "{'name':'a','base_url':'sim:quick','model':'m'},"
                       "{'name':'b','base_url':'http://"
                       "127.0.0.1:1','model':'m','key':{'source':'environment','name':'SG_NO_KEY'}}],"
                       "'chains':[{'name':'c','tiers':[{'endpoint':'a'},{'endpoint':'b','enabled':false}]}]}"));
        COMPARE_LOAD_CODE(cli.run(words(QStringLiteral("load --workspace w.json --simulate s.json --requests 2"))), 0);
    }

    void fullDiskKeepsTheOldReport()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), test::kQuick);
        const QByteArray old = "the report of yesterday";
        cli.write(QStringLiteral("r.json"), old);
        QProcess process;
        // A limit of the process stands for a full disk: files cannot grow beyond 64 bytes.
        process.setChildProcessModifier([] {
            const rlimit most{64, 64};
            setrlimit(RLIMIT_FSIZE, &most);
            std::signal(SIGXFSZ, SIG_IGN);
        });
        cli.begin(process, words(QStringLiteral("load --simulate s.json --requests 3 --report r.json")));
        const CliResult result = Cli::end(process);
        COMPARE_CODE(result, 2);
        VERIFY_SAYS(result, "r.json: the report cannot be written: ");
        VERIFY_SAYS(result, "The file that was there is unchanged. Free some space");
        VERIFY_SAYS(result, "\"format\": \"switchgear-load/2\""); // it is printed instead: nothing is lost
        QCOMPARE(cli.read(QStringLiteral("r.json")), old);
        QCOMPARE(QDir(cli.folder.path()).entryList(QDir::Files),
                 (QStringList{QStringLiteral("r.json"), QStringLiteral("s.json")}));
    }

    void fullDeviceIsSaidAndStaysADevice()
    {
        if (!QFileInfo::exists(QStringLiteral("/dev/full")))
            QSKIP("this system has no /dev/full");
        Cli cli;
        cli.write(QStringLiteral("s.json"), test::kQuick);
        const CliResult report =
            cli.run(words(QStringLiteral("load --simulate s.json --requests 3 --report /dev/full")));
        COMPARE_CODE(report, 2);
        VERIFY_SAYS(report, "/dev/full: the report cannot be written: No space left on device");
        QVERIFY(!QFileInfo(QStringLiteral("/dev/full")).isFile());

        QProcess process;
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        cli.begin(process, words(QStringLiteral("load --simulate s.json --requests 3 --json")));
        const CliResult piped = Cli::end(process);
        COMPARE_CODE(piped, 2);
        VERIFY_SAYS(piped, "Standard output: the result could not be written there: No space left on device");
    }
};

QTEST_GUILESS_MAIN(tst_cli_bad_input)
#include "tst_cli_bad_input.moc"
