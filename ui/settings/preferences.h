// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport_kind.h"
#include "ui/theme/theme.h"

#include <QSettings>

namespace sg::ui {

/// What the program remembers between starts: the one table of names and types. Whatever the file holds, a read
/// answers with a value that can be used; where it cannot be written the choices last as long as the program. GUI
/// thread.
class Preferences
{
public:
    explicit Preferences(const QString& file);

    /// Where the desktop keeps the settings of programs.
    static QString standardFile();

    ThemeMode theme() const;
    void setTheme(ThemeMode mode);
    bool reducedMotion() const;
    void setReducedMotion(bool reduced);
    int timeRange() const; ///< index of the top bar's ranges
    void setTimeRange(int index);
    QByteArray windowPlace() const; ///< as QWidget::saveGeometry()
    void setWindowPlace(const QByteArray& place);
    QByteArray playgroundDraft() const; ///< as PromptForm::draft()
    void setPlaygroundDraft(const QByteArray& draft);
    QByteArray chainsColumns() const; ///< as QSplitter::saveState()
    void setChainsColumns(const QByteArray& columns);
    /// Whether the gateway of a workspace was on when it was left; `workspace` is any text that names it.
    bool gatewayWasOn(const QString& workspace) const;
    void setGatewayOn(const QString& workspace, bool isOn); ///< the last hundred are remembered
    http::TransportKind transport() const;                  ///< which library carries requests
    void setTransport(http::TransportKind kind);
    bool chainsAsTree() const;
    void setChainsAsTree(bool isTree);

private:
    template <typename T>
    struct Entry;
    struct Table;
    template <typename T>
    T read(const Entry<T>& entry) const;
    template <typename T>
    void write(const Entry<T>& entry, const T& value);

    mutable QSettings settings_;
};

} // namespace sg::ui
