// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/secrets/key_control.h"
#include "ui/edit/draft.h"
#include "ui/edit/serving.h"
#include "ui/gateway/gateway_feed.h"
#include "ui/main_window/page.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QPushButton;

namespace sg::ui {

class ApplyBar;
class ApplyFlow;
class GatewayForm;
class GatewayView;
class Panel;

/// The gateway's settings, which are the draft's, beside what it does at the moment. Ctrl+Z and Ctrl+Shift+Z undo and
/// redo.
class GatewayPage : public QWidget, public Page
{
    Q_OBJECT
public:
    /// All outlive it.
    GatewayPage(ThemeContext& context, Draft& draft, ServingControl& serving, secrets::KeyControl& keys,
                GatewayFeed& feed, QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("gateway"); }
    QString title() const override { return tr("Gateway"); }
    QString icon() const override { return QStringLiteral("gateway"); }
    QWidget* widget() override { return this; }
    void setSnapshot(const observe::SnapshotPtr&, std::int64_t) override {}
    void setNarrow(bool narrow) override;
    std::vector<QWidget*> regions() override;
    std::vector<PaletteCommand> paletteCommands() override;

    /// Puts the draft's state and the way into service into the toolbar. Once.
    void offerApply(ApplyFlow& flow);
    void showField(const QString& field); ///< as findings call it; empty: the first
    GatewayForm& form() { return *form_; }
    GatewayView& view() { return *view_; }

private:
    QWidget* makeToolbar();

    Draft& draft_;
    QWidget* toolbar_;
    GatewayForm* form_;
    GatewayView* view_;
    Panel *formPanel_ = nullptr, *viewPanel_ = nullptr;
    ApplyBar* apply_ = nullptr;
};

} // namespace sg::ui
