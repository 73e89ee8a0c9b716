// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/endpoints/connection_tests.h"
#include "ui/endpoints/endpoint_editor.h"
#include "ui/endpoints/endpoints_model.h"
#include "ui/main_window/page.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QStackedWidget;

namespace sg::ui {

class ApplyBar;
class ApplyFlow;
class Banner;
class EmptyState;
class EndpointForm;
class EndpointsTable;
class Panel;
class UndoButtons;

/// The draft's endpoints: a table of all and a form of the one in front. Del removes, Ctrl+D duplicates, F2 renames,
/// Ctrl+T tests its connection, Ctrl+Shift+T all of them, Ctrl+Z and Ctrl+Shift+Z undo and redo.
class EndpointsPage : public QWidget, public Page
{
    Q_OBJECT
public:
    /// All outlive it.
    EndpointsPage(ThemeContext& context, Draft& draft, ServingControl& serving, secrets::KeyControl& keys,
                  engine::ConnectionTester& tester, QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("endpoints"); }
    QString title() const override { return tr("Endpoints"); }
    QString icon() const override { return QStringLiteral("endpoints"); }
    QWidget* widget() override { return this; }
    void setSnapshot(const observe::SnapshotPtr& snapshot, std::int64_t nowUnixMs) override;
    void setNarrow(bool narrow) override;
    std::vector<PaletteCommand> paletteCommands() override;

    /// Puts the draft's state and the way into service into the toolbar. Once.
    void offerApply(ApplyFlow& flow);
    /// Opens the choice of providers. The page must be in front.
    void addEndpoint();
    /// Brings one to the front and its form into view; a name that is not there changes nothing.
    void showEndpoint(const std::string& name);

    EndpointEditor& editor() { return editor_; }
    EndpointsModel& model() { return model_; }
    EndpointForm* form() const { return form_; }

Q_SIGNALS:
    void importRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* makeToolbar();
    QWidget* makeEmpty();
    QWidget* makeContent();
    void makeAddMenu();
    void fillAddMenu(QMenu* menu);
    void makeTestMenu();
    void makeShortcuts();
    void wire();

    void refresh();
    void showSelection();
    void showTools();
    void showTests();
    void added(const std::string& name);
    void remove();
    void filter(const QString& words);

    ThemeContext& context_;
    EndpointEditor editor_;
    ConnectionTests tests_;
    EndpointsModel model_;
    QTimer slowTests_;  ///< tests that take longer than a second can be cancelled
    int noticeAt_ = -1; ///< the undo step that the notice is about
    bool isRefreshing_ = false, isStale_ = true;
    observe::SnapshotPtr snapshot_;

    QStackedWidget* stack_ = nullptr;
    EmptyState* empty_ = nullptr;
    Banner* notice_ = nullptr;
    QWidget* toolbar_ = nullptr;
    ApplyBar* apply_ = nullptr;
    Panel* panel_ = nullptr;
    EndpointsTable* table_ = nullptr;
    EndpointForm* form_ = nullptr;
    QLineEdit* find_ = nullptr;
    QLabel *nothing_ = nullptr, *tested_ = nullptr;
    QPushButton *add_ = nullptr, *duplicate_ = nullptr, *remove_ = nullptr, *test_ = nullptr, *cancel_ = nullptr;
    UndoButtons* undo_ = nullptr;
};

} // namespace sg::ui
