// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/endpoints/connection_tests.h"
#include "ui/endpoints/form_section.h"

#include <QTimer>

class QPushButton;

namespace sg::ui {

/// Which model of which provider is meant, and whether it answers.
class ConnectionSection : public FormSection
{
    Q_OBJECT
public:
    ConnectionSection(ThemeContext& context, EndpointEditor& editor, ConnectionTests& tests);

    void showEndpoint(const workspace::Endpoint& endpoint) override;
    void focusName(); ///< F2: its text selected

private:
    void makeName();
    void makeProvider();
    void makeAddress();
    void makeTest();
    void chooseProvider(const QString& id);
    void showProvider(const workspace::Endpoint& endpoint);
    void showModels(const workspace::Endpoint& endpoint);
    void showTest(const workspace::Endpoint& endpoint);
    void checkName(const QString& name);
    void leaveName();

    ConnectionTests& tests_;
    QLineEdit *name_ = nullptr, *address_ = nullptr;
    ChoiceField *provider_ = nullptr, *model_ = nullptr;
    QPushButton *usual_ = nullptr, *test_ = nullptr, *cancel_ = nullptr;
    QLabel* result_ = nullptr;
    QTimer slow_; ///< a test that takes longer than a second shows its time and can be cancelled
    QElapsedTimer since_;
    std::string shown_;
};

} // namespace sg::ui
