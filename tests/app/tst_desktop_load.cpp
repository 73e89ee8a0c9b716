// SPDX-License-Identifier: GPL-3.0-or-later
// What the desk hands to its load page, and which transport its engine takes.
#include "core/workspace/edits.h"
#include "core/workspace/workspace_file.h"
#include "tests/app/desktop_folder.h"
#include "tests/support/fake_gateway.h"
#include "ui/load/load_page.h"
#include "ui/settings/preferences.h"
#include "ui/widgets/segments.h"

using namespace sg;
using gateway::Phase;

namespace {

QString transportOf(app::Desktop& desktop)
{
    QString name;
    desktop.session()->engine().run([&](engine::EngineCore& core) { name = core.transportFigures().name; });
    return name;
}

} // namespace

class tst_desktop_load : public QObject, test::DesktopFolder
{
    Q_OBJECT

    QString preferencesFile() const { return folder_->filePath(QStringLiteral("switchgear.ini")); }
    QString workspaceFile() const
    {
        workspace::Workspace made = workspace::emptyWorkspace(QStringLiteral("desk"));
        workspace::Chain chain;
        chain.spec.name = "support";
        chain.spec.tiers = {workspace::cannedTier()};
        workspace::addChain(made, chain);
        made.gateway.token = {workspace::KeySource::Environment, QStringLiteral("DESK_TOKEN")};
        const QString file = folder_->filePath(QStringLiteral("desk.json"));
        if (!workspace::saveWorkspace(made, file))
            qFatal("the test cannot write its own file");
        return file;
    }

private Q_SLOTS:
    void init() { beginAnew(); }

    void settingsChooseTheTransport()
    {
        {
            ui::Preferences preferences(preferencesFile());
            app::DesktopOptions options = optionsFor(workspaceFile());
            options.preferences = &preferences;
            app::Desktop desktop(options);
            QVERIFY(desktop.open());
            QCOMPARE(transportOf(desktop), QStringLiteral("qnam"));
            auto* transport = desktop.window()->findChild<ui::Segments*>(QStringLiteral("transport"));
            QVERIFY(transport);
            transport->setCurrent(2);
            QCOMPARE(transportOf(desktop), QStringLiteral("curl"));
            QVERIFY(preferences.transport() == http::TransportKind::Curl);
        }
        ui::Preferences preferences(preferencesFile());
        app::DesktopOptions options = optionsFor(workspaceFile());
        options.preferences = &preferences;
        app::Desktop desktop(options);
        QVERIFY(desktop.open());
        QCOMPARE(transportOf(desktop), QStringLiteral("curl"));
    }

    void theOwnGatewayIsOneOfTheTargets()
    {
        test::FakeGateway* gateway = nullptr;
        app::DesktopOptions options = optionsFor(workspaceFile());
        options.makeGateway = [&](app::Session&) {
            auto made = std::make_unique<test::FakeGateway>();
            gateway = made.get();
            return made;
        };
        app::Desktop desktop(options);
        QVERIFY(desktop.open());
        const load::LoadControl& loads = desktop.desk()->loads();
        QVERIFY(loads.gateway());
        QVERIFY(!loads.gateway()->serves);
        gateway->set(Phase::Serving);
        QVERIFY(loads.gateway()->serves);
        QCOMPARE(loads.gateway()->baseUrl, QStringLiteral("http://127.0.0.1:8787/v1"));
        QCOMPARE(loads.gateway()->chains, std::vector<std::string>{"support"});
        QVERIFY(loads.gateway()->token.source == workspace::KeySource::None); // it asks for none
        gateway->now.hasToken = true;
        gateway->set(Phase::Serving);
        QCOMPARE(loads.gateway()->token.name, QStringLiteral("DESK_TOKEN"));
        QVERIFY(loads.gateway()->token.source != workspace::KeySource::None);
    }
};

int main(int argc, char** argv)
{
    return test::runDesktopTest<tst_desktop_load>(argc, argv);
}

#include "tst_desktop_load.moc"
