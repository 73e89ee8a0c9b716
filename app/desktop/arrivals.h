// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"
#include "ui/edit/draft.h"
#include "ui/theme/theme.h"

#include <QPointer>
#include <QWidget>

#include <functional>

namespace sg::app {

/// Chains that come into the draft from elsewhere: a preset, or LiteLLM's configuration. Each is one edit, which undo
/// takes back. GUI thread.
class Arrivals : public QObject
{
    Q_OBJECT
public:
    /// All outlive it.
    Arrivals(ui::Draft& draft, ui::ThemeContext& context, QWidget& window, QObject* parent = nullptr);

    void askForFile();
    void takeFile(const QString& file);
    void askForPreset();
    void takePreset(const QString& id);

    /// Asks for a file; empty = none. Tests put their own.
    std::function<QString(QWidget*)> askFile;

Q_SIGNALS:
    void arrived(const QString& chain); ///< the first that came; empty: endpoints alone
    void refused(const QString& words);

private:
    QStringList take(const QString& words, const workspace::Workspace& other);

    ui::Draft& draft_;
    ui::ThemeContext& context_;
    QWidget& window_;
};

} // namespace sg::app
