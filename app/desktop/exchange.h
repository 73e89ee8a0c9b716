// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"
#include "ui/edit/draft.h"
#include "ui/theme/theme.h"

#include <QPointer>
#include <QWidget>

#include <functional>

namespace sg::app {

/// Chains that come into the draft from elsewhere, a preset or LiteLLM's configuration, and go out again. What comes is
/// one edit, which undo takes back. GUI thread.
class Exchange : public QObject
{
    Q_OBJECT
public:
    /// All outlive it.
    Exchange(ui::Draft& draft, ui::ThemeContext& context, QWidget& window, QObject* parent = nullptr);

    void askForFile();
    void takeFile(const QString& file);
    void askForPreset();
    void takePreset(const QString& id);

    void askWhereTo(const std::string& chain);
    void putInto(const QString& file, const std::string& chain);

    /// Ask for a file; empty = none. Tests put their own.
    std::function<QString(QWidget*)> askFile, askNewFile;

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
