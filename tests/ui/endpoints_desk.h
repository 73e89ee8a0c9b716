// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/sample_snapshots.h"
#include "tests/ui/fake_keys.h"
#include "tests/ui/fake_serving.h"
#include "tests/ui/fake_tester.h"
#include "ui/endpoints/endpoints_page.h"
#include "ui/endpoints/endpoints_table.h"
#include "ui/widgets/focus_ring.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QTest>

namespace sg::test {

namespace sample {

inline workspace::Endpoint endpoint(const std::string& name, const QString& provider, const QString& model)
{
    workspace::Endpoint made;
    made.provider = provider;
    made.model = model;
    made.spec.name = made.spec.quotaGroup = made.spec.credential = name;
    made.spec.breaker.consecutiveFailures = 5;
    made.key.source = workspace::KeySource::Keychain;
    made.key.name = provider;
    return made;
}

inline workspace::Chain chainOf(const std::string& name, const std::vector<std::string>& endpoints)
{
    workspace::Chain chain;
    chain.spec.name = name;
    for (const std::string& each : endpoints) {
        chain::TierSpec tier;
        tier.name = tier.endpoint = each;
        chain.spec.tiers.push_back(tier);
    }
    return chain;
}

/// The endpoints of normalSnapshot(), and one that does not serve yet.
inline workspace::Workspace fiveEndpoints()
{
    using workspace::KeySource;
    workspace::Workspace all;
    all.name = QStringLiteral("acme-assist");
    workspace::Endpoint gpt = endpoint("gpt-4.1", QStringLiteral("openai"), QStringLiteral("gpt-4.1"));
    gpt.spec.capabilities.contextWindow = 1'047'576;
    gpt.spec.requestsPerMinute = 1000;
    gpt.spec.quotaGroup = "openai-tier-3";
    workspace::Endpoint claude =
        endpoint("claude-sonnet-4.5", QStringLiteral("anthropic"), QStringLiteral("claude-sonnet-4-5"));
    claude.spec.capabilities.contextWindow = 200'000;
    claude.spec.requestsPerMinute = 800;
    claude.key = {KeySource::Environment, QStringLiteral("ANTHROPIC_API_KEY"), false};
    workspace::Endpoint gemini =
        endpoint("gemini-2.5-flash", QStringLiteral("gemini"), QStringLiteral("gemini-2.5-flash"));
    gemini.spec.capabilities.contextWindow = 1'048'576;
    gemini.spec.requestsPerMinute = 1000;
    workspace::Endpoint deepseek =
        endpoint("deepseek-v3.2", QStringLiteral("deepseek"), QStringLiteral("deepseek-chat"));
    deepseek.spec.capabilities.contextWindow = 131'072;
    deepseek.spec.requestsPerMinute = 500;
    deepseek.key = {KeySource::Session, QStringLiteral("deepseek"), false};
    workspace::Endpoint azure = endpoint("gpt-4.1 (eu)", QStringLiteral("azure"), QStringLiteral("gpt-41-eu"));
    azure.baseUrl = QStringLiteral("https://acme-eu.openai.azure.com");
    azure.spec.quotaGroup = "openai-tier-3";
    azure.key.name = QStringLiteral("azure-eu");
    workspace::Endpoint local = endpoint("llama-lab", QStringLiteral("vllm"), QStringLiteral("llama-3.3-70b"));
    local.baseUrl = QStringLiteral("http://10.4.0.7:8000/v1");
    local.key = {KeySource::None, {}, true};
    all.endpoints = {gpt, claude, gemini, deepseek, azure, local};
    all.chains = {chainOf("prod-chat", {"gpt-4.1", "claude-sonnet-4.5", "gemini-2.5-flash", "deepseek-v3.2"}),
                  chainOf("batch", {"gpt-4.1", "gpt-4.1 (eu)"})};
    return all;
}

inline cost::PriceBook prices()
{
    const auto rates = [](double in, double out) {
        cost::Price price;
        price.input = cost::NanoDollars::fromUsd(in);
        price.output = cost::NanoDollars::fromUsd(out);
        return price;
    };
    cost::PriceBook book;
    const QDate day(2026, 5, 1);
    book.add({QStringLiteral("gpt-4.1"), rates(2, 8), QStringLiteral("list price"), day, {}});
    book.add({QStringLiteral("claude-sonnet-4-5"), rates(3, 15), QStringLiteral("list price"), day, {}});
    book.add({QStringLiteral("gemini-2.5-flash"), rates(0.3, 2.5), QStringLiteral("list price"), day, {}});
    book.add({QStringLiteral("deepseek-chat"), rates(0.28, 0.42), QStringLiteral("list price"), day, {}});
    return book;
}

inline workspace::Workspace manyEndpoints(int count)
{
    const workspace::Workspace few = fiveEndpoints();
    workspace::Workspace many = few;
    many.endpoints.clear();
    for (int i = 0; i < count; ++i) {
        workspace::Endpoint each = few.endpoints[static_cast<std::size_t>(i) % few.endpoints.size()];
        each.spec.name =
            "an-endpoint-with-a-name-that-goes-on-and-on-eu-central-1-" + each.spec.name + "-" + std::to_string(i);
        each.baseUrl = QStringLiteral("https://a-very-long-host-name.of-a-private-gateway.example.com:8443/tenants/"
                                      "%1/openai/deployments/v1")
                           .arg(i);
        each.spec.capabilities.contextWindow = 1'000'000'000;
        each.spec.requestsPerMinute = 1e9;
        many.endpoints.push_back(each);
    }
    return many;
}

} // namespace sample

/// The page in a real window, as the program shows it.
struct EndpointsDesk
{
    ui::ThemeContext context;
    FakeServing serving;
    FakeKeys keys;
    FakeTester tester;
    ui::Draft draft;
    QMainWindow window;
    ui::EndpointsPage* page = nullptr;

    explicit EndpointsDesk(const workspace::Workspace& start = sample::fiveEndpoints())
        : draft(std::make_shared<const workspace::Workspace>(start))
    {
        using secrets::KeyHome;
        using secrets::KeyState;
        serving.book = sample::prices();
        keys.set(KeyHome::Keychain, QStringLiteral("openai"), KeyState::Ready);
        keys.set(KeyHome::Environment, QStringLiteral("ANTHROPIC_API_KEY"), KeyState::Ready);
        keys.set(KeyHome::Keychain, QStringLiteral("gemini"), KeyState::Locked,
                 QStringLiteral("The keychain is locked."), QStringLiteral("Unlock it, then the key is read again."));
        page = new ui::EndpointsPage(context, draft, serving, keys, tester);
        window.setCentralWidget(page);
        context.setMode(ui::ThemeMode::Dark);
        context.applyTo(&window);
        QObject::connect(&context, &ui::ThemeContext::changed, &window, [this] { context.applyTo(&window); });
        new ui::FocusRing(context, &window);
        window.resize(1360, 828);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        page->editor().lintNow();
    }

    const workspace::Endpoint& selected() const { return *page->editor().selected(); }
    void select(const std::string& name) { page->showEndpoint(name); }
    ui::EndpointsTable* table() const { return page->findChild<ui::EndpointsTable*>(); }
    template <typename Widget>
    Widget* named(const char* objectName) const
    {
        return page->findChild<Widget*>(QLatin1String(objectName));
    }
    QLineEdit* field(const char* objectName) const { return named<QLineEdit>(objectName); }
    QPushButton* button(const char* objectName) const { return named<QPushButton>(objectName); }
    QString words(const char* objectName) const { return named<QLabel>(objectName)->text(); }
    void click(const char* objectName) const { QTest::mouseClick(button(objectName), Qt::LeftButton); }
    /// Replaces the text of a field as a hand would.
    void type(QWidget* field, const QString& text) const
    {
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        if (text.isEmpty())
            QTest::keyClick(field, Qt::Key_Delete);
        else
            QTest::keyClicks(field, text);
    }
    void type(const char* objectName, const QString& text) const { type(field(objectName), text); }
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const
    {
        QWidget* target = QApplication::focusWidget() ? QApplication::focusWidget() : page;
        QTest::keyClick(target, static_cast<Qt::Key>(key), modifiers);
    }
    int steps() { return draft.undoStack().index(); }
};

template <typename Test>
int runEndpointsTest(int argc, char** argv)
{
    QApplication application(argc, argv);
    ui::prepareApplication(application);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace sg::test
